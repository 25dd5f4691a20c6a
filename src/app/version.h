#pragma once

#include <string_view>

namespace lem {

/// "0.1.0", from CMakeLists.txt.
std::string_view version();

}  // namespace lem
