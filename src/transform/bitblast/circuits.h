// Word-level circuits over an AigBuilder. Words are bits from the least significant up. Circuits
// are chosen so that related operators meet in the builder's structural hashing: comparison,
// equality, addition and subtraction of the same words share their exclusive ors. Tests:
// tests/unit/transform/bitblast_test.cpp.
#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "model/aig.h"

namespace lem {

using Bits = std::vector<AigLit>;
using BitSpan = std::span<const AigLit>;

/// Bits that enter from above when a word is shifted right.
enum class ShiftKind { Left, Right, RightSigned };

class Circuits {
 public:
  explicit Circuits(AigBuilder& out) : out_(out) {}

  AigLit exclusive(AigLit a, AigLit b);
  AigLit choose(AigLit condition, AigLit a, AigLit b);
  AigLit all_of(Bits literals);  // balanced
  AigLit any_of(Bits literals);
  Bits complement(BitSpan a) const;
  Bits mux(AigLit condition, BitSpan a, BitSpan b);
  AigLit equal(BitSpan a, BitSpan b);
  AigLit less(BitSpan a, BitSpan b);
  AigLit signed_less(BitSpan a, BitSpan b);

  /// a + b + carry, modulo the width.
  Bits add(BitSpan a, BitSpan b, AigLit carry);
  Bits negate(BitSpan a);
  Bits multiply(BitSpan a, BitSpan b);
  /// Shifts by a word; by the width or more leaves only the filling.
  Bits shift(BitSpan a, BitSpan amount, ShiftKind kind);

  struct Division {
    Bits quotient;
    Bits remainder;
  };
  /// Unsigned; by 0 the quotient is all ones and the remainder the dividend, as SMT-LIB says.
  const Division& divide(BitSpan a, BitSpan b);
  Bits signed_quotient(BitSpan a, BitSpan b);
  Bits signed_remainder(BitSpan a, BitSpan b);  // with the sign of a
  Bits signed_modulo(BitSpan a, BitSpan b);     // with the sign of b

 private:
  Bits negate_if(AigLit condition, BitSpan a);
  Bits magnitude(BitSpan a) { return negate_if(a.back(), a); }

  AigBuilder& out_;
  std::map<std::pair<Bits, Bits>, Division> divisions_;  // quotient and remainder of one divider
};

}  // namespace lem
