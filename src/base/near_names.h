// What a misspelled name may have meant. Tests: tests/unit/base/near_names_test.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lem {

/// "; near it: a, b" with up to three names that differ little from `wanted`, or have it as a part,
/// the nearest first; empty if there are none. To be put at the end of an error message.
std::string near_names(std::string_view wanted, std::span<const std::string> names);

}  // namespace lem
