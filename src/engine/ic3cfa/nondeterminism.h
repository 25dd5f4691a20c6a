// Nondeterminism by arrays [Lange18 2.4.2]: havoc x reads an array of unknown contents at a
// counter and steps on, so that every command is deterministic and every wep free of quantifiers.
//
// Runs of the rewritten automaton are runs of the original. Its invariants may speak of arrays and
// counters, which the original has not: such clauses are left out, and when the rest is not
// inductive on the original the search starts anew with values projected away, the other way to
// treat havoc. Tests: tests/fuzz/cfa_fuzz_test.cpp,
// tests/unit/engine/ic3cfa/generalization_test.cpp.
#pragma once

#include "engine/ic3cfa/search.h"

namespace lem::engine {

/// The automaton without havoc; its edges and locations keep their numbers, its variables are the
/// original's and then arrays and counters.
Cfa read_from_arrays(const Cfa& cfa);

/// The search under the settings, on the automaton itself or with arrays.
CfaAnswer search_cfa(const Cfa& cfa, const Ic3cfaConfig& config, const Context& ctx);

}  // namespace lem::engine
