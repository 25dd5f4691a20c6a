// How engines over terms shrink blocked cubes: the rows of their options `generalize` and
// `failures`, once.
#pragma once

#include <array>
#include <cstdint>

#include "engine/parts/common/generalizer.h"

namespace lem {

/// Row by row.
inline constexpr std::array kTermMethods = {Generalize::None, Generalize::Core, Generalize::Drop,
                                            Generalize::Down, Generalize::Ctg};
inline constexpr const char* kTermMethodChoices = "none|core|drop|down|ctg";
inline constexpr const char* kFailuresHelp =
    "literals kept in a row before generalization gives up, 0: never";

/// From the values of both options.
inline Effort term_effort(std::int64_t method, std::int64_t failures) {
  Effort effort;
  effort.method = kTermMethods[static_cast<std::size_t>(method)];
  effort.failures = static_cast<std::uint32_t>(failures);
  return effort;
}

}  // namespace lem
