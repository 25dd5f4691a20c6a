// Signs of divergence: formulas that come again and again and differ in constants alone. A loop is
// then being unrolled, value by value, and what is tried next should say more than one value. Which
// formulas are alike, their shape, is the caller's to say.
// Tests: tests/unit/engine/parts/query_test.cpp.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <map>

namespace lem::engine {

template <class Shape>
class Divergence {
 public:
  /// So many formulas of one shape are a sign; 0: none ever is.
  explicit Divergence(std::uint32_t patience) : patience_(patience) {}

  bool enabled() const { return patience_ > 0; }
  /// Counts one more of the shape.   ensure: how many that makes
  std::uint32_t count(const Shape& shape) { return ++of_[shape].times; }
  /// Whether there were so many of the shape, and remedies did not keep failing.
  bool diverges(const Shape& shape) const {
    auto at = of_.find(shape);
    return enabled() && at != of_.end() && at->second.times >= patience_ &&
           at->second.failures < kMostFailures;
  }
  /// What was tried against it helped, or did not.
  void record(const Shape& shape, bool helped) {
    assert(of_.contains(shape) && "a remedy is for a shape that was seen");
    Seen& seen = of_[shape];
    seen.failures = helped ? 0 : std::min(seen.failures + 1, kMostFailures);
  }

 private:
  static constexpr std::uint32_t kMostFailures = 5;  // in a row
  struct Seen {
    std::uint32_t times = 0, failures = 0;
  };
  std::uint32_t patience_;
  std::map<Shape, Seen> of_;
};

}  // namespace lem::engine
