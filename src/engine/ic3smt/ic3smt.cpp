// Concrete IC3 modulo theories: IC3 over cubes of theory literals [Cimatti14 2.2; Cimatti12].
//
// The idea: preimages are under-approximated by projection around a model, so that all states of an
// obligation's cube step into its successor's. Every chain of obligations from Init is then a
// counterexample, and nothing is ever refined.
//
//   search.cpp   the blocking and the propagation phase, cubes and their sums
//
// Deviations: an implicant of the step along the model is taken before projection, so that no
// quantifier is eliminated from a whole step. By default equalities are split into inequalities,
// and two inequalities may become their sum, in the manner of the Farkas conflicts of [Hoder12];
// preset `lra` is the baseline of [Cimatti14 5], which solves more over linear real arithmetic
// (docs/benchmarks.md, "Abstraction").
// Tests: tests/unit/engine/ic3smt/ic3smt_test.cpp.
#include <array>

#include "engine/engine.h"
#include "engine/ic3smt/search.h"

namespace lem::engine {

namespace {

constexpr std::array kPresets = {
    Preset{"lra", "ic3smt.weaken=none,ic3smt.generalize=drop",
           "IC3(LRA) as the baseline of [Cimatti14 5] [Cimatti12]"},
    Preset{"points", "ic3smt.preimage=values", "predecessors are single states"},
};

Reason check(const Problem& problem, const OnFound& found, const Context& ctx) {
  return conclude(Ic3smtSearch(problem, ctx).run(), found);
}

}  // namespace

extern constinit const EngineInfo kIc3smtInfo = {
    .id = "ic3smt",
    .help = "concrete IC3 modulo theories, preimages by projection",
    .paper = "[Cimatti12] [Hoder12] [Cimatti14 2.2]",
    .options = kIc3smtOptions,
    .presets = kPresets,
    .accepts = {Rung::Terms},
    .check = check};

}  // namespace lem::engine
