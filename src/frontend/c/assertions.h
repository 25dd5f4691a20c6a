// Whether the text of a program contains an assertion: clang omits functions that are never called
// from the module, but their assertions count.
#pragma once

#include <string>

namespace lem::c {

/// Of preprocessed C: whether reach_error, assert or one of their kind is called somewhere.
bool text_asserts(const std::string& text);

}  // namespace lem::c
