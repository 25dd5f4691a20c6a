// Requirements of the user, checked at the end of every cycle, and the values of earlier moments
// that they and prev() need. Tests: tests/unit/frontend/st/requirements_test.cpp.
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "frontend/st/translate/expressions.h"
#include "frontend/st/translate/standard_functions.h"

namespace lem::st {

class Requirements final : public PreviousValues {
 public:
  Requirements(Context& context, Expressions& expressions)
      : context_(context), expressions_(expressions) {}

  /// A property for each requirement, in their order.
  Status read();
  // Steps of a run: each emits what requirements need there, in the frame of the entry block.
  Status at_start();
  Status at_begin_of_cycle();
  Status at_end_of_cycle();
  Result<Term> previous(const Expr& call) override;

 private:
  /// A value of an earlier moment.
  struct Monitor {
    Term variable;
    ExprPtr now{};            // what it becomes at the end of every cycle
    bool sticky = false;      // once true it stays
    bool from_start = false;  // begins with the initial value of `now`, not with FALSE
  };
  /// A requirement with its expressions read.
  struct Claim {
    const StRequirement* from;
    std::vector<ExprPtr> parts{};
    StProperty* property = nullptr;
    Term memory{};  // of during-cycle, between-cycles and past
  };
  Status read(const StRequirement& one, std::size_t number);
  Term claimed(const Claim& claim, const std::vector<Term>& p);
  std::optional<Term> premise_of(const Claim& claim, const std::vector<Term>& p);

  Context& context_;
  Expressions& expressions_;
  Automaton& cfa_ = context_.automaton;
  TermStore& t_ = context_.automaton.terms();
  Properties& properties_ = expressions_.properties;
  Conversions& types_ = expressions_.types;
  std::vector<Claim> claims_;
  std::vector<Monitor> monitors_;
};

}  // namespace lem::st
