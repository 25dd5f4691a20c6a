// What bmc counts at both levels, and on bits.
#pragma once

#include "base/stats.h"

namespace lem {

struct BmcStats {
  explicit BmcStats(Stats& all)
      : depth(all.counter("bmc.depth")),
        queries(all.counter("bmc.queries")),
        solve(all.timer("bmc.solve")) {}
  Counter &depth, &queries;
  Timer& solve;
};

struct BmcBitStats : BmcStats {
  explicit BmcBitStats(Stats& all) : BmcStats(all), nodes(all.counter("bmc.nodes")) {}
  Counter& nodes;
};

}  // namespace lem
