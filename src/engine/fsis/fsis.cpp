// Finite-state inductive strengthening, the ancestor of IC3, without frames
// [Bradley07; Santi23 2; Lange18 3.1]: P-hat starts as P, F as true; a counterexample to induction
// adds an inductive clause to F, or a subgoal to P-hat, until P-hat & F is inductive.
//
//   search.cpp   the loop
//   mic.h        inductive subclauses: DOWN, IMPLICATE, MIC
//
// Deviations: P may speak about inputs, so its violation is the first subgoal (a step that is bad)
// and the states that can be bad are its CTIs. Consecution is asked subgoal by subgoal: one that no
// state of P-hat & F leads to stays closed, as both only grow. CTIs are lifted to cubes, all of
// whose states lead to the subgoal under the same inputs, so that a subgoal that meets the initial
// states is a counterexample along its successors. Nothing guides the search: large models are
// better served by ic3. Tests: tests/unit/engine/fsis/fsis_test.cpp,
// tests/papers/fsis_example_test.cpp.
#include <array>

#include "engine/engine.h"
#include "engine/fsis/search.h"

namespace lem::engine {

namespace {

constexpr std::array kPresets = {
    Preset{"paper", "fsis.lift=off", "the algorithm as in [Lange18 3.1]"},
};

Reason check(const Problem& problem, const OnFound& found, const Context& ctx) {
  return conclude(FsisSearch(problem, ctx).run(), found);
}

}  // namespace

extern constinit const EngineInfo kFsisInfo = {.id = "fsis",
                                               .help = "finite-state inductive strengthening",
                                               .paper = "[Bradley07] [Santi23 2] [Lange18 3.1]",
                                               .options = kFsisOptions,
                                               .presets = kPresets,
                                               .accepts = Rung::Bits,
                                               .check = check};

}  // namespace lem::engine
