// What ic3cfa counts; each of its classes holds one of these.
#pragma once

#include "base/stats.h"

namespace lem::engine {

struct Ic3cfaStats {
  explicit Ic3cfaStats(Stats& all)
      : lemmas(all.counter("ic3cfa.lemmas")),
        obligations(all.counter("ic3cfa.obligations")),
        depth(all.counter("ic3cfa.depth")),
        immediate(all.counter("ic3cfa.blocked-immediately")),
        reused(all.counter("ic3cfa.obligations-reused")),
        excluded(all.counter("ic3cfa.excluded-semantically")),
        pushed(all.counter("ic3cfa.pushed")),
        without_query(all.counter("ic3cfa.pushed-without-query")),
        approximate(all.counter("ic3cfa.preimages-in-part")),
        covered(all.counter("ic3cfa.ended-by-coverage")),
        queries(all.counter("ic3cfa.queries")),
        joint(all.counter("ic3cfa.queries-all-edges")),
        timeouts(all.counter("ic3cfa.timeouts")),
        by_pre_cube(all.counter("ic3cfa.by-predecessor-cube")),
        dont_care(all.counter("ic3cfa.dropped-dont-care")),
        assumed(all.counter("ic3cfa.dropped-assumed")),
        by_core(all.counter("ic3cfa.dropped-by-core")),
        dropped(all.counter("ic3cfa.dropped-by-query")),
        kept(all.counter("ic3cfa.kept-by-query")),
        interpolants(all.counter("ic3cfa.interpolants")),
        weakened(all.counter("ic3cfa.weakened")),
        to_bits(all.counter("ic3cfa.weakened-to-bits")),
        related(all.counter("ic3cfa.related")),
        unrelated(all.counter("ic3cfa.not-related")),
        context_upper(all.counter("ic3cfa.context-upper")),
        context_extended(all.counter("ic3cfa.context-extended")),
        context_lower(all.counter("ic3cfa.context-lower")),
        cache_hits(all.counter("ic3cfa.query-cache-hits")),
        cache_misses(all.counter("ic3cfa.query-cache-misses")),
        interpolations(all.counter("ic3cfa.interpolations")),
        interpolant_hits(all.counter("ic3cfa.interpolant-cache-hits")),
        propagate(all.timer("ic3cfa.propagate")),
        solve(all.timer("ic3cfa.solve")),
        generalize(all.timer("ic3cfa.generalize")),
        interpolate(all.timer("ic3cfa.interpolate")) {}
  Counter &lemmas, &obligations, &depth, &immediate, &reused, &excluded, &pushed, &without_query,
      &approximate, &covered, &queries, &joint, &timeouts, &by_pre_cube, &dont_care, &assumed,
      &by_core, &dropped, &kept, &interpolants, &weakened, &to_bits, &related, &unrelated,
      &context_upper, &context_extended, &context_lower, &cache_hits, &cache_misses,
      &interpolations, &interpolant_hits;
  Timer &propagate, &solve, &generalize, &interpolate;
};

}  // namespace lem::engine
