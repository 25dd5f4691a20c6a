// Translates formulas over integers that encode words (int_encoding.h) back to the words: every
// atom in bit-vectors that are wide enough for its numbers, so that nothing wraps around.
#pragma once

#include <optional>
#include <unordered_map>

#include "transform/terms/int_encoding.h"

namespace lem::transform {

class IntDecoding {
 public:
  explicit IntDecoding(TermStore& terms) : terms_(terms) {}
  void add(Term integer, Term bv, const Word& word) { words_[integer] = {bv, word}; }

  /// nullopt if it mentions other integers.
  std::optional<Term> formula(Term root);

 private:
  struct Origin {
    Term bv;
    Word word;
  };
  struct Bounds {
    mpz_class low, high;
  };
  bool find_bounds(Term root);
  Bounds bounds_of(Term integer) const;
  /// left <= right, or left = right, with negative summands moved to the other side.
  struct Sides {
    Term left, right;
  };
  Sides balanced(Term relation);
  Term relation(Term atom);
  /// The integer in two's complement; its bounds fit.
  Term bits(Term integer, std::uint32_t width);
  std::uint32_t width_for(Term root, bool is_signed) const;

  TermStore& terms_;
  std::unordered_map<Term, Origin> words_;
  std::unordered_map<Term, Bounds> bounds_;
  TermMap done_;
};

}  // namespace lem::transform
