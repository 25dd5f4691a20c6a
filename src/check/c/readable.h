// Facts about words as people write them: comparisons instead of bits, casts and shifts. A fact is
// rewritten only into an equivalent one, and Z3 must agree before it is used. Tests:
// tests/unit/check/c/readable_test.cpp.
#pragma once

#include <stop_token>

#include "term/term_store.h"

namespace lem::check {

/// An equivalent formula; the formula itself where nothing is gained, or Z3 does not say that the
/// other one is equivalent.
Term readable(TermStore& terms, Term formula, const std::stop_token& stop);

}  // namespace lem::check
