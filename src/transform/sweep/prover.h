// Proves candidate equivalences by induction over one step, all together [Eijk00]: counterexamples
// refine the classes until base and step case hold for what is left.
//
// Deviation from the paper: equalities are proved without the constraints of their own step (only
// with those of the step before). They then hold on the way to every constraint, so constraints may
// be rewritten with them too and traces come back unchanged.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "model/aig.h"
#include "sat/cdcl.h"
#include "transform/rebuild.h"
#include "transform/sweep/classes.h"
#include "transform/sweep/miters.h"
#include "transform/sweep/simulation.h"

namespace lem {

struct SweepLimits {
  std::chrono::steady_clock::time_point deadline;
  std::uint64_t conflicts;  // per query; a candidate that needs more is given up
  std::uint64_t rounds;     // of the step case
  std::stop_token stop;
};

struct SweepCounts {
  std::uint64_t rounds = 0, queries = 0, refuted = 0, abandoned = 0, wakes = 0;
};

class SweepProver {
 public:
  SweepProver(const Aig& aig, SweepScope scope, SweepLimits limits);

  /// The equalities proved, or nothing at all if a limit was hit before the fixpoint.
  std::optional<Substitution> prove();
  const SweepCounts& counts() const { return counts_; }

 private:
  Classes guess();
  void falsify_by_random_states();
  bool prove_case(InductionCase which);

  /// One round; false if a limit was hit.
  bool run_round(InductionCase which);
  // Loading little makes rounds cheap; the first surprise in a round loads the rest.
  enum class Extent : std::uint8_t { Awake, Everything };
  void load(Extent extent);
  std::vector<std::uint32_t> number_variables();
  void add_clauses(std::span<const std::uint32_t> gates);
  void ask(const Miter& goal);
  enum class Cex : std::uint8_t { Refines, Spurious, Stuck };
  Cex learn_from_model();
  void fill_lanes(AigLit lit, SimWord& word);
  SimWord refuted_lanes();
  bool wake_violated();
  void walk_on(SimWord lanes);
  bool out_of_time() const;
  bool is_loaded(AigLit lit) const { return sat_var_[lit.var()] != kNotLoaded; }
  sat::Lit to_sat(AigLit lit) const { return sat::Lit(sat_var_[lit.var()], lit.negative()); }

  const Aig& aig_;
  SweepScope scope_;
  SweepLimits limits_;
  WordStream random_;
  Simulation simulation_;
  Classes classes_;
  SweepCounts counts_;

  // The round under way.
  InductionCase case_ = InductionCase::Base;
  std::uint64_t round_version_ = 0;
  std::vector<AigLit> speculated_;  // the representatives it was built with
  Miters miters_;
  std::unique_ptr<sat::Cdcl> solver_;
  Extent extent_ = Extent::Awake;
  static constexpr sat::Var kNotLoaded = UINT32_MAX;
  std::vector<sat::Var> sat_var_;  // by variable of the graph
  // Assumptions that confined queries must respect: found out as counterexamples violate them.
  std::vector<bool> awake_;             // by model variable
  std::vector<bool> awake_constraint_;  // by index
};

}  // namespace lem
