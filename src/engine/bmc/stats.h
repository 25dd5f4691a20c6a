// What bmc counts at all levels, on bits, and on programs.
#pragma once

#include "base/stats.h"

namespace lem::engine {

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

struct BmcProgramStats : BmcStats {
  explicit BmcProgramStats(Stats& all)
      : BmcStats(all),
        visits(all.counter("bmc.visits")),
        simulated(all.counter("bmc.simulated-runs")) {}
  Counter &visits, &simulated;  // visits of locations
};

}  // namespace lem::engine
