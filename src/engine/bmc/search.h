// The state of one run of bmc on bits; search.cpp has the algorithm.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/context.h"
#include "engine/bmc/options.h"
#include "engine/bmc/stats.h"
#include "engine/parts/bits/unroller.h"
#include "model/verdict.h"
#include "sat/sat_solver.h"

namespace lem::engine {

class BmcSearch {
 public:
  /// Borrows both.
  BmcSearch(const Problem& problem, const Context& ctx);
  Verdict run();

 private:
  bool at_bound() const { return path_.num_steps() > config_.max_depth; }
  void extend();
  sat::SatResult reach_bad();
  Step first_bad() const;
  void exclude();

  const Context& ctx_;
  BmcConfig config_;
  BmcBitStats stats_;
  std::size_t steps_per_query_;
  std::unique_ptr<sat::SatSolver> solver_;
  Unroller path_;
  std::vector<Step> open_;  // the latest steps, not refuted yet
};

}  // namespace lem::engine
