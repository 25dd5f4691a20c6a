// Variables of the source that the model evaluates instead of storing (SourceMap::observed).
#pragma once

#include <vector>

#include "model/problem.h"
#include "model/verdict.h"
#include "term/traverse.h"

namespace lem {

/// The values at a step, in the order of the source map.
///   require: the step fits the problem's transition system
inline std::vector<Term> observed_at(const Problem& problem, const TermTrace::Step& step) {
  const TransitionSystem& system = problem.system();
  assert(step.states.size() == system.states().size() && "trace of another model");
  assert(step.inputs.size() == system.inputs().size() && "trace of another model");
  std::vector<Term> values;
  if (problem.source.observed.empty()) return values;
  TermMap map;
  for (std::size_t i = 0; i < step.states.size(); ++i)
    map[system.states()[i].current] = step.states[i];
  for (std::size_t i = 0; i < step.inputs.size(); ++i) map[system.inputs()[i]] = step.inputs[i];
  for (const auto& [name, term] : problem.source.observed)
    values.push_back(evaluate(system.terms(), term, map));
  return values;
}

}  // namespace lem
