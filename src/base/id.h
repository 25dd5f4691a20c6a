// Strong index types: swapped arguments do not compile. Level is the frame index of every IC3-style
// engine.
#pragma once

#include <cstdint>

namespace lem {

enum class Level : std::uint32_t {};

constexpr std::uint32_t index(Level level) {
  return static_cast<std::uint32_t>(level);
}
constexpr Level next(Level level) {
  return Level{index(level) + 1};
}
constexpr Level previous(Level level) {
  return Level{index(level) - 1};
}
constexpr Level& operator++(Level& level) {
  return level = next(level);
}

}  // namespace lem
