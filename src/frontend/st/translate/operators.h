// Operators on values. Operands of different types meet in the smallest type that has both.
// Tests: tests/unit/frontend/st/operators_test.cpp.
#pragma once

#include "base/result.h"
#include "frontend/st/translate/conversions.h"

namespace lem::st {

class Operators {
 public:
  Operators(Context& context, Properties& properties, Conversions& types)
      : context_(context), properties_(properties), types_(types) {}

  /// `expr` says which operator, and where it stands; `hint` is the type that is expected, if any.
  Result<Value> unary(const Expr& expr, const Value& value, const Type* hint);
  Result<Value> binary(const Expr& expr, Value left, Value right);
  Result<Value> comparison(const Expr& expr, Value left, Value right);
  Result<Value> arithmetic(const Expr& expr, Value left, Value right);

 private:
  Result<Value> negated(const Expr& expr, const Value& value);
  Result<Value> logic(const Expr& expr, Value left, Value right);
  Result<Value> integer_arithmetic(const Expr& expr, const Type& type, Term a, Term b);
  Result<Value> real_arithmetic(const Expr& expr, const Type& type, Term a, Term b);
  Result<Value> untyped_arithmetic(const Expr& expr, const Value& left, const Value& right);
  Result<Value> scaled_time(const Expr& expr, const Value& time, const Value& factor);
  Result<Value> power(const Expr& expr, const Value& base, const Value& exponent);
  void overflow_check(const Expr& expr, const Type& type, Term a, Term b, Term result);

  Context& context_;
  Automaton& cfa_ = context_.automaton;
  TermStore& t_ = context_.automaton.terms();
  Properties& properties_;
  Conversions& types_;
};

}  // namespace lem::st
