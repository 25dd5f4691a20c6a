// Proves candidate equivalences by induction over one step, all together [Eijk00]: counterexamples
// refine the classes until base and step case hold for what is left.
//
// Deviation from the paper: equalities are proved without the constraints of their own step (only
// with those of the step before). They then hold before any constraint is evaluated, so constraints
// may be rewritten with them too and traces stay valid.
#pragma once

#include <cstdint>
#include <ctime>
#include <optional>
#include <stop_token>
#include <vector>

#include "model/aig.h"
#include "transform/bits/rebuild.h"
#include "transform/bits/sweep/classes.h"
#include "transform/bits/sweep/miter_solver.h"
#include "transform/bits/sweep/miters.h"
#include "transform/bits/sweep/proof_memory.h"
#include "transform/bits/sweep/simulation.h"

namespace lem::transform {

struct SweepLimits {
  std::clock_t processor_time;  // processor time: results do not depend on the machine's load
  std::uint64_t conflicts;      // per query; a candidate that needs more is given up
  std::uint64_t rounds;         // of the step case
  std::stop_token stop;
};

struct SweepCounts {
  std::uint64_t rounds = 0, queries = 0, refuted = 0, abandoned = 0, wakes = 0;
};

class SweepProver {
 public:
  SweepProver(const Aig& aig, SweepScope scope, SweepLimits limits);

  /// The equalities proved, or nothing at all if a limit was hit before the fixpoint.
  std::optional<SignalSubstitution> prove();
  const SweepCounts& counts() const { return counts_; }

 private:
  Classes guess();
  void falsify_by_random_states();
  bool prove_case(InductionCase which);

  /// One round; false if a limit was hit.
  bool run_round(InductionCase which);
  std::vector<Miter> context() const;
  enum class Outcome : std::uint8_t {
    Proved,
    Refined,    // by a counterexample
    Open,       // the counterexample broke assumptions that the query did not know
    Abandoned,  // too hard
  };
  enum class OnBroken : std::uint8_t { LeaveAsleep, Wake };
  void settle(const Miter& goal);
  Outcome try_plain(const Miter& goal);
  Outcome try_in_context(const Miter& goal);
  Outcome ask(const Miter& goal, MiterSolver& solver, OnBroken on_broken);
  void abandon(const Miter& goal);
  bool is_believed(const Miter& goal) const;
  Outcome learn_from_model(const MiterSolver& solver, OnBroken on_broken);
  SimWord fill_lanes(const MiterSolver& solver, AigLit lit, SimWord reachable);
  SimWord broken(const Miter& equality) const;
  SimWord broken_lanes() const;
  void wake(const Miter& equality);
  bool wake_broken();
  void walk_on(SimWord lanes);
  bool out_of_time() const {
    return limits_.stop.stop_requested() || used() >= limits_.processor_time;
  }
  std::clock_t used() const { return std::clock() - start_; }

  const Aig& aig_;
  SweepScope scope_;
  SweepLimits limits_;
  std::clock_t start_;
  WordStream random_;
  Simulation simulation_;
  std::vector<SimWord> reachable_;  // latches of 64 states that random simulation met
  Classes classes_;
  SweepCounts counts_;

  // The round under way.
  InductionCase case_ = InductionCase::Base;
  std::uint64_t round_version_ = 0;
  std::vector<AigLit> speculated_;  // the representatives it was built with
  Miters miters_;
  std::vector<Miter> goals_;  // those not proved in an earlier round
  ProofMemory memory_;
  std::optional<MiterSolver> plain_;       // goals alone
  std::optional<MiterSolver> in_context_;  // with the assumptions that are awake
  // Assumptions that confined queries must respect: found out as counterexamples violate them.
  std::vector<bool> awake_;             // by model variable
  std::vector<bool> awake_constraint_;  // by index
};

}  // namespace lem::transform
