// What kind counts, at both levels.
#pragma once

#include "base/stats.h"

namespace lem::engine {

struct KindStats {
  explicit KindStats(Stats& all)
      : k(all.counter("kind.k")),
        queries(all.counter("kind.queries")),
        differences(all.counter("kind.differences")),
        base(all.timer("kind.base")),
        step(all.timer("kind.step")) {}
  Counter &k, &queries, &differences;
  Timer &base, &step;
};

}  // namespace lem::engine
