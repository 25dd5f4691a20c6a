// What fsis counts.
#pragma once

#include "base/stats.h"

namespace lem::engine {

struct FsisStats {
  explicit FsisStats(Stats& all)
      : ctis(all.counter("fsis.ctis")),
        clauses(all.counter("fsis.clauses")),
        subgoals(all.counter("fsis.subgoals")),
        queries(all.counter("fsis.queries")),
        mic(all.timer("fsis.mic")) {}
  Counter &ctis, &clauses, &subgoals, &queries;
  Timer& mic;
};

}  // namespace lem::engine
