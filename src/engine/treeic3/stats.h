// What treeic3 counts.
#pragma once

#include "base/stats.h"

namespace lem::engine {

struct TreeIc3Stats {
  explicit TreeIc3Stats(Stats& stats) : all(stats) {}
  Stats& all;
  Counter& nodes = all.counter("treeic3.nodes");
  Counter& covered = all.counter("treeic3.covered");
  Counter& uncovered = all.counter("treeic3.uncovered");
  Counter& cut = all.counter("treeic3.covered-inside");
  Counter& lemmas = all.counter("treeic3.lemmas");
  Counter& reused = all.counter("treeic3.lemmas-reused");
  Counter& pushed = all.counter("treeic3.lemmas-pushed");
  Counter& obligations = all.counter("treeic3.obligations");
  Counter& predicates = all.counter("treeic3.predicates");
  Counter& refinements = all.counter("treeic3.refinements");
  Counter& adopted = all.counter("treeic3.lemmas-interpolated");
  Counter& abstract = all.counter("treeic3.lemmas-abstract");
  Counter& spurious = all.counter("treeic3.spurious");
  Counter& congruent = all.counter("treeic3.congruences");
  Timer& follow = all.timer("treeic3.follow");
};

}  // namespace lem::engine
