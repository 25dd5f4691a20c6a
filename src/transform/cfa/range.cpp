#include "transform/cfa/range.h"

#include <algorithm>

#include "term/postorder.h"

namespace lem::transform {

namespace {

constexpr std::uint32_t kMaxWidth = 64;

Wide power(std::uint32_t exponent) {
  return Wide{1} << exponent;
}
Interval every_unsigned(std::uint32_t width) {
  return {0, power(width) - 1};
}
Interval every_signed(std::uint32_t width) {
  return {-power(width - 1), power(width - 1) - 1};
}
Range both(Interval interval) {
  return {interval, interval};
}

/// Ends beyond the limit are dropped; the others stay below it.
Interval bounded(Wide low, Wide high) {
  return {std::clamp(low, -kInfinite, kInfinite - 1), std::clamp(high, 1 - kInfinite, kInfinite)};
}

Interval scaled(Wide factor, const Interval& of) {
  if (factor == 0) return {0, 0};
  if (factor < 0) return scaled(-factor, negated(of));
  auto times = [&](Wide end) {  // towards the infinite if it is beyond
    return end > kInfinite / factor    ? kInfinite
           : end < -kInfinite / factor ? -kInfinite
                                       : factor * end;
  };
  return bounded(times(of.low), times(of.high));
}

/// Of numbers so small that no product is beyond Wide; else everything.
Interval product(const Interval& a, const Interval& b) {
  constexpr Wide kSmall = Wide{1} << 63;
  if (a.point()) return scaled(a.low, b);
  if (b.point()) return scaled(b.low, a);
  for (Wide end : {a.low, a.high, b.low, b.high})
    if (end > kSmall || end < -kSmall) return {};
  auto [low, high] = std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return bounded(low, high);
}

}  // namespace

Wide floor_div(Wide number, Wide by) {
  return number >= 0 ? number / by : -((-number + by - 1) / by);
}

Interval negated(const Interval& a) {
  return {-a.high, -a.low};
}

Interval sum(const Interval& a, const Interval& b) {
  bool open_low = a.low == -kInfinite || b.low == -kInfinite;
  bool open_high = a.high == kInfinite || b.high == kInfinite;
  return bounded(open_low ? -kInfinite : a.low + b.low, open_high ? kInfinite : a.high + b.high);
}

std::optional<Wide> to_wide(const mpz_class& number) {
  if (mpz_sizeinbase(number.get_mpz_t(), 2) > 99) return {};
  mpz_class magnitude = abs(number);
  Wide high = static_cast<Wide>(mpz_class(magnitude >> 64).get_ui());
  Wide low = static_cast<Wide>(magnitude.get_ui());  // the lowest 64 bits
  Wide wide = high * (Wide{1} << 64) + low;
  return number < 0 ? -wide : wide;
}

mpz_class from_wide(Wide number) {
  Wide magnitude = number < 0 ? -number : number;
  mpz_class high(static_cast<unsigned long>(magnitude >> 64));
  mpz_class low(static_cast<unsigned long>(magnitude & ((Wide{1} << 64) - 1)));
  mpz_class all = (high << 64) + low;
  return number < 0 ? mpz_class(-all) : all;
}

Interval hull(const Interval& a, const Interval& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

Interval meet(const Interval& a, const Interval& b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

// Ranges of bit-vectors
// -----------------------------------------------------------------------------

/// Narrows one reading by the other where all numbers have the same highest bit.
Range RangeEvaluator::tightened(std::uint32_t width, Range range) const {
  Wide half = power(width - 1), all = power(width);
  Interval& u = range.as_unsigned;
  Interval& s = range.as_signed;
  for (int round = 0; round < 2 && !range.empty(); ++round) {
    if (u.high < half) s = transform::meet(s, u);
    if (u.low >= half) s = transform::meet(s, {u.low - all, u.high - all});
    if (s.low >= 0) u = transform::meet(u, s);
    if (s.high < 0) u = transform::meet(u, {s.low + all, s.high + all});
  }
  return range;
}

/// Numbers modulo 2^width: known if all wrap around alike.
Range RangeEvaluator::from_unsigned(std::uint32_t width, Interval numbers) const {
  Range range{every_unsigned(width), every_signed(width)};
  if (numbers.low > -kInfinite && numbers.high < kInfinite) {
    Wide turn = floor_div(numbers.low, power(width));
    if (turn == floor_div(numbers.high, power(width)))
      range.as_unsigned = {numbers.low - turn * power(width), numbers.high - turn * power(width)};
  }
  return tightened(width, range);
}

Range RangeEvaluator::from_signed(std::uint32_t width, Interval numbers) const {
  Range range{every_unsigned(width), every_signed(width)};
  if (numbers.low > -kInfinite && numbers.high < kInfinite) {
    Wide half = power(width - 1);
    Wide turn = floor_div(numbers.low + half, power(width));
    if (turn == floor_div(numbers.high + half, power(width)))
      range.as_signed = {numbers.low - turn * power(width), numbers.high - turn * power(width)};
  }
  return tightened(width, range);
}

Range RangeEvaluator::join(Sort sort, const Range& a, const Range& b) const {
  Range range{hull(a.as_unsigned, b.as_unsigned), hull(a.as_signed, b.as_signed)};
  return terms_.kind(sort) == SortKind::BitVec ? tightened(terms_.width(sort), range) : range;
}

Range RangeEvaluator::meet(Sort sort, const Range& a, const Range& b) const {
  Range range{transform::meet(a.as_unsigned, b.as_unsigned),
              transform::meet(a.as_signed, b.as_signed)};
  return terms_.kind(sort) == SortKind::BitVec ? tightened(terms_.width(sort), range) : range;
}

// Evaluation
// ----------------------------------------------------------------------------------------

std::optional<Range> RangeEvaluator::full(Sort sort) const {
  switch (terms_.kind(sort)) {
    case SortKind::Bool:
      return both({0, 1});
    case SortKind::Int:
      return both({});
    case SortKind::BitVec:
      if (terms_.width(sort) > kMaxWidth) return {};
      return Range{every_unsigned(terms_.width(sort)), every_signed(terms_.width(sort))};
    case SortKind::Real:
    case SortKind::Array:
    case SortKind::Float:
      return {};
  }
  return {};
}

std::optional<Range> RangeEvaluator::range(Term term) {
  if (done_.size() < terms_.size()) done_.resize(terms_.size());
  postorder(
      terms_, term, [&](Term t) { return done(t); },
      [&](Term t) {
        std::optional<Range> all = full(terms_.sort(t));
        std::optional<Range> found = all ? compute(t) : std::nullopt;
        done_[t.id()] = {terms_.is_value(t) ? kAlways : now_, found ? found : all};
      });
  return done_[term.id()].range;
}

Term RangeEvaluator::only_value(Term term) {
  std::optional<Range> found = range(term);
  if (!found || found->empty()) return {};
  Sort sort = terms_.sort(term);
  if (found->as_unsigned.point() && terms_.kind(sort) == SortKind::Bool)
    return terms_.boolean(found->as_unsigned.low != 0);
  if (found->as_unsigned.point() && terms_.kind(sort) == SortKind::BitVec)
    return terms_.bv(from_wide(found->as_unsigned.low), terms_.width(sort));
  if (found->as_signed.point() && terms_.kind(sort) == SortKind::Int)
    return terms_.integer(from_wide(found->as_signed.low));
  return {};
}

/// The range of an argument, which has been computed; the full range if nothing is known.
Range RangeEvaluator::known(Term term) {
  const std::optional<Range>& found = done_[term.id()].range;
  return found ? *found : both({});
}

std::optional<bool> RangeEvaluator::truth(Term term) {
  Interval value = known(term).as_unsigned;
  return value.point() ? std::optional(value.low != 0) : std::nullopt;
}

std::optional<Range> RangeEvaluator::compute(Term term) {
  Op op = terms_.op(term);
  if (op == Op::Variable) return variable_(term);
  if (op == Op::Ite) {
    std::optional<bool> condition = truth(terms_.arg(term, 0));
    if (condition) return known(terms_.arg(term, *condition ? 1 : 2));
    return join(terms_.sort(term), known(terms_.arg(term, 1)), known(terms_.arg(term, 2)));
  }
  switch (terms_.kind(term)) {
    case SortKind::Bool:
      return boolean(term);
    case SortKind::Int:
      return integer(term);
    case SortKind::BitVec:
      return bits(term);
    case SortKind::Real:
    case SortKind::Array:
    case SortKind::Float:
      return {};
  }
  return {};
}

std::optional<Range> RangeEvaluator::boolean(Term term) {
  auto decided = [](bool yes, bool no) -> std::optional<Range> {
    if (!yes && !no) return {};
    return both(yes ? Interval{1, 1} : Interval{0, 0});
  };
  auto arg = [&](std::size_t i) { return known(terms_.arg(term, i)); };
  auto some = [&](Wide value) {
    auto args = terms_.args(term);
    return std::any_of(args.begin(), args.end(), [&](Term each) {
      return known(each).as_unsigned == Interval{value, value};
    });
  };
  auto all = [&](Wide value) {
    auto args = terms_.args(term);
    return std::all_of(args.begin(), args.end(), [&](Term each) {
      return known(each).as_unsigned == Interval{value, value};
    });
  };
  switch (terms_.op(term)) {
    case Op::BoolValue:
      return decided(terms_.is_true(term), terms_.is_false(term));
    case Op::Not:
      return decided(all(0), all(1));
    case Op::And:
      return decided(all(1), some(0));
    case Op::Or:
      return decided(some(1), all(0));
    case Op::Eq: {
      if (!full(terms_.sort(terms_.arg(term, 0)))) return {};
      Range a = arg(0), b = arg(1);
      bool apart = transform::meet(a.as_unsigned, b.as_unsigned).empty() ||
                   transform::meet(a.as_signed, b.as_signed).empty();
      return decided(a.as_unsigned.point() && a == b, apart);
    }
    case Op::BvUlt:
      return decided(arg(0).as_unsigned.high < arg(1).as_unsigned.low,
                     arg(0).as_unsigned.low >= arg(1).as_unsigned.high);
    case Op::BvSlt:
      return decided(arg(0).as_signed.high < arg(1).as_signed.low,
                     arg(0).as_signed.low >= arg(1).as_signed.high);
    case Op::Le:
      if (terms_.kind(terms_.arg(term, 0)) != SortKind::Int) return {};
      return decided(arg(0).as_signed.high <= arg(1).as_signed.low,
                     arg(0).as_signed.low > arg(1).as_signed.high);
    default:
      return {};
  }
}

std::optional<Range> RangeEvaluator::integer(Term term) {
  auto arg = [&](std::size_t i) { return known(terms_.arg(term, i)).as_signed; };
  switch (terms_.op(term)) {
    case Op::IntValue: {
      std::optional<Wide> value = to_wide(terms_.integer_value(term));
      if (!value) return {};
      return both({*value, *value});
    }
    case Op::Add:
    case Op::Mul: {
      Interval all = arg(0);
      for (std::size_t i = 1; i < terms_.args(term).size(); ++i)
        all = terms_.op(term) == Op::Add ? sum(all, arg(i)) : product(all, arg(i));
      return both(all);
    }
    case Op::IntMod: {
      Interval by = arg(1);
      if (!by.point() || by.low <= 0) return {};
      return both(arg(0).low >= 0 ? Interval{0, std::min(arg(0).high, by.low - 1)}
                                  : Interval{0, by.low - 1});
    }
    case Op::IntDiv: {
      Interval by = arg(1), of = arg(0);
      if (!by.point() || by.low <= 0) return {};
      return both({of.low == -kInfinite ? of.low : floor_div(of.low, by.low),
                   of.high == kInfinite ? of.high : floor_div(of.high, by.low)});
    }
    default:
      return {};
  }
}

}  // namespace lem::transform
