// Terms that belong together, in classes with a representative (union-find).
#pragma once

#include <unordered_map>
#include <utility>

#include "term/term.h"

namespace lem {

class TermClasses {
 public:
  /// The representative of its class; itself if it was never united.
  Term root(Term term) const {
    Term top = term;
    for (auto up = parent_.find(top); up != parent_.end(); up = parent_.find(top)) top = up->second;
    while (term != top) term = std::exchange(parent_[term], top);
    return top;
  }
  /// The representative that was replaced by that of `into`; no term if both were in one class
  /// already.
  Term unite(Term into, Term other) {
    Term top = root(into), below = root(other);
    if (top == below) return {};
    parent_[below] = top;
    return below;
  }

 private:
  mutable std::unordered_map<Term, Term> parent_;  // paths get shorter when they are walked
};

}  // namespace lem
