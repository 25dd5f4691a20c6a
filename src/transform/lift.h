// AIGs as transition systems, for engines and formats that speak of terms. Every signal is a Bool;
// latches and inputs have the names of the source. Evidence comes back (apply_lift in passes.h):
// invariants as clauses over signals, by distribution where they say more than gates do.
// Tests: tests/unit/transform/lift_test.cpp.
#pragma once

#include <vector>

#include "model/problem.h"

namespace lem::transform {

struct LiftedProblem {
  Problem problem;
  std::vector<Term> signal;  // by variable of the AIG
};

/// The same problem over Bool states: the same properties, in order, with the same meaning.
///   require: the model is an AIG
LiftedProblem lift_to_terms(const Problem& bits);

}  // namespace lem::transform
