// Abstract steps that solvers have found, kept as bits. Most queries of a generalization fail, and
// many fail because of a step that an earlier one met: asking here first is a few word operations
// instead of a solver call. Tests: tests/unit/engine/ic3ia/seen_steps_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/id.h"
#include "engine/parts/common/cube.h"

namespace lem::engine {

class SeenSteps {
 public:
  /// Forgets all: with new predicates, what was seen is a step no longer.
  void reset(std::size_t predicates);

  /// `from` and `to` give every predicate a value, by index; `from` is in F_level.
  void add(Level level, const std::vector<bool>& from, const std::vector<bool>& to);

  /// A lemma joined F_level: states in the cube leave F_1 .. F_level.
  void exclude(Level level, std::span<const Lit> cube);

  /// Where a step starts that leads from F_level, outside the cube, into the cube.
  std::optional<std::vector<Lit>> find(Level level, std::span<const Lit> cube) const;

 private:
  using Words = std::vector<std::uint64_t>;
  struct Step {
    Level level;  // the least whose frame is known to have the state
    Words from, to;
  };
  struct Mask {
    Words care, value;
    bool contains(const Words& state) const;
  };
  Mask mask_of(std::span<const Lit> cube) const;
  Words pack(const std::vector<bool>& values) const;

  static constexpr std::size_t kMost = 2048;  // the oldest make room
  std::size_t predicates_ = 0;
  std::vector<Step> steps_;
  std::size_t oldest_ = 0;
};

}  // namespace lem::engine
