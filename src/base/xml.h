// Text within XML and HTML. Tests: tests/unit/base/xml_test.cpp.
#pragma once

#include <string>
#include <string_view>

namespace lem {

/// For attributes and text alike; what XML cannot have becomes U+FFFD.
std::string xml_escaped(std::string_view text);

}  // namespace lem
