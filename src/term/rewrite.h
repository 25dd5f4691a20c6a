// The rewriting behind TermStore::make: local rules that look at an operator and its (already
// rewritten) arguments. Values fold completely, which makes evaluation a substitution. Each group
// of rules has its tests in tests/unit/term/rewrite_test.cpp.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "term/term_store.h"

namespace lem {

/// A linear combination of non-constant terms plus a constant; terms ascending, no zero factors.
struct Polynomial {
  std::vector<std::pair<Term, mpq_class>> monomials;
  mpq_class constant = 0;

  void add(const Polynomial& other, const mpq_class& factor);
  void scale(const mpq_class& factor);
};

class Rewriter {
 public:
  explicit Rewriter(TermStore& terms) : t_(terms) {}
  Term make(Op op, std::span<const Term> args, std::uint32_t p0, std::uint32_t p1);
  /// The sum a numeric term denotes.
  Polynomial polynomial(Term term);

 private:
  // rewrite.cpp
  Term make_not(Term a);
  Term make_junction(Op op, std::span<const Term> args);
  Term make_eq(Term a, Term b);
  Term make_bool_eq(Term a, Term b);
  Term eq_of_ite(Term ite, Term value);
  Term make_ite(Term c, Term a, Term b);
  // rewrite_arith.cpp
  Term from_polynomial(const Polynomial& p, Sort sort);
  Term make_sum(std::span<const Term> args);
  Term make_product(std::span<const Term> args);
  Term make_comparison(Op op, Term a, Term b);
  Term make_number_eq(Term a, Term b);
  Term make_int_division(Op op, Term a, Term b);
  Term make_conversion(Op op, Term a);
  // rewrite_bv.cpp
  Term make_bv(Op op, std::span<const Term> args, std::uint32_t p0, std::uint32_t p1);
  Term fold_bv(Op op, std::span<const Term> args, std::uint32_t p0, std::uint32_t p1);
  Term make_bv_unary(Op op, Term a);
  Term make_bv_commutative(Op op, Term a, Term b);
  Term make_bv_division(Op op, Term a, Term b);
  Term make_bv_shift(Op op, Term a, Term b);
  Term make_bv_less(Op op, Term a, Term b);
  Term make_concat(Term high, Term low);
  Term make_extract(Term a, std::uint32_t high, std::uint32_t low);
  Term make_extend(Op op, Term a, std::uint32_t by);
  Term make_bv_eq(Term a, Term b);
  Term bit_is_one(Term bit);
  // rewrite_narrow.cpp
  Term narrow_less(Op op, Term a, Term b);
  Term narrow_eq(Term a, Term b);
  Term narrow_division(Op op, Term a, Term b);
  Term narrow_low_bits(Term a, std::uint32_t bits, int depth = 0);
  // rewrite_array.cpp
  Term make_select(Term array, Term index);
  Term make_store(Term array, Term index, Term value);
  Term canonical_array_value(Term store);

  // rewrite_float.cpp
  Term make_float(Op op, std::span<const Term> args, std::uint32_t p0, std::uint32_t p1);
  Term fold_float(Op op, std::span<const Term> args, std::uint32_t p0, std::uint32_t p1);
  Term fold_float_to_integer(Op op, Term a, std::uint32_t width);
  Term make_float_unary(Op op, Term a, std::uint32_t p0);
  Term make_float_binary(Op op, Term a, Term b, std::uint32_t p0);
  Term make_float_comparison(Op op, Term a, Term b);
  Term make_float_eq(Term a, Term b);
  bool is_guarded_conversion(Term condition, Term then_part, Term else_part);
  Sort float_result_sort(Op op, Sort first, std::uint32_t p0);

  Sort result_sort(Op op, std::span<const Term> args, std::uint32_t p0, std::uint32_t p1);
  Term intern(Op op, std::span<const Term> args, std::uint32_t p0 = 0, std::uint32_t p1 = 0) {
    return t_.intern(op, result_sort(op, args, p0, p1), args, p0, p1);
  }
  Term intern(Op op, std::initializer_list<Term> args, std::uint32_t p0 = 0, std::uint32_t p1 = 0) {
    return intern(op, std::span(args.begin(), args.size()), p0, p1);
  }

  TermStore& t_;
};

}  // namespace lem
