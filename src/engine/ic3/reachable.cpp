// Concrete states: counterexample traces, and the reachable states of Quip [Ivrii15].
#include <cassert>

#include "engine/ic3/search.h"

namespace lem {

/// An initial state in the cube: reset values, free latches as the cube says, else 0.
std::vector<bool> Ic3Search::initial_state(const Cube& cube) const {
  const Aig& aig = cnf_.aig();
  std::vector<bool> state(aig.num_latches(), false);
  for (Lit lit : cube.lits()) state[lit.var() - aig.first_latch()] = !lit.negative();
  for (std::uint32_t i = 0; i < aig.num_latches(); ++i) {
    Reset reset = aig.latches()[i].reset;
    if (reset != Reset::Free) state[i] = reset == Reset::One;
  }
  return state;
}

std::vector<bool> Ic3Search::input_values(std::span<const Lit> inputs) const {
  std::vector<bool> values(cnf_.aig().num_inputs(), false);
  for (Lit lit : inputs) values[lit.var() - cnf_.aig().first_input()] = !lit.negative();
  return values;
}

/// The run from an initial state in the obligation's cube along the successors to the violation.
Trace Ic3Search::concrete_trace(ObligationId id, std::uint32_t from) const {
  static_cast<void>(from);
  Trace trace;
  trace.initial = initial_state(obligations_[id].cube);
  for (; id != ObligationId::None; id = obligations_[id].successor) {
    trace.inputs.push_back(input_values(obligations_[id].inputs));
  }
  return trace;
}

}  // namespace lem
