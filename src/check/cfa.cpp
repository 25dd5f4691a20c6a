#include "check/cfa.h"

#include "check/question.h"
#include "term/traverse.h"

namespace lem::check {

namespace {

std::string describe(const Cfa& cfa, const CfaEdge& edge) {
  return "the edge from " + cfa[edge.from].name + " to " + cfa[edge.to].name;
}

}  // namespace

std::optional<std::string> replay(const Cfa& cfa, const CfaTrace& trace, std::stop_token stop) {
  TermStore& terms = cfa.terms();
  if (trace.values.size() != trace.edges.size() + 1) return "values are missing";
  for (const std::vector<Term>& state : trace.values) {
    if (state.size() != cfa.variables().size()) return "values are missing";
    for (Term value : state)
      if (!terms.is_value(value)) return "a value is left open";
  }
  LocationId at = cfa.initial();
  std::vector<Term> next;
  for (Term variable : cfa.variables()) next.push_back(terms.fresh("next", terms.sort(variable)));
  for (std::size_t i = 0; i < trace.edges.size(); ++i) {
    if (index(trace.edges[i]) >= cfa.edges().size()) return "there is no such edge";
    const CfaEdge& edge = cfa[trace.edges[i]];
    if (edge.from != at) return describe(cfa, edge) + " does not start where the run is";
    TermMap values;
    for (std::size_t v = 0; v < next.size(); ++v) {
      values[cfa.variables()[v]] = trace.values[i][v];
      values[next[v]] = trace.values[i + 1][v];
    }
    // What is left is what the command leaves open.
    Existential step = transition(terms, edge.command, cfa.variables(), next);
    Question question(terms, stop);
    if (question.excludes(substitute(terms, step.formula, values)) != TermHolds::No)
      return describe(cfa, edge) + " does not lead to the values that are given";
    at = edge.to;
  }
  if (at != cfa.error()) return "the run does not end at the error location";
  return {};
}

}  // namespace lem::check
