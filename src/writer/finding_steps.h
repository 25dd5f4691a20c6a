// Runs and invariants as texts at places of the source. Programs have a place for each step; a step
// of a circuit or a transition system is at the property that fails.
#pragma once

#include <vector>

#include "model/problem.h"
#include "model/verdict.h"
#include "writer/finding.h"

namespace lem::writer {

/// `at`: the place of the property.
std::vector<PlacedText> placed_steps(const Problem& problem, const SourcePos& at, const Run& run);
/// Invariants that have no line of their own are at the property.
std::vector<PlacedText> placed_invariants(const Problem& problem, const SourcePos& at,
                                          const Certificate& certificate);

}  // namespace lem::writer
