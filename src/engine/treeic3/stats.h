// What treeic3 counts.
#pragma once

#include "base/stats.h"

namespace lem::engine {

struct TreeIc3Stats {
  explicit TreeIc3Stats(Stats& all)
      : nodes(all.counter("treeic3.nodes")),
        covered(all.counter("treeic3.covered")),
        uncovered(all.counter("treeic3.uncovered")),
        cut(all.counter("treeic3.covered-inside")),
        lemmas(all.counter("treeic3.lemmas")),
        reused(all.counter("treeic3.lemmas-reused")),
        pushed(all.counter("treeic3.lemmas-pushed")),
        obligations(all.counter("treeic3.obligations")),
        predicates(all.counter("treeic3.predicates")),
        refinements(all.counter("treeic3.refinements")),
        adopted(all.counter("treeic3.lemmas-interpolated")),
        abstract(all.counter("treeic3.lemmas-abstract")),
        spurious(all.counter("treeic3.spurious")),
        congruent(all.counter("treeic3.congruences")),
        follow(all.timer("treeic3.follow")) {}
  Counter &nodes, &covered, &uncovered, &cut, &lemmas, &reused, &pushed, &obligations, &predicates,
      &refinements, &adopted, &abstract, &spurious, &congruent;
  Timer& follow;
};

}  // namespace lem::engine
