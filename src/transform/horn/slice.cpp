// Arguments that no constraint and no query depends on are dropped.
#include <algorithm>
#include <map>
#include <unordered_set>

#include "term/traverse.h"
#include "transform/horn/rewriting.h"
#include "transform/passes.h"

namespace lem::transform {

namespace {

class Needs {
 public:
  explicit Needs(const HornSystem& system) : system_(system), terms_(*system.terms) {
    for (const Predicate& predicate : system.predicates)
      needed_.emplace_back(predicate.sorts.size(), false);
    for (bool more = true; more;) {
      more = false;
      for (const HornClause& clause : system.clauses) more = visit(clause) || more;
    }
  }
  bool operator()(PredicateId predicate, std::size_t arg) const { return needed_[predicate][arg]; }

 private:
  /// Variables whose values matter: to the constraint, to needed arguments of the head, to terms,
  /// and where atoms of the body must agree.
  std::unordered_set<Term> mattering(const HornClause& clause) const {
    std::vector<Term> roots{clause.constraint};
    if (clause.head)
      for (std::size_t i = 0; i < clause.head->args.size(); ++i)
        if (needed_[clause.head->predicate][i]) roots.push_back(clause.head->args[i]);
    std::unordered_set<Term> seen;
    for (const HornAtom& atom : clause.body)
      for (Term arg : atom.args)
        if (!terms_.is_variable(arg) || !seen.insert(arg).second) roots.push_back(arg);
    std::vector<Term> variables = variables_of(terms_, roots);
    return {variables.begin(), variables.end()};
  }

  bool visit(const HornClause& clause) {
    std::unordered_set<Term> matter = mattering(clause);
    bool more = false;
    for (const HornAtom& atom : clause.body)
      for (std::size_t i = 0; i < atom.args.size(); ++i) {
        bool free = terms_.is_variable(atom.args[i]) && !matter.contains(atom.args[i]);
        if (free || needed_[atom.predicate][i]) continue;
        needed_[atom.predicate][i] = more = true;
      }
    return more;
  }

  const HornSystem& system_;
  const TermStore& terms_;
  std::vector<std::vector<bool>> needed_;
};

}  // namespace

Transformed apply_horn_slice(const Problem& problem, const Context& /*ctx*/) {
  const HornSystem& system = problem.horn();
  Needs needed(system);
  HornRewriting result = unchanged(system);
  for (PredicateId p = 0; p < system.predicates.size(); ++p) {
    std::erase_if(result.args[p], [&](std::size_t arg) { return !needed(p, arg); });
    Predicate& after = result.after.predicates[p];
    after.sorts.clear();
    after.arg_names.clear();
    for (std::size_t arg : result.args[p]) {
      after.sorts.push_back(system.predicates[p].sorts[arg]);
      after.arg_names.push_back(system.predicates[p].arg_names[arg]);
    }
  }
  auto slice = [&](HornAtom& atom) {
    std::vector<Term> args;
    for (std::size_t arg : result.args[atom.predicate]) args.push_back(atom.args[arg]);
    atom.args = std::move(args);
  };
  for (HornClause& clause : result.after.clauses) {
    for (HornAtom& atom : clause.body) slice(atom);
    if (clause.head) slice(*clause.head);
  }
  return rewritten(problem, std::move(result));
}

}  // namespace lem::transform
