#include "frontend/st/translate/conversions.h"

#include <algorithm>

namespace lem::st {

bool fits(const mpz_class& value, const Type& type) {
  mpz_class span = mpz_class(1) << type.bits;
  if (type.is_signed()) return value >= -(span / 2) && value < span / 2;
  return value >= 0 && value < span;
}

Sort Conversions::sort_of(const Type& type) {
  switch (type.kind) {
    case Type::Kind::Bool:
      return t_.bool_sort();
    case Type::Kind::Real:
      return t_.float_sort(type.bits == 32 ? kFloat32 : kFloat64);
    default:
      return t_.bv_sort(type.bits);
  }
}

Term Conversions::number(const mpz_class& value, const Type& type) {
  switch (type.kind) {
    case Type::Kind::Bool:
      return t_.boolean(value != 0);
    case Type::Kind::Real:
      return t_.number(mpq_class(value), sort_of(type));
    default:
      return t_.bv(value, type.bits);
  }
}

Term Conversions::default_of(const Type& type) {
  if (type.kind == Type::Kind::Enum && !type.literals.empty())
    return number(type.literals[0].second, type);
  if (type.range && (type.range->first > 0 || type.range->second < 0))
    return number(type.range->first, type);
  return number(0, type);
}

Term Conversions::extended(Term value, const Type& from, std::uint32_t bits) {
  if (from.kind == Type::Kind::Bool) return t_.make_ite(value, t_.bv(1, bits), t_.bv(0, bits));
  std::uint32_t width = from.bits;
  if (width == bits) return value;
  if (width > bits) return t_.make_extract(value, bits - 1, 0);
  return t_.make(from.is_signed() ? Op::BvSignExtend : Op::BvZeroExtend, {value}, bits - width);
}

/// A text that is longer than the variable would be cut off.
Result<Term> Conversions::assigned_text(const Value& value, const Type& to, const SourcePos& at) {
  std::size_t length = value.type->length;
  if (t_.is_value(value.term))
    for (const auto& [name, number_of] : to.literals)
      if (number_of == t_.integer_value(value.term)) length = name.key.size();
  if (length > to.length)
    return Error{at, "a text of up to " + std::to_string(length) + " characters is cut off by " +
                         to.name + ", which is not supported"};
  return value.term;
}

Result<Term> Conversions::fitting(const mpq_class& value, const Type& to, const SourcePos& at) {
  bool fit = true;
  if (to.kind == Type::Kind::Real) {
    FloatFormat format = to.bits == 32 ? kFloat32 : kFloat64;
    fit = !FloatValue::rounded(format, value, Rounding::NearestEven).is_infinite();
  } else {
    fit =
        fits(value.get_num(), to) &&
        (!to.range || (value.get_num() >= to.range->first && value.get_num() <= to.range->second));
  }
  if (!fit) return Error{at, value.get_str() + " is no value of " + to.name};
  return to.kind == Type::Kind::Real ? t_.number(value, sort_of(to)) : number(value.get_num(), to);
}

/// The low bits, or as many as the wider type has.
Term Conversions::narrowed(const Value& value, const Type& to, const SourcePos& at) {
  conversion_check(value, to, at);
  return extended(value.term, *value.type, to.bits);
}

/// With --check overflow: a number keeps its value in another type. Bit strings are no numbers:
/// from these, no bit must get lost.
void Conversions::conversion_check(const Value& value, const Type& to, const SourcePos& at) {
  using K = Type::Kind;
  const Type& from = *value.type;
  auto is_number = [](const Type& type) {
    return type.kind == K::Signed || type.kind == K::Unsigned || type.kind == K::Time;
  };
  bool bits = from.kind == K::Bits, literal = from.kind == K::Enum && !from.text;
  if (!context_.options.checks.overflow || !is_number(to) ||
      (!is_number(from) && !bits && !literal))
    return;
  bool keeps = bits                                 ? to.bits >= from.bits
               : from.is_signed() == to.is_signed() ? to.bits >= from.bits
                                                    : to.is_signed() && to.bits > from.bits;
  if (keeps) return;
  std::uint32_t wide = std::max(from.bits, to.bits) + 1;
  Term exact = extended(value.term, from, wide);
  Term narrow = extended(value.term, from, to.bits);
  Term again =
      bits ? t_.make(Op::BvZeroExtend, {narrow}, wide - to.bits) : extended(narrow, to, wide);
  properties_.no_overflow(to, at, t_.make_eq(exact, again));
}

/// Of the program, not of a turn of a loop that is unrolled.
bool Conversions::is_constant(const Value& value) const {
  return t_.is_value(value.term) && loops_.none_read();
}

Result<Term> Conversions::coerce_integer(const mpz_class& value, const Type& to,
                                         const SourcePos& at) {
  using K = Type::Kind;
  auto mismatch = [&](const std::string& found) {
    return Error{at, "expected " + to.name + ", found " + found};
  };
  if (to.kind == K::Bool) {
    if (value != 0 && value != 1) return mismatch(value.get_str());
    return t_.boolean(value == 1);
  }
  if ((to.kind == K::Time && value != 0) || to.text || !to.is_scalar()) return mismatch("a number");
  if (to.kind != K::Enum) return fitting(value, to, at);
  for (const auto& [name, number_of] : to.literals)
    if (number_of == value) return number(value, to);
  return mismatch(value.get_str() + ", which is none of its values");
}

Result<Term> Conversions::coerce(const Value& value, const Type& to, const SourcePos& at) {
  using K = Type::Kind;
  auto mismatch = [&](const std::string& from) {
    return Error{at, "expected " + to.name + ", found " + from};
  };
  if (value.real) {
    if (to.kind != K::Real) return mismatch("a number with a fraction");
    return fitting(*value.real, to, at);
  }
  if (value.integer) return coerce_integer(*value.integer, to, at);
  const Type& from = *value.type;
  if (from.text != to.text) return mismatch(from.name);
  if (from.text) return assigned_text(value, to, at);
  auto counts = [](const Type& type) {
    return type.is_integer() || type.kind == K::Time || type.kind == K::Enum;
  };
  if (is_constant(value) && counts(from) && counts(to) && to.kind != K::Enum) {
    mpz_class known = from.is_signed() ? t_.signed_value(value.term) : t_.integer_value(value.term);
    if (Result<Term> term = fitting(known, to, at); !term) return term;
  }
  if (from.kind == to.kind && from.bits == to.bits && from.kind != K::Enum) return value.term;
  if (from.kind == K::Enum && to.kind == K::Enum) {
    if (&from == &to || from.name == to.name) return value.term;
    return mismatch("the enumeration " + from.name);
  }
  if ((from.is_integer() || from.kind == K::Enum) && to.is_integer()) {
    bool wider =
        to.bits > from.bits || (to.bits == from.bits && from.is_signed() == to.is_signed());
    if (!wider && from.kind != K::Enum && !t_.is_value(value.term))
      context_.warn(at,
                    "implicit conversion of " + from.name + " to " + to.name + " may lose bits");
    return narrowed(value, to, at);
  }
  if (to.kind == K::Real && (from.is_integer() || from.kind == K::Real)) {
    if (from.kind == K::Real && from.bits > to.bits)
      context_.warn(at,
                    "implicit conversion of " + from.name + " to " + to.name + " may lose digits");
    if (from.kind == K::Real && is_constant(value) && !t_.float_value(value.term).is_infinite()) {
      FloatValue narrow =
          t_.float_value(value.term)
              .in_format(to.bits == 32 ? kFloat32 : kFloat64, Rounding::NearestEven);
      if (narrow.is_infinite()) return Error{at, "this number is no value of " + to.name};
    }
    return convert(value, to, at, Rounding::NearestEven);
  }
  if (from.kind == K::Time && to.kind == K::Time) return narrowed(value, to, at);
  if ((from.kind == K::Time && to.is_integer()) || (from.is_integer() && to.kind == K::Time)) {
    context_.warn(at, from.name + " is taken as " + to.name + ", in milliseconds");
    return narrowed(value, to, at);
  }
  return mismatch(from.name);
}

Result<Term> Conversions::convert(const Value& value, const Type& to, const SourcePos& at,
                                  Rounding rounding) {
  using K = Type::Kind;
  if (value.type == nullptr) {
    if (value.real && to.kind != K::Real) {
      FloatValue exact = FloatValue::rounded(kFloat64, *value.real, Rounding::NearestEven);
      std::optional<mpz_class> whole = exact.integral(rounding).truncated();
      if (!whole) return Error{at, "this number is too large"};
      return coerce(Value{nullptr, {}, *whole}, to, at);
    }
    return coerce(value, to, at);
  }
  const Type& from = *value.type;
  if (!from.is_scalar() || !to.is_scalar() || from.text != to.text)
    return Error{at, "cannot convert " + from.name + " to " + to.name};
  if (from.kind == to.kind && from.bits == to.bits && from.kind != K::Enum) return value.term;
  if (to.kind == K::Enum && from.kind != K::Enum)
    return Error{at, "cannot convert " + from.name + " to the enumeration " + to.name};
  if (to.kind == K::Bool) {
    if (from.kind == K::Real)
      return t_.make_not(t_.make(Op::FpEq, {value.term, t_.number(0, sort_of(from))}));
    return t_.make_not(t_.make_eq(value.term, t_.bv(0, from.bits)));
  }
  FloatFormat format = to.bits == 32 ? kFloat32 : kFloat64;
  auto nearest = static_cast<std::uint32_t>(Rounding::NearestEven);
  if (to.kind == K::Real) {
    if (from.kind == K::Real) {
      Term out = t_.make(Op::FpToFp, {value.term}, format.packed(), nearest);
      if (to.bits < from.bits && context_.options.checks.overflow)
        properties_.no_overflow(to, at,
                                t_.make_or(t_.make_not(make_fp_is_infinite(t_, out)),
                                           make_fp_is_infinite(t_, value.term)));
      return out;
    }
    if (from.kind == K::Bool)
      return t_.make_ite(value.term, t_.number(1, sort_of(to)), t_.number(0, sort_of(to)));
    return t_.make(from.is_signed() ? Op::FpFromSigned : Op::FpFromUnsigned, {value.term},
                   format.packed(), nearest);
  }
  if (from.kind == K::Real) {  // rounded; what does not fit gives any number
    Term whole = t_.make(Op::FpRound, {value.term}, static_cast<std::uint32_t>(rounding));
    bool sign = to.is_signed();
    Term within = make_fp_fits(t_, whole, to.bits, sign ? FloatSign::Signed : FloatSign::Unsigned);
    Term number_of = t_.make(sign ? Op::FpToSigned : Op::FpToUnsigned, {whole}, to.bits);
    if (t_.is_true(within)) return number_of;
    properties_.no_overflow(to, at, within);
    return t_.make_ite(within, number_of, cfa_.any_value(sort_of(to), at));
  }
  return narrowed(value, to, at);
}

/// The smallest type with all values of `type` and the number; none: there is no such type.
const Type* Conversions::type_with(const mpz_class& value, const Type& type) const {
  if (fits(value, type)) return &type;
  for (const char* key : {"int", "dint", "lint"})
    if (const Type* wider = context_.elementary(key);
        wider->bits > type.bits && fits(value, *wider))
      return wider;
  return nullptr;
}

const Type* Conversions::unbounded(const Type* type) const {
  if (!type->range) return type;
  for (const char* key : {"sint", "int", "dint", "lint", "usint", "uint", "udint", "ulint", "byte",
                          "word", "dword", "lword"})
    if (const Type* base = context_.elementary(key);
        base->kind == type->kind && base->bits == type->bits)
      return base;
  return type;
}

Result<const Type*> Conversions::unify(Value& left, Value& right, const SourcePos& at) {
  using K = Type::Kind;
  if (left.type == nullptr && right.type == nullptr) return nullptr;
  const Type* type = nullptr;
  if (left.type == nullptr || right.type == nullptr) {
    const Value& literal = left.type == nullptr ? left : right;
    type = left.type == nullptr ? right.type : left.type;
    if (literal.real && type->is_integer()) type = context_.elementary("real");
    if (literal.integer && type->is_integer()) {  // a large one makes the operation one of its type
      const Type* both = type_with(*literal.integer, *unbounded(type));
      if (both == nullptr)
        return Error{at, "no type has both " + literal.integer->get_str() + " and the values of " +
                             type->name};
      type = both;
    }
  } else {
    const Type &a = *left.type, &b = *right.type;
    if (a.kind == b.kind && (a.bits == b.bits || a.kind == K::Enum)) {
      type = a.kind == K::Enum && a.bits < b.bits ? &b : &a;
      if (a.text && b.text) return context_.elementary("string");
      if (a.kind == K::Enum && &a != &b && a.name != b.name)
        return Error{at, "values of " + a.name + " and " + b.name + " do not mix"};
    } else if (a.kind == K::Real || b.kind == K::Real) {
      bool both = a.kind == K::Real && b.kind == K::Real;
      type = both ? (a.bits > b.bits ? &a : &b) : a.kind == K::Real ? &a : &b;
    } else if (a.kind == b.kind) {
      type = a.bits > b.bits ? &a : &b;
    } else {
      bool numbers = (a.is_integer() || a.kind == K::Enum) &&
                     (b.is_integer() || b.kind == K::Enum) && !a.text && !b.text;
      if (!numbers) return Error{at, "values of " + a.name + " and " + b.name + " do not mix"};
      if (a.kind != K::Enum && b.kind != K::Enum && (a.kind == K::Bits) != (b.kind == K::Bits))
        context_.warn(
            at, "values of " + a.name + " and " + b.name + " are compared or combined as numbers");
      std::uint32_t bits =
          std::max(a.bits + (a.is_signed() ? 0U : 1U), b.bits + (b.is_signed() ? 0U : 1U));
      if (!a.is_signed() && !b.is_signed()) {
        const Type& wide = a.bits >= b.bits ? a : b;
        type = wide.kind == K::Enum
                   ? (wide.bits <= 16 ? context_.elementary("uint") : context_.elementary("ulint"))
                   : &wide;
      } else {
        if (bits > 64) return Error{at, "no type has all values of " + a.name + " and " + b.name};
        type = context_.elementary(bits <= 8    ? "sint"
                                   : bits <= 16 ? "int"
                                   : bits <= 32 ? "dint"
                                                : "lint");
      }
    }
  }
  type = unbounded(type);
  for (Value* one : {&left, &right}) LEM_TRY(make(*one, *type, at));
  return type;
}

}  // namespace lem::st
