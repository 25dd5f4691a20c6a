#include "engine/parts/terms/inequalities.h"

#include <array>

namespace lem::engine {

namespace {

struct Inequality {
  Term left, right;
  bool strict;
};

std::optional<Inequality> inequality_of(TermStore& terms, Term literal) {
  Term atom = terms.atom_of(literal);
  Op op = terms.op(atom);
  if (op != Op::Le && op != Op::Lt) return {};
  Term left = terms.arg(atom, 0);
  Term right = terms.arg(atom, 1);
  if (atom == literal) return Inequality{left, right, op == Op::Lt};
  return Inequality{right, left, op == Op::Le};
}

}  // namespace

BitOrders compared_orders(const TermSystem& system) {
  BitOrders orders{false, false};
  const TermStore& terms = system.terms();
  std::array formulas{system.init(), system.trans(), system.bad()};
  for_each_subterm(terms, formulas, [&](Term term) {
    orders.as_signed = orders.as_signed || terms.op(term) == Op::BvSlt;
    orders.as_unsigned = orders.as_unsigned || terms.op(term) == Op::BvUlt;
  });
  if (!orders.as_signed) orders.as_unsigned = true;
  return orders;
}

std::vector<Term> sides_of(TermStore& terms, Term formula, BitOrders orders) {
  if (terms.op(formula) != Op::Eq) return {};
  Term a = terms.arg(formula, 0);
  Term b = terms.arg(formula, 1);
  if (terms.is_numeric(terms.sort(a))) return {terms.make_le(a, b), terms.make_le(b, a)};
  if (terms.kind(a) != SortKind::BitVec) return {};
  std::vector<Term> sides;
  if (orders.as_signed)
    sides.insert(sides.end(), {terms.make_bv_sle(a, b), terms.make_bv_sle(b, a)});
  if (orders.as_unsigned)
    sides.insert(sides.end(), {terms.make_bv_ule(a, b), terms.make_bv_ule(b, a)});
  return sides;
}

std::vector<Term> less_than(TermStore& terms, Term a, Term b, BitOrders orders) {
  if (terms.is_numeric(terms.sort(a))) return {terms.make_lt(a, b)};
  if (terms.kind(a) != SortKind::BitVec) return {};
  std::vector<Term> result;
  if (orders.as_signed) result.push_back(terms.make(Op::BvSlt, {a, b}));
  if (orders.as_unsigned) result.push_back(terms.make(Op::BvUlt, {a, b}));
  return result;
}

std::optional<Term> sum_of(TermStore& terms, Term a, Term b) {
  std::optional<Inequality> x = inequality_of(terms, a);
  std::optional<Inequality> y = inequality_of(terms, b);
  if (!x || !y || terms.sort(x->left) != terms.sort(y->left)) return {};
  Term left = terms.make_add(x->left, y->left);
  Term right = terms.make_add(x->right, y->right);
  if (terms.kind(left) == SortKind::Int && x->strict && y->strict)
    right = terms.make_sub(right, terms.integer(1));
  Term sum = x->strict || y->strict ? terms.make_lt(left, right) : terms.make_le(left, right);
  if (terms.is_value(sum)) return {};
  return sum;
}

}  // namespace lem::engine
