// Literals of engines on automata: signed numbers for the atoms that cubes are made of, so that
// cubes, frames and subsumption are those of the other engines.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "engine/parts/common/cube.h"
#include "term/term_store.h"

namespace lem::engine {

class CfaLiterals {
 public:
  explicit CfaLiterals(TermStore& terms) : terms_(terms) {}

  Lit of(Term formula);
  Term formula(Lit lit) const;
  Term conjunction(std::span<const Lit> cube) const;
  /// A Bool that stands for the literal among the assumptions of a query.
  Term label(Lit lit) const { return labels_[lit.code()]; }
  std::size_t codes() const { return labels_.size(); }

  /// How often lemmas were made of the atom.
  double& activity(Lit lit) { return activity_[lit.var()]; }
  double activity(Lit lit) const { return activity_[lit.var()]; }

  /// No Boolean structure and no Ite inside: what a cube of the thesis is made of.
  bool is_literal(Term formula);

 private:
  TermStore& terms_;
  std::vector<Term> atoms_, labels_;  // by variable; by literal code
  std::vector<double> activity_;      // by variable
  std::unordered_map<Term, sat::Var> index_;
  std::unordered_map<Term, bool> plain_;  // what is_literal() found
};

}  // namespace lem::engine
