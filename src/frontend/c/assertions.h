// Whether the text of a program contains an assertion: clang omits functions that are never called
// from the module, but their assertions count.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace lem::c {

/// Whether a function of this name that has no body reports failures.
bool is_asserting(std::string_view name);

/// Of preprocessed C: those of the names that report failures that it has a body for. They are what
/// their body says; only reach_error and __VERIFIER_error are the error whatever it says.
std::set<std::string> own_assertions(const std::string& text);

/// Of preprocessed C: whether reach_error, assert or one of their kind is called somewhere, and is
/// none of these.
bool text_asserts(const std::string& text, const std::set<std::string>& own = {});

}  // namespace lem::c
