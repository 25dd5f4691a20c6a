// Karr's analysis of a transition system [Karr76, MullerOlm04]: for each location the affine
// equations that hold whenever control is there. A location is a valuation of the Bool states (the
// bits of a program counter are Bool states); where there are too many, there is only one.
//
// The transformer is the best one, found with a solver: a step out of the states described so far
// that leaves what is described adds its end as a point, which raises the dimension of one hull. So
// the number of rounds is bounded by locations times variables. Bit-vectors take part as numbers in
// two's complement, their equations are read modulo 2^width. Tests:
// tests/unit/engine/karr_test.cpp.
#pragma once

#include <vector>

#include "base/context.h"
#include "engine/parts/term_system.h"

namespace lem {

struct KarrLimits {
  std::size_t locations = 200;
  std::size_t queries = 3000;
  std::uint32_t work = 200'000;  // for each query, in the solver's units
};

struct KarrAnalysis {
  struct Location {
    Term where;                   // over the Bool states
    std::vector<Term> equations;  // sum = constant
  };
  std::vector<Location> locations;
  /// Whether the analysis came to its end: then (where & equations), joined over all locations, is
  /// an inductive invariant.
  bool complete = false;
};

KarrAnalysis karr(TermSystem& system, const KarrLimits& limits, const Context& ctx);

}  // namespace lem
