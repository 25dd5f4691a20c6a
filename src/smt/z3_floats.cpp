// Floats to Z3 and back.
#include "smt/z3_terms.h"

#include <cassert>

#include "base/assert.h"
#include "term/floats.h"

namespace lem::smt {

Z3_ast Z3Terms::rounding_mode(std::uint32_t rounding) {
  switch (static_cast<Rounding>(rounding)) {
    case Rounding::NearestEven:
      return Z3_mk_fpa_rne(ctx_);
    case Rounding::NearestAway:
      return Z3_mk_fpa_rna(ctx_);
    case Rounding::Up:
      return Z3_mk_fpa_rtp(ctx_);
    case Rounding::Down:
      return Z3_mk_fpa_rtn(ctx_);
    case Rounding::Zero:
      return Z3_mk_fpa_rtz(ctx_);
  }
  unreachable();
}

Z3_ast Z3Terms::float_constant(const FloatValue& value) {
  auto [exponent, significand] = value.format();
  z3::sort sort = ctx_.fpa_sort(exponent, significand);
  if (value.is_nan()) return Z3_mk_fpa_nan(ctx_, sort);
  z3::expr bits = ctx_.bv_val(value.bits().get_str().c_str(), exponent + significand);
  z3::expr made(ctx_, Z3_mk_fpa_to_fp_bv(ctx_, bits, sort));
  return made.simplify();  // a numeral, not a conversion of one
}

/// SMT-LIB leaves open what does not fit; here it is 0.
Z3_ast Z3Terms::float_to_integer(Term term, Z3_ast arg) {
  bool is_signed = terms_.op(term) == Op::FpToSigned;
  std::uint32_t width = terms_.width(term);
  auto [low, high, strict] = fp_range(terms_.format(terms_.sort(terms_.arg(term, 0))), width,
                                      is_signed ? FloatSign::Signed : FloatSign::Unsigned);
  z3::expr bottom(ctx_, float_constant(low)), top(ctx_, float_constant(high));
  z3::expr above(ctx_, strict ? Z3_mk_fpa_lt(ctx_, bottom, arg) : Z3_mk_fpa_leq(ctx_, bottom, arg));
  z3::expr below(ctx_, Z3_mk_fpa_lt(ctx_, arg, top));
  z3::expr mode(ctx_, Z3_mk_fpa_rtz(ctx_));
  z3::expr inside(ctx_, is_signed ? Z3_mk_fpa_to_sbv(ctx_, mode, arg, width)
                                  : Z3_mk_fpa_to_ubv(ctx_, mode, arg, width));
  return z3::ite(above && below, inside, ctx_.bv_val(0, width));
}

Z3_ast Z3Terms::apply_float(Term term, const std::vector<Z3_ast>& args) {
  std::uint32_t p0 = terms_.param(term, 0);
  auto mode = [&](std::size_t i) { return z3::expr(ctx_, rounding_mode(terms_.param(term, i))); };
  switch (terms_.op(term)) {
    case Op::FpValue:
      return float_constant(terms_.float_value(term));
    case Op::FpNeg:
      return Z3_mk_fpa_neg(ctx_, args[0]);
    case Op::FpAbs:
      return Z3_mk_fpa_abs(ctx_, args[0]);
    case Op::FpAdd:
      return Z3_mk_fpa_add(ctx_, mode(0), args[0], args[1]);
    case Op::FpMul:
      return Z3_mk_fpa_mul(ctx_, mode(0), args[0], args[1]);
    case Op::FpDiv:
      return Z3_mk_fpa_div(ctx_, mode(0), args[0], args[1]);
    case Op::FpSqrt:
      return Z3_mk_fpa_sqrt(ctx_, mode(0), args[0]);
    case Op::FpRound:
      return Z3_mk_fpa_round_to_integral(ctx_, mode(0), args[0]);
    case Op::FpEq:
      return Z3_mk_fpa_eq(ctx_, args[0], args[1]);
    case Op::FpLe:
      return Z3_mk_fpa_leq(ctx_, args[0], args[1]);
    case Op::FpLt:
      return Z3_mk_fpa_lt(ctx_, args[0], args[1]);
    case Op::FpToFp:
      return Z3_mk_fpa_to_fp_float(ctx_, mode(1), args[0], to_z3(terms_.sort(term)));
    case Op::FpFromBits:
      return Z3_mk_fpa_to_fp_bv(ctx_, args[0], to_z3(terms_.sort(term)));
    case Op::FpFromSigned:
      return Z3_mk_fpa_to_fp_signed(ctx_, mode(1), args[0], to_z3(terms_.sort(term)));
    case Op::FpFromUnsigned:
      return Z3_mk_fpa_to_fp_unsigned(ctx_, mode(1), args[0], to_z3(terms_.sort(term)));
    case Op::FpToSigned:
    case Op::FpToUnsigned:
      assert(p0 == terms_.width(term) && "the parameter is the width");
      return float_to_integer(term, args[0]);
    default:
      break;
  }
  assert(false && "every operator has a translation");
  unreachable();
}

// Back --------------------------------------------------------------------------------------------

bool Z3Terms::is_rounding(const z3::expr& e) const {
  return e.get_sort().sort_kind() == Z3_ROUNDING_MODE_SORT;
}

std::optional<std::uint32_t> Z3Terms::rounding_of(const z3::expr& mode) const {
  if (!mode.is_app()) return {};
  Rounding found{};
  switch (mode.decl().decl_kind()) {
    case Z3_OP_FPA_RM_NEAREST_TIES_TO_EVEN:
      found = Rounding::NearestEven;
      break;
    case Z3_OP_FPA_RM_NEAREST_TIES_TO_AWAY:
      found = Rounding::NearestAway;
      break;
    case Z3_OP_FPA_RM_TOWARD_POSITIVE:
      found = Rounding::Up;
      break;
    case Z3_OP_FPA_RM_TOWARD_NEGATIVE:
      found = Rounding::Down;
      break;
    case Z3_OP_FPA_RM_TOWARD_ZERO:
      found = Rounding::Zero;
      break;
    default:
      return {};
  }
  return static_cast<std::uint32_t>(found);
}

std::optional<Term> Z3Terms::float_value(const z3::expr& e) {
  auto sort = from_z3(e.get_sort());
  if (!sort || !Z3_is_numeral_ast(ctx_, e)) return {};
  FloatFormat format = terms_.format(*sort);
  bool negative = Z3_fpa_is_numeral_negative(ctx_, e);
  if (Z3_fpa_is_numeral_nan(ctx_, e)) return terms_.floating(FloatValue::nan(format));
  if (Z3_fpa_is_numeral_inf(ctx_, e))
    return terms_.floating(FloatValue::infinity(format, negative));
  if (Z3_fpa_is_numeral_zero(ctx_, e)) return terms_.floating(FloatValue::zero(format, negative));
  auto part = [&](Z3_ast ast) {
    return mpz_class(Z3_get_numeral_string(ctx_, z3::expr(ctx_, ast)));
  };
  mpz_class exponent = part(Z3_fpa_get_numeral_exponent_bv(ctx_, e, true));
  mpz_class fraction = part(Z3_fpa_get_numeral_significand_bv(ctx_, e));
  ctx_.check_error();
  mpz_class bits = (exponent << (format.significand - 1)) + fraction;
  if (Z3_fpa_is_numeral_subnormal(ctx_, e)) bits = fraction;
  if (negative) bits += mpz_class(1) << (format.bits() - 1);
  return terms_.floating({format, bits});
}

/// Conversions: of a bit pattern, a float, a signed or an unsigned integer.
std::optional<Term> Z3Terms::float_conversion(const z3::expr& e, const std::vector<Term>& args) {
  auto sort = from_z3(e.get_sort());
  if (!sort || args.size() != 1) return {};
  std::uint32_t format = terms_.format(*sort).packed();
  bool bits = terms_.kind(args[0]) == SortKind::BitVec;
  if (e.num_args() == 1)
    return bits ? std::optional(terms_.make(Op::FpFromBits, args, format)) : std::nullopt;
  auto mode = rounding_of(e.arg(0));
  if (!mode) return {};
  if (terms_.kind(args[0]) == SortKind::Float) return terms_.make(Op::FpToFp, args, format, *mode);
  if (!bits) return {};
  bool is_signed = e.decl().decl_kind() == Z3_OP_FPA_TO_FP;
  return terms_.make(is_signed ? Op::FpFromSigned : Op::FpFromUnsigned, args, format, *mode);
}

// long: flat switch
std::optional<Term> Z3Terms::float_application(const z3::expr& e, const std::vector<Term>& args) {
  auto rounded = [&](Op op) -> std::optional<Term> {
    auto mode = rounding_of(e.arg(0));
    if (!mode) return {};
    return terms_.make(op, args, *mode);
  };
  switch (e.decl().decl_kind()) {
    case Z3_OP_FPA_NEG:
      return terms_.make(Op::FpNeg, args);
    case Z3_OP_FPA_ABS:
      return terms_.make(Op::FpAbs, args);
    case Z3_OP_FPA_ADD:
      return rounded(Op::FpAdd);
    case Z3_OP_FPA_SUB: {
      auto mode = rounding_of(e.arg(0));
      if (!mode) return {};
      return make_fp_sub(terms_, args[0], args[1], static_cast<Rounding>(*mode));
    }
    case Z3_OP_FPA_MUL:
      return rounded(Op::FpMul);
    case Z3_OP_FPA_DIV:
      return rounded(Op::FpDiv);
    case Z3_OP_FPA_SQRT:
      return rounded(Op::FpSqrt);
    case Z3_OP_FPA_ROUND_TO_INTEGRAL:
      return rounded(Op::FpRound);
    case Z3_OP_FPA_EQ:
      return terms_.make(Op::FpEq, args);
    case Z3_OP_FPA_LE:
      return terms_.make(Op::FpLe, args);
    case Z3_OP_FPA_LT:
      return terms_.make(Op::FpLt, args);
    case Z3_OP_FPA_GE:
      return terms_.make(Op::FpLe, {args[1], args[0]});
    case Z3_OP_FPA_GT:
      return terms_.make(Op::FpLt, {args[1], args[0]});
    case Z3_OP_FPA_IS_NAN:
      return make_fp_is_nan(terms_, args[0]);
    case Z3_OP_FPA_IS_INF:
      return make_fp_is_infinite(terms_, args[0]);
    case Z3_OP_FPA_IS_ZERO:
      return make_fp_is_zero(terms_, args[0]);
    case Z3_OP_FPA_IS_NORMAL:
      return make_fp_is_normal(terms_, args[0]);
    case Z3_OP_FPA_IS_SUBNORMAL:
      return make_fp_is_subnormal(terms_, args[0]);
    case Z3_OP_FPA_IS_NEGATIVE:
      return make_fp_is_negative(terms_, args[0]);
    case Z3_OP_FPA_IS_POSITIVE:
      return make_fp_is_positive(terms_, args[0]);
    case Z3_OP_FPA_FP: {
      Term bits = terms_.make_concat(args[0], terms_.make_concat(args[1], args[2]));
      auto sort = from_z3(e.get_sort());
      if (!sort) return {};
      return terms_.make(Op::FpFromBits, {bits}, terms_.format(*sort).packed());
    }
    case Z3_OP_FPA_TO_FP:
    case Z3_OP_FPA_TO_FP_UNSIGNED:
      return float_conversion(e, args);
    case Z3_OP_FPA_TO_SBV:
    case Z3_OP_FPA_TO_UBV: {  // open where it does not fit, but it went there under a test
      bool is_signed = e.decl().decl_kind() == Z3_OP_FPA_TO_SBV;
      auto mode = rounding_of(e.arg(0));
      if (!mode || static_cast<Rounding>(*mode) != Rounding::Zero) return {};
      return terms_.make(is_signed ? Op::FpToSigned : Op::FpToUnsigned, args,
                         e.get_sort().bv_size());
    }
    default:
      return {};
  }
}

}  // namespace lem::smt
