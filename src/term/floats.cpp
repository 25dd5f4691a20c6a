#include "term/floats.h"

namespace lem {

/// a - b is a + -b, signs of zeros included.
Term make_fp_sub(TermStore& terms, Term a, Term b, Rounding rounding) {
  return terms.make(Op::FpAdd, {a, terms.make(Op::FpNeg, {b})},
                    static_cast<std::uint32_t>(rounding));
}

static FloatFormat format_of(const TermStore& terms, Term a) {
  return terms.format(terms.sort(a));
}

static Term absolute(TermStore& terms, Term a) {
  return terms.make(Op::FpAbs, {a});
}

Term make_fp_is_nan(TermStore& terms, Term a) {
  return terms.make_eq(a, terms.floating(FloatValue::nan(format_of(terms, a))));
}

Term make_fp_is_infinite(TermStore& terms, Term a) {
  Term infinity = terms.floating(FloatValue::infinity(format_of(terms, a), false));
  return terms.make_eq(absolute(terms, a), infinity);
}

Term make_fp_is_zero(TermStore& terms, Term a) {
  return terms.make(Op::FpEq, {a, terms.number(0, terms.sort(a))});
}

Term make_fp_is_subnormal(TermStore& terms, Term a) {
  Term normal = terms.floating(FloatValue::smallest_normal(format_of(terms, a)));
  Term small = terms.make(Op::FpLt, {absolute(terms, a), normal});
  return terms.make_and(small, terms.make_not(make_fp_is_zero(terms, a)));
}

Term make_fp_is_normal(TermStore& terms, Term a) {
  Term normal = terms.floating(FloatValue::smallest_normal(format_of(terms, a)));
  Term infinity = terms.floating(FloatValue::infinity(format_of(terms, a), false));
  return terms.make_and(terms.make(Op::FpLe, {normal, absolute(terms, a)}),
                        terms.make(Op::FpLt, {absolute(terms, a), infinity}));
}

Term make_fp_is_negative(TermStore& terms, Term a) {
  Term minus_zero = terms.floating(FloatValue::zero(format_of(terms, a), true));
  Term zero = terms.number(0, terms.sort(a));
  return terms.make_or(terms.make(Op::FpLt, {a, zero}), terms.make_eq(a, minus_zero));
}

Term make_fp_is_positive(TermStore& terms, Term a) {
  Term zero = terms.number(0, terms.sort(a));
  return terms.make_or(terms.make(Op::FpLt, {zero, a}), terms.make_eq(a, zero));
}

/// -2^(w-1) - 1 < a < 2^(w-1), or -1 < a < 2^w. A lower bound that is no float is replaced by the
/// float above; an upper one is a power of two, so a float or beyond all of them.
FloatRange fp_range(FloatFormat format, std::uint32_t width, FloatSign sign) {
  bool is_signed = sign == FloatSign::Signed;
  mpz_class beyond = mpz_class(1) << (is_signed ? width - 1 : width);
  mpq_class below = is_signed ? mpz_class(-beyond - 1) : mpz_class(-1);
  FloatValue low = FloatValue::rounded(format, below, Rounding::Up);
  FloatValue high = FloatValue::rounded(format, beyond, Rounding::Up);
  return {low, high, low.exact() == below};
}

Term make_fp_fits(TermStore& terms, Term a, std::uint32_t width, FloatSign sign) {
  auto [low, high, strict] = fp_range(format_of(terms, a), width, sign);
  return terms.make_and(terms.make(strict ? Op::FpLt : Op::FpLe, {terms.floating(low), a}),
                        terms.make(Op::FpLt, {a, terms.floating(high)}));
}

}  // namespace lem
