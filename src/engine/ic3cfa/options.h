// The switches of IC3CFA [Lange18 5.2.1].
#pragma once

#include <array>
#include <cstdint>

#include "base/options.h"

namespace lem::engine {

struct Ic3cfaConfig {
  enum class Generalize : std::uint8_t { None, Old, New };
  friend constexpr std::string_view words(Generalize) { return "none|old|new"; }
  enum class Edges : std::uint8_t { Multi, Single, Incremental };
  friend constexpr std::string_view words(Edges) { return "multi|single|incremental"; }
  enum class Check : std::uint8_t { ByFilter, AndFilter };
  friend constexpr std::string_view words(Check) { return "by-filter|and-filter"; }
  enum class Order : std::uint8_t { Smallest, Largest, Random, Shallow, Deep };
  friend constexpr std::string_view words(Order) { return "smallest|largest|random|shallow|deep"; }
  enum class Interpolate : std::uint8_t { Off, Loops, Everywhere };
  friend constexpr std::string_view words(Interpolate) { return "off|loops|everywhere"; }
  enum class Propagate : std::uint8_t { Off, Same, Edges, Postconditions, Merged };
  friend constexpr std::string_view words(Propagate) {
    return "off|same|edges|postconditions|merged";
  }
  enum class Nondeterminism : std::uint8_t { Projection, Array };
  friend constexpr std::string_view words(Nondeterminism) { return "projection|array"; }

  explicit Ic3cfaConfig(const Options& all) : options(all) {}
  const Options& options;

