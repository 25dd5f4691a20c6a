// Narrowing of bit-vectors. C computes on chars and shorts as on ints: they are extended, computed
// on with 32 bits and cut off again. What the upper bits cannot influence is computed without them.
// Remainders and comparisons of chars are then circuits of 8 bits, which solvers decide much more
// easily than those of 32 bits.
#include <algorithm>

#include "term/rewrite.h"

namespace lem {

/// The least k so that a term is the zero extension of its k lowest bits, as far as it shows.
static std::uint32_t unsigned_bits(const TermStore& terms, Term a) {
  if (terms.is_value(a)) {
    const mpz_class& value = terms.integer_value(a);
    return value == 0 ? 1U : static_cast<std::uint32_t>(mpz_sizeinbase(value.get_mpz_t(), 2));
  }
  return terms.op(a) == Op::BvZeroExtend ? terms.width(terms.arg(a, 0)) : terms.width(a);
}

/// The least k so that a term is the sign extension of its k lowest bits, as far as it shows.
static std::uint32_t signed_bits(const TermStore& terms, Term a) {
  if (terms.is_value(a)) {
    mpz_class value = terms.signed_value(a);
    if (value < 0) value = -value - 1;
    return value == 0 ? 1U : static_cast<std::uint32_t>(mpz_sizeinbase(value.get_mpz_t(), 2)) + 1;
  }
  if (terms.op(a) == Op::BvSignExtend) return terms.width(terms.arg(a, 0));
  if (terms.op(a) == Op::BvZeroExtend) return terms.width(terms.arg(a, 0)) + 1;
  return terms.width(a);
}

/// require: `op` is BvUlt or BvSlt.  ensure: the comparison on fewer bits, or nothing
Term Rewriter::narrow_less(Op op, Term a, Term b) {
  std::uint32_t n = t_.width(a);
  std::uint32_t ua = unsigned_bits(t_, a), ub = unsigned_bits(t_, b);
  if (std::uint32_t u = std::max(ua, ub); u < n) {  // neither is negative
    if (t_.is_value(b) && ub > ua) return t_.boolean(true);
    if (t_.is_value(a) && ua > ub) return t_.boolean(false);
    return t_.make(Op::BvUlt, {t_.make_extract(a, u - 1, 0), t_.make_extract(b, u - 1, 0)});
  }
  std::uint32_t sa = signed_bits(t_, a), sb = signed_bits(t_, b), s = std::max(sa, sb);
  if (op == Op::BvSlt && t_.is_value(b) && ua < n && t_.signed_value(b) < 0)
    return t_.boolean(false);
  if (op == Op::BvSlt && t_.is_value(a) && ub < n && t_.signed_value(a) < 0)
    return t_.boolean(true);
  if (s >= n) return {};
  if (op == Op::BvSlt && t_.is_value(b) && sb > sa) return t_.boolean(t_.signed_value(b) > 0);
  if (op == Op::BvSlt && t_.is_value(a) && sa > sb) return t_.boolean(t_.signed_value(a) < 0);
  Term low_a = t_.make_extract(a, s - 1, 0), low_b = t_.make_extract(b, s - 1, 0);
  return t_.make(op, {low_a, low_b});
}

/// require: neither is a value.  ensure: the equation on fewer bits, or nothing
Term Rewriter::narrow_eq(Term a, Term b) {
  std::uint32_t n = t_.width(a);
  std::uint32_t u = std::max(unsigned_bits(t_, a), unsigned_bits(t_, b));
  std::uint32_t s = std::max(signed_bits(t_, a), signed_bits(t_, b));
  std::uint32_t least = std::min(u, s);
  if (least >= n) return {};
  // In the order that gcc evaluates arguments in, so that no compiler makes other terms.
  Term low_b = t_.make_extract(b, least - 1, 0), low_a = t_.make_extract(a, least - 1, 0);
  return t_.make_eq(low_a, low_b);
}

/// A remainder has no more bits than both arguments; a signed quotient may have one more (-128 by
/// -1). An unsigned quotient by zero has as many ones as the width, which no extension has.
Term Rewriter::narrow_division(Op op, Term a, Term b) {
  std::uint32_t n = t_.width(a);
  auto lowest = [&](Op narrow, std::uint32_t bits) {
    return t_.make(narrow, {t_.make_extract(a, bits - 1, 0), t_.make_extract(b, bits - 1, 0)});
  };
  std::uint32_t u = std::max(unsigned_bits(t_, a), unsigned_bits(t_, b));
  bool quotient = op == Op::BvUdiv || op == Op::BvSdiv;
  if (u < n && !quotient) return make_extend(Op::BvZeroExtend, lowest(Op::BvUrem, u), n - u);
  if (u < n && t_.is_value(b) && t_.integer_value(b) != 0)
    return make_extend(Op::BvZeroExtend, lowest(Op::BvUdiv, u), n - u);
  if (op == Op::BvUdiv || op == Op::BvUrem) return {};
  std::uint32_t s = std::max(signed_bits(t_, a), signed_bits(t_, b)) + (quotient ? 1 : 0);
  return s < n ? make_extend(Op::BvSignExtend, lowest(op, s), n - s) : Term();
}

/// The `bits` lowest bits of sums, products and bitwise operations, from those of the arguments;
/// nothing unless these are shorter than they look.
Term Rewriter::narrow_low_bits(Term a, std::uint32_t bits, int depth) {
  constexpr int kDepth = 3;  // of nested operators: shared ones are visited again
  if (t_.is_value(a)) return t_.make_extract(a, bits - 1, 0);
  switch (t_.op(a)) {
    case Op::BvZeroExtend:
    case Op::BvSignExtend:
      return t_.make_extract(a, bits - 1, 0);
    case Op::BvNot:
    case Op::BvNeg:
    case Op::BvAnd:
    case Op::BvOr:
    case Op::BvXor:
    case Op::BvAdd:
    case Op::BvMul:
      break;
    default:
      return {};
  }
  if (depth == kDepth) return {};
  std::vector<Term> args;
  for (Term arg : t_.args(a)) {
    args.push_back(narrow_low_bits(arg, bits, depth + 1));
    if (!args.back()) return {};
  }
  return t_.make(t_.op(a), args);
}

}  // namespace lem
