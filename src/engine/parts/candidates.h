// Simple formulas that often hold: bounds of variables and of sums of few, by constants that the
// system mentions. Nobody trusts them. Tests: tests/unit/engine/karr_test.cpp.
#pragma once

#include <vector>

#include "engine/parts/karr.h"

namespace lem {

/// Bounds from above and from below of numeric states, then of sums and differences of two of them,
/// of three, of four.
///   ensure: not many more than `limit`
std::vector<Chain> bound_chains(const TermSystem& system, std::size_t limit);

}  // namespace lem
