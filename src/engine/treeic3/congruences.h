// Congruences in place of equations over words. Blocked cubes that differ in constants alone are a
// sign of divergence: y = 2, y = 4, ... are ruled out one by one, though y is odd. Interpolants,
// which come from arithmetic without wrap-around, do not say so. The equation of the next cube
// becomes the same equation modulo a small power of two, if the cube is blocked as well. Tests:
// tests/unit/engine/treeic3/congruences_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "engine/parts/cfa/literals.h"
#include "engine/parts/query/divergence.h"
#include "model/cfa.h"

namespace lem::engine {

class Congruences {
 public:
  using IsBlocked = std::function<bool(const std::vector<Lit>& cube)>;

  /// Borrows both. `patience`: cubes of a location with an equation of the same variables before
  /// congruences are tried; 0: never.
  Congruences(TermStore& terms, CfaLiterals& literals, std::uint32_t patience)
      : terms_(terms), literals_(literals), equations_(patience) {}

  /// require: the cube is blocked at the location
  ///   ensure: it is, and implied by what it was; returns how many equations were replaced
  std::size_t weaken(LocationId at, std::vector<Lit>& cube, const IsBlocked& is_blocked);

  /// The term modulo 2^bits: sums, products and bitwise operations of the low bits of what they are
  /// made of.
  Term low(Term term, std::uint32_t bits);

 private:
  bool is_equation(Term formula) const;
  bool weaken(std::vector<Lit>& cube, Lit equation, const IsBlocked& is_blocked);

  TermStore& terms_;
  CfaLiterals& literals_;
  Divergence<std::pair<LocationId, std::vector<Term>>> equations_;  // of these variables
};

}  // namespace lem::engine
