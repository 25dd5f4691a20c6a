// Lassos in finite runs: a state that occurs twice with every recurring signal seen between.
// Tests: tests/unit/run/live_test.cpp.
#pragma once

#include <optional>

#include "model/problem.h"
#include "model/verdict.h"

namespace lem::run {

/// A run of a product, or of anything that adds latches, states and inputs behind those of the
/// model, as a run of the model.
Run project(const Problem& original, Run run);

/// The first lasso in a run of the problem that violates its justice property, repeated until all
/// latches or states come back, those outside the cone of the property as well. nullopt if there is
/// none, or if they do not come back within reason.
///   require: the run starts in an initial state and keeps the constraints
std::optional<Unsafe> lasso_in(const Problem& problem, const Run& run);

}  // namespace lem::run
