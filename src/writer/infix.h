// Terms in infix notation with few parentheses, for pictures and reports. Never read back. Unsigned
// operators of bit-vectors carry a `u`. Tests: tests/unit/writer/infix_test.cpp.
#pragma once

#include <functional>
#include <string>

#include "term/term_store.h"

namespace lem::writer {

std::string infix_text(const TermStore& terms, Term term);

/// The same with other names of variables; an empty one stands for the variable's own.
using InfixNames = std::function<std::string(Term variable)>;
std::string infix_text(const TermStore& terms, Term term, const InfixNames& names);

}  // namespace lem::writer
