// AIGs as transition systems, for engines and formats that speak of terms. Every signal is a Bool;
// latches and inputs have the names of the source. Tests: tests/unit/transform/lift_test.cpp.
#pragma once

#include "model/problem.h"

namespace lem {

/// The same problem over Bool states: the same properties, in order, with the same meaning.
///   require: the model is an AIG
Problem lift_to_terms(const Problem& bits);

}  // namespace lem
