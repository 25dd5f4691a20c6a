#include "check/replay.h"

#include <vector>

namespace lem::check {

namespace {

bool holds(const std::vector<bool>& value, AigLit lit) {
  return value[lit.var()] != lit.negative();
}

void evaluate(const Aig& aig, const std::vector<bool>& inputs, std::vector<bool>& value) {
  for (std::uint32_t i = 0; i < aig.num_inputs(); ++i) value[aig.input(i).var()] = inputs[i];
  for (std::uint32_t var = aig.first_and(); var < aig.num_vars(); ++var)
    value[var] = holds(value, aig.gate_of(var).left) && holds(value, aig.gate_of(var).right);
}

void set_latches(const Aig& aig, const std::vector<bool>& state, std::vector<bool>& value) {
  for (std::uint32_t i = 0; i < aig.num_latches(); ++i) value[aig.latch(i).var()] = state[i];
}

std::optional<std::string> check_shape(const Aig& aig, const Trace& trace) {
  if (trace.initial.size() != aig.num_latches())
    return "it gives " + std::to_string(trace.initial.size()) + " initial latch values for " +
           std::to_string(aig.num_latches()) + " latches";
  if (trace.inputs.empty()) return "it has no steps";
  for (std::size_t step = 0; step < trace.inputs.size(); ++step) {
    if (trace.inputs[step].size() != aig.num_inputs())
      return "step " + std::to_string(step) + " gives " +
             std::to_string(trace.inputs[step].size()) + " values for " +
             std::to_string(aig.num_inputs()) + " inputs";
  }
  for (std::uint32_t i = 0; i < aig.num_latches(); ++i) {
    Reset reset = aig.latches()[i].reset;
    if (reset != Reset::Free && trace.initial[i] != (reset == Reset::One))
      return "latch l" + std::to_string(i) + " does not start with its reset value";
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> replay(const Aig& aig, AigLit bad, const Trace& trace) {
  if (auto wrong = check_shape(aig, trace)) return wrong;
  std::vector<bool> value(aig.num_vars(), false);
  std::vector<bool> state = trace.initial;
  for (std::size_t step = 0; step < trace.inputs.size(); ++step) {
    set_latches(aig, state, value);
    evaluate(aig, trace.inputs[step], value);
    for (std::size_t i = 0; i < aig.constraints().size(); ++i) {
      if (!holds(value, aig.constraints()[i]))
        return "constraint c" + std::to_string(i) + " does not hold at step " +
               std::to_string(step);
    }
    for (std::uint32_t i = 0; i < aig.num_latches(); ++i)
      state[i] = holds(value, aig.latches()[i].next);
  }
  if (!holds(value, bad))
    return "the bad state does not hold at the last step (" +
           std::to_string(trace.inputs.size() - 1) + ")";
  return std::nullopt;
}

}  // namespace lem::check