  Generalize generalize = options.get<Generalize>("ic3cfa.generalize");
  Edges edges = options.get<Edges>("ic3cfa.edges");
  Check check = options.get<Check>("ic3cfa.check");
  Order order = options.get<Order>("ic3cfa.order");
  bool reuse = options.on("ic3cfa.reuse");
  bool requeue = options.on("ic3cfa.requeue");
  bool immediate = options.on("ic3cfa.immediate");
  std::size_t split = options.get<std::size_t>("ic3cfa.split");
  bool wep_inductivity = options.on("ic3cfa.wep");
  bool dont_care = options.on("ic3cfa.dont-care");
  bool assumed = options.on("ic3cfa.assumed");
  bool pre_cubes = options.on("ic3cfa.pre-cubes");
  std::size_t contexts = options.get<std::size_t>("ic3cfa.contexts");
  bool lower_bounds = options.on("ic3cfa.lower-bounds");
  bool extended = options.on("ic3cfa.extended");
  Interpolate interpolate = options.get<Interpolate>("ic3cfa.interpolate");
  std::uint32_t interpolant_ms = 300;    // for one interpolant
  std::size_t interpolant_cache = 1000;  // interpolants that are remembered
  bool semantic_blocking = options.on("ic3cfa.semantic-blocking");
  bool core = options.on("ic3cfa.core");
  bool push = options.on("ic3cfa.push");
  std::uint32_t weaken = options.get<std::uint32_t>("ic3cfa.weaken");
  std::uint32_t relate = options.get<std::uint32_t>("ic3cfa.relate");
  Propagate propagate = options.get<Propagate>("ic3cfa.propagate");
  bool coverage = options.on("ic3cfa.coverage");
  std::size_t query_cache = options.get<std::size_t>("ic3cfa.query-cache");
  std::uint32_t optional_ms = 1000;  // for a query that may fail
  Nondeterminism nondeterminism = options.get<Nondeterminism>("ic3cfa.nondeterminism");
};

inline constexpr std::array kIc3cfaOptions = {
    OptionRow::choice("ic3cfa.generalize", Ic3cfaConfig::Generalize::New,
                      "blocked cubes: as they are, [Bradley11] on atoms, with static checks, too"),
    OptionRow::choice("ic3cfa.edges", Ic3cfaConfig::Edges::Incremental,
                      "generalize along all edges at once, each alone, or one after the other"),
    OptionRow::choice("ic3cfa.check", Ic3cfaConfig::Check::ByFilter,
                      "inductivity edge by edge, or all at once before that [Lange18 5.1.3]"),
    OptionRow::choice("ic3cfa.order", Ic3cfaConfig::Order::Shallow,
                      "obligations of one level: by size of cube [Lange18 4.3.4] or by depth"),
    OptionRow::toggle("ic3cfa.reuse", true,
                      "keep obligations for the next iteration [Lange18 4.2.4]"),
    OptionRow::toggle("ic3cfa.requeue", false,
                      "ask a blocked obligation again one level higher at once [Een11]"),
    OptionRow::toggle(
        "ic3cfa.immediate", false,
        "block without a query what comes back after exact preimages [Lange18 4.2.4]"),
    OptionRow::number("ic3cfa.split", 0, 0, 100'000,
                      "split edges of at most so many paths at choices [Lange18 Def. 4.8]"),
    OptionRow::toggle("ic3cfa.wep", true,
                      "inductivity without primed variables [Lange18 Thm. 4.3]"),
    OptionRow::toggle("ic3cfa.dont-care", true,
                      "drop literals that the frame has as unit clauses [Lange18 4.3.2]"),
    OptionRow::toggle("ic3cfa.assumed", true,
                      "drop literals that the edge assumes [Lange18 Thm. 4.4]"),
    OptionRow::toggle("ic3cfa.pre-cubes", true,
                      "generalize by lemmas of the frame before [Lange18 Thms. 4.5, 4.6]"),
    OptionRow::number("ic3cfa.contexts", 0, 0, 10'000'000,
                      "cached generalizations, used as upper bounds [Lange18 Thm. 4.7]"),
    OptionRow::toggle("ic3cfa.lower-bounds", false,
                      "use cached generalizations as lower bounds, too [Lange18 Thm. 4.9]"),
    OptionRow::toggle("ic3cfa.extended", false,
                      "look for cached generalizations of other cubes, too [Lange18 Thm. 4.8]"),
    OptionRow::choice("ic3cfa.interpolate", Ic3cfaConfig::Interpolate::Off,
                      "edges along which interpolants generalize [Lange18 4.3.5]"),
    OptionRow::toggle("ic3cfa.semantic-blocking", false,
                      "block no cube that the frame excludes already [Lange18 5.2.1]"),
    OptionRow::toggle("ic3cfa.core", true, "start to generalize from unsat cores [Bradley11]"),
    OptionRow::number("ic3cfa.weaken", 3, 0, 1'000'000,
                      "equations about one term in so many lemmas of a location before sides or "
                      "bits of them are tried, 0: never"),
    OptionRow::number("ic3cfa.relate", 3, 0, 1'000'000,
                      "lemmas of a location equal but for constants before relations of variables "
                      "are tried, 0: never"),
    OptionRow::toggle("ic3cfa.push", true, "move a new lemma as high as it holds"),
    OptionRow::choice(
        "ic3cfa.propagate", Ic3cfaConfig::Propagate::Same,
        "after an iteration: lemmas up at their location, along edges (formula 4.18), "
        "as strongest postconditions, to all locations [Lange18 4.4]"),
    OptionRow::toggle(
        "ic3cfa.coverage", true,
        "end when frames cover each other around every loop, at whatever levels, as "
        "nodes of TreeIC3 do [Cimatti12]; off: when all are equal to those of the next "
        "level"),
    OptionRow::number("ic3cfa.query-cache", 10'000, 0, 10'000'000,
                      "answers along edges that are remembered [Lange18 5.1.3], 0: none"),
    OptionRow::choice(
        "ic3cfa.nondeterminism", Ic3cfaConfig::Nondeterminism::Projection,
        "havoc: project its value away, or read an array at a counter [Lange18 2.4.2]"),
};

}  // namespace lem::engine
