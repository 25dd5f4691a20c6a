// What ic3smt counts; Blocker and TermFrames count the rest.
#pragma once

#include "base/stats.h"

namespace lem::engine {

struct Ic3smtStats {
  explicit Ic3smtStats(Stats& all)
      : obligations(all.counter("ic3smt.obligations")),
        combined(all.counter("ic3smt.combined")),
        block(all.timer("ic3smt.block")) {}
  Counter &obligations, &combined;
  Timer& block;
};

}  // namespace lem::engine
