// Affine equations among the numeric states of a system: hulls of points, and what they say as
// terms. Tests: tests/unit/engine/parts/seeds_test.cpp, karr_test.cpp.
#pragma once

#include <gmpxx.h>

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "term/term_store.h"

namespace lem::engine {

using AffinePoint = std::vector<mpq_class>;

/// sum coefficients[i] * point[i] = constant.
struct AffineEquation {
  std::vector<mpq_class> coefficients;
  mpq_class constant;
  bool holds_at(const AffinePoint& point) const;
};

/// A basis of the equations that hold at all points. Few points satisfy many equations by chance:
/// none is given unless there are `spare` points more than the hull has dimensions.
///   require: points of one length
std::vector<AffineEquation> affine_hull(const std::vector<AffinePoint>& points, std::size_t spare);

/// The number that a value stands for; bit-vectors in two's complement.
///   require: a value of an Int, Real or BitVec sort
mpq_class affine_coordinate(const TermStore& terms, Term value);

/// The two sides of an equation over variables of one sort with integral factors, the constant on
/// the right. Nothing if the variables that occur differ in sort, or none does.
///   require: one coefficient for each variable; variables of Int, Real or BitVec sorts
std::optional<std::pair<Term, Term>> affine_sides(TermStore& terms, std::span<const Term> variables,
                                                  const AffineEquation& equation);

/// Variables that occur, and the largest factor after scaling to integers.
struct AffineSize {
  std::size_t variables;
  mpz_class factor;
};
AffineSize size_of(const AffineEquation& equation);

}  // namespace lem::engine
