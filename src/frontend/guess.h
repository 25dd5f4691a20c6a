// The format of a model that has no file name. Tests: tests/unit/frontend/guess_test.cpp.
#pragma once

#include <string_view>

namespace lem::frontend {

/// The extension that a file with this text would have; empty if the text does not tell.
std::string_view guess_extension(std::string_view text);

}  // namespace lem::frontend
