// Refinement state mining [Birgmeier14 4.1]: linear equalities through many of the concrete CTIs of
// one location. They need not be invariants and need not exclude anything.
#pragma once

#include <map>
#include <vector>

#include "engine/parts/terms/seeds/affine.h"
#include "engine/parts/terms/system.h"

namespace lem::engine {

class StateMiner {
 public:
  /// Looks for an equality when a location has `threshold` states; 0: never.
  StateMiner(const TermSystem& system, std::size_t threshold);

  /// Adds a state.   ensure: equalities that were found, sum = constant
  std::vector<Term> record(const TermMap& state);

 private:
  struct Candidate {
    AffineEquation equation;
    std::size_t covered = 0;
    std::size_t variables = 0;
    bool better_than(const Candidate& other) const;
  };
  Candidate best(const std::vector<AffinePoint>& states) const;
  void consider(const std::vector<AffinePoint>& states, std::vector<std::size_t> among,
                Candidate& best) const;

  TermStore& terms_;
  std::size_t threshold_;
  std::vector<Term> bools_, numbers_;  // states: a location's values, coordinates
  std::map<std::vector<Term>, std::vector<AffinePoint>> by_location_;
};

}  // namespace lem::engine
