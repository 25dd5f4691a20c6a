// Random small problems for differential tests: deterministic by seed on every machine (only
// std::mt19937_64's raw output is used, no library distribution).
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "model/problem.h"

namespace lem::test {

struct RandomAigParams {
  std::uint32_t inputs = 2;
  std::uint32_t latches = 5;
  std::uint32_t gates = 25;           // operators drawn; an xor or a mux makes up to three gates
  std::uint32_t constraints = 1;      // each a disjunction, so that few of them leave no run at all
  std::uint32_t percent_free = 15;    // latches with an uninitialised reset
  std::uint32_t percent_one = 25;     // latches with reset 1
  std::uint32_t percent_twin = 25;    // latches that copy or complement an earlier one
  std::uint32_t percent_toggle = 50;  // latches that count: flip with their neighbour
  std::uint32_t percent_hold = 20;    // of the others: keep their value under a random condition
  std::uint32_t bad_width = 3;        // conjuncts of the bad state: more of them, more safe models
  std::uint32_t properties = 1;
};

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t word() { return engine_(); }
  /// Uniform enough in 0 .. bound-1.
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>((engine_() >> 16) % bound);
  }
  bool percent(std::uint32_t chance) { return below(100) < chance; }

 private:
  std::mt19937_64 engine_;
};

/// A twin gets its original's reset and next-state function (both complemented or none), rebuilt
/// from unhashed gates, so that it is equivalent but not structurally equal.
class RandomAigMaker {
 public:
  RandomAigMaker(std::uint64_t seed, const RandomAigParams& params)
      : random_(seed), params_(params) {}

  Problem make() {
    for (std::uint32_t i = 0; i < params_.inputs; ++i) pool_.push_back(builder_.add_input());
    for (std::uint32_t i = 0; i < params_.latches; ++i) declare_latch(i);
    for (std::uint32_t i = 0; i < params_.gates; ++i) pool_.push_back(draw_gate());
    for (std::uint32_t i = 0; i < params_.latches; ++i) define_latch(i);
    for (std::uint32_t i = 0; i < params_.constraints; ++i) {
      AigLit either = builder_.or_gate(draw(), draw());
      builder_.add_constraint(builder_.or_gate(either, draw()));
    }
    std::vector<Property> properties = {{"random", draw_conjunction()}};
    for (std::uint32_t i = 1; i < params_.properties; ++i)
      properties.push_back({"random" + std::to_string(i), draw_conjunction()});
    return {std::move(builder_).freeze(), std::move(properties), {}};
  }

 private:
  struct Declared {
    AigLit lit;
    Reset reset;
    std::uint32_t twin_of;
    bool complemented;
    AigLit next;
  };

  AigLit draw() {
    if (pool_.empty()) return kAigTrue;
    // Recent signals half of the time: deeper logic than a uniform choice gives.
    auto size = static_cast<std::uint32_t>(pool_.size());
    std::uint32_t at =
        random_.percent(50) ? random_.below(size) : size - 1 - random_.below(size < 8 ? size : 8);
    return pool_[at] ^ random_.percent(50);
  }

  AigLit draw_conjunction() {
    AigLit bad = draw_bad();
    for (std::uint32_t i = 1; i < params_.bad_width; ++i) bad = builder_.raw_and(bad, draw_bad());
    return bad;
  }

  /// Mostly latches: bad states that are some steps away.
  AigLit draw_bad() {
    if (declared_.empty() || random_.percent(20)) return draw();
    return declared_[random_.below(params_.latches)].lit ^ random_.percent(40);
  }

  AigLit draw_gate() {
    switch (random_.below(5)) {
      case 0:
        return raw_xor(draw(), draw());
      case 1:
        return builder_.mux_gate(draw(), draw(), draw());
      case 2:
        return builder_.and_gate(draw(), draw());
      default:
        return builder_.raw_and(draw(), draw());
    }
  }

  AigLit raw_xor(AigLit left, AigLit right) {
    AigLit both = builder_.raw_and(left, right);
    AigLit none = builder_.raw_and(!left, !right);
    return builder_.raw_and(!both, !none);
  }

  void declare_latch(std::uint32_t index) {
    Reset reset = random_.percent(params_.percent_free)  ? Reset::Free
                  : random_.percent(params_.percent_one) ? Reset::One
                                                         : Reset::Zero;
    Declared latch{{}, reset, index, false, {}};
    if (index > 0 && random_.percent(params_.percent_twin)) {
      latch.twin_of = random_.below(index);
      latch.complemented = random_.percent(50);
      latch.reset = declared_[latch.twin_of].reset;
      if (latch.complemented && latch.reset != Reset::Free)
        latch.reset = latch.reset == Reset::Zero ? Reset::One : Reset::Zero;
    }
    latch.lit = builder_.add_latch(latch.reset);
    pool_.push_back(latch.lit);
    declared_.push_back(latch);
  }

  void define_latch(std::uint32_t index) {
    Declared& latch = declared_[index];
    if (latch.twin_of != index) {
      // f = (f & s) | (f & !s): the same function, another structure.
      AigLit original = declared_[latch.twin_of].next;
      AigLit split = draw();
      AigLit low = builder_.raw_and(original, split);
      AigLit high = builder_.raw_and(original, !split);
      latch.next = !builder_.raw_and(!low, !high) ^ latch.complemented;
    } else if (random_.percent(params_.percent_toggle)) {
      AigLit carry = index == 0 ? kAigTrue : declared_[index - 1].lit;
      if (random_.percent(50)) carry = builder_.raw_and(carry, draw());
      latch.next = raw_xor(latch.lit, carry);
    } else if (random_.percent(params_.percent_hold)) {
      latch.next = builder_.mux_gate(draw(), latch.lit, draw());
    } else {
      latch.next = draw();
    }
    builder_.set_next(latch.lit, latch.next);
  }

  Random random_;
  RandomAigParams params_;
  AigBuilder builder_;
  std::vector<AigLit> pool_;
  std::vector<Declared> declared_;
};

/// A problem with one property, the same for the same arguments.
inline Problem random_problem(std::uint64_t seed, const RandomAigParams& params = {}) {
  return RandomAigMaker(seed, params).make();
}

/// Sizes that vary with the seed: 3..10 latches, 0..4 inputs, 0..3 constraints.
inline RandomAigParams varied_params(std::uint64_t seed) {
  Random random(seed * 0x9e3779b97f4a7c15ULL + 1);
  RandomAigParams params;
  params.latches = 3 + random.below(8);
  params.inputs = random.below(5);
  params.gates = 8 + random.below(40);
  params.constraints = random.percent(40) ? 0 : 1 + random.below(3);
  params.bad_width = 2 + random.below(4);
  return params;
}

}  // namespace lem::test
