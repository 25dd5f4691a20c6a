// Elimination of variables that a formula defines: exists v. v = t & F is F with t for v. What
// makes clauses small: their auxiliary variables are mostly definitions. Tests:
// tests/unit/frontend/chc_test.cpp.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "term/term_store.h"
#include "term/traverse.h"

namespace lem {

/// Replaces local variables by terms without them, in the formula and in the terms that go with it,
/// as long as a conjunct defines one: v, not v, v = t, a linear equation or an invertible
/// bit-vector operation with v, or the pair (c => v = s), (not c => v = t).
///   ensure: for some values of the locals, formula & outputs = o is as satisfiable as before
void eliminate_locals(TermStore& terms, const std::function<bool(Term variable)>& is_local,
                      Term& formula, std::vector<Term>& outputs);

}  // namespace lem
