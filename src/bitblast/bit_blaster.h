// Terms over Bool and BitVec to gates. Each term is translated once; deep terms do not recurse.
// Tests: tests/unit/bitblast/bit_blaster_test.cpp.
#pragma once

#include <functional>
#include <unordered_map>
#include <vector>

#include "bitblast/circuits.h"
#include "bitblast/gates.h"
#include "term/term_store.h"

namespace lem::bitblast {

class BitBlaster {
 public:
  /// Gives the bits of a variable that was not defined.
  using Leaf = std::function<AigWord(Term)>;
  BitBlaster(const TermStore& terms, Gates& out, Leaf leaf = {})
      : terms_(terms), circuits_(out), out_(out), leaf_(std::move(leaf)) {}

  /// require: before a term that mentions the variable; as many bits as its sort has
  void define(Term variable, AigWord bits);

  /// The bits of a term, the least significant first; a Bool has one. Valid as long as this.
  ///   require: Bool and BitVec only; variables are defined, or there is a Leaf
  const AigWord& bits(Term term);
  AigLit literal(Term formula) { return bits(formula).front(); }

  /// Everything translated so far, in the order of translation.
  struct Translated {
    Term term;
    const AigWord* bits;
  };
  const std::vector<Translated>& translated() const { return order_; }

  /// AigWord of a Bool or BitVec sort.
  static std::uint32_t size_of(const TermStore& terms, Sort sort);

 private:
  void keep(Term term, AigWord bits);
  AigWord translate(Term term);
  AigWord translate_logic(Term term);
  AigWord translate_sum(Term term);
  const AigWord& of(Term term, std::size_t i) const { return cache_.at(terms_.arg(term, i)); }
  template <class Combine>
  AigWord fold(Term term, Combine combine);

  const TermStore& terms_;
  Circuits circuits_;
  Gates& out_;
  Leaf leaf_;
  std::unordered_map<Term, AigWord> cache_;
  std::vector<Translated> order_;
};

}  // namespace lem::bitblast
