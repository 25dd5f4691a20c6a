// A transition relation that speaks only of the next values somebody asked about.
//
// Program-like systems say for every variable and every command what its next value is, and a query
// about a few predicates pays for all of it. Where a next value x' is only ever given by one
// equation x' = t(X, I) on each way through the formula's And-Or structure, dropping the equation
// is the same as quantifying x' away (one-point rule), so it can wait until a predicate mentions x.
// Tests: tests/unit/engine/parts/lazy_transition_test.cpp.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "engine/parts/terms/system.h"

namespace lem::engine {

class LazyTransition {
 public:
  explicit LazyTransition(const TermSystem& system);

  /// Holds for a step if no next value is asked about. Satisfiable together with X and I exactly
  /// where the relation is; uses selector variables of its own.
  Term base() const { return base_; }
  /// What the formula (over X) at the next step needs besides: true if it was all given before.
  Term demand(Term formula);
  /// Whether the equations of a state's next value were not demanded yet.
  bool waits(Term current) const { return waiting_.contains(current); }
  std::size_t waiting() const { return waiting_.size(); }

 private:
  friend class LazyTransitionBuilder;
  TermStore& terms_;
  Term base_;
  std::unordered_map<Term, Term> waiting_;  // by the current variable: its equations
};

}  // namespace lem::engine
