// Word-level circuits over gates. Words are bits from the least significant up. Circuits
// are chosen so that related operators meet in the structural hashing of gates: comparison,
// equality, addition and subtraction of the same words share their exclusive ors. Tests:
// tests/unit/bitblast/bit_blaster_test.cpp.
#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "bitblast/gates.h"

namespace lem::bitblast {

using AigWord = std::vector<AigLit>;
using AigWordView = std::span<const AigLit>;

/// AigWord that enter from above when a word is shifted right.
enum class ShiftKind { Left, Right, RightSigned };

class Circuits {
 public:
  explicit Circuits(Gates& out) : out_(out) {}

  AigLit exclusive(AigLit a, AigLit b);
  AigLit choose(AigLit condition, AigLit a, AigLit b);
  AigLit all_of(AigWord literals);  // balanced
  AigLit any_of(AigWord literals);
  AigWord complement(AigWordView a) const;
  AigWord mux(AigLit condition, AigWordView a, AigWordView b);
  AigLit equal(AigWordView a, AigWordView b);
  AigLit less(AigWordView a, AigWordView b);
  AigLit signed_less(AigWordView a, AigWordView b);

  /// a + b + carry, modulo the width.
  AigWord add(AigWordView a, AigWordView b, AigLit carry);
  AigWord negate(AigWordView a);
  AigWord multiply(AigWordView a, AigWordView b);
  /// Shifts by a word; by the width or more leaves only the filling.
  AigWord shift(AigWordView a, AigWordView amount, ShiftKind kind);

  struct Division {
    AigWord quotient;
    AigWord remainder;
  };
  /// Unsigned; by 0 the quotient is all ones and the remainder the dividend, as SMT-LIB says.
  const Division& divide(AigWordView a, AigWordView b);
  AigWord signed_quotient(AigWordView a, AigWordView b);
  AigWord signed_remainder(AigWordView a, AigWordView b);  // with the sign of a
  AigWord signed_modulo(AigWordView a, AigWordView b);     // with the sign of b

 private:
  AigWord negate_if(AigLit condition, AigWordView a);
  AigWord magnitude(AigWordView a) { return negate_if(a.back(), a); }

  Gates& out_;
  std::map<std::pair<AigWord, AigWord>, Division>
      divisions_;  // quotient and remainder of one divider
};

}  // namespace lem::bitblast
