// The transforms one by one; transform.cpp lists and composes them. Tests: tests/unit/transform/.
#pragma once

#include "transform/transform.h"

namespace lem {

/// Cone of influence of the property and the constraints, with constant folding, structural hashing
/// and two-level rules; inputs that a constraint forces become constants.
Transformed apply_coi(const Problem& problem, const Context& ctx);

/// Constant latches by ternary simulation.
Transformed apply_ternary(const Problem& problem, const Context& ctx);

/// Merges latches proved equal or complementary, or constant, by induction [Eijk00].
Transformed apply_latch_sweep(const Problem& problem, const Context& ctx);

/// The same for all signals; stronger, as the gates' equalities strengthen the induction.
Transformed apply_sweep(const Problem& problem, const Context& ctx);

/// Replaces the constraints by one latch that remembers whether they held so far.
Transformed apply_fold(const Problem& problem, const Context& ctx);

/// Sees a violation one step before it happens.
Transformed apply_unroll(const Problem& problem, const Context& ctx);

}  // namespace lem
