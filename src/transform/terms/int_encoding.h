// Encodes bit-vectors as integers. A word is an integer within its range; sums wrap around by a
// choice between a few multiples of 2^width, so that the encoding is exact for linear arithmetic,
// comparisons, extensions, and division, shifts and masks by constants. Anything else becomes an
// opaque integer within its range, an overapproximation: proofs carry over, runs may not.
//
// Words that are copied to, added to or compared with each other share one reading, signed or
// unsigned, chosen by how they are compared. Words that are only copied and compared for equality
// stay bit-vectors, as do single bits.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/transition_system.h"
#include "term/term_classes.h"
#include "term/traverse.h"

namespace lem::transform {

/// Rounded down.
inline mpz_class floor_div(const mpz_class& a, const mpz_class& b) {
  mpz_class quotient;
  mpz_fdiv_q(quotient.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t());
  return quotient;
}

/// The encoding of a word: the integers from low() to high().
struct Word {
  std::uint32_t width = 0;
  bool is_signed = true;

  mpz_class count() const { return mpz_class(1) << width; }
  mpz_class low() const { return is_signed ? mpz_class(-(mpz_class(1) << (width - 1))) : 0; }
  mpz_class high() const { return low() + count() - 1; }
};

/// Which words share an encoding, and how they are used.
class WordClasses {
 public:
  explicit WordClasses(const TermStore& terms) : terms_(terms) {}
  void add(Term root);
  /// They have the same value at some time.
  void unite(Term a, Term b);

  bool becomes_integer(Term bv) const;
  Word word(Term bv) const;

 private:
  struct Uses {
    bool numeric = false;  // in arithmetic or comparisons
    std::int64_t is_signed = 0;
  };
  void look_at(Term term);
  void use(Term bv, std::int64_t is_signed);
  bool is_word(Term term) const;

  const TermStore& terms_;
  TermClasses classes_;
  std::unordered_map<Term, Uses> uses_;  // by root
  std::unordered_map<Term, bool> seen_;
};

class IntEncoding {
 public:
  IntEncoding(TermStore& terms, const WordClasses& classes) : terms_(terms), classes_(classes) {}

  /// The integer for a bit-vector variable, or the variable itself if it stays.
  Term variable(Term old);
  /// Any term, word or not.
  Term term(Term root);
  /// A word used together with another one: constants take the encoding of that word's class.
  Term term(Term word, Term like);
  /// Integers that stand for terms without an encoding, with their ranges.
  struct Opaque {
    Term integer;
    Word word;
  };
  const std::vector<Opaque>& opaque() const { return opaque_; }
  /// low <= integer <= high
  Term in_range(Term integer, const Word& word);

 private:
  /// An integer that is the word modulo 2^width, and its bounds.
  struct Sum {
    Term integer;
    mpz_class low, high;
  };
  const Sum& sum(Term word);
  Sum make_sum(Term word);
  Sum wrapped(Term word) { return within(sum(word), classes_.word(word)); }
  Sum as_unsigned(Term word) { return within(sum(word), {terms_.width(word), false}); }
  Sum as_signed(Term word) { return within(sum(word), {terms_.width(word), true}); }
  Sum within(const Sum& sum, const Word& word);
  Sum scaled(const Sum& sum, const mpz_class& factor);
  Sum added(const Sum& a, const Sum& b);
  Sum constant(const mpz_class& value);
  Sum choice(Term condition, const Sum& a, const Sum& b);
  Sum divided(const Sum& sum, const mpz_class& by);
  Sum remainder(const Sum& sum, const mpz_class& by);
  Sum signed_division(Term word, bool quotient);
  Sum shifted(Term word);
  Sum masked(Term word);
  Sum opaque(Term word);
  Sum wrapped_branch(Term choice, Term branch);
  Term visit(Term term);
  Term equation(Term a, Term b);
  Term bit(Term extract);
  Term of_integers(Term term) const;

  TermStore& terms_;
  const WordClasses& classes_;
  std::unordered_map<Term, Sum> sums_;
  TermMap done_;
  std::vector<Opaque> opaque_;
};

}  // namespace lem::transform
