#include "check/st/value.h"

#include "base/assert.h"

namespace lem::check::plc {

using Kind = st::Type::Kind;

FloatFormat format_of(const st::Type& type) {
  return type.bits == 32 ? kFloat32 : kFloat64;
}

mpz_class wrapped(const mpz_class& number, const st::Type& type) {
  mpz_class out, span = mpz_class(1) << type.bits;
  mpz_fdiv_r(out.get_mpz_t(), number.get_mpz_t(), span.get_mpz_t());
  if (type.is_signed() && out >= span / 2) out -= span;
  return out;
}

bool in_range(const mpz_class& number, const st::Type& type) {
  return wrapped(number, type) == number;
}

Value default_value(const st::Type& type) {
  Value out{&type};
  if (type.kind == Kind::Real) out.real = FloatValue::zero(format_of(type), false);
  if (type.kind == Kind::Enum && !type.literals.empty()) out.number = type.literals[0].second;
  if (type.range && (type.range->first > 0 || type.range->second < 0))
    out.number = type.range->first;
  return out;
}

std::optional<Value> as_type(const Value& value, const st::Type& type) {
  Value out{&type};
  bool real = type.kind == Kind::Real;
  if (value.exact) {
    if (!real) return {};
    out.real = FloatValue::rounded(format_of(type), *value.exact, Rounding::NearestEven);
    return out;
  }
  if (value.real) {
    if (!real) return {};
    out.real = value.real->in_format(format_of(type), Rounding::NearestEven);
    return out;
  }
  if (real) {
    out.real = FloatValue::rounded(format_of(type), mpq_class(value.number), Rounding::NearestEven);
    return out;
  }
  bool bool_to = type.kind == Kind::Bool;
  if (value.type != nullptr && bool_to != (value.type->kind == Kind::Bool)) return {};
  if (bool_to && value.number != 0 && value.number != 1) return {};
  if (value.type == nullptr && !bool_to && !in_range(value.number, type)) return {};
  out.number = bool_to ? value.number : wrapped(value.number, type);
  return out;
}

std::optional<Value> converted(const Value& value, const st::Type& to, Rounding rounding) {
  bool from_real = value.real || value.exact;
  if (to.kind == Kind::Bool) {
    Value out{&to};
    if (value.real)
      out.number = value.real->is_zero() ? 0 : 1;
    else
      out.number = value.number == 0 ? 0 : 1;
    return out;
  }
  if (to.kind == Kind::Real || !from_real) {
    Value plain = value;
    if (plain.type != nullptr && plain.type->kind == Kind::Bool) plain.type = nullptr;
    return as_type(plain, to);
  }
  FloatValue number =
      value.real ? *value.real : FloatValue::rounded(kFloat64, *value.exact, Rounding::NearestEven);
  std::optional<mpz_class> whole = number.integral(rounding).truncated();
  if (!whole || !in_range(*whole, to)) return {};
  return Value{&to, *whole};
}

bool keeps_value(const Value& value, const st::Type& to) {
  if (value.type == nullptr) return true;
  const st::Type& from = *value.type;
  if (value.real && to.kind == Kind::Real)
    return value.real->is_infinite() ||
           !value.real->in_format(format_of(to), Rounding::NearestEven).is_infinite();
  auto is_number = [](Kind kind) {
    return kind == Kind::Signed || kind == Kind::Unsigned || kind == Kind::Time;
  };
  if (!is_number(to.kind)) return true;
  if (from.kind == Kind::Bits) return value.number < mpz_class(1) << to.bits;
  bool literal = from.kind == Kind::Enum && !from.text;
  return (!is_number(from.kind) && !literal) || in_range(value.number, to);
}

bool same(const Value& a, const Value& b) {
  if (a.real && b.real) return a.real->bits() == b.real->bits();
  return !a.real && !b.real && a.number == b.number;
}

std::optional<int> order(const Value& a, const Value& b) {
  if (a.real && b.real) {
    if (a.real->is_nan() || b.real->is_nan()) return {};
    if (a.real->equals(*b.real)) return 0;
    return a.real->is_less(*b.real) ? -1 : 1;
  }
  if (a.exact || b.exact) {
    mpq_class x = a.exact ? *a.exact : mpq_class(a.number);
    mpq_class y = b.exact ? *b.exact : mpq_class(b.number);
    return cmp(x, y) < 0 ? -1 : cmp(x, y) > 0 ? 1 : 0;
  }
  return cmp(a.number, b.number) < 0 ? -1 : cmp(a.number, b.number) > 0 ? 1 : 0;
}

}  // namespace lem::check::plc
