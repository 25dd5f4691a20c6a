#include "engine/parts/bits/valuation.h"

#include <cassert>

namespace lem {

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

}  // namespace lem
