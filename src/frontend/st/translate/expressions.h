// Expressions as terms over the automaton's variables. Numbers without a type take that of what
// they meet. Tests: tests/unit/frontend/st/expressions_test.cpp.
#pragma once

#include "base/result.h"
#include "frontend/st/translate/initial_values.h"
#include "frontend/st/translate/memory.h"
#include "frontend/st/translate/operators.h"
#include "frontend/st/translate/places.h"

namespace lem::st {

/// Executes calls within expressions.
class Caller {
 public:
  virtual ~Caller() = default;
  virtual Result<Value> call(const Expr& call, const Type* hint) = 0;
};

class Expressions final : public Evaluator {
 public:
  explicit Expressions(Context& context) : context_(context) {}
  /// Needed for expressions that call.
  void set_caller(Caller& calls) { calls_ = &calls; }

  Result<Value> eval(const Expr& expr, const Type* hint) override;
  /// The same as a condition.
  Result<Term> boolean(const Expr& expr);

 private:
  Result<Value> name(const Expr& expr, const Type* hint);
  const Variable* find_constant(const Name& name) const;
  Result<Value> time(const Expr& expr);
  Result<Value> text(const Expr& expr);
  Result<Value> binary(const Expr& expr, const Type* hint);
  Result<Value> lazily(const Expr& expr);
  Result<Value> enumerator(const Name& name, const Type* hint, const std::string& type);
  Result<Value> typed_literal(const Expr& expr, Value value);

  Context& context_;
  Automaton& cfa_ = context_.automaton;
  TermStore& t_ = context_.automaton.terms();
  Caller* calls_ = nullptr;

 public:  // what expressions are made of; calls and statements use it as well
  LoopValues loops{};
  Properties properties{context_};
  Conversions types{context_, properties, loops};
  Operators operators{context_, properties, types};
  Memory memory{context_, types, loops};
  Places places{context_, properties, types, *this};
  InitialValues initial{context_, types, *this};
};

}  // namespace lem::st
