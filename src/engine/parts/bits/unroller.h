// Time-frame expansion of a problem into a SAT solver [Biere99, Een03].
//
// Frames are built forward, one pass over the model each, on LazyGates: reset values fold, equal
// structure is shared between frames, and only the cone of what is asked about is encoded.
// Tests: tests/unit/engine/bmc/bmc_test.cpp, kind_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/parts/bits/lazy_gates.h"
#include "model/problem.h"
#include "model/verdict.h"
#include "sat/sat_solver.h"

namespace lem::engine {

/// A point in time, counted from the start of the unrolling.
enum class Step : std::uint32_t {};
constexpr std::uint32_t index(Step step) {
  return static_cast<std::uint32_t>(step);
}
constexpr Step next(Step step) {
  return Step{index(step) + 1};
}

class Unroller {
 public:
  enum class Start { Reset, Anywhere };

  /// Both are borrowed; the solver must be new. Starts with no frame.
  Unroller(const Problem& problem, sat::SatSolver& solver, Start start);

  /// Builds the next frame; asserts nothing.
  Step extend();
  std::uint32_t num_steps() const { return static_cast<std::uint32_t>(frames_.size()); }

  // Signals of a built frame, as nodes of gates().
  /// Of a property, by its number in the problem.
  sat::Lit bad(Step at, std::size_t property = 0) const { return frames_[index(at)].bad[property]; }
  /// All constraints of the model at that step.
  sat::Lit legal(Step at) const { return frames_[index(at)].legal; }
  /// Every latch, in the model's order; outside the properties' cones they are constant false.
  const std::vector<sat::Lit>& state(Step at) const { return frames_[index(at)].state; }

  LazyGates& gates() { return gates_; }
  /// A literal the solver knows, ready to be assumed.
  sat::Lit encoded(sat::Lit node) { return gates_.encoded(node); }
  void require(sat::Lit node);

  // require: the solver's last answer was Sat.
  bool value(sat::Lit node) const { return gates_.value(node); }
  /// The run of the model up to and including `last`. require: started at reset.
  Trace trace(Step last) const;

 private:
  struct Frame {
    std::vector<sat::Lit> state;
    std::vector<sat::Lit> inputs;
    std::vector<sat::Lit> bad;  // by property
    sat::Lit legal;
  };
  std::vector<sat::Lit> first_state();
  std::vector<sat::Lit> next_state() const;
  sat::Lit at_now(AigLit lit) const { return now_[lit.var()] ^ lit.negative(); }

  const Problem& problem_;
  const Aig& aig_;
  sat::SatSolver& solver_;
  LazyGates gates_;
  Start start_;
  std::vector<bool> cone_;
  std::vector<std::uint32_t> cone_gates_;  // variables, ascending: topological
  std::vector<sat::Lit> now_;              // the latest frame, by variable of the model
  std::vector<Frame> frames_;
};

}  // namespace lem::engine
