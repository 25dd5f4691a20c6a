// Ranges of bit-vector operations.
#include <algorithm>

#include "transform/cfa/range.h"

namespace lem::transform {

namespace {

/// All ones up to the highest bit of the number.
Wide filled(Wide number) {
  Wide ones = 0;
  while (ones < number) ones = 2 * ones + 1;
  return ones;
}

}  // namespace

/// One argument after the other, on the numbers of both readings.
template <class Fold>
Range RangeEvaluator::folded(Term term, Fold fold) {
  std::uint32_t width = terms_.width(term);
  Range all = known(terms_.arg(term, 0));
  for (std::size_t i = 1; i < terms_.args(term).size(); ++i) {
    Range next = known(terms_.arg(term, i));
    Range by_unsigned = from_unsigned(width, fold(all.as_unsigned, next.as_unsigned));
    Range by_signed = from_signed(width, fold(all.as_signed, next.as_signed));
    all = meet(terms_.sort(term), by_unsigned, by_signed);
  }
  return all;
}

std::optional<Range> RangeEvaluator::bits(Term term) {
  std::uint32_t width = terms_.width(term);
  auto arg = [&](std::size_t i) { return known(terms_.arg(term, i)); };
  switch (terms_.op(term)) {
    case Op::BvValue: {
      Wide value = *to_wide(terms_.integer_value(term));
      return from_unsigned(width, {value, value});
    }
    case Op::BvAdd:
      return folded(term, [](const Interval& a, const Interval& b) {
        return Interval{a.low + b.low, a.high + b.high};
      });
    case Op::BvMul:
      if (width > 32) return {};
      return folded(term, [](const Interval& a, const Interval& b) {
        auto [low, high] =
            std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
        return Interval{low, high};
      });
    case Op::BvNeg: {
      Range of = arg(0);
      return meet(terms_.sort(term),
                  from_unsigned(width, {-of.as_unsigned.high, -of.as_unsigned.low}),
                  from_signed(width, {-of.as_signed.high, -of.as_signed.low}));
    }
    case Op::BvNot: {
      Interval of = arg(0).as_unsigned;
      Wide ones = (Wide{1} << width) - 1;
      return from_unsigned(width, {ones - of.high, ones - of.low});
    }
    case Op::BvUdiv:
    case Op::BvUrem:
    case Op::BvSdiv:
    case Op::BvSrem:
      return divided(term);
    case Op::BvShl:
    case Op::BvLshr:
    case Op::BvAshr:
      return shifted(term);
    default:
      return bits_by_parts(term);
  }
}

std::optional<Range> RangeEvaluator::bits_by_parts(Term term) {
  std::uint32_t width = terms_.width(term);
  if (!full(terms_.sort(terms_.arg(term, 0)))) return {};
  auto arg = [&](std::size_t i) { return known(terms_.arg(term, i)); };
  auto bound = [&](auto pick) {
    Interval all = arg(0).as_unsigned;
    for (std::size_t i = 1; i < terms_.args(term).size(); ++i) all = pick(all, arg(i).as_unsigned);
    return from_unsigned(width, all);
  };
  switch (terms_.op(term)) {
    case Op::BvAnd:
      return bound([](Interval a, Interval b) { return Interval{0, std::min(a.high, b.high)}; });
    case Op::BvOr:
      return bound([](Interval a, Interval b) {
        return Interval{std::max(a.low, b.low), filled(std::max(a.high, b.high))};
      });
    case Op::BvXor:
      return bound([](Interval a, Interval b) {
        return Interval{0, filled(std::max(a.high, b.high))};
      });
    case Op::BvZeroExtend:
      return from_unsigned(width, arg(0).as_unsigned);
    case Op::BvSignExtend:
      return from_signed(width, arg(0).as_signed);
    case Op::BvConcat: {
      Wide shift = Wide{1} << terms_.width(terms_.arg(term, 1));
      Interval high = arg(0).as_unsigned, low = arg(1).as_unsigned;
      return from_unsigned(width, {high.low * shift + low.low, high.high * shift + low.high});
    }
    case Op::BvExtract: {  // of signed numbers, too: the lowest bits of -1 are ones
      std::uint32_t from = terms_.param(term, 1);
      Range of = arg(0);
      auto cut = [&](Interval i) { return Interval{i.low >> from, i.high >> from}; };
      return meet(terms_.sort(term), from_unsigned(width, cut(of.as_unsigned)),
                  meet(terms_.sort(term), from_unsigned(width, cut(of.as_signed)),
                       from_signed(width, cut(of.as_signed))));
    }
    default:
      return {};
  }
}

/// By a positive constant.
std::optional<Range> RangeEvaluator::divided(Term term) {
  std::uint32_t width = terms_.width(term);
  Range of = known(terms_.arg(term, 0)), by = known(terms_.arg(term, 1));
  if (!by.as_unsigned.point() || by.as_unsigned.low == 0) return {};
  Wide u = by.as_unsigned.low, s = by.as_signed.low;
  switch (terms_.op(term)) {
    case Op::BvUdiv:
      return from_unsigned(width, {of.as_unsigned.low / u, of.as_unsigned.high / u});
    case Op::BvUrem:
      if (of.as_unsigned.high < u) return of;
      return from_unsigned(width, {0, u - 1});
    case Op::BvSdiv:  // towards zero, as C does
      if (s <= 0) return {};
      return from_signed(width, {of.as_signed.low / s, of.as_signed.high / s});
    case Op::BvSrem:  // with the sign of the dividend
      if (s <= 0) return {};
      return from_signed(width, {of.as_signed.low >= 0 ? 0 : std::max(of.as_signed.low, 1 - s),
                                 of.as_signed.high <= 0 ? 0 : std::min(of.as_signed.high, s - 1)});
    default:
      return {};
  }
}

/// By a constant below the width.
std::optional<Range> RangeEvaluator::shifted(Term term) {
  std::uint32_t width = terms_.width(term);
  Range of = known(terms_.arg(term, 0));
  Interval by = known(terms_.arg(term, 1)).as_unsigned;
  if (!by.point() || by.low >= width) return {};
  auto shift = static_cast<std::uint32_t>(by.low);
  switch (terms_.op(term)) {
    case Op::BvShl: {
      if (width + shift > 90) return {};
      Wide factor = Wide{1} << shift;
      return meet(terms_.sort(term),
                  from_unsigned(width, {of.as_unsigned.low * factor, of.as_unsigned.high * factor}),
                  from_signed(width, {of.as_signed.low * factor, of.as_signed.high * factor}));
    }
    case Op::BvLshr:
      return from_unsigned(width, {of.as_unsigned.low >> shift, of.as_unsigned.high >> shift});
    case Op::BvAshr:
      return from_signed(width, {of.as_signed.low >> shift, of.as_signed.high >> shift});
    default:
      return {};
  }
}

}  // namespace lem::transform
