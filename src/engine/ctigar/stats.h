// What CTIGAR counts; TermLoop and TermFrames count the rest.
#pragma once

#include "base/stats.h"

namespace lem::engine {

struct CtigarStats {
  explicit CtigarStats(Stats& stats) : all(stats) {}
  Stats& all;
  Counter& predicates = all.counter("ctigar.predicates");
  Counter& liftings = all.counter("ctigar.liftings");  // abstract ones, and those that succeed
  Counter& lifted = all.counter("ctigar.liftings-successful");
  Counter& spurious = all.counter("ctigar.spurious-transitions");  // consecution failures (CAF)
  Counter& lifting_refinements = all.counter("ctigar.refinements-lifting");
  Counter& consecution_refinements = all.counter("ctigar.refinements-consecution");
  // The four triggers.
  Counter& on_counterexample = all.counter("ctigar.triggered-by-counterexample");
  Counter& on_initial = all.counter("ctigar.triggered-by-initial");
  Counter& on_spurious = all.counter("ctigar.triggered-by-spurious");
  Counter& on_unlifted = all.counter("ctigar.triggered-by-unlifted");
  Counter& unlifted_blocked = all.counter("ctigar.blocked-unlifted");  // Figure 4(b)
  Timer& refine = all.timer("ctigar.refine");
  Timer& lift = all.timer("ctigar.lift");
};

}  // namespace lem::engine
