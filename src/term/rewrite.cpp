// Dispatch and the rules of the core: Not, And, Or, Eq, Ite.
#include "term/rewrite.h"

#include <algorithm>
#include <cassert>

#include "term/ite_chain.h"

namespace lem {

Term Rewriter::make(Op op, std::span<const Term> args, std::uint32_t p0, std::uint32_t p1) {
  switch (op) {
    case Op::Variable:
    case Op::BoolValue:
    case Op::BvValue:
    case Op::IntValue:
    case Op::RealValue:
    case Op::FpValue:
    case Op::ConstArray:
      assert(false && "leaves and constant arrays have makers of their own");
      return {};
    case Op::Eq:
      return make_eq(args[0], args[1]);
    case Op::Ite:
      return make_ite(args[0], args[1], args[2]);
    case Op::Not:
      return make_not(args[0]);
    case Op::And:
    case Op::Or:
      return make_junction(op, args);
    case Op::Add:
      return make_sum(args);
    case Op::Mul:
      return make_product(args);
    case Op::Le:
    case Op::Lt:
      return make_comparison(op, args[0], args[1]);
    case Op::IntDiv:
    case Op::IntMod:
      return make_int_division(op, args[0], args[1]);
    case Op::ToReal:
    case Op::ToInt:
      return make_conversion(op, args[0]);
    case Op::Select:
      return make_select(args[0], args[1]);
    case Op::Store:
      return make_store(args[0], args[1], args[2]);
    default:
      return op > Op::FpValue ? make_float(op, args, p0, p1) : make_bv(op, args, p0, p1);
  }
}

Sort Rewriter::result_sort(Op op, std::span<const Term> args, std::uint32_t p0, std::uint32_t p1) {
  switch (op) {
    case Op::Eq:
    case Op::Not:
    case Op::And:
    case Op::Or:
    case Op::BvUlt:
    case Op::BvSlt:
    case Op::Le:
    case Op::Lt:
      return t_.bool_sort();
    case Op::Ite:
      return t_.sort(args[1]);
    case Op::BvConcat:
      return t_.bv_sort(t_.width(args[0]) + t_.width(args[1]));
    case Op::BvExtract:
      return t_.bv_sort(p0 - p1 + 1);
    case Op::BvZeroExtend:
    case Op::BvSignExtend:
      return t_.bv_sort(t_.width(args[0]) + p0);
    case Op::IntDiv:
    case Op::IntMod:
    case Op::ToInt:
      return t_.int_sort();
    case Op::ToReal:
      return t_.real_sort();
    case Op::Select:
      return t_.element_sort(t_.sort(args[0]));
    default:
      return op > Op::FpValue ? float_result_sort(op, t_.sort(args[0]), p0) : t_.sort(args[0]);
  }
}

Term Rewriter::make_not(Term a) {
  assert(t_.kind(a) == SortKind::Bool && "only formulas are negated");
  if (t_.is_value(a)) return t_.boolean(t_.is_false(a));
  if (t_.op(a) == Op::Not) return t_.arg(a, 0);
  return intern(Op::Not, {a});
}

/// And, and Or by duality: flattened, sorted, without repetition, units and complements.
Term Rewriter::make_junction(Op op, std::span<const Term> args) {
  // Nested junctions are merged up to this size: unlimited, a long chain would cost its square.
  constexpr std::size_t kMerge = 32;
  Term unit = t_.boolean(op == Op::And);
  Term zero = t_.boolean(op == Op::Or);
  std::vector<Term> flat;
  for (Term arg : args) {
    assert(t_.kind(arg) == SortKind::Bool && "junctions are over formulas");
    if (t_.op(arg) == op && t_.args(arg).size() <= kMerge)
      flat.insert(flat.end(), t_.args(arg).begin(), t_.args(arg).end());
    else if (arg != unit)
      flat.push_back(arg);
  }
  std::sort(flat.begin(), flat.end());
  flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
  for (Term arg : flat) {
    if (arg == zero) return zero;
    if (t_.op(arg) == Op::Not && std::binary_search(flat.begin(), flat.end(), t_.arg(arg, 0)))
      return zero;
  }
  if (flat.empty()) return unit;
  if (flat.size() == 1) return flat[0];
  return intern(op, flat);
}

Term Rewriter::make_eq(Term a, Term b) {
  assert(t_.sort(a) == t_.sort(b) && "both sides have one sort");
  if (a == b) return t_.boolean(true);
  if (t_.is_value(a) && t_.is_value(b)) return t_.boolean(false);
  switch (t_.kind(a)) {
    case SortKind::Bool:
      return make_bool_eq(a, b);
    case SortKind::BitVec:
      return make_bv_eq(a, b);
    case SortKind::Int:
    case SortKind::Real:
      return make_number_eq(a, b);
    case SortKind::Float:
      return make_float_eq(a, b);
    case SortKind::Array:
      break;
  }
  return intern(Op::Eq, {std::min(a, b), std::max(a, b)});
}

/// Signs move outward, so that a = b, not a = not b and not (a = not b) are one term.
Term Rewriter::make_bool_eq(Term a, Term b) {
  if (t_.is_value(b)) std::swap(a, b);
  if (t_.is_value(a)) return t_.is_true(a) ? b : make_not(b);
  bool negated = (t_.op(a) == Op::Not) != (t_.op(b) == Op::Not);
  a = t_.atom_of(a);
  b = t_.atom_of(b);
  Term same = a == b ? t_.boolean(true) : intern(Op::Eq, {std::min(a, b), std::max(a, b)});
  return negated ? make_not(same) : same;
}

Term Rewriter::eq_of_ite(Term ite, Term value) {
  return relation_of_ite(t_, Op::Eq, ite, value);
}

Term Rewriter::make_ite(Term c, Term a, Term b) {
  assert(t_.kind(c) == SortKind::Bool && "the condition is a formula");
  assert(t_.sort(a) == t_.sort(b) && "both branches have one sort");
  if (t_.is_value(c)) return t_.is_true(c) ? a : b;
  if (t_.op(c) == Op::Not) {
    c = t_.arg(c, 0);
    std::swap(a, b);
  }
  if (t_.op(a) == Op::Ite && t_.arg(a, 0) == c) a = t_.arg(a, 1);
  if (t_.op(b) == Op::Ite && t_.arg(b, 0) == c) b = t_.arg(b, 2);
  if (a == b) return a;
  if (is_guarded_conversion(c, a, b)) return a;
  if (t_.kind(a) == SortKind::Bool) {
    if (t_.is_true(a) || a == c) return t_.make_or(c, b);
    if (t_.is_false(a)) return t_.make_and(make_not(c), b);
    if (t_.is_true(b)) return t_.make_or(make_not(c), a);
    if (t_.is_false(b) || b == c) return t_.make_and(c, a);
    if (make_not(a) == b) return make_bool_eq(c, a);
  }
  return intern(Op::Ite, {c, a, b});
}

}  // namespace lem
