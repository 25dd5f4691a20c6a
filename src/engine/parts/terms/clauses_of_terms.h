// Formulas as clauses, which is what frames are made of.
#pragma once

#include <vector>

#include "term/term_store.h"

namespace lem::engine {

/// Clauses whose conjunction is the formula, by distribution; what would grow too much stays as it
/// is and counts as a literal. true has no clause, false the empty one.
std::vector<std::vector<Term>> clauses_of_term(TermStore& terms, Term formula);

}  // namespace lem::engine
