// Initial values of variables: given with the variable, with its type, or the default of the type.
// Tests: tests/unit/frontend/st/initial_values_test.cpp.
#pragma once

#include "base/result.h"
#include "frontend/st/translate/conversions.h"
#include "frontend/st/translate/places.h"

namespace lem::st {

class InitialValues {
 public:
  InitialValues(Context& context, Conversions& types, Evaluator& evaluator)
      : context_(context), types_(types), evaluator_(evaluator) {}

  /// Assigns the initial value; constants of `scope` may stand in it.
  Status initialise(const Storage& storage, const ExprPtr& initial, const PouInfo* scope);
  ///   ensure: a value, no term with variables
  Result<Term> scalar(const Type& type, const ExprPtr& initial, const PouInfo* scope);

 private:
  Status initialise_array(const Storage& storage, const ExprPtr& initial, const PouInfo* scope);
  Status initialise_parts(const Storage& storage, const ExprPtr& initial, const PouInfo* scope);
  Status initialise_spread(const Storage& storage, const ExprPtr& initial, const PouInfo* scope);

  Context& context_;
  Automaton& cfa_ = context_.automaton;
  TermStore& t_ = context_.automaton.terms();
  Conversions& types_;
  Evaluator& evaluator_;
};

}  // namespace lem::st
