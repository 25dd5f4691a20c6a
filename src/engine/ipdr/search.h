// The state of one ipdr run; see search.cpp for the algorithm.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/context.h"
#include "base/id.h"
#include "engine/ipdr/suffixes.h"
#include "engine/parts/bits/lifter.h"
#include "engine/parts/bits/transition_cnf.h"
#include "engine/parts/bits/unroller.h"
#include "engine/parts/common/frames.h"
#include "engine/parts/common/generalizer.h"
#include "engine/parts/common/push_up.h"
#include "model/verdict.h"

namespace lem {

struct IpdrStats {
  explicit IpdrStats(Stats& all)
      : depth(all.counter("ipdr.depth")),
        lemmas(all.counter("ipdr.lemmas")),
        suffix_queries(all.counter("ipdr.suffix-queries")),
        step_queries(all.counter("ipdr.step-queries")),
        unrolled(all.timer("ipdr.unrolled")),
        suffixes(all.timer("ipdr.suffixes")),
        generalize(all.timer("ipdr.generalize")),
        propagate(all.timer("ipdr.propagate")) {}
  Counter &depth, &lemmas, &suffix_queries, &step_queries;
  Timer &unrolled, &suffixes, &generalize, &propagate;
};

class IpdrSearch {
 public:
  IpdrSearch(const Problem& problem, const Context& ctx);
  Verdict run();

  // The oracle of Generalizer (contracts there).
  Induction inductive(Level i, std::span<const Lit> cube);
  std::vector<Lit> counterexample() const;
  bool meets_initial(std::span<const Lit> cube) const { return cnf_.meets_reset(cube); }
  void order(std::vector<Lit>& cube) const;
  /// Generalization never recurses here.
  bool block_ctg(Level /*i*/, const Effort& /*effort*/, std::uint32_t /*depth*/) { return false; }

 private:
  bool stopped() const { return ctx_.stopped(); }
  enum class Reach : std::uint8_t { Bad, Safe, Stopped };
  Reach unrolled_query();
  bool interpolate();
  Level last_refuted_suffix();
  bool strengthen(Level i);
  Cube states_leading_to_bad(Level i);
  void block(Level i, const Cube& cube);
  void extend();
  std::optional<Level> propagate();
  void add_lemma(Level level, const Cube& cube);
  void add_clause_of(const Cube& cube, sat::Cdcl& solver) const;
  InductiveInvariant invariant(Level level) const;
  void report();

  const Context& ctx_;
  IpdrStats stats_;
  Effort effort_;
  bool shortest_;
  TransitionCnf cnf_;
  Lifter lifter_;
  Frames frames_;
  Generalizer<IpdrSearch> generalizer_;
  std::unique_ptr<sat::SatSolver> path_solver_;
  Unroller path_;  // from reset, for the frontier's query
  Suffixes suffixes_;
  std::unique_ptr<sat::Cdcl> step_;                  // T alone: frames start from it
  std::vector<std::unique_ptr<sat::Cdcl>> solvers_;  // F_i & T, F_0 first
  std::vector<double> activity_;                     // of latches, by variable
  double activity_step_ = 1;
  Level last_query_{0};
  std::vector<Lit> core_;  // of the last query that holds
};

}  // namespace lem
