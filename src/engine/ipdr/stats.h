// What ipdr counts, on bits and on terms; Blocker and TermFrames count the rest on terms.
#pragma once

#include "base/stats.h"

namespace lem::engine {

struct IpdrStats {
  explicit IpdrStats(Stats& all)
      : depth(all.counter("ipdr.depth")),
        lemmas(all.counter("ipdr.lemmas")),
        suffix_queries(all.counter("ipdr.suffix-queries")),
        step_queries(all.counter("ipdr.step-queries")),
        unrolled(all.timer("ipdr.unrolled")),
        suffixes(all.timer("ipdr.suffixes")),
        generalize(all.timer("ipdr.generalize")),
        propagate(all.timer("ipdr.propagate")) {}
  Counter &depth, &lemmas, &suffix_queries, &step_queries;
  Timer &unrolled, &suffixes, &generalize, &propagate;
};

struct IpdrTermsStats {
  explicit IpdrTermsStats(Stats& all)
      : suffix_queries(all.counter("ipdr.suffix-queries")),
        clauses(all.counter("ipdr.clauses")),
        rejected(all.counter("ipdr.rejected-clauses")),
        suffixes(all.timer("ipdr.suffixes")),
        interpolate(all.timer("ipdr.interpolate")) {}
  Counter &suffix_queries, &clauses, &rejected;
  Timer &suffixes, &interpolate;
};

}  // namespace lem::engine
