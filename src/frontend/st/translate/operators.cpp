#include "frontend/st/translate/operators.h"

#include "base/try.h"

namespace lem::st {

Result<Value> Operators::negated(const Expr& expr, const Value& value) {
  if (value.integer) return Value{nullptr, {}, mpz_class(-*value.integer)};
  if (value.real) return Value{nullptr, {}, {}, mpq_class(-*value.real)};
  const Type& type = *value.type;
  if (type.kind == Type::Kind::Real) return Value{&type, t_.make(Op::FpNeg, {value.term})};
  if (type.kind != Type::Kind::Signed && type.kind != Type::Kind::Time &&
      type.kind != Type::Kind::Unsigned)
    return Error{expr.at, "'-' needs a number, not " + type.name};
  Term zero = t_.bv(0, type.bits);
  Term result = t_.make(Op::BvNeg, {value.term});
  Expr as_difference = expr;
  as_difference.binary = BinaryOp::Subtract;
  overflow_check(as_difference, type, zero, value.term, result);
  return Value{&type, result};
}

Result<Value> Operators::unary(const Expr& expr, const Value& value, const Type* hint) {
  if (expr.unary == UnaryOp::Plus) return value;
  if (expr.unary == UnaryOp::Minus) return negated(expr, value);
  if (value.type == nullptr) {
    if (hint == nullptr || !hint->is_integer() || !value.integer)
      return Error{expr.at, "NOT needs BOOL or a bit string"};
    LEM_LET(Term term, types_.coerce(value, *hint, expr.at));
    return Value{hint, t_.make(Op::BvNot, {term})};
  }
  if (value.type->kind == Type::Kind::Bool) return Value{value.type, t_.make_not(value.term)};
  if (value.type->kind == Type::Kind::Bits)
    return Value{value.type, t_.make(Op::BvNot, {value.term})};
  return Error{expr.at, "NOT needs BOOL or a bit string, not " + value.type->name +
                            " (NOT binds more tightly than comparisons)"};
}

Result<Value> Operators::binary(const Expr& expr, Value left, Value right) {
  switch (expr.binary) {
    case BinaryOp::And:
    case BinaryOp::Or:
    case BinaryOp::Xor:
    case BinaryOp::Implies:
      return logic(expr, std::move(left), std::move(right));
    case BinaryOp::Less:
    case BinaryOp::LessEqual:
    case BinaryOp::Greater:
    case BinaryOp::GreaterEqual:
    case BinaryOp::Equal:
    case BinaryOp::NotEqual:
      return comparison(expr, std::move(left), std::move(right));
    case BinaryOp::Power:
      return power(expr, left, right);
    case BinaryOp::Times:
    case BinaryOp::Divide:
    case BinaryOp::Modulo:
    case BinaryOp::Add:
    case BinaryOp::Subtract:
      return arithmetic(expr, std::move(left), std::move(right));
  }
  unreachable();
}

Result<Value> Operators::logic(const Expr& expr, Value left, Value right) {
  LEM_LET(const Type* type, types_.unify(left, right, expr.at));
  if (type != nullptr && type->kind == Type::Kind::Bool) {
    Term a = left.term, b = right.term;
    Term out = expr.binary == BinaryOp::And   ? t_.make_and(a, b)
               : expr.binary == BinaryOp::Or  ? t_.make_or(a, b)
               : expr.binary == BinaryOp::Xor ? t_.make_xor(a, b)
                                              : t_.make_implies(a, b);
    return Value{type, out};
  }
  if (type == nullptr || !type->is_integer() || expr.binary == BinaryOp::Implies)
    return Error{expr.at, "this operator needs BOOL or bit strings" +
                              (type == nullptr ? "" : ", not " + type->name)};
  if (type->kind != Type::Kind::Bits)
    context_.warn(expr.at, "an operator of bit strings is used on " + type->name);
  Op op = expr.binary == BinaryOp::And  ? Op::BvAnd
          : expr.binary == BinaryOp::Or ? Op::BvOr
                                        : Op::BvXor;
  return Value{type, t_.make(op, {left.term, right.term})};
}

Result<Value> Operators::comparison(const Expr& expr, Value left, Value right) {
  const Type* truth = context_.elementary("bool");
  LEM_LET(const Type* type, types_.unify(left, right, expr.at));
  if (type == nullptr) {
    mpq_class a = left.real ? *left.real : mpq_class(*left.integer);
    mpq_class b = right.real ? *right.real : mpq_class(*right.integer);
    int order = cmp(a, b);
    bool holds = expr.binary == BinaryOp::Less           ? order < 0
                 : expr.binary == BinaryOp::LessEqual    ? order <= 0
                 : expr.binary == BinaryOp::Greater      ? order > 0
                 : expr.binary == BinaryOp::GreaterEqual ? order >= 0
                 : expr.binary == BinaryOp::Equal        ? order == 0
                                                         : order != 0;
    return Value{truth, t_.boolean(holds)};
  }
  if (type->text && expr.binary != BinaryOp::Equal && expr.binary != BinaryOp::NotEqual)
    return Error{expr.at, "texts are compared by '=' and '<>' only"};
  Term a = left.term, b = right.term;
  bool swaps = expr.binary == BinaryOp::Greater || expr.binary == BinaryOp::GreaterEqual;
  if (swaps) std::swap(a, b);
  bool real = type->kind == Type::Kind::Real;
  bool boolean_type = type->kind == Type::Kind::Bool;
  switch (expr.binary) {
    case BinaryOp::Equal:
    case BinaryOp::NotEqual: {
      Term same = real ? t_.make(Op::FpEq, {a, b}) : t_.make_eq(a, b);
      return Value{truth, expr.binary == BinaryOp::Equal ? same : t_.make_not(same)};
    }
    case BinaryOp::Less:
    case BinaryOp::Greater:
      if (boolean_type) return Value{truth, t_.make_and(t_.make_not(a), b)};
      if (real) return Value{truth, t_.make(Op::FpLt, {a, b})};
      return Value{truth, t_.make(type->is_signed() ? Op::BvSlt : Op::BvUlt, {a, b})};
    default:
      if (boolean_type) return Value{truth, t_.make_implies(a, b)};
      if (real) return Value{truth, t_.make(Op::FpLe, {a, b})};
      return Value{truth, type->is_signed() ? t_.make_bv_sle(a, b) : t_.make_bv_ule(a, b)};
  }
}

Result<Value> Operators::untyped_arithmetic(const Expr& expr, const Value& left,
                                            const Value& right) {
  if (left.integer && right.integer) {
    const mpz_class &a = *left.integer, &b = *right.integer;
    bool divides = expr.binary == BinaryOp::Divide || expr.binary == BinaryOp::Modulo;
    if (divides && b == 0) return Error{expr.at, "division by zero"};
    mpz_class out = expr.binary == BinaryOp::Add        ? mpz_class(a + b)
                    : expr.binary == BinaryOp::Subtract ? mpz_class(a - b)
                    : expr.binary == BinaryOp::Times    ? mpz_class(a * b)
                    : expr.binary == BinaryOp::Divide   ? mpz_class(a / b)
                                                        : mpz_class(a % b);
    if (mpz_sizeinbase(out.get_mpz_t(), 2) > 4096)
      return Error{expr.at, "this number is too large"};
    return Value{nullptr, {}, out};
  }
  mpq_class a = left.real ? *left.real : mpq_class(*left.integer);
  mpq_class b = right.real ? *right.real : mpq_class(*right.integer);
  if (expr.binary == BinaryOp::Modulo) return Error{expr.at, "MOD needs integers"};
  if (expr.binary == BinaryOp::Divide && b == 0) return Error{expr.at, "division by zero"};
  mpq_class out = expr.binary == BinaryOp::Add        ? mpq_class(a + b)
                  : expr.binary == BinaryOp::Subtract ? mpq_class(a - b)
                  : expr.binary == BinaryOp::Times    ? mpq_class(a * b)
                                                      : mpq_class(a / b);
  return Value{nullptr, {}, {}, out};
}

Result<Value> Operators::arithmetic(const Expr& expr, Value left, Value right) {
  for (const Value* one : {&left, &right})
    if (one->type != nullptr && one->type->text)
      return Error{expr.at, "texts can only be assigned and compared"};
  if (left.type == nullptr && right.type == nullptr) return untyped_arithmetic(expr, left, right);
  auto is_time = [](const Value& value) {
    return value.type != nullptr && value.type->kind == Type::Kind::Time;
  };
  bool scales =
      expr.binary == BinaryOp::Times || (expr.binary == BinaryOp::Divide && !is_time(right));
  if (scales && is_time(left) != is_time(right))
    return is_time(left) ? scaled_time(expr, left, right) : scaled_time(expr, right, left);
  for (Value* one : {&left, &right})  // TRUE counts as 1
    if (one->type != nullptr && one->type->kind == Type::Kind::Bool) {
      context_.warn(expr.at, "arithmetic on BOOL; TRUE counts as 1");
      *one = Value{context_.elementary("int"), types_.extended(one->term, *one->type, 16)};
    }
  LEM_LET(const Type* type, types_.unify(left, right, expr.at));
  if (type->kind == Type::Kind::Real) return real_arithmetic(expr, *type, left.term, right.term);
  bool number_type = type->is_integer() || type->kind == Type::Kind::Time;
  if (!number_type) return Error{expr.at, "arithmetic on " + type->name};
  return integer_arithmetic(expr, *type, left.term, right.term);
}

/// TIME times or by an integer of any type, which may be larger than TIME.
Result<Value> Operators::scaled_time(const Expr& expr, const Value& time, const Value& factor) {
  const Type& type = *time.type;
  if (factor.real || (factor.type != nullptr && !factor.type->is_integer()))
    return Error{expr.at, "TIME is multiplied and divided by integers only"};
  bool small = factor.integer ? fits(*factor.integer, type)
                              : factor.type->bits < type.bits ||
                                    (factor.type->bits == type.bits && factor.type->is_signed());
  if (small) {
    Term by = factor.integer ? types_.number(*factor.integer, type)
                             : types_.extended(factor.term, *factor.type, type.bits);
    return integer_arithmetic(expr, type, time.term, by);
  }
  constexpr std::uint32_t kFactor = 66, kProduct = 132;
  if (factor.integer && !fits(*factor.integer, *context_.elementary("lint")))
    return Error{expr.at, factor.integer->get_str() + " is no value of LINT"};
  Term by = types_.widened(factor, kFactor);
  if (expr.binary == BinaryOp::Times) {
    Term out = t_.make(Op::BvMul, {time.term, t_.make_extract(by, type.bits - 1, 0)});
    Term exact = t_.make(Op::BvMul, {types_.extended(time.term, type, kProduct),
                                     t_.make(Op::BvSignExtend, {by}, kProduct - kFactor)});
    properties_.no_overflow(type, expr.at, t_.make_eq(exact, types_.extended(out, type, kProduct)));
    return Value{&type, out};
  }
  Term nonzero = t_.make_not(t_.make_eq(by, t_.bv(0, kFactor)));
  properties_.not_zero(expr.at, nonzero);
  Term exact = t_.make(Op::BvSdiv, {types_.extended(time.term, type, kFactor), by});
  Term out = t_.make_extract(exact, type.bits - 1, 0);
  if (!t_.is_true(nonzero)) {
    properties_.no_overflow(
        type, expr.at,
        t_.make_or(t_.make_not(nonzero), t_.make_eq(exact, types_.extended(out, type, kFactor))));
    out = t_.make_ite(nonzero, out, cfa_.any_value(types_.sort_of(type), expr.at));
  }
  return Value{&type, out};
}

Result<Value> Operators::real_arithmetic(const Expr& expr, const Type& type, Term a, Term b) {
  auto nearest = static_cast<std::uint32_t>(Rounding::NearestEven);
  switch (expr.binary) {
    case BinaryOp::Add:
      return Value{&type, t_.make(Op::FpAdd, {a, b}, nearest)};
    case BinaryOp::Subtract:
      return Value{&type, make_fp_sub(t_, a, b, Rounding::NearestEven)};
    case BinaryOp::Times:
      return Value{&type, t_.make(Op::FpMul, {a, b}, nearest)};
    case BinaryOp::Divide:
      properties_.not_zero(expr.at, t_.make_not(make_fp_is_zero(t_, b)));
      return Value{&type, t_.make(Op::FpDiv, {a, b}, nearest)};
    default:
      return Error{expr.at, "MOD needs integers"};
  }
}

/// The same computed in more bits than the type has must be the same number.
void Operators::overflow_check(const Expr& expr, const Type& type, Term a, Term b, Term result) {
  if (!context_.options.checks.overflow || type.kind == Type::Kind::Bits) return;
  std::uint32_t wide = 2 * type.bits + 1;
  Term x = types_.extended(a, type, wide), y = types_.extended(b, type, wide);
  Term exact = expr.binary == BinaryOp::Add        ? t_.make(Op::BvAdd, {x, y})
               : expr.binary == BinaryOp::Subtract ? t_.make_bv_sub(x, y)
               : expr.binary == BinaryOp::Times    ? t_.make(Op::BvMul, {x, y})
                                                   : t_.make(Op::BvSdiv, {x, y});
  properties_.no_overflow(type, expr.at, t_.make_eq(exact, types_.extended(result, type, wide)));
}

/// Results wrap around. Divided by zero gives any value: vendors differ, and none is relied on.
Result<Value> Operators::integer_arithmetic(const Expr& expr, const Type& type, Term a, Term b) {
  bool sign = type.is_signed();
  switch (expr.binary) {
    case BinaryOp::Add:
    case BinaryOp::Subtract:
    case BinaryOp::Times: {
      Term out = expr.binary == BinaryOp::Add        ? t_.make(Op::BvAdd, {a, b})
                 : expr.binary == BinaryOp::Subtract ? t_.make_bv_sub(a, b)
                                                     : t_.make(Op::BvMul, {a, b});
      overflow_check(expr, type, a, b, out);
      return Value{&type, out};
    }
    default:
      break;
  }
  bool quotient = expr.binary == BinaryOp::Divide;
  Term nonzero = t_.make_not(t_.make_eq(b, t_.bv(0, type.bits)));
  properties_.not_zero(expr.at, nonzero);
  Op op = quotient ? (sign ? Op::BvSdiv : Op::BvUdiv) : (sign ? Op::BvSrem : Op::BvUrem);
  Term out = t_.make(op, {a, b});
  if (quotient && sign && context_.options.checks.overflow)
    properties_.no_overflow(
        type, expr.at,
        t_.make_not(t_.make_and(t_.make_eq(a, t_.bv(mpz_class(1) << (type.bits - 1), type.bits)),
                                t_.make_eq(b, t_.bv(-1, type.bits)))));
  if (!t_.is_true(nonzero))
    out = t_.make_ite(nonzero, out, cfa_.any_value(types_.sort_of(type), expr.at));
  return Value{&type, out};
}

/// By a small constant: a product. Other powers are refused.
Result<Value> Operators::power(const Expr& expr, const Value& base, const Value& exponent) {
  if (!exponent.integer || *exponent.integer < 0 || *exponent.integer > 16)
    return Error{expr.at, "'**' is supported for exponents from 0 to 16"};
  if (base.integer || base.real) {
    mpq_class out = 1, factor = base.real ? *base.real : mpq_class(*base.integer);
    for (mpz_class i = 0; i < *exponent.integer; ++i) out *= factor;
    if (base.integer) return Value{nullptr, {}, out.get_num()};
    return Value{nullptr, {}, {}, out};
  }
  if (!base.type->is_integer() && base.type->kind != Type::Kind::Real)
    return Error{expr.at, "'**' needs a number"};
  Expr product = expr;
  product.binary = BinaryOp::Times;
  Value out{base.type, types_.number(1, *base.type)};
  for (mpz_class i = 0; i < *exponent.integer; ++i) {
    LEM_LET(Value next, arithmetic(product, out, base));
    out = std::move(next);
  }
  return out;
}

}  // namespace lem::st
