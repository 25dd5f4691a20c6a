// Sorts and terms: 4-byte handles into a TermStore. What they mean is in
// term_store.h; this file has what needs no store.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <type_traits>

namespace lem {

enum class SortKind : std::uint8_t { Bool, BitVec, Int, Real, Array, Float };

class Sort {
 public:
  constexpr Sort() = default;
  friend constexpr auto operator<=>(Sort, Sort) = default;

 private:
  friend class TermStore;
  constexpr explicit Sort(std::uint32_t id) : id_(id) {}
  std::uint32_t id_ = 0;
};

/// Operators that occur in terms. Everything else of SMT-LIB is built from them (TermStore's
/// make_* functions): => or xor distinct <= > >= bvule bvsub bvnand ...
enum class Op : std::uint8_t {
  // leaves
  Variable,
  BoolValue,
  BvValue,
  IntValue,
  RealValue,
  // all sorts
  Eq,   // two arguments of one sort; over Bool: if and only if
  Ite,  // condition, then, else
  // Bool
  Not,
  And,  // two or more
  Or,   // two or more
  // bit-vectors
  BvNot,
  BvNeg,
  BvAnd,
  BvOr,
  BvXor,
  BvAdd,
  BvMul,
  BvUdiv,  // x / 0 is all ones
  BvUrem,  // x % 0 is x
  BvSdiv,
  BvSrem,
  BvSmod,
  BvShl,
  BvLshr,
  BvAshr,
  BvUlt,
  BvSlt,
  BvConcat,      // two arguments, the first is the high part
  BvExtract,     // parameters: high bit, low bit
  BvZeroExtend,  // parameter: bits added
  BvSignExtend,  // parameter: bits added
  // Int and Real
  Add,     // two or more; canonical sum of monomials, a constant last
  Mul,     // two or more; a constant factor comes first
  Le,      // sum <= constant
  Lt,      // sum < constant, over Real only
  IntDiv,  // by a non-zero constant, rounded as SMT-LIB says
  IntMod,  // by a non-zero constant
  ToReal,
  ToInt,  // floor
  // arrays
  Select,
  Store,
  ConstArray,  // one argument: the value at every index; the sort says which array
  // floats; a rounding and a format (packed) are parameters
  FpValue,  // a leaf
  FpNeg,
  FpAbs,
  FpAdd,    // parameter: rounding
  FpMul,    // parameter: rounding
  FpDiv,    // parameter: rounding
  FpSqrt,   // parameter: rounding
  FpRound,  // to an integral number; parameter: rounding
  FpEq,     // as C compares: NaN equals nothing, -0 equals 0
  FpLe,
  FpLt,
  FpToFp,          // to another format; parameters: format, rounding
  FpFromBits,      // the number that a bit-vector encodes; parameter: format
  FpFromSigned,    // parameters: format, rounding
  FpFromUnsigned,  // parameters: format, rounding
  FpToSigned,      // rounded towards zero, 0 for what does not fit; parameter: width
  FpToUnsigned,    // likewise
};

class Term {
 public:
  constexpr Term() = default;                               // no term
  friend constexpr auto operator<=>(Term, Term) = default;  // creation order: deterministic
  constexpr explicit operator bool() const { return id_ != 0; }
  constexpr std::uint32_t id() const { return id_; }  // dense, from 1, for side tables

 private:
  friend class TermStore;
  constexpr explicit Term(std::uint32_t id) : id_(id) {}
  std::uint32_t id_ = 0;
};
static_assert(std::is_trivially_copyable_v<Term> && sizeof(Term) == 4);

}  // namespace lem

template <>
struct std::hash<lem::Term> {
  std::size_t operator()(lem::Term term) const noexcept {
    return term.id() * 0x9E3779B97F4A7C15ULL;
  }
};
