// How often latches occur in recent lemmas: orders for generalization and lifting.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "engine/parts/common/cube.h"

namespace lem::engine {

class LatchActivity {
 public:
  /// By variable of the model. With a seed other than 0 the first order is random.
  LatchActivity(std::uint32_t variables, std::uint32_t seed) : values_(variables, 0) {
    if (seed == 0) return;
    std::mt19937 random(seed);
    for (double& value : values_) value = static_cast<double>(random() % 1000) / 1000;
  }

  double operator[](Lit lit) const { return values_[lit.var()]; }
  std::span<const double> values() const { return values_; }

  /// The literals are those of a lemma; older lemmas count less.
  void bump(std::span<const Lit> cube) {
    constexpr double kLimit = 1e100;
    step_ /= 0.99;
    for (Lit lit : cube) values_[lit.var()] += step_;
    if (step_ < kLimit) return;
    for (double& value : values_) value /= kLimit;
    step_ /= kLimit;
  }

 private:
  std::vector<double> values_;
  double step_ = 1;
};

}  // namespace lem::engine
