// Backs off from what keeps failing: after every failure it is skipped about twice as often.
// Tests: tests/unit/engine/parts/query_test.cpp.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>

namespace lem::engine {

class BackOff {
 public:
  /// The first `grace` failures in a row cost nothing; from `most` on it gets no worse.
  BackOff(std::uint32_t grace, std::uint32_t most) : grace_(grace), most_(most) {
    assert(grace < most && most < 32 && "skips are counted in 32 bits");
  }
  /// Whether it is its turn; counts the turn if not.
  bool due() {
    if (skip_ == 0) return true;
    --skip_;
    return false;
  }
  void record(bool served) {
    failures_ = served ? 0 : std::min(failures_ + 1, most_);
    skip_ = failures_ <= grace_ ? 0 : (std::uint32_t{1} << (failures_ - grace_)) - 1;
  }

 private:
  std::uint32_t grace_, most_;
  std::uint32_t failures_ = 0;  // in a row
  std::uint32_t skip_ = 0;      // so many turns
};

}  // namespace lem::engine
