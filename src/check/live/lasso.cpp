#include "check/live/lasso.h"

#include <algorithm>

#include "check/replay.h"
#include "check/terms.h"
#include "term/traverse.h"

namespace lem::check {

namespace {

constexpr std::string_view kMissing = "recurring signal";

std::string missing(std::size_t signal) {
  return std::string(kMissing) + " " + std::to_string(signal) + " does not hold inside the loop";
}

std::optional<std::string> first_missing(const std::vector<bool>& seen) {
  auto at = std::find(seen.begin(), seen.end(), false);
  if (at == seen.end()) return {};
  return missing(static_cast<std::size_t>(at - seen.begin()));
}

}  // namespace

std::optional<std::string> replay_lasso(const Aig& aig, const std::vector<AigLit>& often,
                                        const Trace& trace, std::size_t loop) {
  if (loop >= trace.inputs.size()) return "the loop starts after the last step";
  // Reset, shape and constraints, as for a run to a bad state.
  if (auto wrong = replay(aig, kAigTrue, trace)) return wrong;
  std::vector<bool> value(aig.num_vars(), false);
  auto holds = [&](AigLit lit) { return value[lit.var()] != lit.negative(); };
  std::vector<bool> state = trace.initial;
  std::vector<bool> entry;
  std::vector<bool> seen(often.size(), false);
  for (std::size_t step = 0; step < trace.inputs.size(); ++step) {
    if (step == loop) entry = state;
    for (std::uint32_t i = 0; i < aig.num_latches(); ++i) value[aig.latch(i).var()] = state[i];
    for (std::uint32_t i = 0; i < aig.num_inputs(); ++i)
      value[aig.input(i).var()] = trace.inputs[step][i];
    for (std::uint32_t var = aig.first_and(); var < aig.num_vars(); ++var)
      value[var] = holds(aig.gate_of(var).left) && holds(aig.gate_of(var).right);
    for (std::size_t i = 0; step >= loop && i < often.size(); ++i)
      if (holds(often[i])) seen[i] = true;
    for (std::uint32_t i = 0; i < aig.num_latches(); ++i) state[i] = holds(aig.latches()[i].next);
  }
  for (std::uint32_t i = 0; i < aig.num_latches(); ++i)
    if (state[i] != entry[i])
      return "latch l" + std::to_string(i) + " does not come back to its value at step " +
             std::to_string(loop);
  return first_missing(seen);
}

std::optional<std::string> replay_lasso(const TransitionSystem& system,
                                        const std::vector<Term>& often, const TermTrace& trace,
                                        std::size_t loop) {
  if (loop >= trace.steps.size()) return "the loop starts after the last step";
  TermStore& terms = system.terms();
  // The loop once around: its first state, with its inputs, is the last step of the run.
  TermTrace closed = trace;
  closed.steps.push_back(trace.steps[loop]);
  if (auto wrong = replay(system, terms.boolean(true), closed)) return wrong;
  std::vector<bool> seen(often.size(), false);
  for (std::size_t step = loop; step < trace.steps.size(); ++step) {
    TermMap values;
    for (std::size_t i = 0; i < system.states().size(); ++i)
      values[system.states()[i].current] = trace.steps[step].states[i];
    for (std::size_t i = 0; i < system.inputs().size(); ++i)
      values[system.inputs()[i]] = trace.steps[step].inputs[i];
    for (std::size_t i = 0; i < often.size(); ++i)
      if (terms.is_true(evaluate(terms, often[i], values))) seen[i] = true;
  }
  return first_missing(seen);
}

/// The steps, last first, whose whole state is the one after the last step.
///   require: the trace has the shape of the model
static std::vector<std::size_t> returns(const Aig& aig, const Trace& trace) {
  std::vector<bool> value(aig.num_vars(), false);
  auto holds = [&](AigLit lit) { return value[lit.var()] != lit.negative(); };
  std::vector<std::vector<bool>> states{trace.initial};
  for (const std::vector<bool>& inputs : trace.inputs) {
    for (std::uint32_t i = 0; i < aig.num_latches(); ++i)
      value[aig.latch(i).var()] = states.back()[i];
    for (std::uint32_t i = 0; i < aig.num_inputs(); ++i) value[aig.input(i).var()] = inputs[i];
    for (std::uint32_t var = aig.first_and(); var < aig.num_vars(); ++var)
      value[var] = holds(aig.gate_of(var).left) && holds(aig.gate_of(var).right);
    std::vector<bool>& next = states.emplace_back(aig.num_latches());
    for (std::uint32_t i = 0; i < aig.num_latches(); ++i) next[i] = holds(aig.latches()[i].next);
  }
  std::vector<std::size_t> found;
  for (std::size_t step = trace.inputs.size(); step-- > 0;)
    if (states[step] == states.back()) found.push_back(step);
  return found;
}

std::optional<std::string> replay_any_lasso(const Aig& aig, const std::vector<AigLit>& often,
                                            const Trace& trace) {
  if (auto wrong = replay(aig, kAigTrue, trace)) return wrong;
  std::optional<std::string> first;
  for (std::size_t loop : returns(aig, trace)) {
    std::optional<std::string> wrong = replay_lasso(aig, often, trace, loop);
    if (!wrong) return {};
    if (!first) first = wrong;
  }
  return first ? first : "no state comes back after the last step";
}

std::optional<std::string> replay_any_lasso(const TransitionSystem& system,
                                            const std::vector<Term>& often,
                                            const TermTrace& trace) {
  if (auto wrong = replay(system, system.terms().boolean(true), trace)) return wrong;
  std::optional<std::string> first;
  for (std::size_t loop = trace.steps.size(); loop-- > 0;) {
    std::optional<std::string> wrong = replay_lasso(system, often, trace, loop);
    if (!wrong) return {};
    if (wrong->starts_with(kMissing)) first = wrong;
  }
  return first ? first : "no state comes back after the last step";
}

}  // namespace lem::check
