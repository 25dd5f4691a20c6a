// TransitionSystem: a symbolic transition system over terms, the second rung of the ladder
// Cfa -> TransitionSystem -> Aig.
//
// With X the states, I the inputs, X' the next states and C the constraint, a run is a sequence of
// (X_k, I_k) with Init(X_0), Trans(X_k, I_k, X_k+1) and C(X_k, I_k) at every step. Both functional
// (BTOR2) and relational (VMT) systems fit: a state may have an `init` value and an `update`
// function; whatever is not of that form is in `init_relation` and `trans_relation`.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "term/term_store.h"

namespace lem {

struct StateVar {
  Term current;   // a variable; its name is the user's
  Term next;      // its copy after the step, a variable too
  Term init{};    // over X, of the same sort; no term: free, or constrained by init_relation
  Term update{};  // over X and I; no term: free, or constrained by trans_relation
};

/// Immutable once made; copies share the store.
class TransitionSystem {
 public:
  // Shared: a problem, its transformed forms, evidence and solvers use the same terms, and engines
  // make further terms while the problem itself stays constant.
  TermStore& terms() const { return *terms_; }
  const std::shared_ptr<TermStore>& store() const { return terms_; }

  std::span<const StateVar> states() const { return states_; }
  std::span<const Term> inputs() const { return inputs_; }
  Term init_relation() const { return init_; }     // over X
  Term trans_relation() const { return trans_; }   // over X, I, X'
  Term constraint() const { return constraint_; }  // over X and I

  /// The relational view: everything as one formula. Init(X) without the constraint.
  Term init_formula() const;
  /// Trans(X, I, X') without the constraint.
  Term trans_formula() const;
  /// Every state has an update and there is no trans_relation beside.
  bool is_functional() const;

 private:
  friend class TransitionSystemBuilder;
  std::shared_ptr<TermStore> terms_;
  std::vector<StateVar> states_;
  std::vector<Term> inputs_;
  Term init_, trans_, constraint_;
};

/// Collects and validates once. Relations given several times are conjoined.
class TransitionSystemBuilder {
 public:
  explicit TransitionSystemBuilder(std::shared_ptr<TermStore> terms);
  TermStore& terms() const { return *system_.terms_; }

  /// A state variable `name` with a fresh next copy. require: the name is new
  Term add_state(std::string_view name, Sort sort);
  /// A state made of two existing variables (VMT names both).
  void add_state(Term current, Term next);
  Term add_input(std::string_view name, Sort sort);
  void add_input(Term variable);
  void set_init(Term state, Term value);
  void set_update(Term state, Term function);
  void add_init(Term formula);
  void add_trans(Term formula);
  void add_constraint(Term formula);
  bool is_state(Term variable) const { return index_.contains(variable); }

  /// Error (without position) when a formula mentions a variable it may not: init over X;
  /// trans over X, I, X'; updates and constraint over X, I; or a sort does not fit.
  Result<TransitionSystem> freeze() &&;

 private:
  TransitionSystem system_;
  std::unordered_map<Term, std::size_t> index_;
};

}  // namespace lem
