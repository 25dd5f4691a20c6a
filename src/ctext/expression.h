// The text of an expression of which the compiler names one place: a call, an operator, the start
// of an operand. Read from tokens with the precedence of C's operators; where the text is not what
// the compiler saw (macros), it is the text at that place. Tests:
// tests/unit/check/c/text_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ctext/text.h"

namespace lem::ctext {

/// The token that starts there, as the compiler counts lines; in the file of main.
std::optional<std::size_t> token_at(const CText& text, std::uint32_t line, std::uint32_t column);

/// What is between the parentheses of the call whose name is this token; empty for other tokens.
std::string arguments_text(const CText& text, std::size_t token);

/// The whole expression that the token is the operator or the first operand of.
std::string expression_text(const CText& text, std::size_t token);

}  // namespace lem::ctext
