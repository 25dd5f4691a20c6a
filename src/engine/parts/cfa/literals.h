// Literals of engines on automata: signed numbers for the atoms that cubes are made of, so that
// cubes, frames and subsumption are those of the other engines.
#pragma once

#include <span>
#include <unordered_map>

#include "engine/parts/query/asker.h"
#include "engine/parts/query/atoms.h"
#include "term/term_store.h"

namespace lem::engine {

class CfaLiterals {
 public:
  explicit CfaLiterals(TermStore& terms)
      : terms_(terms), atoms_(terms), labels_(terms, "literal") {}

  Lit of(Term formula);
  Term formula(Lit lit) const { return atoms_.formula(lit); }
  Term conjunction(std::span<const Lit> cube) const { return atoms_.conjunction(cube); }
  /// A Bool that stands for the literal among the assumptions of a query.
  Term label(Lit lit) const { return labels_[lit.code()]; }

  AtomActivity& activity() { return activity_; }

  /// No Boolean structure and no Ite inside: what a cube of the thesis is made of.
  bool is_literal(Term formula);

 private:
  TermStore& terms_;
  Atoms atoms_;
  Labels labels_;  // by literal code
  AtomActivity activity_;
  std::unordered_map<Term, bool> plain_;  // what is_literal() found
};

}  // namespace lem::engine
