// Whether k-induction assumes that the states of a path are pairwise different.
#pragma once

#include <cstdint>

namespace lem {

enum class SimplePath : std::uint8_t { No, Yes };

}  // namespace lem
