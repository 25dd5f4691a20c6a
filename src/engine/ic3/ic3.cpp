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
// Tried and not the default: docs/benchmarks.md has `make bench-switches`, every switch alone
// against the defaults.
// Tests: tests/unit/engine/ic3/ic3_test.cpp, tests/papers/ic3_example_test.cpp, tests/fuzz/.
#include <array>
#include <memory>

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

class Ic3 final : public Engine {
 public:
  Verdict check(const Problem& problem, const Context& ctx) override {
    return Ic3Search(problem, ctx).run();
  }
};

}  // namespace

extern constinit const EngineInfo kIc3Info = {
    "ic3",
    "incremental induction on and-inverter graphs",
    "[Bradley11] [Een11] [Hassan13] [Lange18 ch. 3]",
    kIc3Options,
    kPresets,
    Rung::Bits,
    []() -> std::unique_ptr<Engine> { return std::make_unique<Ic3>(); },
    {},
    [](const Problem& problem, const OnFound& found, const Context& ctx) {
      Ic3Search(problem, ctx).run(found);
    }};

}  // namespace lem::engine
