// The state of one run of interpolating PDR on a transition system; terms_search.cpp has
// the algorithm.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/ipdr/options.h"
#include "engine/ipdr/stats.h"
#include "engine/parts/terms/blocker.h"
#include "engine/parts/terms/frames.h"
#include "engine/parts/terms/system.h"
#include "smt/interpolate/interpolator.h"

namespace lem::engine {

class IpdrTermsSearch {
 public:
  IpdrTermsSearch(const Problem& problem, const Context& ctx);
  Verdict run();

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
  Blocker<TermFrames> blocker_;
  TermUnroller unroller_;
  std::unique_ptr<smt::SmtSolver> solver_;  // of the unrolled query, which lives in a scope
  std::vector<std::unique_ptr<smt::Interpolator>> sources_;
  Level first_{0};        // the suffix from F_first to Bad is refuted
  bool gave_up_ = false;  // a solver or all sources did
  std::optional<TermTrace> trace_;
};

}  // namespace lem::engine
