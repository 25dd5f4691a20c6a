// Implicants along a model: literals that hold in the model and imply a formula, with every Ite
// replaced by the branch that the model takes. Preimages without this keep the choices of a step as
// nested terms, which grow with every step backwards. Tests: tests/unit/term/implicant_test.cpp.
#pragma once

#include <optional>
#include <vector>

#include "term/traverse.h"

namespace lem {

/// Literals without Boolean structure and without Ite, in order of creation. nullopt if the
/// formula is not true in the model.
///   require: the model gives values to all variables of the formula
std::optional<std::vector<Term>> implicant(TermStore& terms, Term formula, TermMap model);

}  // namespace lem
