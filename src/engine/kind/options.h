// The switches of kind.
#pragma once

#include <array>

#include "base/options.h"

namespace lem::engine {

inline constexpr std::array kKindOptions = {
    OptionRow::number("kind.max-k", 0, 0, 1'000'000, "largest k to try, 0 for no limit"),
    OptionRow::toggle("kind.simple-path", true,
                      "demand pairwise different states, when a model repeats one [Sheeran00]"),
};

struct KindConfig {
  explicit KindConfig(const Options& options)
      : max_k(options.get<std::uint32_t>("kind.max-k")),
        simple_path(options.on("kind.simple-path")) {}

  bool beyond(std::size_t k) const { return max_k != 0 && k > max_k; }

  std::uint32_t max_k;  // 0: no limit
  bool simple_path;
};

}  // namespace lem::engine
