// What IC3+IA counts; Blocker and PredicateFrames count the rest.
#pragma once

#include "base/stats.h"

namespace lem::engine {

struct Ic3iaStats {
  explicit Ic3iaStats(Stats& all)
      : obligations(all.counter("ic3ia.obligations")),
        refinements(all.counter("ic3ia.refinements")),
        block(all.timer("ic3ia.block")),
        refine(all.timer("ic3ia.refine")) {}
  Counter &obligations, &refinements;
  Timer &block, &refine;
};

}  // namespace lem::engine
