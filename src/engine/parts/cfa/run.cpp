#include "engine/parts/cfa/run.h"

#include <algorithm>
#include <cassert>

#include "smt/solvers.h"
#include "term/traverse.h"

namespace lem::engine {

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

CfaRuns::CfaRuns(const Cfa& cfa, const CfaSteps& steps, const Context& ctx)
    : cfa_(cfa),
      steps_(steps),
      terms_(cfa.terms()),
      solver_(smt::Solvers(ctx).make(terms_, smt::Workload::Single)) {
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

const CfaRuns::Taken& CfaRuns::taken(StepId step, std::size_t position) {
  auto [at, added] = taken_.try_emplace({step, position});
  Taken& made = at->second;
  if (!added) return made;
  values_at(position + 1);
  Substitution here(terms_);
  for (std::size_t i = 0; i < next_.size(); ++i) {
    here.add(cfa_.variables()[i], values_[position][i]);
    here.add(next_[i], values_[position + 1][i]);
  }
  for (Term local : steps_[step].fresh) here.add(local, terms_.fresh("local", terms_.sort(local)));
  made.parts = conjuncts(terms_, steps_.transition(step, next_));
  for (Term part : made.parts) made.here.push_back(here.apply(part));
  assert(made.parts.size() == made.here.size() && "every conjunct has its place");
  return made;
}

CfaRuns::Found CfaRuns::along(std::span<const StepId> steps) {
  assert(!steps.empty() && "a run without steps is the initial state");
  smt::Scope scope(*solver_);
  std::vector<Term> assumptions;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Taken& step = taken(steps[i], i);
    assumptions.insert(assumptions.end(), step.here.begin(), step.here.end());
  }
  Found found{solver_->solve(assumptions), {}, {}};
  if (found.answer == smt::Answer::Unsat) found.core = core_of(steps);
  if (found.answer != smt::Answer::Sat) return found;
  for (StepId step : steps) found.run.edges.push_back(steps_[step].edge);
  for (std::size_t i = 0; i <= steps.size(); ++i) {
    std::vector<Term>& values = found.run.values.emplace_back();
    for (Term variable : values_at(i)) values.push_back(solver_->value(variable));
  }
  assert(found.run.values.size() == found.run.edges.size() + 1 && "values around every edge");
  return found;
}

/// require: the last query was about the steps and unsatisfiable
std::vector<std::vector<Term>> CfaRuns::core_of(std::span<const StepId> steps) {
  const std::vector<Term>& needed = solver_->core();
  std::vector<std::vector<Term>> core(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Taken& step = taken(steps[i], i);
    for (std::size_t part = 0; part < step.parts.size(); ++part)
      if (std::find(needed.begin(), needed.end(), step.here[part]) != needed.end())
        core[i].push_back(step.parts[part]);
  }
  return core;
}

}  // namespace lem::engine
