// The standard functions. A function of the same name in the user's file is taken instead.
// Tests: tests/unit/frontend/st/standard_functions_test.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "frontend/st/translate/expressions.h"

namespace lem::st {

/// Gives values of the end of the cycle before.
class PreviousValues {
 public:
  virtual ~PreviousValues() = default;
  /// In the first cycle, the initial value. `call` is prev(x), rose(x) or fell(x).
  virtual Result<Term> previous(const Expr& call) = 0;
};

class StandardFunctions {
 public:
  StandardFunctions(Context& context, Expressions& expressions, PreviousValues& previous)
      : context_(context), expressions_(expressions), previous_(previous) {}

  /// None if there is no standard function of that name.
  Result<std::optional<Value>> call(const Expr& call, const Type* hint);

 private:
  using Named = Result<Value> (StandardFunctions::*)(const Expr& call, const std::string& key,
                                                     const Type* hint);
  struct Row {
    const char* key;
    Named function;
  };
  Status keeps_order(const Expr& written, const Expr& sorted) const;
  Result<std::vector<Value>> arguments(const Expr& call, std::size_t least, std::size_t most,
                                       const Type* hint);
  Status make_same_type(std::vector<Value>& values, std::size_t first, const SourcePos& at);
  Result<Value> least_or_most(const Expr& call, const std::string& key, const Type* hint);
  Result<Value> shift(const Expr& call, const std::string& key, const Type* hint);
  Result<Value> select(const Expr& call, const std::string& key, const Type* hint);
  Result<Value> edge(const Expr& call, const std::string& key, const Type* hint);
  Result<Value> scaled(const Expr& call, const std::string& key, const Type* hint);
  Result<Value> one_argument(const Expr& call, const std::string& key, const Type* hint);
  Result<Value> absolute(const Value& value, const SourcePos& at);
  Result<Value> operator_function(const Expr& call, BinaryOp op, const Type* hint);
  Result<Value> conversion(const Expr& call, const std::string& from, const std::string& to);

  Context& context_;
  Expressions& expressions_;
  Automaton& cfa_ = context_.automaton;
  TermStore& t_ = context_.automaton.terms();
  Properties& properties_ = expressions_.properties;
  Conversions& types_ = expressions_.types;
  Operators& operators_ = expressions_.operators;
  PreviousValues& previous_;
};

}  // namespace lem::st
