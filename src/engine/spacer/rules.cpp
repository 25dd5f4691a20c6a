#include "engine/spacer/rules.h"

#include <algorithm>
#include <cassert>
#include <unordered_set>

namespace lem::engine {

CallRules::CallRules(const HornSystem& system) : terms_(*system.terms) {
  for (const Predicate& predicate : system.predicates) {
    std::vector<Term>& params = params_.emplace_back();
    for (Sort sort : predicate.sorts) params.push_back(terms_.fresh("x", sort));
  }
  params_.emplace_back();  // of the query
  rules_.resize(params_.size());
  users_.resize(params_.size());
  for (std::size_t clause = 0; clause < system.clauses.size(); ++clause) add(system, clause);
}

/// A variable that is an argument of the head is the parameter itself.
void CallRules::add(const HornSystem& system, std::size_t index) {
  const HornClause& clause = system.clauses[index];
  PredicateId head = clause.head ? clause.head->predicate : query();
  std::span<const Term> params = params_[head];
  TermMap map;
  std::vector<Term> step{clause.constraint};
  for (std::size_t i = 0; i < params.size(); ++i) {
    Term arg = clause.head->args[i];
    if (!terms_.is_variable(arg) || !map.try_emplace(arg, params[i]).second)
      step.push_back(terms_.make_eq(params[i], arg));
  }
  CallRule rule{.clause = index, .body = clause.body, .step = {}, .variables = {}, .locals = {}};
  for (Term variable : variables_of(system, clause)) {
    auto [at, added] = map.try_emplace(variable, Term());
    if (added) {
      at->second = terms_.fresh("v", terms_.sort(variable));
      rule.locals.push_back(at->second);
    }
    rule.variables.push_back(at->second);
  }
  Substitution renaming(terms_, std::move(map));
  rule.step = terms_.make_and(step);
  // The params in the equations are fresh, so renaming does not touch them.
  rule.step = renaming.apply(rule.step);
  name_arguments(rule, renaming);
  for (const HornAtom& atom : rule.body) {
    std::vector<PredicateId>& users = users_[atom.predicate];
    if (std::find(users.begin(), users.end(), head) == users.end()) users.push_back(head);
  }
  if (!terms_.is_false(rule.step)) rules_[head].push_back(std::move(rule));
}

/// Obligations and lemmas are about the arguments of one atom: each gets a local of its own.
void CallRules::name_arguments(CallRule& rule, Substitution& renaming) {
  std::unordered_set<Term> free(rule.locals.begin(), rule.locals.end());
  std::vector<Term> step{rule.step};
  for (HornAtom& atom : rule.body)
    for (Term& arg : atom.args) {
      Term value = renaming.apply(arg);
      arg = value;
      if (free.erase(value) != 0) continue;
      arg = terms_.fresh("y", terms_.sort(value));
      rule.locals.push_back(arg);
      step.push_back(terms_.make_eq(arg, value));
    }
  rule.step = terms_.make_and(step);
}

bool CallRules::calls_itself(PredicateId predicate) const {
  return std::find(users_[predicate].begin(), users_[predicate].end(), predicate) !=
         users_[predicate].end();
}

Term CallRules::at(const HornAtom& atom, Term formula) const {
  TermMap map;
  const std::vector<Term>& params = params_[atom.predicate];
  for (std::size_t i = 0; i < params.size(); ++i) map[params[i]] = atom.args[i];
  return substitute(terms_, formula, map);
}

}  // namespace lem::engine
