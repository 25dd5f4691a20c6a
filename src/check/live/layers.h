// The obligations of layers (model/evidence/live.h), each with a fresh solver.
// Tests: tests/unit/check/live_test.cpp.
#pragma once

#include <stop_token>

#include "check/terms.h"
#include "model/problem.h"
#include "model/verdict.h"

namespace lem::check {

/// `product`: the product Delayed of the model.   ensure: which obligation fails, if one does
TermFinding check_layers(const Problem& product, const Layers& claim, const std::stop_token& stop);
TermFinding check_layers(const Problem& product, const TermLayers& claim,
                         const std::stop_token& stop);

}  // namespace lem::check
