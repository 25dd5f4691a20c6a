// How engines over terms shrink blocked cubes: what their options `generalize` and `failures`
// share.
#pragma once

#include <string_view>

#include "engine/parts/common/generalizer.h"

namespace lem::engine {

/// The choices of `generalize`: binary search and chains are for cubes of latches.
inline constexpr std::string_view kTermMethods = "none|core|drop|down|ctg";
inline constexpr std::string_view kFailuresHelp =
    "literals kept in a row before generalization gives up, 0: never";

}  // namespace lem::engine
