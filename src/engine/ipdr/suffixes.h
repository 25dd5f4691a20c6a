// All suffixes of the frame sequence in one solver:
//   F_i(X_i) & T(X_i, X_i+1) & F_i+1(X_i+1) & ... & T(X_k-1, X_k) & F_k(X_k) & bad(X_k)
// for any i. Every step has a state of its own; the links X_j+1 = next(X_j) are assumptions, so
// that a suffix is free of what comes before it. Lemmas stay for good, as frames only grow
// stronger.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "base/id.h"
#include "engine/parts/bits/lazy_gates.h"
#include "engine/parts/common/cube.h"
#include "model/problem.h"
#include "sat/sat_solver.h"

namespace lem::engine {

class Suffixes {
 public:
  /// Borrows the problem. Starts with no step.
  Suffixes(const Problem& problem, std::stop_token stop);

  /// Adds the step X_k for the next k.
  void extend();
  /// Excludes the cube, over the model's latches, at step `at`.
  void exclude(Level at, const Cube& cube);

  /// Satisfiability of the suffix that starts at X_from and is bad at the last step.
  sat::SatResult reach_bad(Level from);
  // After Sat: the model's literals of a step, over the model's latches and inputs.
  std::vector<Lit> state(Level at) const;
  std::vector<Lit> inputs(Level at) const;

 private:
  struct Frame {
    std::vector<sat::Lit> state;   // by latch
    std::vector<sat::Lit> inputs;  // by input
    std::vector<sat::Lit> next;    // by latch: the value one step later
    sat::Lit bad;
    sat::Lit link;  // makes `next` the state of the following step
  };
  void connect(const Frame& before, const Frame& after);

  const Problem& problem_;
  std::unique_ptr<sat::SatSolver> solver_;
  LazyGates gates_;
  std::vector<bool> cone_;
  std::vector<Frame> frames_;
};

}  // namespace lem::engine
