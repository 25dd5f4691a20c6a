// The switches of spacer.
#pragma once

#include <array>

#include "base/options.h"

namespace lem::engine {

enum class PremiseOrder : std::uint8_t { First, Last };
constexpr std::string_view words(PremiseOrder) {
  return "first|last";
}

inline constexpr std::array kSpacerOptions = {
    OptionRow::choice("spacer.premise", PremiseOrder::First,
                      "which premise without a fact is looked at next [Komuravelli14]"),
    OptionRow::toggle("spacer.interpolate", true,
                      "lemmas from interpolants of arithmetic, then from unsat cores"),
    OptionRow::number("spacer.interpolate-ms", 100, 1, 100'000,
                      "milliseconds for an interpolant, after which the core is used"),
    OptionRow::toggle("spacer.drop", true,
                      "drop literals of lemmas as long as they stay inductive [Bradley11 MIC]"),
};

struct SpacerConfig {
  explicit SpacerConfig(const Options& options)
      : premise(options.get<PremiseOrder>("spacer.premise")),
        interpolate(options.on("spacer.interpolate")),
        interpolate_ms(options.get<std::uint32_t>("spacer.interpolate-ms")),
        drop(options.on("spacer.drop")) {}
  PremiseOrder premise;
  bool interpolate;
  std::uint32_t interpolate_ms;
  bool drop;
};

}  // namespace lem::engine
