#include "engine/parts/bits/valuation.h"

#include <algorithm>
#include <cassert>

namespace lem::engine {

std::vector<bool> initial_state(const Aig& aig, const Cube& cube) {
  std::vector<bool> values(aig.num_latches());
  for (std::uint32_t i = 0; i < aig.num_latches(); ++i)
    values[i] = aig.latches()[i].reset == Reset::One;
  for (Lit lit : cube.lits()) {
    std::uint32_t latch = lit.var() - aig.first_latch();
    bool free = aig.latches()[latch].reset == Reset::Free;
    assert((free || values[latch] != lit.negative()) && "the cube has no initial state");
    if (free) values[latch] = !lit.negative();
  }
  return values;
}

std::vector<bool> input_values(const Aig& aig, std::span<const Lit> inputs) {
  std::vector<bool> values(aig.num_inputs());
  for (Lit lit : inputs) values[lit.var() - aig.first_input()] = !lit.negative();
  return values;
}

std::vector<bool> some_state(const Aig& aig, const Cube& cube) {
  std::vector<bool> values(aig.num_latches());
  for (std::uint32_t i = 0; i < aig.num_latches(); ++i) values[i] = i % 2 == 0;
  for (Lit lit : cube.lits()) values[lit.var() - aig.first_latch()] = !lit.negative();
  return values;
}

bool in_cube(const Aig& aig, const std::vector<bool>& state, const Cube& cube) {
  return std::all_of(cube.lits().begin(), cube.lits().end(), [&](Lit lit) {
    return state[lit.var() - aig.first_latch()] != lit.negative();
  });
}

std::vector<bool> signal_values(const Aig& aig, const std::vector<bool>& state,
                                const std::vector<bool>& inputs) {
  std::vector<bool> values(aig.num_vars(), false);
  std::copy(inputs.begin(), inputs.end(), values.begin() + aig.first_input());
  std::copy(state.begin(), state.end(), values.begin() + aig.first_latch());
  auto value = [&](AigLit lit) { return values[lit.var()] != lit.negative(); };
  for (std::uint32_t var = aig.first_and(); var < aig.num_vars(); ++var)
    values[var] = value(aig.gate_of(var).left) && value(aig.gate_of(var).right);
  return values;
}

std::vector<bool> next_state(const Aig& aig, const std::vector<bool>& signals) {
  std::vector<bool> after;
  for (const Latch& latch : aig.latches())
    after.push_back(signals[latch.next.var()] != latch.next.negative());
  return after;
}

}  // namespace lem::engine
