// What ipdr counts, on bits and on terms; Blocker and TermFrames count the rest on terms.
#pragma once

#include "base/stats.h"

namespace lem::engine {

struct IpdrStats {
  explicit IpdrStats(Stats& stats) : all(stats) {}
  Stats& all;
  Counter& depth = all.counter("ipdr.depth");
  Counter& lemmas = all.counter("ipdr.lemmas");
  Counter& suffix_queries = all.counter("ipdr.suffix-queries");
  Counter& step_queries = all.counter("ipdr.step-queries");
  Timer& unrolled = all.timer("ipdr.unrolled");
  Timer& suffixes = all.timer("ipdr.suffixes");
  Timer& generalize = all.timer("ipdr.generalize");
  Timer& propagate = all.timer("ipdr.propagate");
};

struct IpdrTermsStats {
  explicit IpdrTermsStats(Stats& stats) : all(stats) {}
  Stats& all;
  Counter& suffix_queries = all.counter("ipdr.suffix-queries");
  Counter& clauses = all.counter("ipdr.clauses");
  Counter& rejected = all.counter("ipdr.rejected-clauses");
  Timer& suffixes = all.timer("ipdr.suffixes");
  Timer& interpolate = all.timer("ipdr.interpolate");
};

}  // namespace lem::engine
