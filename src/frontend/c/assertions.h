// Whether a program asserts anything, by its text: clang leaves out of a module what it sees is
// never called, and an assertion is one all the same.
#pragma once

#include <string>

namespace lem::c {

/// Of preprocessed C: whether reach_error, assert or one of their kind is called somewhere.
bool text_asserts(const std::string& text);

}  // namespace lem::c
