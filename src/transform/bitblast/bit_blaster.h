// Terms over Bool and BitVec to gates. Each term is translated once; deep terms do not recurse.
// Tests: tests/unit/transform/bitblast_test.cpp.
#pragma once

#include <unordered_map>
#include <vector>

#include "model/aig.h"
#include "term/term_store.h"
#include "transform/bitblast/circuits.h"

namespace lem::transform {

class BitBlaster {
 public:
  BitBlaster(const TermStore& terms, AigBuilder& out) : terms_(terms), circuits_(out), out_(out) {}

  /// require: before a term that mentions the variable; as many bits as its sort has
  void define(Term variable, AigWord bits);

  /// The bits of a term, the least significant first; a Bool has one. Valid as long as this.
  ///   require: Bool and BitVec only, variables are defined
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
  AigBuilder& out_;
  std::unordered_map<Term, AigWord> cache_;
  std::vector<Translated> order_;
};

}  // namespace lem::transform
