#include "check/cfa.h"

#include <unordered_map>

#include "check/question.h"
#include "term/traverse.h"

namespace lem::check {

namespace {

std::string describe(const Cfa& cfa, const CfaEdge& edge) {
  return "the edge from " + cfa[edge.from].name + " to " + cfa[edge.to].name;
}

/// One step of a run, with what it needs of all steps.
class Stepper {
 public:
  Stepper(const Cfa& cfa, std::stop_token stop) : cfa_(cfa), stop_(std::move(stop)) {
    for (std::size_t i = 0; i < cfa.variables().size(); ++i) place_[cfa.variables()[i]] = i;
    next_.resize(cfa.variables().size());
  }

  /// Whether the command leads from the old values to the new ones. Only variables that it mentions
  /// are evaluated: runs are long, and programs have many variables.
  bool leads(const Command& command, const std::vector<Term>& from, const std::vector<Term>& to) {
    TermStore& terms = cfa_.terms();
    std::vector<Term> current, next;
    TermMap values;
    std::vector<bool> mentioned(from.size());
    for (Term variable : variables_of(terms, command)) {
      std::size_t i = place_.at(variable);
      if (!next_[i]) next_[i] = terms.fresh("next", terms.sort(variable));
      mentioned[i] = true;
      current.push_back(variable);
      next.push_back(next_[i]);
      values[variable] = from[i];
      values[next_[i]] = to[i];
    }
    for (std::size_t i = 0; i < from.size(); ++i)
      if (!mentioned[i] && from[i] != to[i]) return false;
    // The remaining formula is about nondeterministic choices.
    Existential step = transition(terms, command, current, next);
    Term open = substitute(terms, step.formula, values);
    if (terms.is_value(open)) return terms.is_true(open);
    return Question(terms, stop_).excludes(open) == TermHolds::No;
  }

 private:
  const Cfa& cfa_;
  std::stop_token stop_;
  std::unordered_map<Term, std::size_t> place_;
  std::vector<Term> next_;  // by variable, once it is needed
};

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
  Stepper stepper(cfa, std::move(stop));
  for (std::size_t i = 0; i < trace.edges.size(); ++i) {
    if (index(trace.edges[i]) >= cfa.edges().size()) return "there is no such edge";
    const CfaEdge& edge = cfa[trace.edges[i]];
    if (edge.from != at) return describe(cfa, edge) + " does not start where the run is";
    if (!stepper.leads(edge.command, trace.values[i], trace.values[i + 1]))
      return describe(cfa, edge) + " does not lead to the values that are given";
    at = edge.to;
  }
  if (at != cfa.error()) return "the run does not end at the error location";
  return {};
}

}  // namespace lem::check
