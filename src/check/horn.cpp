#include "check/horn.h"

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "check/question.h"
#include "term/traverse.h"

namespace lem::check {

namespace {

std::string at_step(const std::string& what, std::size_t step) {
  return what + " at step " + std::to_string(step + 1);
}

/// Replays one step after the other and remembers the tuple that each derives.
class DerivationReplay {
 public:
  DerivationReplay(const HornSystem& system, const Derivation& derivation)
      : system_(system), terms_(*system.terms), derivation_(derivation) {}

  std::optional<std::string> run() {
    if (derivation_.steps.empty()) return "the derivation has no steps";
    for (std::size_t k = 0; k < derivation_.steps.size(); ++k)
      if (auto wrong = step(k)) return at_step(*wrong, k);
    const HornClause& last = system_.clauses[derivation_.steps.back().clause];
    if (last.head) return "the derivation does not end in a query";
    return {};
  }

 private:
  std::optional<std::string> step(std::size_t k) {
    const Derivation::Step& step = derivation_.steps[k];
    if (step.clause >= system_.clauses.size()) return "there is no such clause";
    const HornClause& clause = system_.clauses[step.clause];
    std::vector<Term> variables = variables_of(system_, clause);
    if (variables.size() != step.values.size()) return "the number of values is wrong";
    TermMap values;
    for (std::size_t i = 0; i < variables.size(); ++i) {
      if (!step.values[i] || !terms_.is_value(step.values[i])) return "there is no value";
      if (terms_.sort(step.values[i]) != terms_.sort(variables[i]))
        return "the value of '" + terms_.name(variables[i]) + "' has another sort";
      values[variables[i]] = step.values[i];
    }
    if (!terms_.is_true(evaluate(terms_, clause.constraint, values)))
      return "the constraint of the clause fails";
    if (step.premises.size() != clause.body.size()) return "the number of premises is wrong";
    for (std::size_t j = 0; j < clause.body.size(); ++j)
      if (auto wrong = premise(k, step.premises[j], clause.body[j], values)) return wrong;
    tuples_.push_back(clause.head ? tuple(*clause.head, values) : std::vector<Term>());
    return {};
  }

  std::optional<std::string> premise(std::size_t k, std::size_t from, const HornAtom& atom,
                                     const TermMap& values) {
    if (from >= k) return "a premise comes later";
    const HornClause& clause = system_.clauses[derivation_.steps[from].clause];
    if (!clause.head || clause.head->predicate != atom.predicate)
      return "a premise is about another predicate";
    if (tuples_[from] != tuple(atom, values)) return "a premise has other values";
    return {};
  }

  std::vector<Term> tuple(const HornAtom& atom, const TermMap& values) {
    std::vector<Term> result;
    for (Term arg : atom.args) result.push_back(evaluate(terms_, arg, values));
    return result;
  }

  const HornSystem& system_;
  TermStore& terms_;
  const Derivation& derivation_;
  std::vector<std::vector<Term>> tuples_;  // by step
};

/// Predicates without a formula in an order in which each comes after those it is defined by; fewer
/// if some depend on themselves.
std::size_t count_defined(const HornSystem& system, const Interpretation& claim) {
  std::vector<bool> done(system.predicates.size(), false);
  std::size_t count = 0;
  for (bool more = true; more;) {
    more = false;
    for (PredicateId p = 0; p < system.predicates.size(); ++p) {
      if (done[p]) continue;
      bool ready = claim.of[p].formula || std::ranges::all_of(system.clauses, [&](const auto& one) {
                     return !one.head || one.head->predicate != p ||
                            std::ranges::all_of(one.body, [&](const HornAtom& atom) {
                              return done[atom.predicate];
                            });
                   });
      if (!ready) continue;
      done[p] = more = true;
      ++count;
    }
  }
  return count;
}

class ClauseCheck {
 public:
  ClauseCheck(const HornSystem& system, const Interpretation& claim)
      : system_(system), claim_(claim), terms_(*system.terms) {}

