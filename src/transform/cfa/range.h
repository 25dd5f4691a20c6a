// Intervals of numbers for terms: Bool as 0 and 1, Int with open ends, bit-vectors of up to 64 bits
// as unsigned and as signed numbers at once. Other sorts have no interval.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "term/term_store.h"

namespace lem::transform {

using Wide = __int128;  // sums and products of 64-bit numbers; beyond kInfinite there is no bound

inline constexpr Wide kInfinite = Wide{1} << 100;  // as a lower end -kInfinite: none

struct Interval {
  Wide low = -kInfinite, high = kInfinite;
  bool empty() const { return low > high; }
  bool point() const { return low == high && low < kInfinite && high > -kInfinite; }
  bool within(const Interval& other) const { return low >= other.low && high <= other.high; }
  friend bool operator==(const Interval&, const Interval&) = default;
};
Interval hull(const Interval& a, const Interval& b);
Interval meet(const Interval& a, const Interval& b);
Interval sum(const Interval& a, const Interval& b);
Interval negated(const Interval& a);
/// Rounded down.  require: by > 0
Wide floor_div(Wide number, Wide by);

/// The number of a bit-vector is in both; for other sorts they are equal.
struct Range {
  Interval as_unsigned, as_signed;
  bool empty() const { return as_unsigned.empty() || as_signed.empty(); }
  friend bool operator==(const Range&, const Range&) = default;
};

/// Ranges of terms under ranges of their variables.
class RangeEvaluator {
 public:
  using Lookup = std::function<std::optional<Range>(Term variable)>;
  RangeEvaluator(TermStore& terms, Lookup variable)
      : terms_(terms), variable_(std::move(variable)) {}

  /// The range of all terms of the sort; nullopt if the sort has no ranges.
  std::optional<Range> full(Sort sort) const;
  std::optional<Range> range(Term term);
  /// The only value in the range; no term if there are several.
  Term only_value(Term term);
  /// Values of variables changed: discards what was computed.
  void reset() { ++now_; }

  Range join(Sort sort, const Range& a, const Range& b) const;
  Range meet(Sort sort, const Range& a, const Range& b) const;
  /// Bit-vectors of these numbers modulo 2^width; known only if all wrap around alike.
  Range from_unsigned(std::uint32_t width, Interval numbers) const;
  Range from_signed(std::uint32_t width, Interval numbers) const;

 private:
  std::optional<Range> compute(Term term);
  std::optional<Range> boolean(Term term);
  std::optional<Range> integer(Term term);
  std::optional<Range> bits(Term term);
  std::optional<Range> bits_by_parts(Term term);
  std::optional<Range> divided(Term term);
  std::optional<Range> shifted(Term term);
  std::optional<bool> truth(Term term);
  Range known(Term term);
  Range tightened(std::uint32_t width, Range range) const;
  template <class Fold>
  Range folded(Term term, Fold fold);

  TermStore& terms_;
  Lookup variable_;

  struct Entry {
    std::uint32_t since = 0;  // when it was computed; kAlways: of a value
    std::optional<Range> range;
  };
  static constexpr std::uint32_t kAlways = ~0U;
  bool done(Term term) const {
    if (term.id() >= done_.size()) return false;
    std::uint32_t since = done_[term.id()].since;
    return since == now_ || since == kAlways;
  }
  std::vector<Entry> done_;  // by term: most are looked up many times
  std::uint32_t now_ = 1;
};

/// Wide to and from the numbers of terms; nothing beyond kInfinite.
std::optional<Wide> to_wide(const mpz_class& number);
mpz_class from_wide(Wide number);

}  // namespace lem::transform
