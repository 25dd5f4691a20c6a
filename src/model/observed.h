// Variables of the source that the model evaluates instead of storing (SourceMap::observed).
#pragma once

#include <vector>

#include "model/problem.h"
#include "model/verdict.h"
#include "term/traverse.h"

namespace lem {

/// The values of all states and inputs at a step.
///   require: the step fits the problem's transition system
inline TermMap step_values(const Problem& problem, const TermTrace::Step& step) {
  const TransitionSystem& system = problem.system();
  assert(step.states.size() == system.states().size() && "trace of another model");
  assert(step.inputs.size() == system.inputs().size() && "trace of another model");
  TermMap map;
  for (std::size_t i = 0; i < step.states.size(); ++i)
    map[system.states()[i].current] = step.states[i];
  for (std::size_t i = 0; i < step.inputs.size(); ++i) map[system.inputs()[i]] = step.inputs[i];
  return map;
}

/// The values at a step, in the order of the source map. Signals share most of their terms, so one
/// substitution evaluates all of them.
///   require: the step fits the problem's transition system
inline std::vector<Term> observed_at(const Problem& problem, const TermTrace::Step& step) {
  std::vector<Term> values;
  if (problem.source.observed.empty()) return values;
  TermStore& terms = problem.system().terms();
  Substitution evaluation(terms, step_values(problem, step));
  for (const auto& [name, term] : problem.source.observed) values.push_back(evaluation.apply(term));
  return values;
}

}  // namespace lem
