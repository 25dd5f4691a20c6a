// The abstract domain: predicates over X, and the best-effort cube abstraction of CTIs
// [Birgmeier14 3.1].
#pragma once

#include <span>
#include <unordered_set>
#include <vector>

#include "engine/ctigar/cti.h"
#include "engine/parts/terms/frames.h"
#include "engine/parts/terms/inequalities.h"

namespace lem::engine {

class Domain {
 public:
  /// Borrows both.
  Domain(TermSystem& system, TermFrames& frames);

  std::size_t size() const { return predicates_.size(); }
  /// Adds what is new and over X.   ensure: how many predicates that was
  std::size_t add(std::span<const Term> predicates);
  bool contains(Term predicate) const { return known_.contains(terms_.atom_of(predicate)); }

  /// alpha(s): the literals that hold in all states of the assignment, as far as evaluation tells.
  std::vector<Lit> abstract(const Assignment& state) const {
    return literals_of(predicates_, state);
  }
  /// The same for predicates that need not be in the domain.
  std::vector<Lit> literals_of(std::span<const Term> predicates, const Assignment& state) const;

  /// Candidates as the domain likes them: conjunctions in parts, equations of numbers and of
  /// bit-vectors as two inequalities.
  std::vector<Term> split(Term formula) const;
  /// The atoms of a formula, split.
  std::vector<Term> parts(Term formula) const;

 private:
  TermSystem& system_;
  TermStore& terms_;
  TermFrames& frames_;
  BitOrders orders_;  // that the system uses
  std::vector<Term> predicates_;
  std::unordered_set<Term> known_;
};

}  // namespace lem::engine
