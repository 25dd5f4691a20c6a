// A transition system as the SMT engines see it: Init, Trans and Bad as one formula each, the
// constraint folded into Init and Trans. Inputs that Bad or the constraint mention are promoted to
// state variables (their next value is free), so that both speak of X alone; evidence needs no way
// back, as invariants may mention inputs. Tests: tests/unit/engine/parts/term_system_test.cpp.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "model/problem.h"
#include "model/verdict.h"
#include "term/traverse.h"

namespace lem::engine {

class TermSystem {
 public:
  /// require: one property, of a transition system, which outlives this.
  explicit TermSystem(const Problem& problem);

  TermStore& terms() const { return system_.terms(); }
  std::span<const Term> current() const { return current_; }  // states, then promoted inputs
  std::span<const Term> next() const { return next_; }        // in the same order
  std::span<const Term> inputs() const { return inputs_; }    // those that were not promoted
  Term init() const { return init_; }                         // over X, constraint included
  Term trans() const { return trans_; }                       // over X, I, X', C(X) and C(X') too
  Term bad() const { return bad_; }                           // over X

  /// Whether the formula mentions X alone.
  bool is_over_states(Term formula) const;
  /// A formula over X, over X'.
  Term prime(Term formula) { return prime_.apply(formula); }

  /// Reads a trace of `steps` steps out of a model. `value` gives the value of a variable of this
  /// system (X or I) at a step.
  using ValueAt = std::function<Term(Term variable, std::size_t step)>;
  TermTrace trace(std::size_t steps, const ValueAt& value) const;

 private:
  const TransitionSystem& system_;
  std::vector<Term> current_, next_, inputs_;
  Substitution prime_;
  Term init_, trans_, bad_;
};

/// Copies of a system's variables for the steps of a path.
class TermUnroller {
 public:
  /// Borrows the system. `tag` keeps apart the variables of several unrollers.
  TermUnroller(const TermSystem& system, std::string tag) : system_(system), tag_(std::move(tag)) {}

  /// A formula over X (and I) at step k.
  Term at(Term formula, std::size_t k);
  /// A formula over X, I, X' with X at step k and X' at step k + 1.
  Term between(Term formula, std::size_t k);

 private:
  struct Copy {
    Substitution state;   // X and I at the step
    Substitution moving;  // X, I and X'
  };
  void extend(std::size_t k);
  std::vector<Term> fresh_states();

  const TermSystem& system_;
  std::string tag_;
  std::vector<Copy> copies_;
  std::vector<Term> ahead_;  // states of the step after the last copy
};

}  // namespace lem::engine
