// What ic3 counts.
#pragma once

#include "base/stats.h"

namespace lem::engine {

struct Ic3Stats {
  explicit Ic3Stats(Stats& stats) : all(stats) {}
  Stats& all;
  Counter& obligations = all.counter("ic3.obligations");
  Counter& lemmas = all.counter("ic3.lemmas");
  Counter& ctgs = all.counter("ic3.ctgs");
  Counter& pushes = all.counter("ic3.pushes");
  Counter& push_skips = all.counter("ic3.push-skips");
  Counter& infinity = all.counter("ic3.infinity-lemmas");
  Counter& reachable = all.counter("ic3.reachable-states");
  Counter& rebuilds = all.counter("ic3.solver-rebuilds");
  Counter& sent = all.counter("ic3.shared-sent");
  Counter& received = all.counter("ic3.shared-received");
  Counter& taken = all.counter("ic3.shared-taken");
  Counter& refused = all.counter("ic3.shared-refused");
  Counter& depth = all.counter("ic3.depth");
  Counter& queries = all.counter("ic3.queries");
  Counter& conflicts = all.counter("ic3.conflicts");
  Timer& generalize = all.timer("ic3.generalize");
  Timer& lift = all.timer("ic3.lift");
  Timer& block = all.timer("ic3.block");
  Timer& propagate = all.timer("ic3.propagate");
  Timer& share = all.timer("ic3.share");
};

}  // namespace lem::engine
