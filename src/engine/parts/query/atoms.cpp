#include "engine/parts/query/atoms.h"

#include <algorithm>
#include <cassert>

namespace lem::engine {

Lit Atoms::literal(Term formula) {
  assert(terms_.kind(formula) == SortKind::Bool && "a literal is a formula");
  Term atom = terms_.atom_of(formula);
  assert(terms_.op(atom) != Op::Not && "an atom has no sign");
  auto [at, added] = index_.try_emplace(atom, static_cast<sat::Var>(atoms_.size()));
  if (added) atoms_.push_back(atom);
  assert(atoms_[at->second] == atom && "an atom has one number");
  return {at->second, atom != formula};
}

Term Atoms::operator[](sat::Var atom) const {
  assert(atom < atoms_.size() && "an atom that was numbered");
  return atoms_[atom];
}

Term Atoms::formula(Lit lit) const {
  Term atom = (*this)[lit.var()];
  return lit.negative() ? terms_.make_not(atom) : atom;
}

std::vector<Term> Atoms::formulas(std::span<const Lit> cube) const {
  std::vector<Term> result;
  for (Lit lit : cube) result.push_back(formula(lit));
  return result;
}

Term Atoms::conjunction(std::span<const Lit> cube) const {
  return terms_.make_and(formulas(cube));
}

std::vector<Term> Atoms::negations(std::span<const Lit> cube) const {
  std::vector<Term> result;
  for (Lit lit : cube) result.push_back(formula(!lit));
  return result;
}

void AtomActivity::start(sat::Var atom, double count) {
  if (counts_.size() <= atom) counts_.resize(atom + 1, 0);
  counts_[atom] = count;
}

void AtomActivity::bump(std::span<const Lit> cube) {
  for (Lit lit : cube) start(lit.var(), (*this)[lit] + 1);
}

void AtomActivity::order(std::vector<Lit>& cube) const {
  std::stable_sort(cube.begin(), cube.end(), [&](Lit a, Lit b) { return (*this)[a] < (*this)[b]; });
}

}  // namespace lem::engine
