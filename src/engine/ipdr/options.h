// The switches of ipdr at both levels.
#pragma once

#include <array>
#include <cstdint>

#include "base/options.h"
#include "engine/parts/bits/lifter.h"
#include "engine/parts/common/generalizer.h"

namespace lem {

inline constexpr std::array kIpdrOptions = {
    OptionRow::choice("ipdr.generalize", 4, "none|core|drop|binary|down",
                      "how a clause of an interpolant shrinks [Bradley11]"),
    OptionRow::choice("ipdr.lift", 3, "none|core|ternary|both",
                      "how a state of a suffix grows to a cube [Chockler11, Een11]"),
    OptionRow::toggle("ipdr.shortest", true,
                      "interpolate the shortest refuted suffix, not the whole unrolling"),
    OptionRow::choice("ipdr.interpolant", 0, "all|spacer|backward",
                      "on terms: where interpolants come from; all: one after the other"),
    OptionRow::number("ipdr.interpolant-ms", 5000, 1, 1'000'000,
                      "on terms: milliseconds for one source of interpolants"),
};

/// Enumerations in the order of their options' choices.
struct IpdrConfig {
  enum class Interpolant : std::uint8_t { All, Spacer, Backward };

  explicit IpdrConfig(const Options& options)
      : effort{static_cast<Generalize>(options.get("ipdr.generalize"))},
        lift(static_cast<Lift>(options.get("ipdr.lift"))),
        shortest(options.on("ipdr.shortest")),
        interpolant(static_cast<Interpolant>(options.get("ipdr.interpolant"))),
        interpolant_ms(static_cast<std::uint32_t>(options.get("ipdr.interpolant-ms"))) {}

  Effort effort;
  Lift lift;
  bool shortest;
  Interpolant interpolant;
  std::uint32_t interpolant_ms;
};

}  // namespace lem
