// Terms to cvc5 terms, cached, and cvc5's values back.
#pragma once

#include <cvc5/cvc5.h>

#include <optional>
#include <vector>

#include "term/term_store.h"

namespace lem::smt {

class Cvc5Terms {
 public:
  Cvc5Terms(cvc5::Solver& solver, TermStore& terms) : solver_(solver), terms_(terms) {}

  /// Throws what cvc5 throws, for instance on a constant array of something that is no value.
  cvc5::Term to_cvc5(Term term);
  cvc5::Sort to_cvc5(Sort sort) const;
  /// nullopt for values without a term here: an irrational number, an array cvc5 cannot express.
  std::optional<Term> from_cvc5(const cvc5::Term& value, Sort sort);
  /// Variables that were translated, in that order.
  const std::vector<Term>& variables() const { return variables_; }

 private:
  cvc5::Term apply(Term term);
  cvc5::Term leaf(Term term);
  cvc5::Term float_constant(const FloatValue& value) const;
  cvc5::Term rounding_mode(std::uint32_t rounding) const;
  cvc5::Term apply_float(Term term, std::vector<cvc5::Term> args) const;
  std::optional<Term> array_from_cvc5(const cvc5::Term& value, Sort sort);

  cvc5::Solver& solver_;
  TermStore& terms_;
  std::vector<std::optional<cvc5::Term>> made_;  // by term id
  std::vector<Term> variables_;
};

}  // namespace lem::smt
