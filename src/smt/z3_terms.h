// Terms to Z3 expressions and back, cached in both directions. Variables travel as Z3 constants
// named by the term's id, so that names never clash.
#pragma once

#include <z3++.h>

#include <optional>
#include <vector>

#include "term/term_store.h"

namespace lem::smt {

class Z3Terms {
 public:
  Z3Terms(z3::context& ctx, TermStore& terms) : ctx_(ctx), terms_(terms) {}

  z3::expr to_z3(Term term);
  z3::sort to_z3(Sort sort);
  /// nullopt for what has no counterpart here: quantifiers, lambdas, irrational numbers, constants
  /// that are not variables of this store.
  std::optional<Term> from_z3(const z3::expr& root);
  /// Bound variables of a quantified formula stand for these terms (de Bruijn index 0 first).
  std::optional<Term> from_z3(const z3::expr& root, const std::vector<Term>& bound);

 private:
  z3::expr apply(Term term);
  std::optional<Term> leaf(const z3::expr& e, const std::vector<Term>& bound);
  std::optional<Term> application(const z3::expr& e, const std::vector<Term>& args);
  std::optional<Term> arith_application(Z3_decl_kind kind, const std::vector<Term>& args);
  std::optional<Term> bv_application(const z3::expr& e, const std::vector<Term>& args);
  std::optional<Sort> from_z3(const z3::sort& sort);
  // z3_floats.cpp
  Z3_ast apply_float(Term term, const std::vector<Z3_ast>& args);
  Z3_ast float_constant(const FloatValue& value);
  Z3_ast float_to_integer(Term term, Z3_ast arg);
  Z3_ast rounding_mode(std::uint32_t rounding);
  bool is_rounding(const z3::expr& e) const;
  std::optional<std::uint32_t> rounding_of(const z3::expr& mode) const;
  std::optional<Term> float_value(const z3::expr& e);
  std::optional<Term> float_application(const z3::expr& e, const std::vector<Term>& args);
  std::optional<Term> float_conversion(const z3::expr& e, const std::vector<Term>& args);

  z3::context& ctx_;
  TermStore& terms_;
  std::vector<std::optional<z3::expr>> made_;  // by term id
};

}  // namespace lem::smt
