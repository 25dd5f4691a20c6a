// Bit-vectors. Values fold; the rest are the rules that keep one-bit logic Boolean (BTOR2 has no
// Bool) and that turn shifts and divisions by constants into wiring.
#include <algorithm>
#include <cassert>
#include <unordered_map>

#include "term/rewrite.h"

namespace lem {

static mpz_class ones(std::uint32_t width) {
  return (mpz_class(1) << width) - 1;
}

Term Rewriter::make_bv(Op op, std::span<const Term> args, std::uint32_t p0, std::uint32_t p1) {
  bool values = true;
  for (Term arg : args) {
    assert(t_.kind(arg) == SortKind::BitVec && "a bit-vector operator takes bit-vectors");
    values = values && t_.is_value(arg);
  }
  if (values) return fold_bv(op, args, p0, p1);
  switch (op) {
    case Op::BvNot:
    case Op::BvNeg:
      return make_bv_unary(op, args[0]);
    case Op::BvConcat:
      return make_concat(args[0], args[1]);
    case Op::BvExtract:
      return make_extract(args[0], p0, p1);
    case Op::BvZeroExtend:
    case Op::BvSignExtend:
      return make_extend(op, args[0], p0);
    default:
      break;
  }
  assert(t_.sort(args[0]) == t_.sort(args[1]) && "both arguments have one width");
  switch (op) {
    case Op::BvAnd:
    case Op::BvOr:
    case Op::BvXor:
    case Op::BvAdd:
    case Op::BvMul:
      return make_bv_commutative(op, args[0], args[1]);
    case Op::BvShl:
    case Op::BvLshr:
    case Op::BvAshr:
      return make_bv_shift(op, args[0], args[1]);
    case Op::BvUlt:
    case Op::BvSlt:
      return make_bv_less(op, args[0], args[1]);
    default:
      return make_bv_division(op, args[0], args[1]);
  }
}

/// Division rounding to zero, with the conventions for zero divisors.
static mpz_class fold_division(Op op, const mpz_class& a, const mpz_class& b) {
  bool quotient = op == Op::BvUdiv || op == Op::BvSdiv;
  if (b == 0) {
    if (!quotient) return a;
    return a < 0 ? 1 : -1;  // all ones for udiv and for sdiv of a >= 0
  }
  if (quotient) return a / b;
  mpz_class remainder = a % b;
  if (op == Op::BvSmod && remainder != 0 && (remainder < 0) != (b < 0)) remainder += b;
  return remainder;
}

Term Rewriter::fold_bv(Op op, std::span<const Term> args, std::uint32_t p0, std::uint32_t p1) {
  std::uint32_t n = t_.width(args[0]);
  const mpz_class a = t_.integer_value(args[0]);
  const mpz_class b = args.size() > 1 ? t_.integer_value(args[1]) : mpz_class(0);
  switch (op) {
    case Op::BvNot:
      return t_.bv(ones(n) - a, n);
    case Op::BvNeg:
      return t_.bv(-a, n);
    case Op::BvAnd:
      return t_.bv(a & b, n);
    case Op::BvOr:
      return t_.bv(a | b, n);
    case Op::BvXor:
      return t_.bv(a ^ b, n);
    case Op::BvAdd:
      return t_.bv(a + b, n);
    case Op::BvMul:
      return t_.bv(a * b, n);
    case Op::BvUdiv:
    case Op::BvUrem:
      return t_.bv(fold_division(op, a, b), n);
    case Op::BvSdiv:
    case Op::BvSrem:
    case Op::BvSmod:
      return t_.bv(fold_division(op, t_.signed_value(args[0]), t_.signed_value(args[1])), n);
    case Op::BvShl:
      return t_.bv(b >= n ? mpz_class(0) : mpz_class(a << b.get_ui()), n);
    case Op::BvLshr:
      return t_.bv(b >= n ? mpz_class(0) : mpz_class(a >> b.get_ui()), n);
    case Op::BvAshr: {
      mpz_class by = b >= n ? mpz_class(n) : b;
      mpz_class shifted;
      mpz_class value = t_.signed_value(args[0]);
      mpz_fdiv_q_2exp(shifted.get_mpz_t(), value.get_mpz_t(), by.get_ui());
      return t_.bv(shifted, n);
    }
    case Op::BvUlt:
      return t_.boolean(a < b);
    case Op::BvSlt:
      return t_.boolean(t_.signed_value(args[0]) < t_.signed_value(args[1]));
    case Op::BvConcat:
      return t_.bv((a << t_.width(args[1])) + b, n + t_.width(args[1]));
    case Op::BvExtract:
      return t_.bv(a >> p1, p0 - p1 + 1);
    case Op::BvZeroExtend:
      return t_.bv(a, n + p0);
    case Op::BvSignExtend:
      return t_.bv(t_.signed_value(args[0]), n + p0);
    default:
      assert(false && "not a bit-vector operator");
      return {};
  }
}

Term Rewriter::make_bv_unary(Op op, Term a) {
  if (t_.op(a) == op) return t_.arg(a, 0);
  if (op == Op::BvNeg && t_.width(a) == 1) return a;
  if (op == Op::BvNot && t_.op(a) == Op::Ite && t_.is_value(t_.arg(a, 1)) &&
      t_.is_value(t_.arg(a, 2))) {
    Term then_part = t_.make(op, {t_.arg(a, 1)});
    return make_ite(t_.arg(a, 0), then_part, t_.make(op, {t_.arg(a, 2)}));
  }
  return intern(op, {a});
}

Term Rewriter::make_bv_commutative(Op op, Term a, Term b) {
  std::uint32_t n = t_.width(a);
  if (t_.is_value(a) || (!t_.is_value(b) && b < a)) std::swap(a, b);  // a value comes last
  if (a == b) {
    if (op == Op::BvAnd || op == Op::BvOr) return a;
    if (op == Op::BvXor) return t_.bv(0, n);
  }
  auto is_complement = [&](Term x, Term y) { return t_.op(x) == Op::BvNot && t_.arg(x, 0) == y; };
  auto is_negation = [&](Term x, Term y) { return t_.op(x) == Op::BvNeg && t_.arg(x, 0) == y; };
  if (is_complement(a, b) || is_complement(b, a)) {
    if (op == Op::BvAnd) return t_.bv(0, n);
    if (op == Op::BvOr || op == Op::BvXor || op == Op::BvAdd) return t_.bv(-1, n);
  }
  if (op == Op::BvAdd && (is_negation(a, b) || is_negation(b, a))) return t_.bv(0, n);
  if (t_.is_value(b)) {
    const mpz_class& value = t_.integer_value(b);
    bool all = value == ones(n);
    if (value == 0) return op == Op::BvAnd || op == Op::BvMul ? b : a;
    if (all && op == Op::BvAnd) return a;
    if (all && op == Op::BvOr) return b;
    if (all && op == Op::BvXor) return make_bv_unary(Op::BvNot, a);
    if (value == 1 && op == Op::BvMul) return a;
    // (x op c) op d: one constant.
    if (t_.op(a) == op && t_.is_value(t_.arg(a, 1)))
      return make_bv_commutative(op, t_.arg(a, 0), t_.make(op, {t_.arg(a, 1), b}));
  }
  return intern(op, {a, b});
}

static bool is_power_of_two(const mpz_class& value) {
  return value > 0 && mpz_popcount(value.get_mpz_t()) == 1;
}

Term Rewriter::make_bv_division(Op op, Term a, Term b) {
  std::uint32_t n = t_.width(a);
  bool is_unsigned = op == Op::BvUdiv || op == Op::BvUrem;
  if (is_unsigned && t_.is_value(b) && is_power_of_two(t_.integer_value(b))) {
    auto k = static_cast<std::uint32_t>(mpz_scan1(t_.integer_value(b).get_mpz_t(), 0));
    if (op == Op::BvUdiv)
      return k == 0 ? a : make_extend(Op::BvZeroExtend, t_.make_extract(a, n - 1, k), k);
    if (k == 0) return t_.bv(0, n);
    return make_extend(Op::BvZeroExtend, t_.make_extract(a, k - 1, 0), n - k);
  }
  if (Term narrow = narrow_division(op, a, b)) return narrow;
  return intern(op, {a, b});
}

Term Rewriter::make_bv_shift(Op op, Term a, Term b) {
  std::uint32_t n = t_.width(a);
  if (t_.is_value(a) && t_.integer_value(a) == 0) return a;
  if (!t_.is_value(b)) return intern(op, {a, b});
  const mpz_class& by = t_.integer_value(b);
  if (by == 0) return a;
  if (by >= n) {
    if (op != Op::BvAshr) return t_.bv(0, n);
    return make_extend(Op::BvSignExtend, t_.make_extract(a, n - 1, n - 1), n - 1);
  }
  auto k = static_cast<std::uint32_t>(by.get_ui());
  if (op == Op::BvShl) return t_.make_concat(t_.make_extract(a, n - 1 - k, 0), t_.bv(0, k));
  return make_extend(op == Op::BvLshr ? Op::BvZeroExtend : Op::BvSignExtend,
                     t_.make_extract(a, n - 1, k), k);
}

Term Rewriter::make_bv_less(Op op, Term a, Term b) {
  std::uint32_t n = t_.width(a);
  if (a == b) return t_.boolean(false);
  if (Term narrow = narrow_less(op, a, b)) return narrow;
  bool is_signed = op == Op::BvSlt;
  mpz_class least = is_signed ? mpz_class(mpz_class(1) << (n - 1)) : mpz_class(0);
  mpz_class most = is_signed ? mpz_class(least - 1) : ones(n);
  if (t_.is_value(b)) {
    const mpz_class& bound = t_.integer_value(b);
    if (bound == least) return t_.boolean(false);
    if (bound == most) return t_.make_not(t_.make_eq(a, b));
    if (t_.bv(bound - 1, n) == t_.bv(least, n)) return t_.make_eq(a, t_.bv(least, n));
  }
  if (t_.is_value(a)) {
    const mpz_class& bound = t_.integer_value(a);
    if (bound == most) return t_.boolean(false);
    if (bound == least) return t_.make_not(t_.make_eq(a, b));
    // c < x: not (x < c + 1), so that bounds from both sides are one atom.
    return t_.make_not(t_.make(op, {b, t_.bv(bound + 1, n)}));
  }
  auto is_choice = [&](Term x) {
    return t_.op(x) == Op::Ite && t_.is_value(t_.arg(x, 1)) && t_.is_value(t_.arg(x, 2));
  };
  if (is_choice(a) && t_.is_value(b)) {
    Term then_part = t_.make(op, {t_.arg(a, 1), b});
    return t_.make_ite(t_.arg(a, 0), then_part, t_.make(op, {t_.arg(a, 2), b}));
  }
  return intern(op, {a, b});
}

Term Rewriter::make_concat(Term high, Term low) {
  if (t_.is_value(high) && t_.integer_value(high) == 0)
    return make_extend(Op::BvZeroExtend, low, t_.width(high));
  auto is_slice = [&](Term x) { return t_.op(x) == Op::BvExtract; };
  if (is_slice(high) && is_slice(low) && t_.arg(high, 0) == t_.arg(low, 0) &&
      t_.param(high, 1) == t_.param(low, 0) + 1)
    return make_extract(t_.arg(high, 0), t_.param(high, 0), t_.param(low, 1));
  return intern(Op::BvConcat, {high, low});
}

Term Rewriter::make_extract(Term a, std::uint32_t high, std::uint32_t low) {
  std::uint32_t n = t_.width(a);
  assert(low <= high && high < n && "the slice must lie inside");
  if (low == 0 && high + 1 == n) return a;
  switch (t_.op(a)) {
    case Op::BvExtract:
      return t_.make_extract(t_.arg(a, 0), high + t_.param(a, 1), low + t_.param(a, 1));
    case Op::BvConcat: {
      std::uint32_t cut = t_.width(t_.arg(a, 1));
      if (high < cut) return t_.make_extract(t_.arg(a, 1), high, low);
      if (low >= cut) return t_.make_extract(t_.arg(a, 0), high - cut, low - cut);
      break;
    }
    case Op::BvZeroExtend:
    case Op::BvSignExtend: {
      std::uint32_t inner = t_.width(t_.arg(a, 0));
      if (high < inner) return t_.make_extract(t_.arg(a, 0), high, low);
      if (low == 0) return make_extend(t_.op(a), t_.arg(a, 0), high + 1 - inner);
      if (t_.op(a) == Op::BvZeroExtend && low >= inner) return t_.bv(0, high - low + 1);
      break;
    }
    case Op::Ite:
      if (t_.is_value(t_.arg(a, 1)) && t_.is_value(t_.arg(a, 2))) {
        Term then_part = t_.make_extract(t_.arg(a, 1), high, low);
        return make_ite(t_.arg(a, 0), then_part, t_.make_extract(t_.arg(a, 2), high, low));
      }
      break;
    default:
      break;
  }
  if (low == 0)
    if (Term narrow = narrow_low_bits(a, high + 1)) return narrow;
  return intern(Op::BvExtract, {a}, high, low);
}

Term Rewriter::make_extend(Op op, Term a, std::uint32_t by) {
  if (by == 0) return a;
  if (t_.is_value(a)) return fold_bv(op, {&a, 1}, by, 0);
  if (t_.op(a) == op) return make_extend(op, t_.arg(a, 0), by + t_.param(a, 0));
  if (op == Op::BvSignExtend && t_.op(a) == Op::BvZeroExtend)
    return make_extend(Op::BvZeroExtend, t_.arg(a, 0), by + t_.param(a, 0));
  if (t_.op(a) == Op::Ite && t_.is_value(t_.arg(a, 1)) && t_.is_value(t_.arg(a, 2))) {
    Term then_part = t_.make(op, {t_.arg(a, 1)}, by);
    return make_ite(t_.arg(a, 0), then_part, t_.make(op, {t_.arg(a, 2)}, by));
  }
  return intern(op, {a}, by);
}

/// The arguments through which bit_is_one goes on; none where one-bit logic ends.
static std::span<const Term> logic_arguments(const TermStore& terms, Term bit) {
  switch (terms.op(bit)) {
    case Op::BvNot:
    case Op::BvAnd:
    case Op::BvMul:
    case Op::BvOr:
    case Op::BvXor:
    case Op::BvAdd:
      return terms.args(bit);
    case Op::Ite:
      return terms.args(bit).subspan(1);
    default:
      return {};
  }
}

/// The operator of `bit` over formulas for its logic arguments.
static Term logic_formula(TermStore& terms, Term bit, std::span<const Term> formulas) {
  switch (terms.op(bit)) {
    case Op::BvNot:
      return terms.make_not(formulas[0]);
    case Op::BvAnd:
    case Op::BvMul:
      return terms.make_and(formulas[0], formulas[1]);
    case Op::BvOr:
      return terms.make_or(formulas[0], formulas[1]);
    case Op::BvXor:
    case Op::BvAdd:
      return terms.make_xor(formulas[0], formulas[1]);
    case Op::Ite:
      return terms.make_ite(terms.arg(bit, 0), formulas[0], formulas[1]);
    default:
      assert(false && "not an operator of one-bit logic");
      return {};
  }
}

/// The formula bit = #b1, through the operators of one-bit logic. Each shared bit is translated
/// once (a tree walk is exponential) and without recursion (netlists are deep).
Term Rewriter::bit_is_one(Term bit) {
  Term one = t_.bv(1, 1);
  if (logic_arguments(t_, bit).empty()) return intern(Op::Eq, {bit, one});
  std::unordered_map<Term, Term> done;
  std::vector<Term> stack{bit};
  std::vector<Term> formulas;
  while (!stack.empty()) {
    Term top = stack.back();
    std::span<const Term> args = logic_arguments(t_, top);
    std::size_t before = stack.size();
    if (!done.contains(top))
      for (std::size_t i = args.size(); i-- > 0;)  // the first argument is on top
        if (!done.contains(args[i])) stack.push_back(args[i]);
    if (stack.size() > before) continue;
    stack.pop_back();
    Term& formula = done[top];
    if (formula) continue;
    formulas.clear();
    for (Term arg : args) formulas.push_back(done.at(arg));
    if (!args.empty())
      formula = logic_formula(t_, top, formulas);
    else
      formula = t_.is_value(top) ? t_.boolean(top == one) : intern(Op::Eq, {top, one});
  }
  return done.at(bit);
}

Term Rewriter::make_bv_eq(Term a, Term b) {
  std::uint32_t n = t_.width(a);
  if (t_.is_value(a) || (!t_.is_value(b) && b < a)) std::swap(a, b);  // a value comes last
  if (n == 1) {
    if (!t_.is_value(b)) {
      Term left = t_.make_eq(a, t_.bv(1, 1));
      return t_.make_eq(left, t_.make_eq(b, t_.bv(1, 1)));
    }
    Term one = bit_is_one(a);
    return t_.integer_value(b) == 1 ? one : t_.make_not(one);
  }
  if (!t_.is_value(b)) {
    if (t_.op(a) == t_.op(b) && (t_.op(a) == Op::BvNot || t_.op(a) == Op::BvNeg))
      return t_.make_eq(t_.arg(a, 0), t_.arg(b, 0));
    if (Term narrow = narrow_eq(a, b)) return narrow;
    return intern(Op::Eq, {a, b});
  }
  const mpz_class value = t_.integer_value(b);
  switch (t_.op(a)) {
    case Op::BvNot:
    case Op::BvNeg:
      return t_.make_eq(t_.arg(a, 0), t_.make(t_.op(a), {b}));
    case Op::BvAdd:
      if (t_.is_value(t_.arg(a, 1)))
        return t_.make_eq(t_.arg(a, 0), t_.make_bv_sub(b, t_.arg(a, 1)));
      break;
    case Op::BvXor:
      if (t_.is_value(t_.arg(a, 1)))
        return t_.make_eq(t_.arg(a, 0), t_.make(Op::BvXor, {b, t_.arg(a, 1)}));
      break;
    case Op::BvConcat: {
      std::uint32_t cut = t_.width(t_.arg(a, 1));
      Term high = t_.make_eq(t_.arg(a, 0), t_.bv(value >> cut, n - cut));
      return t_.make_and(high, t_.make_eq(t_.arg(a, 1), t_.bv(value, cut)));
    }
    case Op::BvZeroExtend:
    case Op::BvSignExtend: {
      std::uint32_t inner = n - t_.param(a, 0);
      Term low = t_.bv(value, inner);
      if (t_.make(t_.op(a), {low}, t_.param(a, 0)) != b) return t_.boolean(false);
      return t_.make_eq(t_.arg(a, 0), low);
    }
    case Op::Ite:
      if (t_.is_value(t_.arg(a, 1)) || t_.is_value(t_.arg(a, 2))) return eq_of_ite(a, b);
      break;
    default:
      break;
  }
  return intern(Op::Eq, {a, b});
}

}  // namespace lem