  /// Unsatisfiable iff the clause is true; `false` where its head is what its clauses say.
  Term violation(const HornClause& clause) {
    if (clause.head && !claim_.of[clause.head->predicate].formula) return terms_.boolean(false);
    std::vector<Term> parts{clause.constraint};
    for (const HornAtom& atom : clause.body) parts.push_back(meaning(atom));
    if (clause.head) parts.push_back(terms_.make_not(meaning(*clause.head)));
    return terms_.make_and(parts);
  }

 private:
  /// Over the variables of the atom, and new ones where it is what its clauses say: for some values
  /// of those.
  Term meaning(const HornAtom& atom) {
    const PredicateMeaning& known = claim_.of[atom.predicate];
    if (known.formula) {
      TermMap map;
      for (std::size_t i = 0; i < known.params.size(); ++i) map[known.params[i]] = atom.args[i];
      return substitute(terms_, known.formula, map);
    }
    std::vector<Term> ways;
    for (const HornClause& clause : system_.clauses)
      if (clause.head && clause.head->predicate == atom.predicate)
        ways.push_back(way(clause, atom));
    return terms_.make_or(ways);
  }

  Term way(const HornClause& clause, const HornAtom& atom) {
    TermMap map;
    for (Term variable : variables_of(system_, clause))
      map[variable] = terms_.fresh("v", terms_.sort(variable));
    Substitution renaming(terms_, std::move(map));
    std::vector<Term> parts{renaming.apply(clause.constraint)};
    for (std::size_t i = 0; i < atom.args.size(); ++i)
      parts.push_back(terms_.make_eq(atom.args[i], renaming.apply(clause.head->args[i])));
    for (HornAtom call : clause.body) {
      for (Term& arg : call.args) arg = renaming.apply(arg);
      parts.push_back(meaning(call));
    }
    return terms_.make_and(parts);
  }

  const HornSystem& system_;
  const Interpretation& claim_;
  TermStore& terms_;
};

}  // namespace

std::optional<std::string> replay(const HornSystem& system, const Derivation& derivation) {
  return DerivationReplay(system, derivation).run();
}

std::optional<std::string> misfit(const HornSystem& system, const Interpretation& claim) {
  const TermStore& terms = *system.terms;
  if (claim.of.size() != system.predicates.size()) return "it does not speak of all predicates";
  for (PredicateId p = 0; p < claim.of.size(); ++p) {
    const auto& [params, formula] = claim.of[p];
    const std::vector<Sort>& sorts = system.predicates[p].sorts;
    std::string about = "'" + system.predicates[p].name + "'";
    bool fits = params.size() == sorts.size();
    for (std::size_t i = 0; fits && i < params.size(); ++i)
      fits = terms.is_variable(params[i]) && terms.sort(params[i]) == sorts[i];
    std::unordered_set<Term> known(params.begin(), params.end());
    if (!fits || known.size() != params.size()) return "the parameters of " + about + " do not fit";
    if (!formula) continue;
    if (terms.sort(formula) != terms.bool_sort())
      return "what it says of " + about + " is no formula";
    for (Term variable : variables_of(terms, formula))
      if (!known.contains(variable)) return about + " depends on what is no parameter";
  }
  if (count_defined(system, claim) != claim.of.size())
    return "a predicate without a formula depends on itself";
  return {};
}

TermFinding check_interpretation(const HornSystem& system, const Interpretation& claim,
                                 std::stop_token stop) {
  ClauseCheck check(system, claim);
  for (std::size_t c = 0; c < system.clauses.size(); ++c) {
    Term violation = check.violation(system.clauses[c]);
    if (system.terms->is_false(violation)) continue;
    if (stop.stop_requested()) return {TermHolds::Stopped};
    TermHolds holds = Question(*system.terms, stop).excludes(violation);
    if (holds != TermHolds::Yes) return {holds, "clause " + std::to_string(c + 1)};
  }
  return {TermHolds::Yes};
}

}  // namespace lem::check
