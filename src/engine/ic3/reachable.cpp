// Concrete states: counterexample traces, and the reachable states of Quip [Ivrii15].
#include <algorithm>
#include <cassert>

#include "engine/ic3/search.h"
#include "engine/parts/bits/valuation.h"

namespace lem {

bool Ic3Search::in_cube(const std::vector<bool>& state, const Cube& cube) const {
  for (Lit lit : cube.lits()) {
    if (state[lit.var() - cnf_.aig().first_latch()] == lit.negative()) return false;
  }
  return true;
}

std::vector<bool> Ic3Search::step(const std::vector<bool>& state,
                                  const std::vector<bool>& inputs) const {
  const Aig& aig = cnf_.aig();
  std::vector<bool> values(aig.num_vars(), false);
  std::copy(inputs.begin(), inputs.end(), values.begin() + aig.first_input());
  std::copy(state.begin(), state.end(), values.begin() + aig.first_latch());
  auto value = [&](AigLit lit) { return values[lit.var()] != lit.negative(); };
  for (std::uint32_t var = aig.first_and(); var < aig.num_vars(); ++var) {
    values[var] = value(aig.gate_of(var).left) && value(aig.gate_of(var).right);
  }
  std::vector<bool> after;
  for (const Latch& latch : aig.latches()) after.push_back(value(latch.next));
  return after;
}

void Ic3Search::append_inputs(ObligationId id, Trace& trace) const {
  for (; id != ObligationId::None; id = obligations_[id].successor) {
    trace.inputs.push_back(input_values(cnf_.aig(), obligations_[id].inputs));
  }
}

/// The run from an initial state in the obligation's cube along the successors to the violation.
Trace Ic3Search::trace_from_initial(ObligationId id) const {
  Trace trace{initial_state(cnf_.aig(), obligations_[id].cube), {}};
  append_inputs(id, trace);
  return trace;
}

/// The same from a reached state in the cube, after the way to that state.
Trace Ic3Search::trace_from_reached(ObligationId id, std::uint32_t from) const {
  Trace trace;
  while (reached_[from].parent != kNone) {
    trace.inputs.push_back(reached_[from].inputs);
    from = reached_[from].parent;
  }
  std::reverse(trace.inputs.begin(), trace.inputs.end());
  trace.initial = reached_[from].state;
  append_inputs(id, trace);
  return trace;
}

std::uint32_t Ic3Search::reached_in(const Cube& cube) const {
  for (std::uint32_t i = 0; i < reached_.size(); ++i) {
    if (in_cube(reached_[i].state, cube)) return i;
  }
  return kNone;
}

/// Runs from a reachable state in the obligation's cube along the successors; every state on the
/// way is reachable, and every lemma that excludes one is bad.
void Ic3Search::walk_forward(ObligationId id, std::uint32_t from) {
  if (from == kNone) from = remember({initial_state(cnf_.aig(), obligations_[id].cube), kNone, {}});
  while (obligations_[id].successor != ObligationId::None) {
    std::vector<bool> inputs = input_values(cnf_.aig(), obligations_[id].inputs);
    from = remember({step(reached_[from].state, inputs), from, std::move(inputs)});
    id = obligations_[id].successor;
    assert(in_cube(reached_[from].state, obligations_[id].cube) && "lifting guarantees the step");
  }
}

std::uint32_t Ic3Search::remember(Reached reached) {
  for (std::uint32_t i = 0; i < reached_.size(); ++i) {
    if (reached_[i].state == reached.state) return i;
  }
  ++stats_.reachable;
  for (Level level{1}; level <= frames_.top(); ++level) {
    for (Lemma& lemma : frames_.at(level)) lemma.bad |= in_cube(reached.state, lemma.cube);
  }
  reached_.push_back(std::move(reached));
  return static_cast<std::uint32_t>(reached_.size() - 1);
}

}  // namespace lem
