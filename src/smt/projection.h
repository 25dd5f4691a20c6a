// Model-based projection without a solver: an implicant of the formula under the model, eliminated
// variables replaced by equal terms where equations give one, else by their values. Every step
// implies the one before and holds in the model, so the result is sound by construction; it is
// narrower than what Z3 projects from inequalities. Tests: tests/unit/smt/projection_test.cpp.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "term/traverse.h"

namespace lem::smt {

/// Literals over variables other than `eliminate` that hold in the model and whose conjunction
/// implies (exists eliminate. formula). nullopt if the formula is not true in the model.
///   require: the model gives values to all variables of the formula
std::optional<std::vector<Term>> project_by_values(TermStore& terms, Term formula,
                                                   std::span<const Term> eliminate,
                                                   const TermMap& model);

/// Projection along a model that is given by values, for solvers that have none of their own.
class ModelProjector {
 public:
  virtual ~ModelProjector() = default;
  /// As project_by_values; `model` also has values of `eliminate`.
  virtual std::optional<std::vector<Term>> project(Term formula, std::span<const Term> eliminate,
                                                   const TermMap& model) = 0;
};
/// Z3's model-based projection.
std::unique_ptr<ModelProjector> make_z3_projector(TermStore& terms);
/// Linear arithmetic by substitution of equations and of the bound that is tightest in the model
/// [Loos93]. nullopt also where that is not exact: integers with other factors than 1 and -1, and
/// what is not linear in an eliminated variable.
std::unique_ptr<ModelProjector> make_linear_projector(TermStore& terms);

}  // namespace lem::smt
