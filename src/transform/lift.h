// AIGs as transition systems, for engines and formats over terms. Every signal is a Bool; latches
// and inputs have the names of the source. apply_lift (passes.h) translates evidence back:
// invariants become clauses over signals; what no gate computes is distributed. Tests:
// tests/unit/transform/lift_test.cpp.
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
