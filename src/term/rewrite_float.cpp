// Floats. Values fold; there are few other rules, since few laws of numbers hold for floats.
#include <algorithm>
#include <cassert>
#include <utility>

#include "term/floats.h"
#include "term/rewrite.h"

namespace lem {

Sort Rewriter::float_result_sort(Op op, Sort first, std::uint32_t p0) {
  switch (op) {
    case Op::FpEq:
    case Op::FpLe:
    case Op::FpLt:
      return t_.bool_sort();
    case Op::FpToFp:
    case Op::FpFromBits:
    case Op::FpFromSigned:
    case Op::FpFromUnsigned:
      return t_.float_sort(FloatFormat::unpacked(p0));
    case Op::FpToSigned:
    case Op::FpToUnsigned:
      return t_.bv_sort(p0);
    default:
      return first;
  }
}

Term Rewriter::make_float(Op op, std::span<const Term> args, std::uint32_t p0, std::uint32_t p1) {
  bool values = true;
  for (Term arg : args) values = values && t_.is_value(arg);
  if (values) return fold_float(op, args, p0, p1);
  switch (op) {
    case Op::FpNeg:
    case Op::FpAbs:
    case Op::FpRound:
    case Op::FpSqrt:
      return make_float_unary(op, args[0], p0);
    case Op::FpAdd:
    case Op::FpMul:
    case Op::FpDiv:
      return make_float_binary(op, args[0], args[1], p0);
    case Op::FpEq:
    case Op::FpLe:
    case Op::FpLt:
      return make_float_comparison(op, args[0], args[1]);
    case Op::FpToFp:
      if (t_.format(t_.sort(args[0])) == FloatFormat::unpacked(p0)) return args[0];
      break;
    default:
      break;
  }
  return intern(op, args, p0, p1);
}

Term Rewriter::fold_float_to_integer(Op op, Term a, std::uint32_t width) {
  FloatSign sign = op == Op::FpToSigned ? FloatSign::Signed : FloatSign::Unsigned;
  bool fits = t_.is_true(make_fp_fits(t_, a, width, sign));
  return t_.bv(fits ? *t_.float_value(a).truncated() : mpz_class(0), width);
}

// long: flat switch
Term Rewriter::fold_float(Op op, std::span<const Term> args, std::uint32_t p0, std::uint32_t p1) {
  auto value = [&](std::size_t i) { return t_.float_value(args[i]); };
  auto rounding = static_cast<Rounding>(p0);
  auto rounding_behind = static_cast<Rounding>(p1);
  switch (op) {
    case Op::FpNeg:
      return t_.floating(value(0).negated());
    case Op::FpAbs:
      return t_.floating(value(0).absolute());
    case Op::FpAdd:
      return t_.floating(value(0).plus(value(1), rounding));
    case Op::FpMul:
      return t_.floating(value(0).times(value(1), rounding));
    case Op::FpDiv:
      return t_.floating(value(0).divided_by(value(1), rounding));
    case Op::FpSqrt:
      return t_.floating(value(0).square_root(rounding));
    case Op::FpRound:
      return t_.floating(value(0).integral(rounding));
    case Op::FpEq:
      return t_.boolean(value(0).equals(value(1)));
    case Op::FpLe:
      return t_.boolean(value(0).is_at_most(value(1)));
    case Op::FpLt:
      return t_.boolean(value(0).is_less(value(1)));
    case Op::FpToFp:
      return t_.floating(value(0).in_format(FloatFormat::unpacked(p0), rounding_behind));
    case Op::FpFromBits:
      return t_.floating({FloatFormat::unpacked(p0), t_.integer_value(args[0])});
    case Op::FpFromSigned:
      return t_.floating(FloatValue::rounded(FloatFormat::unpacked(p0), t_.signed_value(args[0]),
                                             rounding_behind));
    case Op::FpFromUnsigned:
      return t_.floating(FloatValue::rounded(FloatFormat::unpacked(p0), t_.integer_value(args[0]),
                                             rounding_behind));
    case Op::FpToSigned:
    case Op::FpToUnsigned:
      return fold_float_to_integer(op, args[0], p0);
    default:
      assert(false && "not an operator of floats");
      return {};
  }
}

Term Rewriter::make_float_unary(Op op, Term a, std::uint32_t p0) {
  Op inner = t_.op(a);
  if (op == Op::FpNeg && inner == Op::FpNeg) return t_.arg(a, 0);
  if (op == Op::FpAbs && inner == Op::FpAbs) return a;
  if (op == Op::FpAbs && inner == Op::FpNeg) return make_float_unary(op, t_.arg(a, 0), p0);
  if (op == Op::FpRound && inner == Op::FpRound) return a;  // is integral already
  return intern(op, {a}, p0);
}

/// x * 1, x / 1 and x + -0 are x, but for 0 + -0, which is -0 when rounded down.
Term Rewriter::make_float_binary(Op op, Term a, Term b, std::uint32_t p0) {
  assert(t_.sort(a) == t_.sort(b) && "both arguments have one format");
  if (op != Op::FpDiv && (t_.is_value(a) || (!t_.is_value(b) && b < a))) std::swap(a, b);
  if (t_.is_value(a) && t_.float_value(a).is_nan()) return a;
  if (t_.is_value(b)) {
    FloatValue value = t_.float_value(b);
    if (value.is_nan()) return b;
    FloatValue one = FloatValue::rounded(value.format(), 1, Rounding::NearestEven);
    bool down = static_cast<Rounding>(p0) == Rounding::Down;
    if (op == Op::FpAdd && value.is_zero() && value.is_negative() && !down) return a;
    if (op != Op::FpAdd && value.bits() == one.bits()) return a;
    if (op != Op::FpAdd && value.bits() == one.negated().bits()) return t_.make(Op::FpNeg, {a});
  }
  return intern(op, {a, b}, p0);
}

/// Values for which the comparison is always false: NaN, and for < the infinities at their ends.
Term Rewriter::make_float_comparison(Op op, Term a, Term b) {
  assert(t_.sort(a) == t_.sort(b) && "both arguments have one format");
  if (a == b) return op == Op::FpLt ? t_.boolean(false) : t_.make_not(make_fp_is_nan(t_, a));
  for (Term side : {a, b}) {
    if (!t_.is_value(side)) continue;
    FloatValue value = t_.float_value(side);
    if (value.is_nan()) return t_.boolean(false);
    bool at_end = value.is_infinite() && value.is_negative() == (side == b);
    if (op == Op::FpLt && at_end) return t_.boolean(false);
  }
  if (op == Op::FpEq && b < a) std::swap(a, b);
  return intern(op, {a, b});
}

Term Rewriter::make_float_eq(Term a, Term b) {
  if (t_.is_value(a)) std::swap(a, b);
  bool choice = t_.is_value(b) && t_.op(a) == Op::Ite;
  if (choice && (t_.is_value(t_.arg(a, 1)) || t_.is_value(t_.arg(a, 2)))) return eq_of_ite(a, b);
  return intern(Op::Eq, {std::min(a, b), std::max(a, b)});
}

/// `fits(x) ? to_integer(x) : 0` is how the printer writes to_integer(x), which SMT-LIB does not
/// define where x does not fit.
bool Rewriter::is_guarded_conversion(Term condition, Term then_part, Term else_part) {
  Op op = t_.op(then_part);
  if (op != Op::FpToSigned && op != Op::FpToUnsigned) return false;
  if (!t_.is_value(else_part) || t_.integer_value(else_part) != 0) return false;
  FloatSign sign = op == Op::FpToSigned ? FloatSign::Signed : FloatSign::Unsigned;
  return condition == make_fp_fits(t_, t_.arg(then_part, 0), t_.width(then_part), sign);
}

}  // namespace lem
