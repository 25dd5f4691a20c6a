#include "transform/terms/int_decoding.h"

#include <algorithm>
#include <cassert>

namespace lem::transform {

/// Bounds of all integers below; false if one is unknown or an operator is.
bool IntDecoding::find_bounds(Term root) {
  bool known = true;
  for_each_subterm(terms_, {&root, 1}, [&](Term term) {
    if (!known || terms_.kind(term) != SortKind::Int || bounds_.contains(term)) return;
    auto args = terms_.args(term);
    switch (terms_.op(term)) {
      case Op::Variable:
        known = words_.contains(term);
        break;
      case Op::IntValue:
      case Op::Add:
      case Op::Ite:
        break;
      case Op::Mul:
        known = args.size() == 2 && terms_.op(args[0]) == Op::IntValue;
        break;
      case Op::IntDiv:
      case Op::IntMod:
        known = terms_.integer_value(args[1]) > 0;
        break;
      default:
        known = false;
    }
    if (known) bounds_[term] = bounds_of(term);
  });
  return known;
}

IntDecoding::Bounds IntDecoding::bounds_of(Term integer) const {
  auto args = terms_.args(integer);
  switch (terms_.op(integer)) {
    case Op::Variable: {
      const Word& word = words_.at(integer).word;
      return {word.low(), word.high()};
    }
    case Op::IntValue:
      return {terms_.integer_value(integer), terms_.integer_value(integer)};
    case Op::Add: {
      Bounds total{0, 0};
      for (Term arg : args) {
        total.low += bounds_.at(arg).low;
        total.high += bounds_.at(arg).high;
      }
      return total;
    }
    case Op::Ite: {
      const Bounds &a = bounds_.at(args[1]), &b = bounds_.at(args[2]);
      return {std::min(a.low, b.low), std::max(a.high, b.high)};
    }
    case Op::Mul: {
      const mpz_class& factor = terms_.integer_value(args[0]);
      mpz_class a = factor * bounds_.at(args[1]).low, b = factor * bounds_.at(args[1]).high;
      return {std::min(a, b), std::max(a, b)};
    }
    case Op::IntDiv: {
      const mpz_class& by = terms_.integer_value(args[1]);
      return {floor_div(bounds_.at(args[0]).low, by), floor_div(bounds_.at(args[0]).high, by)};
    }
    default:
      assert(terms_.op(integer) == Op::IntMod);
      return {0, terms_.integer_value(args[1]) - 1};
  }
}

/// Bits that hold every integer below.
std::uint32_t IntDecoding::width_for(Term root, bool is_signed) const {
  mpz_class most = 0;
  std::uint32_t width = 1;
  for_each_subterm(terms_, {&root, 1}, [&](Term term) {
    if (terms_.kind(term) != SortKind::Int) return;
    const Bounds& bounds = bounds_.at(term);
    most = std::max({most, bounds.high, mpz_class(-bounds.low - 1)});
    if (terms_.is_variable(term)) width = std::max(width, words_.at(term).word.width);
    // The divisor takes part.
    if (!terms_.args(term).empty() && terms_.op(term) == Op::IntMod)
      most = std::max(most, terms_.integer_value(terms_.arg(term, 1)));
  });
  auto magnitude = static_cast<std::uint32_t>(mpz_sizeinbase(most.get_mpz_t(), 2));
  return std::max(width, magnitude + (is_signed ? 1 : 0));
}

Term IntDecoding::bits(Term integer, std::uint32_t width) {
  auto args = terms_.args(integer);
  switch (terms_.op(integer)) {
    case Op::Variable: {
      const auto& [bv, word] = words_.at(integer);
      if (word.width == width) return bv;
      return terms_.make(word.is_signed ? Op::BvSignExtend : Op::BvZeroExtend, {bv},
                         width - word.width);
    }
    case Op::IntValue:
      return terms_.bv(terms_.integer_value(integer), width);
    case Op::Add: {
      Term total = bits(args[0], width);
      for (Term arg : args.subspan(1)) total = terms_.make(Op::BvAdd, {total, bits(arg, width)});
      return total;
    }
    case Op::Mul:
      return terms_.make(Op::BvMul, {bits(args[0], width), bits(args[1], width)});
    case Op::Ite:
      return terms_.make_ite(*formula(args[0]), bits(args[1], width), bits(args[2], width));
    default: {  // of a positive number, rounded down
      Term dividend = bits(args[0], width), divisor = bits(args[1], width);
      Term rest = terms_.make(Op::BvSmod, {dividend, divisor});
      if (terms_.op(integer) == Op::IntMod) return rest;
      return terms_.make(Op::BvSdiv, {terms_.make_bv_sub(dividend, rest), divisor});
    }
  }
}

IntDecoding::Sides IntDecoding::balanced(Term relation) {
  std::vector<Term> left, right;
  auto add = [&](Term part, bool to_left) {
    bool negative = (terms_.op(part) == Op::IntValue && terms_.integer_value(part) < 0) ||
                    (terms_.op(part) == Op::Mul && terms_.integer_value(terms_.arg(part, 0)) < 0);
    (to_left != negative ? left : right).push_back(negative ? terms_.make_neg(part) : part);
  };
  for (std::size_t side : {0U, 1U}) {
    Term sum = terms_.arg(relation, side);
    if (terms_.op(sum) == Op::Add)
      for (Term part : terms_.args(sum)) add(part, side == 0);
    else
      add(sum, side == 0);
  }
  auto total = [&](const std::vector<Term>& parts) {
    Term sum = terms_.integer(0);
    for (Term part : parts) sum = terms_.make_add(sum, part);
    return sum;
  };
  return {total(left), total(right)};
}

Term IntDecoding::relation(Term atom) {
  auto [left, right] = balanced(atom);
  Term both = terms_.make_add(left, right);
  for (Term part : {left, right, both}) find_bounds(part);
  bool is_signed = false;
  for (Term side : {left, right})
    for_each_subterm(terms_, {&side, 1}, [&](Term term) {
      if (terms_.kind(term) == SortKind::Int)
        is_signed = is_signed || bounds_.at(term).low < 0 || terms_.op(term) == Op::IntMod ||
                    terms_.op(term) == Op::IntDiv;
    });
  std::uint32_t width = std::max(width_for(left, is_signed), width_for(right, is_signed));
  Term a = bits(left, width), b = bits(right, width);
  if (terms_.op(atom) == Op::Eq) return terms_.make_eq(a, b);
  return is_signed ? terms_.make_bv_sle(a, b) : terms_.make_bv_ule(a, b);
}

std::optional<Term> IntDecoding::formula(Term root) {
  if (!find_bounds(root)) return {};
  for_each_subterm(terms_, {&root, 1}, [&](Term term) {
    if (done_.contains(term) || terms_.kind(term) == SortKind::Int) return;
    auto args = terms_.args(term);
    bool relates = !args.empty() && terms_.kind(args[0]) == SortKind::Int;
    if (relates) {
      done_[term] = relation(term);
      return;
    }
    if (args.empty() || terms_.is_value(term)) {
      done_[term] = term;
      return;
    }
    std::vector<Term> changed;
    for (Term arg : args) changed.push_back(done_.at(arg));
    done_[term] =
        terms_.make(terms_.op(term), changed, terms_.param(term, 0), terms_.param(term, 1));
  });
  return done_.at(root);
}

}  // namespace lem::transform
