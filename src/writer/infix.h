// Terms in infix notation with few parentheses, for pictures and reports. Never read back. Unsigned
// operators of bit-vectors carry a `u`. Tests: tests/unit/writer/infix_test.cpp.
#pragma once

#include <string>

#include "term/term_store.h"

namespace lem::writer {

std::string infix_text(const TermStore& terms, Term term);

}  // namespace lem::writer
