// Formulas that have nothing to do with each other: variables that occur in one formula are
// connected, and formulas of different classes share no variable, so that a conjunction of them is
// satisfiable if the conjunction of each class is. Every subterm is looked at once.
// Tests: tests/unit/term/connected_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "term/term_store.h"

namespace lem {

class Connected {
 public:
  /// Borrows the store.
  explicit Connected(const TermStore& terms) : terms_(terms) {}

  /// The formula connects its variables, from now on.
  void add(Term formula);
  /// Formulas without variables are of no class.
  enum class Class : std::uint32_t { None = ~std::uint32_t{0} };
  /// require: added; classes grow together with what is added later
  Class of(Term formula);
  /// Those of the formulas that are of this class, in order.   require: added
  std::vector<Term> among(std::span<const Term> formulas, Class wanted);

 private:
  static constexpr std::uint32_t kNew = ~std::uint32_t{0} - 1;
  bool is_new(Term term) const { return term.id() >= some_.size() || some_[term.id()] == kNew; }
  void look_at(Term term);
  std::uint32_t find(std::uint32_t id);

  const TermStore& terms_;
  std::vector<std::uint32_t> some_;    // by id of a term: the id of one of its variables
  std::vector<std::uint32_t> parent_;  // by id of a variable
};

}  // namespace lem
