// The predicates of the abstraction, numbered: what the literals of cubes stand for. Each has a
// Boolean label over X and one over X'; a predicate that is a state variable is its own label.
#pragma once

#include <cassert>
#include <vector>

#include "engine/parts/query/atoms.h"
#include "engine/parts/terms/system.h"

namespace lem::engine {

class Predicates {
 public:
  explicit Predicates(TermSystem& system)
      : system_(system), terms_(system.terms()), atoms_(terms_) {}

  std::size_t size() const { return atoms_.size(); }
  const Atoms& atoms() const { return atoms_; }
  bool contains(Term atom) const { return atoms_.contains(atom); }
  /// require: a formula over X that is no predicate yet, without a leading negation.
  sat::Var add(Term atom);

  Term label(Lit lit) const {
    assert(lit.code() < labels_.size() && "a literal of a predicate");
    return labels_[lit.code()];
  }
  Term next_label(Lit lit) const { return next_labels_[lit.code()]; }
  /// What makes the labels mean their predicates, to be asserted once; true for own labels.
  Term definition(sat::Var p) const;
  Term next_definition(sat::Var p) const;

 private:
  TermSystem& system_;
  TermStore& terms_;
  Atoms atoms_;
  std::vector<Term> labels_, next_labels_;  // by literal code
};

}  // namespace lem::engine
