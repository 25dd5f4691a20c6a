// What fsis counts.
#pragma once

#include "base/stats.h"

namespace lem::engine {

struct FsisStats {
  explicit FsisStats(Stats& stats) : all(stats) {}
  Stats& all;
  Counter& ctis = all.counter("fsis.ctis");
  Counter& clauses = all.counter("fsis.clauses");
  Counter& subgoals = all.counter("fsis.subgoals");
  Counter& queries = all.counter("fsis.queries");
  Timer& mic = all.timer("fsis.mic");
};

}  // namespace lem::engine
