// Bit-parallel simulation: 64 runs at once, one word per signal.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/aig.h"

namespace lem::transform {

using SimWord = std::uint64_t;

/// A small generator with the same numbers everywhere (splitmix64).
class WordStream {
 public:
  explicit WordStream(std::uint64_t seed) : state_(seed) {}
  SimWord next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

class Simulation {
 public:
  explicit Simulation(const Aig& aig) : aig_(aig), words_(aig.num_vars(), 0) {}

  SimWord& operator[](std::uint32_t var) { return words_[var]; }
  SimWord operator[](std::uint32_t var) const { return words_[var]; }
  SimWord of(AigLit lit) const {
    return words_[lit.var()] ^ (lit.negative() ? ~SimWord{0} : SimWord{0});
  }
  std::span<const SimWord> words() const { return words_; }

  void randomize_inputs(WordStream& random) {
    for (std::uint32_t i = 0; i < aig_.num_inputs(); ++i) words_[1 + i] = random.next();
  }
  /// Sets latches to reset values in the lanes of `where`, random where the reset is free.
  void reset_latches(WordStream& random, SimWord where) {
    for (std::uint32_t i = 0; i < aig_.num_latches(); ++i) {
      SimWord& word = words_[aig_.first_latch() + i];
      Reset reset = aig_.latches()[i].reset;
      SimWord value = reset == Reset::Free ? random.next() : reset == Reset::One ? ~SimWord{0} : 0;
      word = (word & ~where) | (value & where);
    }
  }
  /// Gates from inputs and latches.
  void evaluate() {
    std::uint32_t var = aig_.first_and();
    for (const AndGate& gate : aig_.ands()) words_[var++] = of(gate.left) & of(gate.right);
  }
  /// Latches to their next values; gates are stale afterwards.
  void step() {
    next_.clear();
    for (const Latch& latch : aig_.latches()) next_.push_back(of(latch.next));
    for (std::uint32_t i = 0; i < aig_.num_latches(); ++i)
      words_[aig_.first_latch() + i] = next_[i];
  }
  /// The lanes on which all constraints hold.
  SimWord allowed() const {
    SimWord lanes = ~SimWord{0};
    for (AigLit constraint : aig_.constraints()) lanes &= of(constraint);
    return lanes;
  }

 private:
  const Aig& aig_;
  std::vector<SimWord> words_;
  std::vector<SimWord> next_;
};

}  // namespace lem::transform
