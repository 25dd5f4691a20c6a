// Values of one type as values of another: what assignments, X_TO_Y and operands of different types
// do. A constant that the type does not have is an error; what variables lose is a warning, and a
// violation under --check overflow. Tests: tests/unit/frontend/st/conversions_test.cpp.
#pragma once

#include "base/try.h"
#include "frontend/st/translate/properties.h"
#include "frontend/st/translate/unrolled_loops.h"
#include "term/floats.h"

namespace lem::st {

/// The number is within the range of the type's bits.
bool fits(const mpz_class& value, const Type& type);

class Conversions {
 public:
  Conversions(Context& context, Properties& properties, const LoopValues& loops)
      : context_(context), properties_(properties), loops_(loops) {}

  Sort sort_of(const Type& type);
  Term number(const mpz_class& value, const Type& type);
  Term default_of(const Type& type);
  /// The low bits, or as many more as the sign says; TRUE is 1.
  Term extended(Term value, const Type& from, std::uint32_t bits);
  /// An integer in so many bits.
  ///   require: value.integer, or value.type is a scalar
  Term widened(const Value& value, std::uint32_t bits) {
    return value.integer ? t_.bv(*value.integer, bits) : extended(value.term, *value.type, bits);
  }
  /// A constant as a value of `to`; one that is none is an error.
  Result<Term> fitting(const mpq_class& value, const Type& to, const SourcePos& at);
  /// What an assignment does. Narrowing keeps the low bits, with a warning; other kinds are errors.
  Result<Term> coerce(const Value& value, const Type& to, const SourcePos& at);
  /// The same for a value that then is one of the type.
  Status make(Value& value, const Type& type, const SourcePos& at) {
    LEM_LET(Term term, coerce(value, type, at));
    value = Value{&type, term};
    return Ok{};
  }
  /// What X_TO_Y does.
  Result<Term> convert(const Value& value, const Type& to, const SourcePos& at, Rounding rounding);
  /// The type in which two operands meet; both are values of it afterwards, or both untyped.
  Result<const Type*> unify(Value& left, Value& right, const SourcePos& at);
  /// The type of a subrange without its bounds.
  const Type* unbounded(const Type* type) const;

 private:
  Result<Term> coerce_integer(const mpz_class& value, const Type& to, const SourcePos& at);
  Result<Term> assigned_text(const Value& value, const Type& to, const SourcePos& at);
  Term narrowed(const Value& value, const Type& to, const SourcePos& at);
  void conversion_check(const Value& value, const Type& to, const SourcePos& at);
  bool is_constant(const Value& value) const;
  const Type* type_with(const mpz_class& value, const Type& type) const;

  Context& context_;
  Automaton& cfa_ = context_.automaton;
  TermStore& t_ = context_.automaton.terms();
  Properties& properties_;
  const LoopValues& loops_;
};

}  // namespace lem::st
