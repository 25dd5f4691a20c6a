#include "engine/ic3/reachable.h"

#include <algorithm>
#include <cassert>

#include "engine/parts/bits/valuation.h"

namespace lem::engine {

bool ReachedStates::is_in(ReachedId id, const Cube& cube) const {
  return in_cube(aig_, at(id).state, cube);
}

std::optional<ReachedId> ReachedStates::in(const Cube& cube) const {
  for (std::uint32_t i = 0; i < reached_.size(); ++i)
    if (in_cube(aig_, reached_[i].state, cube)) return ReachedId{i};
  return {};
}

ReachedStates::Added ReachedStates::add(Reached reached) {
  for (std::uint32_t i = 0; i < reached_.size(); ++i)
    if (reached_[i].state == reached.state) return {ReachedId{i}, false};
  assert(reached.state.size() == aig_.num_latches() && "every latch has a value");
  reached_.push_back(std::move(reached));
  return {ReachedId{static_cast<std::uint32_t>(reached_.size() - 1)}, true};
}

ReachedStates::Added ReachedStates::add_successor(ReachedId from, std::vector<bool> inputs) {
  assert(inputs.size() == aig_.num_inputs() && "every input has a value");
  std::vector<bool> after = next_state(aig_, signal_values(aig_, at(from).state, inputs));
  return add({std::move(after), from, std::move(inputs)});
}

Trace ReachedStates::run_to(ReachedId id) const {
  Trace trace;
  while (at(id).parent) {
    trace.inputs.push_back(at(id).inputs);
    id = *at(id).parent;
  }
  std::reverse(trace.inputs.begin(), trace.inputs.end());
  trace.initial = at(id).state;
  return trace;
}

}  // namespace lem::engine
