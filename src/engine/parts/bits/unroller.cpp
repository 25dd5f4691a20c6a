#include "engine/parts/bits/unroller.h"

#include <array>
#include <cassert>
#include <utility>

#include "model/cone.h"

namespace lem::engine {

using sat::Lit;

static std::vector<AigLit> targets(const Problem& problem) {
  std::vector<AigLit> bad;
  for (const Property& property : problem.properties) bad.push_back(property.bad());
  return bad;
}

Unroller::Unroller(const Problem& problem, sat::SatSolver& solver, Start start)
    : problem_(problem),
      aig_(problem.aig()),
      solver_(solver),
      gates_(solver),
      start_(start),
      cone_(constrained_cone(aig_, targets(problem))),
      now_(aig_.num_vars(), gates_.falsity()) {
  for (std::uint32_t var = aig_.first_and(); var < aig_.num_vars(); ++var)
    if (cone_[var]) cone_gates_.push_back(var);
}

std::vector<Lit> Unroller::first_state() {
  std::vector<Lit> state(aig_.num_latches(), gates_.falsity());
  for (std::uint32_t i = 0; i < aig_.num_latches(); ++i) {
    if (!cone_[aig_.latch(i).var()]) continue;
    Reset reset = start_ == Start::Anywhere ? Reset::Free : aig_.latches()[i].reset;
    if (reset == Reset::Free) state[i] = gates_.leaf();
    if (reset == Reset::One) state[i] = gates_.truth();
  }
  return state;
}

std::vector<Lit> Unroller::next_state() const {
  std::vector<Lit> state(aig_.num_latches(), gates_.falsity());
  for (std::uint32_t i = 0; i < aig_.num_latches(); ++i)
    if (cone_[aig_.latch(i).var()]) state[i] = at_now(aig_.latches()[i].next);
  return state;
}

Step Unroller::extend() {
  Frame frame;
  frame.state = frames_.empty() ? first_state() : next_state();
  for (std::uint32_t i = 0; i < aig_.num_latches(); ++i) now_[aig_.latch(i).var()] = frame.state[i];
  frame.inputs.assign(aig_.num_inputs(), gates_.falsity());
  for (std::uint32_t i = 0; i < aig_.num_inputs(); ++i) {
    std::uint32_t var = aig_.input(i).var();
    if (cone_[var]) now_[var] = frame.inputs[i] = gates_.leaf();
  }
  for (std::uint32_t var : cone_gates_) {
    const AndGate& gate = aig_.gate_of(var);
    now_[var] = gates_.conj(at_now(gate.left), at_now(gate.right));
  }
  for (const Property& property : problem_.properties) frame.bad.push_back(at_now(property.bad()));
  frame.legal = gates_.truth();
  for (AigLit constraint : aig_.constraints())
    frame.legal = gates_.conj(frame.legal, at_now(constraint));
  frames_.push_back(std::move(frame));
  return Step{num_steps() - 1};
}

void Unroller::require(Lit node) {
  gates_.encoded(node);
  solver_.add_clause(std::array{node});
}

Trace Unroller::trace(Step last) const {
  assert(start_ == Start::Reset && "a path from anywhere is no run of the model");
  assert(index(last) < num_steps() && "the trace ends after the last frame");
  Trace trace;
  trace.initial.reserve(aig_.num_latches());
  for (std::uint32_t i = 0; i < aig_.num_latches(); ++i) {
    bool inside = cone_[aig_.latch(i).var()];
    trace.initial.push_back(inside ? value(frames_[0].state[i])
                                   : aig_.latches()[i].reset == Reset::One);
  }
  for (std::uint32_t step = 0; step <= index(last); ++step) {
    std::vector<bool>& row = trace.inputs.emplace_back();
    row.reserve(aig_.num_inputs());
    for (Lit input : frames_[step].inputs) row.push_back(value(input));
  }
  return trace;
}

}  // namespace lem::engine
