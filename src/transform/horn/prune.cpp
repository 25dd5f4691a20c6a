// Predicates without a derivation, and those that no query depends on, with their clauses.
#include <algorithm>

#include "transform/horn/rewriting.h"
#include "transform/passes.h"

namespace lem::transform {

namespace {

using Flags = std::vector<bool>;

Flags derivable(const HornSystem& system) {
  Flags known(system.predicates.size(), false);
  for (bool more = true; more;) {
    more = false;
    for (const HornClause& clause : system.clauses) {
      if (!clause.head || known[clause.head->predicate]) continue;
      bool all = std::ranges::all_of(clause.body,
                                     [&](const HornAtom& atom) { return known[atom.predicate]; });
      if (all) known[clause.head->predicate] = more = true;
    }
  }
  return known;
}

Flags relevant(const HornSystem& system) {
  Flags known(system.predicates.size(), false);
  for (bool more = true; more;) {
    more = false;
    for (const HornClause& clause : system.clauses) {
      if (clause.head && !known[clause.head->predicate]) continue;
      for (const HornAtom& atom : clause.body)
        if (!known[atom.predicate]) known[atom.predicate] = more = true;
    }
  }
  return known;
}

}  // namespace

Transformed apply_horn_prune(const Problem& problem, const Context& /*ctx*/) {
  const HornSystem& system = problem.horn();
  Flags with_derivation = derivable(system);
  Flags of_interest = relevant(system);
  HornRewriting result = unchanged(system);
  result.after.predicates.clear();
  for (PredicateId p = 0; p < system.predicates.size(); ++p) {
    if (!with_derivation[p])
      result.fates[p] = Fate::False;
    else if (!of_interest[p])
      result.fates[p] = Fate::True;
    result.numbers[p] = result.after.predicates.size();
    if (result.fates[p] == Fate::Kept) result.after.predicates.push_back(system.predicates[p]);
  }
  HornSystem& after = result.after;
  auto is_kept = [&](const HornAtom& atom) { return result.fates[atom.predicate] == Fate::Kept; };
  std::vector<HornClause> clauses = std::move(after.clauses);
  std::vector<ClauseTree> trees = std::move(result.trees);
  after.clauses.clear();
  result.trees.clear();
  for (std::size_t c = 0; c < clauses.size(); ++c) {
    HornClause& clause = clauses[c];
    bool stays = !system.terms->is_false(clause.constraint) &&
                 (!clause.head || is_kept(*clause.head)) &&
                 std::ranges::all_of(clause.body, is_kept);
    if (!stays) continue;
    for (HornAtom& atom : clause.body) atom.predicate = result.numbers[atom.predicate];
    if (clause.head) clause.head->predicate = result.numbers[clause.head->predicate];
    after.clauses.push_back(std::move(clause));
    result.trees.push_back(std::move(trees[c]));
  }
  return rewritten(problem, std::move(result));
}

}  // namespace lem::transform
