// The predicates of the abstraction, numbered: what the literals of cubes stand for. Each has a
// Boolean label over X and one over X'; a predicate that is a state variable is its own label.
#pragma once

#include <unordered_map>
#include <vector>

#include "engine/parts/common/cube.h"
#include "engine/parts/terms/system.h"

namespace lem::engine {

class Predicates {
 public:
  explicit Predicates(TermSystem& system) : system_(system), terms_(system.terms()) {}

  std::size_t size() const { return atoms_.size(); }
  bool contains(Term atom) const { return index_.contains(atom); }
  /// require: a formula over X that is no predicate yet, without a leading negation.
  sat::Var add(Term atom);

  Term atom(sat::Var p) const { return atoms_[p]; }
  /// The formula over X that a literal stands for.
  Term formula(Lit lit) const {
    return lit.negative() ? terms_.make_not(atoms_[lit.var()]) : atoms_[lit.var()];
  }
  Term label(Lit lit) const { return labels_[lit.code()]; }
  Term next_label(Lit lit) const { return next_labels_[lit.code()]; }
  /// What makes the labels mean their predicates, to be asserted once; true for own labels.
  Term definition(sat::Var p) const;
  Term next_definition(sat::Var p) const;

 private:
  TermSystem& system_;
  TermStore& terms_;
  std::vector<Term> atoms_;
  std::vector<Term> labels_, next_labels_;  // by literal code
  std::unordered_map<Term, sat::Var> index_;
};

}  // namespace lem::engine
