#pragma once

#include <string_view>

namespace lem::app {

/// "0.1.0", from CMakeLists.txt.
std::string_view version();

}  // namespace lem::app
