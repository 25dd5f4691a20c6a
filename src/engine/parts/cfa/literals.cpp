#include "engine/parts/cfa/literals.h"

#include "term/traverse.h"

namespace lem::engine {

Lit CfaLiterals::of(Term formula) {
  Term atom = terms_.atom_of(formula);
  auto [at, added] = index_.try_emplace(atom, static_cast<sat::Var>(atoms_.size()));
  if (added) {
    atoms_.push_back(atom);
    activity_.push_back(0);
    for (int sign = 0; sign < 2; ++sign)
      labels_.push_back(terms_.fresh("literal", terms_.bool_sort()));
  }
  return Lit(at->second, atom != formula);
}

Term CfaLiterals::formula(Lit lit) const {
  return lit.negative() ? terms_.make_not(atoms_[lit.var()]) : atoms_[lit.var()];
}

Term CfaLiterals::conjunction(std::span<const Lit> cube) const {
  std::vector<Term> formulas;
  for (Lit lit : cube) formulas.push_back(formula(lit));
  return terms_.make_and(formulas);
}

bool CfaLiterals::is_literal(Term formula) {
  Term atom = terms_.atom_of(formula);
  auto [at, added] = plain_.try_emplace(atom, true);
  if (!added) return at->second;
  bool plain = !terms_.is_value(atom);
  for_each_subterm(terms_, {&atom, 1}, [&](Term term) {
    Op op = terms_.op(term);
    bool boolean_equality = op == Op::Eq && terms_.kind(terms_.arg(term, 0)) == SortKind::Bool;
    plain = plain && op != Op::Ite && op != Op::And && op != Op::Or && !boolean_equality;
  });
  return plain_[atom] = plain;
}

}  // namespace lem::engine
