// Who is in the portfolio, in order of entry. The first member keeps its core, the others share
// what is left in turns that double. Counterexamples that ic3 misses in 20 s are mostly long ones
// that bmc finds in 1 to 10 s of its own, so bmc has the longest turns.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace lem {

struct MemberRow {
  std::string_view engine;
  std::string_view settings;
  std::uint32_t turn_ms;  // the first turn; 0: keeps its core
};

inline constexpr std::array kSequentialMembers = {
    MemberRow{"ic3", "", 0},    MemberRow{"kind", "", 1000},
    MemberRow{"bmc", "", 4000}, MemberRow{"ic3", "ic3.generalize=ctg", 1500},
    MemberRow{"ipdr", "", 500},
};

// Without latches there is nothing to induct over: one hard query, so the strong solver goes first.
inline constexpr std::array kCombinationalMembers = {
    MemberRow{"kind", "", 0},
    MemberRow{"ic3", "", 0},
};

}  // namespace lem
