// What the example engine counts.
#pragma once

#include "base/stats.h"

namespace lem::engine {

struct HoudiniStats {
  explicit HoudiniStats(Stats& all)
      : candidates(all.counter("houdini.candidates")),
        dropped(all.counter("houdini.dropped")),
        queries(all.counter("houdini.queries")),
        solve(all.timer("houdini.solve")) {}
  Counter &candidates, &dropped, &queries;
  Timer& solve;
};

}  // namespace lem::engine
