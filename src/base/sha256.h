// SHA-256 of a text, as 64 hexadecimal digits.
#pragma once

#include <string>
#include <string_view>

namespace lem {

std::string sha256(std::string_view text);

}  // namespace lem
