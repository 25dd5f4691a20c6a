// Statements as locations and edges. Tests: tests/unit/frontend/st/statements_test.cpp.
#pragma once

#include <vector>

#include "base/result.h"
#include "frontend/st/translate/calls.h"

namespace lem::st {

class Statements final : public BodyRunner {
 public:
  Statements(Context& context, Expressions& expressions, Calls& calls)
      : context_(context), expressions_(expressions), calls_(calls) {}

  /// In the innermost frame, up to a jump.
  Status run(const Body& statements) override;

 private:
  Status statement(const Statement& one);
  Status assign(const Statement& one);
  Status if_statement(const Statement& one);
  Status case_statement(const Statement& one);
  Result<Term> label_matches(const CaseLabel& label, const Value& selector);
  Status for_statement(const Statement& one);
  Result<Term> limit(const Expr& expr, const Type& type, const Type& literals);
  Status counted(const Statement& one, const Type& type, Term last, Term step);
  Status unrolled(const Statement& one, const Place& variable,
                  const std::vector<mpz_class>& values);
  Status while_statement(const Statement& one);
  Status repeat_statement(const Statement& one);
  Status loop_body(const Body& body, LocationId leave, LocationId again);
  Status assertion(const Statement& one);

  Context& context_;
  Expressions& expressions_;
  Automaton& cfa_ = context_.automaton;
  TermStore& t_ = context_.automaton.terms();
  Properties& properties_ = expressions_.properties;
  Places& places_ = expressions_.places;
  Memory& memory_ = expressions_.memory;
  Conversions& types_ = expressions_.types;
  Operators& operators_ = expressions_.operators;
  Calls& calls_;
  LoopValues& loops_ = expressions_.loops;
};

}  // namespace lem::st
