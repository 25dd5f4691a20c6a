// What ic3 counts.
#pragma once

#include "base/stats.h"

namespace lem::engine {

struct Ic3Stats {
  explicit Ic3Stats(Stats& all)
      : obligations(all.counter("ic3.obligations")),
        lemmas(all.counter("ic3.lemmas")),
        ctgs(all.counter("ic3.ctgs")),
        pushes(all.counter("ic3.pushes")),
        push_skips(all.counter("ic3.push-skips")),
        infinity(all.counter("ic3.infinity-lemmas")),
        reachable(all.counter("ic3.reachable-states")),
        rebuilds(all.counter("ic3.solver-rebuilds")),
        sent(all.counter("ic3.shared-sent")),
        received(all.counter("ic3.shared-received")),
        taken(all.counter("ic3.shared-taken")),
        refused(all.counter("ic3.shared-refused")),
        depth(all.counter("ic3.depth")),
        queries(all.counter("ic3.queries")),
        conflicts(all.counter("ic3.conflicts")),
        generalize(all.timer("ic3.generalize")),
        lift(all.timer("ic3.lift")),
        block(all.timer("ic3.block")),
        propagate(all.timer("ic3.propagate")),
        share(all.timer("ic3.share")) {}
  Counter &obligations, &lemmas, &ctgs, &pushes, &push_skips, &infinity, &reachable, &rebuilds,
      &sent, &received, &taken, &refused, &depth, &queries, &conflicts;
  Timer &generalize, &lift, &block, &propagate, &share;
};

}  // namespace lem::engine
