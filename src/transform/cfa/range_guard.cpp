#include "transform/cfa/range_guard.h"

#include <algorithm>

namespace lem::transform {

bool RangeGuards::assume(Term formula, bool holds) {
  Interval wanted{holds ? 1 : 0, holds ? 1 : 0};
  if (meet(range(formula).as_unsigned, wanted).empty()) return false;
  auto arg = [&](std::size_t i) { return terms_.arg(formula, i); };
  switch (terms_.op(formula)) {
    case Op::Variable:
      set_(formula, {wanted, wanted});
      return true;
    case Op::Not:
      return assume(arg(0), !holds);
    case Op::And:
    case Op::Or:
      if ((terms_.op(formula) == Op::And) != holds) return one_of(formula, holds);
      for (Term part : terms_.args(formula))
        if (!assume(part, holds)) return false;
      return true;
    case Op::Eq:
      if (!evaluator_.full(terms_.sort(arg(0)))) return true;
      return holds ? equal(arg(0), arg(1)) : different(arg(0), arg(1));
    case Op::BvUlt:
      if (!evaluator_.full(terms_.sort(arg(0)))) return true;
      return holds ? below(arg(0), arg(1), &Range::as_unsigned, 1)
                   : below(arg(1), arg(0), &Range::as_unsigned, 0);
    case Op::BvSlt:
      if (!evaluator_.full(terms_.sort(arg(0)))) return true;
      return holds ? below(arg(0), arg(1), &Range::as_signed, 1)
                   : below(arg(1), arg(0), &Range::as_signed, 0);
    case Op::Le:
      if (terms_.kind(arg(0)) != SortKind::Int) return true;
      return holds ? below(arg(0), arg(1), &Range::as_signed, 0)
                   : below(arg(1), arg(0), &Range::as_signed, 1);
    default:
      return true;
  }
}

/// If all but one of the parts are decided the other way, that one holds.
bool RangeGuards::one_of(Term formula, bool holds) {
  Term open;
  for (Term part : terms_.args(formula)) {
    Interval value = range(part).as_unsigned;
    if (value == Interval{holds ? 0 : 1, holds ? 0 : 1}) continue;
    if (open) return true;
    open = part;
  }
  return !open || assume(open, holds);
}

bool RangeGuards::equal(Term a, Term b) {
  return narrow(a, range(b)) && narrow(b, range(a));
}

bool RangeGuards::different(Term a, Term b) {
  Range left = range(a), right = range(b);
  if (right.as_unsigned.point() && !different_from(a, right)) return false;
  return !left.as_unsigned.point() || different_from(b, left);
}

/// An end that is the value moves.
bool RangeGuards::different_from(Term term, const Range& value) {
  auto without = [](Interval from, Wide number) {
    if (from.low == number) ++from.low;
    if (from.high == number) --from.high;
    return from;
  };
  Range now = range(term);
  return narrow(term, {without(now.as_unsigned, value.as_unsigned.low),
                       without(now.as_signed, value.as_signed.low)});
}

/// a + gap <= b, in one reading.
bool RangeGuards::below(Term a, Term b, Interval Range::*reading, Wide gap) {
  bool integers = terms_.kind(a) == SortKind::Int;
  auto with = [&](Interval numbers) {
    Range target = integers ? Range{numbers, numbers} : *evaluator_.full(terms_.sort(a));
    target.*reading = meet(target.*reading, numbers);
    return target;
  };
  Wide high = (range(b).*reading).high, low = (range(a).*reading).low;
  if (high < kInfinite && !narrow(a, with({-kInfinite, high - gap}))) return false;
  return low == -kInfinite || narrow(b, with({low + gap, kInfinite}));
}

/// Narrows the variables of the term, given that it is in `target`.
bool RangeGuards::narrow(Term term, const Range& target) {
  if (target.empty()) return false;
  Range both = evaluator_.meet(terms_.sort(term), range(term), target);
  if (both.empty()) return false;
  if (terms_.is_variable(term)) {
    set_(term, both);
    return true;
  }
  switch (terms_.kind(term)) {
    case SortKind::Bool:
      return !both.as_unsigned.point() || assume(term, both.as_unsigned.low != 0);
    case SortKind::Int:
      return narrow_sum(term, both);
    case SortKind::BitVec:
      return narrow_bits(term, both);
    case SortKind::Real:
    case SortKind::Array:
    case SortKind::Float:
      return true;
  }
  return true;
}

/// Bounds each monomial by the target minus the others.
bool RangeGuards::narrow_sum(Term term, const Range& target) {
  auto args = terms_.args(term);
  if (terms_.op(term) == Op::Mul && args.size() == 2) {
    Interval factor = range(args[0]).as_signed;
    if (!factor.point() || factor.low == 0) return true;
    Interval of = factor.low > 0 ? target.as_signed : negated(target.as_signed);
    Wide by = factor.low > 0 ? factor.low : -factor.low;
    Interval quotient{of.low == -kInfinite ? of.low : -floor_div(-of.low, by),
                      of.high == kInfinite ? of.high : floor_div(of.high, by)};
    return !quotient.empty() && narrow(args[1], {quotient, quotient});
  }
  if (terms_.op(term) != Op::Add) return true;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (terms_.is_value(args[i])) continue;
    Interval others{0, 0};
    for (std::size_t j = 0; j < args.size(); ++j)
      if (j != i) others = sum(others, range(args[j]).as_signed);
    Interval left = sum(target.as_signed, negated(others));
    if (!narrow(args[i], {left, left})) return false;
  }
  return true;
}

bool RangeGuards::narrow_bits(Term term, const Range& target) {
  auto args = terms_.args(term);
  auto inner = [&](Interval Range::*reading) {
    Range fits = *evaluator_.full(terms_.sort(args[0]));
    fits.*reading = meet(fits.*reading, target.*reading);
    return narrow(args[0], fits);
  };
  switch (terms_.op(term)) {
    case Op::BvZeroExtend:
      return inner(&Range::as_unsigned);
    case Op::BvSignExtend:
      return inner(&Range::as_signed);
    case Op::BvAdd: {  // of a term and a constant
      if (args.size() != 2) return true;
      std::size_t constant = terms_.is_value(args[0]) ? 0 : 1;
      if (!terms_.is_value(args[constant])) return true;
      std::uint32_t width = terms_.width(term);
      Wide by = range(args[constant]).as_signed.low;
      const Interval &u = target.as_unsigned, &s = target.as_signed;
      return narrow(args[1 - constant],
                    evaluator_.meet(terms_.sort(term),
                                    evaluator_.from_unsigned(width, {u.low - by, u.high - by}),
                                    evaluator_.from_signed(width, {s.low - by, s.high - by})));
    }
    case Op::Ite: {
      for (std::size_t branch : {1U, 2U}) {
        Range value = evaluator_.meet(terms_.sort(term), range(args[branch]), target);
        if (!value.empty()) continue;
        return assume(args[0], branch == 2) && narrow(args[3 - branch], target);
      }
      return true;
    }
    default:
      return true;
  }
}

}  // namespace lem::transform
