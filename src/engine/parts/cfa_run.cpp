#include "engine/parts/cfa_run.h"

#include "term/traverse.h"

namespace lem {

Verdict verdict_of(CfaAnswer answer) {
  if (auto* invariants = std::get_if<LocationInvariants>(&answer))
    return Safe{std::move(*invariants)};
  if (auto* trace = std::get_if<CfaTrace>(&answer)) return Unsafe{std::move(*trace)};
  return std::get<Unknown>(answer);
}

CfaTrace run_of_no_edges(const Cfa& cfa) {
  CfaTrace run{{}, {{}}};
  for (Term variable : cfa.variables())
    run.values.front().push_back(cfa.terms().default_value(cfa.terms().sort(variable)));
  return run;
}

CfaRuns::CfaRuns(const Cfa& cfa, std::stop_token stop)
    : cfa_(cfa),
      terms_(cfa.terms()),
      solver_(smt::make_z3(terms_, smt::Workload::Single, std::move(stop))) {
  for (Term variable : cfa.variables())
    next_.push_back(terms_.fresh("next", terms_.sort(variable)));
}

const std::vector<Term>& CfaRuns::values_at(std::size_t position) {
  while (values_.size() <= position) {
    std::vector<Term>& made = values_.emplace_back();
    for (Term variable : cfa_.variables())
      made.push_back(terms_.fresh("at", terms_.sort(variable)));
  }
  return values_[position];
}

Term CfaRuns::taken(EdgeId edge, std::size_t position) {
  Term& formula = taken_[{edge, position}];
  if (formula) return formula;
  values_at(position + 1);
  TermMap here;
  for (std::size_t i = 0; i < next_.size(); ++i) {
    here[cfa_.variables()[i]] = values_[position][i];
    here[next_[i]] = values_[position + 1][i];
  }
  Existential relation = transition(terms_, cfa_[edge].command, cfa_.variables(), next_);
  return formula = substitute(terms_, relation.formula, here);
}

CfaRuns::Found CfaRuns::along(std::span<const EdgeId> edges) {
  smt::Scope scope(*solver_);
  for (std::size_t i = 0; i < edges.size(); ++i) solver_->add(taken(edges[i], i));
  Found found{solver_->solve(), {}};
  if (found.answer != smt::Answer::Sat) return found;
  found.run.edges.assign(edges.begin(), edges.end());
  for (std::size_t i = 0; i <= edges.size(); ++i) {
    std::vector<Term>& values = found.run.values.emplace_back();
    for (Term variable : values_at(i)) values.push_back(solver_->value(variable));
  }
  return found;
}

}  // namespace lem
