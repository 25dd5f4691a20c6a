// The switches of the example engine: one row each, read in one place.
#pragma once

#include <array>
#include <cstdint>

#include "base/options.h"

namespace lem::engine {

inline constexpr std::array kHoudiniOptions = {
    OptionRow::number("houdini.depth", 8, 0, 1000, "steps in which a counterexample is looked for"),
    OptionRow::number("houdini.width", 2, 1, 2, "latches in a candidate clause [Flanagan01]"),
};

struct HoudiniConfig {
  explicit HoudiniConfig(const Options& options)
      : depth(options.get<std::uint32_t>("houdini.depth")),
        width(options.get<std::uint32_t>("houdini.width")) {}

  std::uint32_t depth;
  std::uint32_t width;
};

}  // namespace lem::engine
