// Bounds of variables, and of sums of few, by constants that the system mentions: formulas that
// often hold at some location. They are candidates only; Karr's analysis keeps those that hold.
// Tests: tests/unit/engine/parts/karr_test.cpp.
#pragma once

#include <vector>

#include "engine/parts/terms/seeds/karr.h"

namespace lem::engine {

/// Bounds from above and from below of numeric states, then of sums and differences of two of them,
/// of three, of four.
///   ensure: not many more than `limit`
std::vector<Chain> bound_chains(const TermSystem& system, std::size_t limit);

/// Karr's analysis with bounds of `sums` sums and with the predicates, each as it is and denied;
/// without both if that does not come to its end (in a quarter of the time), or if `sums` is 0.
KarrAnalysis analyse(TermSystem& system, std::span<const Term> predicates, std::size_t sums,
                     std::uint32_t milliseconds, const Context& ctx);

}  // namespace lem::engine
