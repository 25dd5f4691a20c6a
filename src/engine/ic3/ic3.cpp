// IC3/PDR on and-inverter graphs.
//
// Follows [Lange18 ch. 3] (Algorithms 8-11, corrected as in docs/errata.md), that is [Bradley11] in
// the form of [Een11]: the frontier query is F_k & bad, so a violation is itself the first
// obligation. Initial states are a cube (the reset values); constraints are part of every frame and
// lifting proves them for the whole cube, so a cube that meets the reset values is a real initial
// state.
//
//   search.cpp      the loop, blocking, counterexamples to generalization
//   together.cpp    several properties on one set of frames
//   propagate.cpp   pushing, the infinity frame
//   share.cpp       lemmas of other runs, and for them
//   reachable.h     Quip's reachable states
//   parts/bits/frames.h   frames, their solvers and queries
//
// Techniques beyond the thesis, each an option (options.h): lifting by justification and unsat
// cores, DOWN/MIC, counterexamples to generalization [Hassan13], effort by obligation activity
// [Su25a], parent-lemma order [Xia23], triggered pushing [Suda13], may-obligations with reachable
// states [Ivrii15], an infinity frame [Een11].
//
// Tried and not the default: docs/benchmarks.md has `make bench NAME=ablation`, every switch alone
// against the defaults.
// Tests: tests/unit/engine/ic3/ic3_test.cpp, tests/papers/ic3_example_test.cpp, tests/fuzz/.
#include <array>

#include "engine/engine.h"
#include "engine/ic3/search.h"

namespace lem::engine {

namespace {

constexpr std::array kPresets = {
    Preset{"bradley", "ic3.generalize=down,ic3.lift=none,ic3.order=index,ic3.infinity=off",
           "the algorithm of 2011 without later additions [Bradley11]"},
    Preset{"pdr", "ic3.generalize=drop,ic3.lift=ternary,ic3.order=index,ic3.infinity=off",
           "as in ABC [Een11]"},
    Preset{"ctg", "ic3.generalize=ctg", "blocks counterexamples to generalization [Hassan13]"},
    Preset{"triggered", "ic3.push=triggered", "triggered clause pushing [Suda13]"},
    Preset{"quip", "ic3.quip=on", "may-obligations and reachable states [Ivrii15]"},
};

Reason check(const Problem& problem, const OnFound& found, const Context& ctx) {
  Ic3Search search(problem, ctx);
  if (problem.properties.size() == 1) return conclude(search.run(), found);
  search.run(found);
  return ctx.stopped() ? Reason::Stopped : Reason::GaveUp;
}

}  // namespace

extern constinit const EngineInfo kIc3Info = {
    .id = "ic3",
    .help = "incremental induction on and-inverter graphs",
    .paper = "[Bradley11] [Een11] [Hassan13] [Lange18 ch. 3]",
    .options = kIc3Options,
    .presets = kPresets,
    .accepts = Rung::Bits,
    .check = check,
    .several_properties = true};

}  // namespace lem::engine
