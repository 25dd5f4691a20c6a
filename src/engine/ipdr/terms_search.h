// The state of one run of interpolating PDR on a transition system; terms_search.cpp has
// the algorithm.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/ipdr/options.h"
#include "engine/ipdr/stats.h"
#include "engine/parts/common/generalizer.h"
#include "engine/parts/common/push_up.h"
#include "engine/parts/terms/frames.h"
#include "engine/parts/terms/system.h"
#include "smt/interpolate/interpolator.h"

namespace lem {

class IpdrTermsSearch {
 public:
  IpdrTermsSearch(const Problem& problem, const Context& ctx);
  Verdict run();

  // The oracle of Generalizer (contracts there).
  Induction inductive(Level i, std::span<const Lit> cube) { return frames_.inductive(i, cube); }
  std::vector<Lit> counterexample() { return frames_.counterexample(); }
  bool meets_initial(std::span<const Lit> cube) { return frames_.meets_initial(cube); }
  void order(std::vector<Lit>& cube) const;
  /// Generalization never recurses here.
  bool block_ctg(Level /*i*/, const Effort& /*effort*/, std::uint32_t /*depth*/) { return false; }

 private:
  bool stopped() const { return frames_.stopped() || gave_up_; }
  enum class Reach : std::uint8_t { Bad, Safe, Stopped };
  Reach unrolled_query();
  bool interpolate();
  smt::Path path();
  void strengthen(const smt::Sequence& sequence);
  void block(Level i, const Cube& cube);
  void report();

  const Context& ctx_;
  IpdrConfig config_;
  IpdrTermsStats stats_;
  TermSystem system_;
  TermStore& terms_;
  TermFrames frames_;
  Generalizer<IpdrTermsSearch> generalizer_;
  TermUnroller unroller_;
  std::unique_ptr<smt::SmtSolver> solver_;  // of the unrolled query, which lives in a scope
  std::vector<std::unique_ptr<smt::Interpolator>> sources_;
  Level first_{0};                // the suffix from F_first to Bad is refuted
  std::vector<double> activity_;  // by atom
  bool gave_up_ = false;          // a solver or all sources did
  std::optional<TermTrace> trace_;
};

}  // namespace lem
