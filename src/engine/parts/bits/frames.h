// The frames of IC3 on bits with their solvers: F_i & T for each i, lemmas in delta-encoded lists
// (parts/common/frames.h), F_infinity in all of them. Every query about a frame is asked here.
//
// Checked builds assert that a lemma is inductive relative to the frame before when it is added,
// that frames are monotone, and that lifted cubes are in the preimage; queries for that are
// sampled. Tests: tests/unit/engine/parts/bit_frames_test.cpp, tests/unit/engine/ic3/ic3_test.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/parts/bits/latch_activity.h"
#include "engine/parts/bits/lifter.h"
#include "engine/parts/bits/transition_cnf.h"
#include "engine/parts/common/frames.h"
#include "engine/parts/common/induction.h"
#include "engine/parts/common/sample.h"
#include "model/verdict.h"

namespace lem::engine {

class BitFrames {
 public:
  struct Config {
    Lift lift;
    std::uint32_t lift_rounds = 1;
    std::uint32_t seed = 0;                // of the literals' first order, 0: as they come
    std::uint64_t conflicts = UINT64_MAX;  // of a query; with more it is stopped
  };
  /// require: `problem` outlives this.  Starts with F_0, the reset values.
  BitFrames(const Problem& problem, const Config& config, std::stop_token stop);
  BitFrames(const BitFrames&) = delete;
  BitFrames& operator=(const BitFrames&) = delete;

  const TransitionCnf& cnf() const { return cnf_; }
  const LatchActivity& activity() const { return activity_; }
  Frames& lemmas() { return lemmas_; }
  const Frames& lemmas() const { return lemmas_; }
  Level top() const { return lemmas_.top(); }
  /// F_top+1 := F_infinity
  void extend();

  bool meets_initial(std::span<const Lit> cube) const { return cnf_.meets_reset(cube); }
  /// [Lange18 (3.3)]: F_i-1 & !cube & T & cube' unsatisfiable.
  ///   require: the cube meets no initial state
  Induction inductive(Level i, std::span<const Lit> cube);
  /// The same with F_infinity in place of F_i-1.
  bool inductive_for_good(std::span<const Lit> cube);
  /// F_top & bad, with the bad states of a property.
  sat::SatResult reach_bad(std::size_t property = 0);
  /// F_infinity & bad is unsatisfiable: the lemmas for good prove the property.
  bool good_for_good(std::size_t property);

  // After inductive() failed or reach_bad() was satisfiable: what the model says.
  /// The model's state; latches that the query left open are not in it.
  std::vector<Lit> counterexample() const;
  /// A cube of states around it that all take the step, with the inputs they take it under.
  Lifted predecessor();
  /// The same for a given step: states and inputs in `facts`, by which the targets are true.
  /// Nothing if stopped.
  std::optional<Lifted> lift_step(std::span<const Lit> facts, std::span<const Lit> targets);

  /// require: inductive at the level.   ensure: false if a lemma subsumed it: nothing changed
  bool add(Level level, const Cube& cube);
  bool add_infinity(const Cube& cube);
  /// Lemmas that were subsumed or pushed on stay in the solvers as dead weight; a solver with far
  /// more clauses than its frame has lemmas is built anew.   ensure: true if it was
  bool rebuild_if_stale(Level level);

  /// The lemmas above the level.   require: F_level = F_level+1, which implies the property
  InductiveInvariant invariant(Level level) const;
  /// The lemmas of F_infinity.
  InductiveInvariant invariant_for_good() const { return invariant(top()); }

  std::uint64_t queries() const;
  std::uint64_t conflicts() const;

 private:
  void repair_initiation(std::span<const Lit> cube);
  void assume_step_into(std::span<const Lit> cube);
  void add_clause_of(const Cube& cube, sat::Cdcl& solver) const;
  std::unique_ptr<sat::Cdcl> solver_of(Level level) const;
  // For checked builds.
  bool is_inductive(Level level, const Cube& cube) const;
  bool is_monotone(Level level) const;
  bool leads_on(const Lifted& lifted, std::span<const Lit> targets) const;

  TransitionCnf cnf_;
  LatchActivity activity_;
  Lifter lifter_;
  Frames lemmas_;
  std::unique_ptr<sat::Cdcl> step_;                  // T and F_infinity: what frames start from
  std::vector<std::unique_ptr<sat::Cdcl>> solvers_;  // one per frame, F_0 first
  std::vector<std::size_t> clauses_added_;           // to each, since it was built
  std::uint64_t retired_queries_ = 0;                // of rebuilt solvers
  Level asked_{0};                                   // the frame of the last query
  std::vector<Lit> assumptions_;                     // of the last query: the targets of lifting
  std::vector<Lit> temporary_;                       // its other clause
  std::vector<Lit> core_;                            // of the last query that holds
  Sample sample_;
};

}  // namespace lem::engine
