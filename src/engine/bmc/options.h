// The switches of bmc; max-depth holds at all levels, step on bits.
#pragma once

#include <array>

#include "base/options.h"

namespace lem::engine {

inline constexpr std::array kBmcOptions = {
    OptionRow::number("bmc.max-depth", 1'000'000'000, 0, 1'000'000'000,
                      "last step to look at, of programs rounds of a loop"),
    OptionRow::toggle("bmc.simulate", true,
                      "programs: runs with values at random where a question is hard"),
    OptionRow::number("bmc.step", 40, 1, 1000,
                      "steps that share one query; fewer when the model is large [Een03]"),
};

struct BmcConfig {
  explicit BmcConfig(const Options& options)
      : max_depth(static_cast<std::uint32_t>(options.get("bmc.max-depth"))),
        simulate(options.on("bmc.simulate")),
        step(static_cast<std::size_t>(options.get("bmc.step"))) {}

  std::uint32_t max_depth;
  bool simulate;
  std::size_t step;
};

}  // namespace lem::engine
