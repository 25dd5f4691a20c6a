#include "engine/parts/cfa/literals.h"

#include "term/traverse.h"

namespace lem::engine {

Lit CfaLiterals::of(Term formula) {
  Lit lit = atoms_.literal(formula);
  labels_.in_order(atoms_.codes() - 1);
  return lit;
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
