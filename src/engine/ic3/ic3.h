// IC3/PDR on and-inverter graphs.
//
// Follows [Lange18 ch. 3] (Algorithms 8-11, corrected as in docs/errata.md), that is [Bradley11] in
// the form of [Een11]: the frontier query is F_k & bad, so a violation is itself the first
// obligation. Techniques, each an option (options.h) and measured in docs/benchmarks.md:
// delta-encoded frames with subsumption, lifting by justification and unsat cores, DOWN/MIC,
// counterexamples to generalization [Hassan13], effort by obligation activity [Su25a], parent-lemma
// order [Xia23], triggered pushing [Suda13], may-obligations with reachable states [Ivrii15], an
// infinity frame [Een11].
//
// Initial states are a cube (the reset values); constraints are part of every frame and lifting
// proves them for the whole cube, so a cube that meets the reset values is a real initial state.
// Tests: tests/unit/engine/ic3/ic3_test.cpp, tests/papers/ic3_example_test.cpp, tests/fuzz/.
#pragma once

#include "engine/engine.h"

namespace lem {

extern const EngineInfo kIc3Info;

}  // namespace lem
