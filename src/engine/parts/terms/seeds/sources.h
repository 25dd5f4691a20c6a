// Predicates that can be read off a system. They are candidates only: abstractions make of them
// what they can. Tests: tests/unit/engine/parts/seeds_test.cpp,
// tests/unit/engine/ctigar/ctigar_test.cpp.
#pragma once

#include <vector>

#include "engine/parts/terms/system.h"

namespace lem::engine {

/// x <= c, x >= c for constants that the system compares with x or assigns to it.
std::vector<Term> bounds(const TermSystem& system);
/// x = y for states of one sort that may start equal; those that must come first.
std::vector<Term> equalities(const TermSystem& system);
/// x < y for pairs of states of one sort, in the orders that the system compares in; at most
/// `limit`.
std::vector<Term> pairs(const TermSystem& system, std::size_t limit);
/// Atoms of Trans over X, at most `limit`.
std::vector<Term> conditions(const TermSystem& system, std::size_t limit);

}  // namespace lem::engine
