// IC3CFA [Lange18 ch. 4]: IC3 on a control-flow automaton. Control is explicit: every location has
// frames of its own, and a cube of data literals is blocked at a location when no edge into it
// leads there from the frames before.
//
//   search.cpp          Algorithms 12 to 14, the queue of obligations (section 4.2.4)
//   preimage.cpp        exact preimages, or parts of them around a model
//   propagation.cpp     section 4.4, and termination
//   inductivity.h       edge-relative inductivity (Definitions 4.6, 4.9); answers.h
//   generalization.h    section 4.3; contexts.h, interpolation.h, relations.h
//   nondeterminism.h    havoc by arrays (section 2.4.2)
//   presets.h           the configurations of Table 5.1
//   frames.h, parts/cfa/steps.h, parts/cfa/literals.h   what all of them speak of
//
// Soundness notes (docs/errata.md): a cube is blocked only when it is inductive relative to the
// frames of all edges into its location, never at the initial location, where every state is
// initial; and without the cube itself in the premise (Theorem 4.2), so that results of several
// edges may be united. Algorithm 14 asks with the cube in the premise of self-loops; without it the
// answer is the same or a longer search, never another verdict.
//
// Deviations: preimages are exact where wep is a cube; elsewhere (disjunctions, choices that are
// not split, havoc) an obligation covers the part of wep around a model, finitely many such parts
// exist, and the obligation before comes back until none is left. Beyond the thesis: unsat cores,
// lemmas pushed when they are made, termination by coverage as in TreeIC3, relations and weaker
// literals where lemmas differ in constants alone (relations.h, CfaGeneralizer::weaken). What each
// is worth is an option; docs/benchmarks.md has the comparison of the presets.
// Tests: tests/unit/engine/ic3cfa/*_test.cpp, tests/papers/ic3cfa_example_test.cpp,
// tests/fuzz/cfa_fuzz_test.cpp.

#include "engine/engine.h"
#include "engine/ic3cfa/nondeterminism.h"
#include "engine/ic3cfa/presets.h"

namespace lem::engine {

namespace {

Reason check(const Problem& problem, const OnFound& found, const Context& ctx) {
  return conclude(verdict_of(search_cfa(problem.cfa(), Ic3cfaConfig(ctx.options), ctx)), found);
}

}  // namespace

extern constinit const EngineInfo kIc3cfaInfo = {.id = "ic3cfa",
                                                 .help = "IC3 on control-flow automata",
                                                 .paper = "[Lange18]",
                                                 .options = kIc3cfaOptions,
                                                 .presets = kIc3cfaPresets,
                                                 .accepts = Rung::Program,
                                                 .check = check};

}  // namespace lem::engine
