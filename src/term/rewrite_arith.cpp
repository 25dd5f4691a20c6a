// Arithmetic: sums are canonical polynomials, comparisons have the form sum <= constant with a
// positive first factor and, over Int, coprime factors.
#include <algorithm>
#include <cassert>

#include "term/ite_chain.h"
#include "term/rewrite.h"

namespace lem {

void Polynomial::scale(const mpq_class& factor) {
  if (factor == 0) monomials.clear();
  for (auto& [term, coefficient] : monomials) coefficient *= factor;
  constant *= factor;
}

void Polynomial::add(const Polynomial& other, const mpq_class& factor) {
  constant += other.constant * factor;
  if (other.monomials.empty() || factor == 0) return;
  std::vector<std::pair<Term, mpq_class>> sum;
  sum.reserve(monomials.size() + other.monomials.size());
  auto a = monomials.begin();
  auto b = other.monomials.begin();
  while (a != monomials.end() || b != other.monomials.end()) {
    if (b == other.monomials.end() || (a != monomials.end() && a->first < b->first)) {
      sum.push_back(std::move(*a++));
    } else if (a == monomials.end() || b->first < a->first) {
      sum.emplace_back(b->first, b->second * factor);
      ++b;
    } else {
      mpq_class both = a->second + b->second * factor;
      if (both != 0) sum.emplace_back(a->first, both);
      ++a;
      ++b;
    }
  }
  monomials = std::move(sum);
}

Polynomial Rewriter::polynomial(Term term) {
  Polynomial p;
  if (t_.is_value(term)) {
    p.constant = t_.number_value(term);
  } else if (t_.op(term) == Op::Mul && t_.is_value(t_.arg(term, 0))) {
    p.monomials.emplace_back(t_.arg(term, 1), t_.number_value(t_.arg(term, 0)));
  } else if (t_.op(term) == Op::Add) {
    // Arguments of a canonical sum are distinct monomials, but not in the order of their bases.
    for (Term arg : t_.args(term)) p.add(polynomial(arg), 1);
  } else {
    p.monomials.emplace_back(term, 1);
  }
  return p;
}

Term Rewriter::from_polynomial(const Polynomial& p, Sort sort) {
  std::vector<Term> args;
  for (const auto& [base, factor] : p.monomials)
    args.push_back(factor == 1 ? base : intern(Op::Mul, {t_.number(factor, sort), base}));
  if (p.constant != 0 || args.empty()) args.push_back(t_.number(p.constant, sort));
  if (args.size() == 1) return args[0];
  return intern(Op::Add, args);
}

Term Rewriter::make_sum(std::span<const Term> args) {
  Polynomial sum;
  for (Term arg : args) {
    assert(t_.sort(arg) == t_.sort(args[0]) && "a sum has one sort");
    sum.add(polynomial(arg), 1);
  }
  return from_polynomial(sum, t_.sort(args[0]));
}

/// Constants multiply out over sums; a product of several non-constant terms is a monomial of its
/// own, its factors sorted.
Term Rewriter::make_product(std::span<const Term> args) {
  Sort sort = t_.sort(args[0]);
  mpq_class factor = 1;
  std::vector<Term> rest;
  for (Term arg : args) {
    assert(t_.sort(arg) == sort && "a product has one sort");
    Polynomial p = polynomial(arg);
    if (p.monomials.empty()) {
      factor *= p.constant;
    } else if (p.monomials.size() == 1 && p.constant == 0) {
      factor *= p.monomials[0].second;
      Term base = p.monomials[0].first;
      if (t_.op(base) == Op::Mul)
        rest.insert(rest.end(), t_.args(base).begin(), t_.args(base).end());
      else
        rest.push_back(base);
    } else {
      rest.push_back(arg);
    }
  }
  Polynomial product;
  if (rest.empty()) {
    product.constant = factor;
  } else if (rest.size() == 1) {
    product = polynomial(rest[0]);
    product.scale(factor);
  } else if (factor != 0) {
    std::sort(rest.begin(), rest.end());
    product.monomials.emplace_back(intern(Op::Mul, rest), factor);
  }
  return from_polynomial(product, sort);
}

/// Divides so that the factors are coprime integers and the first is positive or negative as it
/// was.
static void make_primitive(Polynomial& p) {
  mpz_class denominators = 1;
  for (const auto& [term, factor] : p.monomials) denominators = lcm(denominators, factor.get_den());
  mpz_class common = 0;
  for (const auto& [term, factor] : p.monomials)
    common = gcd(common, mpz_class(factor * denominators));
  p.scale(mpq_class(denominators, common));
}

/// p + constant <= 0 (or < 0): to sum <= bound with a positive first factor. Over Int the bound is
/// rounded, strict comparisons become weak ones, and a negative sum the negation of a positive one;
/// over Real the negation swaps weak and strict.
Term Rewriter::make_comparison(Op op, Term a, Term b) {
  Sort sort = t_.sort(a);
  assert(sort == t_.sort(b) && t_.is_numeric(sort) && "numbers of one sort are compared");
  Polynomial p = polynomial(a);
  p.add(polynomial(b), -1);
  bool strict = op == Op::Lt;
  if (p.monomials.empty()) return t_.boolean(strict ? p.constant < 0 : p.constant <= 0);
  make_primitive(p);
  bool negative = p.monomials[0].second < 0;
  mpq_class bound = -p.constant;  // sum <= bound
  p.constant = 0;
  if (t_.kind(sort) == SortKind::Int) {
    mpz_class rounded;
    if (strict)  // sum < bound: sum <= ceil(bound) - 1
      mpz_cdiv_q(rounded.get_mpz_t(), bound.get_num_mpz_t(), bound.get_den_mpz_t());
    else
      mpz_fdiv_q(rounded.get_mpz_t(), bound.get_num_mpz_t(), bound.get_den_mpz_t());
    bound = strict ? mpq_class(rounded - 1) : mpq_class(rounded);
    strict = false;
    // -s <= b over Int: not (s <= -b - 1)
    if (negative) bound = -bound - 1;
  } else if (negative) {
    // -s <= b: not (s < -b); -s < b: not (s <= -b)
    bound = -bound;
    strict = !strict;
  }
  if (negative) p.scale(-1);
  if (p.monomials.size() == 1 && t_.op(p.monomials[0].first) == Op::Ite) {
    assert(p.monomials[0].second == 1 && "a lone factor is divided away");
    Term ite = p.monomials[0].first;
    if (t_.is_value(t_.arg(ite, 1)) || t_.is_value(t_.arg(ite, 2))) {
      Term both = relation_of_ite(t_, strict ? Op::Lt : Op::Le, ite, t_.number(bound, sort));
      return negative ? make_not(both) : both;
    }
  }
  Term atom = intern(strict ? Op::Lt : Op::Le, {from_polynomial(p, sort), t_.number(bound, sort)});
  return negative ? make_not(atom) : atom;
}

Term Rewriter::make_number_eq(Term a, Term b) {
  Sort sort = t_.sort(a);
  Polynomial p = polynomial(a);
  p.add(polynomial(b), -1);
  if (p.monomials.empty()) return t_.boolean(p.constant == 0);
  make_primitive(p);
  if (p.monomials[0].second < 0) p.scale(-1);
  mpq_class bound = -p.constant;
  p.constant = 0;
  if (t_.kind(sort) == SortKind::Int && bound.get_den() != 1) return t_.boolean(false);
  if (p.monomials.size() == 1 && t_.op(p.monomials[0].first) == Op::Ite) {
    assert(p.monomials[0].second == 1 && "a lone factor is divided away");
    Term ite = p.monomials[0].first;
    if (t_.is_value(t_.arg(ite, 1)) || t_.is_value(t_.arg(ite, 2)))
      return eq_of_ite(ite, t_.number(bound, sort));
  }
  // Written as left = right with right the constant, or the term that a lone difference subtracts.
  if (bound == 0 && p.monomials.size() == 2 && p.monomials[0].second == 1 &&
      p.monomials[1].second == -1)
    return intern(Op::Eq, {p.monomials[0].first, p.monomials[1].first});
  return intern(Op::Eq, {from_polynomial(p, sort), t_.number(bound, sort)});
}

Term Rewriter::make_int_division(Op op, Term a, Term b) {
  assert(t_.op(b) == Op::IntValue && t_.integer_value(b) != 0 && "divided by a non-zero constant");
  const mpz_class divisor = t_.integer_value(b);
  if (t_.is_value(a)) {
    // SMT-LIB: the remainder is never negative.
    mpz_class quotient;
    mpz_class remainder;
    const mpz_class& dividend = t_.integer_value(a);
    mpz_class size = abs(divisor);
    mpz_fdiv_r(remainder.get_mpz_t(), dividend.get_mpz_t(), size.get_mpz_t());
    quotient = (dividend - remainder) / divisor;
    return t_.integer(op == Op::IntDiv ? quotient : remainder);
  }
  if (op == Op::IntMod && divisor < 0) return make_int_division(op, a, t_.integer(-divisor));
  if (divisor == 1) return op == Op::IntDiv ? a : t_.integer(0);
  if (divisor == -1) return t_.make_neg(a);
  return intern(op, {a, b});
}

/// ToReal goes down to variables, so that sums over Real see its parts.
Term Rewriter::make_conversion(Op op, Term a) {
  if (op == Op::ToReal) {
    assert(t_.kind(a) == SortKind::Int && "only Int is converted to Real");
    Polynomial p = polynomial(a);
    for (auto& [base, factor] : p.monomials) base = intern(Op::ToReal, {base});
    std::sort(p.monomials.begin(), p.monomials.end(),
              [](const auto& x, const auto& y) { return x.first < y.first; });
    return from_polynomial(p, t_.real_sort());
  }
  assert(t_.kind(a) == SortKind::Real && "only Real is rounded");
  if (t_.is_value(a)) {
    mpz_class floor;
    const mpq_class& value = t_.real_value(a);
    mpz_fdiv_q(floor.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
    return t_.integer(floor);
  }
  if (t_.op(a) == Op::ToReal) return t_.arg(a, 0);
  return intern(Op::ToInt, {a});
}

}  // namespace lem
