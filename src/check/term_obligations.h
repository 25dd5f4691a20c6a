// The obligations of an SMT-LIB certificate as its file has them, for other solvers: where there
// are any, they must be those that an inductive invariant has, in the order of writer/smt.h. So a
// file of which another solver says `sat` is not accepted for what it does not ask. Tests:
// tests/unit/check/term_evidence_test.cpp.
#pragma once

#include "base/result.h"
#include "model/transition_system.h"
#include "model/verdict.h"
#include "term/smtlib/sexpr.h"

namespace lem::check {

/// Looks at declarations of constants, assertions and their frame of push, check-sat and pop.
///   require: `claim` is what the document claims
Status check_obligations_of_text(const TransitionSystem& system, const TermInvariant& claim,
                                 const smtlib::Document& document);

}  // namespace lem::check
