// The switches of treeic3.
#pragma once

#include <array>
#include <cstdint>

#include "base/options.h"

namespace lem::engine {

struct TreeIc3Config {
  enum class Cubes : std::uint8_t { Concrete, Itp, Ia };
  friend constexpr std::string_view words(Cubes) { return "concrete|itp|ia"; }

  explicit TreeIc3Config(const Options& all) : options(all) {}
  const Options& options;

  Cubes cubes = options.get<Cubes>("treeic3.cubes");
  bool reuse = options.on("treeic3.reuse");
  std::uint32_t interpolant_ms = options.get<std::uint32_t>("treeic3.interpolant-ms");
  std::uint32_t interpolant_share = 50;  // percent of the time for queries
  std::uint32_t congruences = options.get<std::uint32_t>("treeic3.congruences");
};

inline constexpr std::array kTreeIc3Options = {
    OptionRow::choice("treeic3.cubes", TreeIc3Config::Cubes::Ia,
                      "what is blocked along a path: projected states, interpolants before those, "
                      "or states over predicates [Cimatti12, Cimatti14]"),
    OptionRow::toggle("treeic3.reuse", true,
                      "block by lemmas that other nodes of the location have, where they hold"),
    OptionRow::number("treeic3.interpolant-ms", 200, 1, 1'000'000,
                      "milliseconds for one source of interpolants"),
    OptionRow::number("treeic3.congruences", 2, 0, 1'000'000,
                      "equations of the same words in so many lemmas of a location before "
                      "congruences are tried, 0: never"),
};

}  // namespace lem::engine
