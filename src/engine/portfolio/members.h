// Who is in the portfolio, in order of entry. Measured on the AIGER set at 20 s on two cores: the
// first member keeps its core, the others share what is left in turns.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace lem {

struct MemberRow {
  std::string_view engine;
  std::string_view settings;
  std::uint32_t turn_ms;  // 0: keeps its core
};

inline constexpr std::array kSequentialMembers = {
    MemberRow{"ic3", "", 0},
    MemberRow{"bmc", "", 2000},
    MemberRow{"kind", "", 1000},
    MemberRow{"ic3", "ic3.seed=2", 2000},
    MemberRow{"bmc", "bmc.step=5", 1500},
    MemberRow{"ipdr", "", 1500},
};

// Without latches there is nothing to induct over: one hard query, so the strong solver goes first.
inline constexpr std::array kCombinationalMembers = {
    MemberRow{"kind", "", 0},
    MemberRow{"ic3", "", 0},
};

}  // namespace lem
