// Affine relations among numeric states, guessed from sampled runs: what Karr's analysis would find
// for certain, without its fixpoint [Karr76; 002 section on the initial domain]. They are
// candidates: the abstraction makes of them what it can.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <vector>

#include "base/context.h"
#include "engine/parts/term_system.h"

namespace lem {

/// sum coefficients[i] * point[i] = constant.
struct AffineEquation {
  std::vector<mpq_class> coefficients;
  mpq_class constant;
};

/// A basis of the equations that hold at all points. Few points satisfy many equations by chance:
/// none is given unless there are `spare` points more than the hull has dimensions.
///   require: points of one length
std::vector<AffineEquation> affine_hull(const std::vector<std::vector<mpq_class>>& points,
                                        std::size_t spare);

/// t <= b and t >= b for each equation t = b found, over all samples and over those that agree in
/// the Bool states (program locations).
std::vector<Term> affine_relations(TermSystem& system, std::uint32_t seed, const Context& ctx);

}  // namespace lem
