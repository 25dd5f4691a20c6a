// What CTIGAR counts; TermLoop and TermFrames count the rest.
#pragma once

#include "base/stats.h"

namespace lem::engine {

struct CtigarStats {
  explicit CtigarStats(Stats& all)
      : predicates(all.counter("ctigar.predicates")),
        liftings(all.counter("ctigar.liftings")),
        lifted(all.counter("ctigar.liftings-successful")),
        spurious(all.counter("ctigar.spurious-transitions")),
        lifting_refinements(all.counter("ctigar.refinements-lifting")),
        consecution_refinements(all.counter("ctigar.refinements-consecution")),
        on_counterexample(all.counter("ctigar.triggered-by-counterexample")),
        on_initial(all.counter("ctigar.triggered-by-initial")),
        on_spurious(all.counter("ctigar.triggered-by-spurious")),
        on_unlifted(all.counter("ctigar.triggered-by-unlifted")),
        unlifted_blocked(all.counter("ctigar.blocked-unlifted")),
        refine(all.timer("ctigar.refine")),
        lift(all.timer("ctigar.lift")) {}
  Counter& predicates;
  Counter &liftings, &lifted;  // abstract ones, and those that succeed
  Counter& spurious;           // consecution failures (CAF)
  Counter &lifting_refinements, &consecution_refinements;
  Counter &on_counterexample, &on_initial, &on_spurious, &on_unlifted;  // the four triggers
  Counter& unlifted_blocked;                                            // Figure 4(b)
  Timer &refine, &lift;
};

}  // namespace lem::engine
