// The example engine of CONTRIBUTING.md: Houdini [Flanagan01] on and-inverter graphs.
//
// Idea: propose many clauses, drop what a step can violate, and repeat; what is left is the largest
// inductive part of the proposal. Deviations: the paper annotates programs; here the candidates are
// all clauses of one or two latches, and a bounded search looks for counterexamples first. It is
// incomplete: a property that no such clauses imply ends in `unknown`. Rejected: nothing yet; this
// is where to say what was tried, with the number that decided.
// Tests: tests/unit/engine/example_engine/example_engine_test.cpp.
#include <array>

#include "engine/engine.h"
#include "unit/engine/example_engine/search.h"

namespace lem::engine {

namespace {

constexpr std::array kPresets = {
    Preset{"constants", "houdini.width=1", "single latches: those that never change"},
};

Reason check(const Problem& problem, const OnFound& found, const Context& ctx) {
  return conclude(HoudiniSearch(problem, ctx).run(), found);
}

}  // namespace

extern constinit const EngineInfo kHoudiniInfo = {
    .id = "houdini",
    .help = "the largest inductive set of small clauses",
    .paper = "[Flanagan01]",
    .options = kHoudiniOptions,
    .presets = kPresets,
    .accepts = Rung::Bits,
    .check = check};

}  // namespace lem::engine
