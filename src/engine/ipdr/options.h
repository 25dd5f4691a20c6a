// The switches of ipdr at both levels.
#pragma once

#include <array>
#include <cstdint>

#include "base/options.h"
#include "engine/parts/bits/lifter.h"
#include "engine/parts/common/generalizer.h"
#include "engine/parts/terms/interpolant_sources.h"

namespace lem::engine {

inline constexpr std::array kIpdrOptions = {
    OptionRow::choice("ipdr.generalize", Generalize::Down,
                      "how a clause of an interpolant shrinks [Bradley11]",
                      "none|core|drop|binary|down"),
    OptionRow::toggle("ipdr.shortest", true,
                      "interpolate the shortest refuted suffix, not the whole unrolling"),
    OptionRow::choice("ipdr.interpolant", Source::All,
                      "on terms: where interpolants come from; all: one after the other",
                      "all|proof|spacer|backward"),
};

struct IpdrConfig {
  explicit IpdrConfig(const Options& options)
      : effort{options.get<Generalize>("ipdr.generalize")},
        shortest(options.on("ipdr.shortest")),
        interpolant(options.get<Source>("ipdr.interpolant")) {}

  Effort effort;
  bool shortest;
  Source interpolant;
  std::uint32_t interpolant_ms = 5000;  // on terms: for one source of interpolants
};

}  // namespace lem::engine
