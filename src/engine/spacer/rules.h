// The clauses of a Horn system by the predicate of their head, over variables of their own, with
// one predicate more: the query, which every clause without a head derives.
#pragma once

#include <span>
#include <vector>

#include "model/horn.h"
#include "term/traverse.h"

namespace lem::engine {

/// A clause renamed apart. P(params) follows from the body where `step` holds.
struct CallRule {
  std::size_t clause;           // its index in the system
  std::vector<HornAtom> body;   // arguments are distinct locals
  Term step;                    // the constraint, and what the head says about params
  std::vector<Term> variables;  // what variables_of(clause) became: own variables, or params
  std::vector<Term> locals;     // variables of `step` and the body that are no params
};

class CallRules {
 public:
  explicit CallRules(const HornSystem& system);

  TermStore& terms() const { return terms_; }
  /// Predicates of the system and the query.
  std::size_t size() const { return params_.size(); }
  PredicateId query() const { return params_.size() - 1; }
  std::span<const Term> params(PredicateId predicate) const { return params_[predicate]; }
  std::span<const CallRule> of(PredicateId predicate) const { return rules_[predicate]; }
  /// Predicates with a rule whose body has `predicate`, each once.
  std::span<const PredicateId> users(PredicateId predicate) const { return users_[predicate]; }
  /// Whether a rule of the predicate has it in its body.
  bool calls_itself(PredicateId predicate) const;
  /// A formula over params of the atom's predicate, over the arguments of the atom.
  Term at(const HornAtom& atom, Term formula) const;

 private:
  void add(const HornSystem& system, std::size_t clause);
  void name_arguments(CallRule& rule, Substitution& renaming);

  TermStore& terms_;
  std::vector<std::vector<Term>> params_;
  std::vector<std::vector<CallRule>> rules_;
  std::vector<std::vector<PredicateId>> users_;
};

}  // namespace lem::engine
