// The standard function blocks, as Structured Text of our own. A block of the same name in the
// user's file is taken instead.
#pragma once

#include <string_view>

namespace lem::st {

/// Timers count `__AGE`, the time since their last call, which the scan cycle advances as the model
/// of time says (docs/plc.md).
inline constexpr std::string_view kAge = "__age";

/// Functions that give the milliseconds since the start of the controller, as TIME or DWORD.
inline bool is_clock(std::string_view key) {
  return key == "time" || key == "t_plc_ms" || key == "time_tck";
}

/// The text of the block, or nothing; `key` is a name in lower case.
std::string_view builtin_block(std::string_view key);

}  // namespace lem::st
