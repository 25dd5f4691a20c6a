#include "engine/ctigar/domain.h"

#include <algorithm>
#include <cassert>

namespace lem::engine {

std::vector<Term> Assignment::literals(const TermSystem& system) const {
  std::vector<Term> result;
  for (Term variable : system.current())
    if (auto at = values.find(variable); at != values.end())
      result.push_back(system.terms().make_eq(variable, at->second));
  return result;
}

Domain::Domain(TermSystem& system, TermFrames& frames)
    : system_(system), terms_(system.terms()), frames_(frames), orders_(compared_orders(system)) {}

std::size_t Domain::add(std::span<const Term> predicates) {
  std::size_t before = predicates_.size();
  for (Term predicate : predicates) {
    Term atom = terms_.atom_of(predicate);
    if (terms_.is_value(atom) || !system_.is_over_states(atom)) continue;
    if (known_.insert(atom).second) predicates_.push_back(atom);
  }
  assert(predicates_.size() == known_.size() && "a predicate is listed once");
  return predicates_.size() - before;
}

std::vector<Lit> Domain::literals_of(std::span<const Term> predicates,
                                     const Assignment& state) const {
  Substitution values(terms_, state.values);
  std::vector<Lit> cube;
  for (Term predicate : predicates) {
    Term atom = terms_.atom_of(predicate);
    Term value = values.apply(atom);
    if (terms_.is_true(value)) cube.push_back(frames_.literal(atom));
    if (terms_.is_false(value)) cube.push_back(!frames_.literal(atom));
  }
  assert(cube.size() <= predicates.size() && "a predicate has one value");
  return cube;
}

std::vector<Term> Domain::split(Term formula) const {
  std::vector<Term> parts;
  for (Term part : conjuncts(terms_, formula)) {
    if (terms_.is_value(part)) continue;
    Term atom = terms_.atom_of(part);
    std::vector<Term> both;  // what an equality denies: a < b, b < a
    if (terms_.op(atom) == Op::Eq)
      for (auto [x, y] : {std::pair(0U, 1U), std::pair(1U, 0U)})
        for (Term less : less_than(terms_, terms_.arg(atom, x), terms_.arg(atom, y), orders_))
          both.push_back(less);
    if (both.empty()) both.push_back(atom);
    for (Term side : both) parts.push_back(terms_.atom_of(side));
  }
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  return parts;
}

std::vector<Term> Domain::parts(Term formula) const {
  std::vector<Term> found;
  for (Term atom : atoms_of(terms_, formula))
    for (Term part : split(atom)) found.push_back(part);
  return found;
}

}  // namespace lem::engine
