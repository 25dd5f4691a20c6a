// What kind counts, at both levels.
#pragma once

#include "base/stats.h"

namespace lem::engine {

struct KindStats {
  explicit KindStats(Stats& stats) : all(stats) {}
  Stats& all;
  Counter& k = all.counter("kind.k");
  Counter& queries = all.counter("kind.queries");
  Counter& differences = all.counter("kind.differences");
  Timer& base = all.timer("kind.base");
  Timer& step = all.timer("kind.step");
};

}  // namespace lem::engine
