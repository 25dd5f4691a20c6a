// What ic3cfa counts; each of its classes holds one of these.
#pragma once

#include "base/stats.h"

namespace lem::engine {

struct Ic3cfaStats {
  explicit Ic3cfaStats(Stats& stats) : all(stats) {}
  Stats& all;
  Counter& lemmas = all.counter("ic3cfa.lemmas");
  Counter& obligations = all.counter("ic3cfa.obligations");
  Counter& depth = all.counter("ic3cfa.depth");
  Counter& immediate = all.counter("ic3cfa.blocked-immediately");
  Counter& reused = all.counter("ic3cfa.obligations-reused");
  Counter& excluded = all.counter("ic3cfa.excluded-semantically");
  Counter& pushed = all.counter("ic3cfa.pushed");
  Counter& without_query = all.counter("ic3cfa.pushed-without-query");
  Counter& approximate = all.counter("ic3cfa.preimages-in-part");
  Counter& covered = all.counter("ic3cfa.ended-by-coverage");
  Counter& queries = all.counter("ic3cfa.queries");
  Counter& joint = all.counter("ic3cfa.queries-all-edges");
  Counter& timeouts = all.counter("ic3cfa.timeouts");
  Counter& by_pre_cube = all.counter("ic3cfa.by-predecessor-cube");
  Counter& dont_care = all.counter("ic3cfa.dropped-dont-care");
  Counter& assumed = all.counter("ic3cfa.dropped-assumed");
  Counter& by_core = all.counter("ic3cfa.dropped-by-core");
  Counter& dropped = all.counter("ic3cfa.dropped-by-query");
  Counter& kept = all.counter("ic3cfa.kept-by-query");
  Counter& interpolants = all.counter("ic3cfa.interpolants");
  Counter& weakened = all.counter("ic3cfa.weakened");
  Counter& to_bits = all.counter("ic3cfa.weakened-to-bits");
  Counter& related = all.counter("ic3cfa.related");
  Counter& unrelated = all.counter("ic3cfa.not-related");
  Counter& context_upper = all.counter("ic3cfa.context-upper");
  Counter& context_extended = all.counter("ic3cfa.context-extended");
  Counter& context_lower = all.counter("ic3cfa.context-lower");
  Counter& cache_hits = all.counter("ic3cfa.query-cache-hits");
  Counter& cache_misses = all.counter("ic3cfa.query-cache-misses");
  Counter& interpolations = all.counter("ic3cfa.interpolations");
  Counter& interpolant_hits = all.counter("ic3cfa.interpolant-cache-hits");
  Timer& propagate = all.timer("ic3cfa.propagate");
  Timer& solve = all.timer("ic3cfa.solve");
  Timer& generalize = all.timer("ic3cfa.generalize");
  Timer& interpolate = all.timer("ic3cfa.interpolate");
};

}  // namespace lem::engine
