// Karr's analysis of a transition system [Karr76, MullerOlm04]: for each location the affine
// equations that hold whenever control is there. A location is a valuation of the Bool states (the
// bits of a program counter are Bool states); where there are too many, there is only one.
//
// The transformer is the best one, found with a solver: a step out of the states described so far
// that leaves what is described adds its end as a point, which raises the dimension of one hull. So
// the number of rounds is bounded by locations times variables. Bit-vectors take part as numbers in
// two's complement, their equations are read modulo 2^width.
//
// With candidates it is the product with an analysis that keeps, of each chain of ever weaker
// formulas, the strongest one that holds (bounds by thresholds, Cartesian predicate abstraction
// [Ball01]). Each half uses what the other knows: sums that bounds keep from wrapping around,
// bounds that equations carry over. Tests: tests/unit/engine/parts/karr_test.cpp.
#pragma once

#include <span>
#include <vector>

#include "base/context.h"
#include "engine/parts/terms/system.h"

namespace lem::engine {

/// Formulas over X, each of which implies the next.
using Chain = std::vector<Term>;

struct KarrLimits {
  std::size_t locations = 200;
  std::size_t queries = 10'000;
  std::uint32_t work = 3'000'000;        // for each query, in the solver's units
  std::uint32_t milliseconds = 100'000;  // for all of it
};

struct KarrAnalysis {
  struct Location {
    Term where;                   // over the Bool states
    std::vector<Term> equations;  // sum = constant
    std::vector<Term> formulas;   // of each chain the strongest that holds
  };
  std::vector<Location> locations;
  /// Whether the analysis came to its end: then (where & equations & formulas), joined over all
  /// locations, is an inductive invariant.
  bool complete = false;
};

KarrAnalysis karr(TermSystem& system, std::span<const Chain> chains, const KarrLimits& limits,
                  const Context& ctx);

/// What a complete analysis knows, location by location, without what follows from the rest as far
/// as that is found in time.
///   ensure: an inductive invariant, as conjuncts (where => equation or formula) and the locations
std::vector<Term> invariants(TermSystem& system, const KarrAnalysis& analysis,
                             std::uint32_t milliseconds, const Context& ctx);

}  // namespace lem::engine
