// Checks the obligations in an SMT-LIB certificate, which are there for other solvers: if there are
// any, they must be those of an inductive invariant, in the order of writer/smt.h. So an accepted
// file never contains weaker obligations than those that were proved. Tests:
// tests/unit/check/term_evidence_test.cpp.
#pragma once

#include "base/result.h"
#include "model/transition_system.h"
#include "model/verdict.h"
#include "term/smtlib/sexpr.h"

namespace lem::check {

/// Checks declarations of constants, assertions and their frame of push, check-sat and pop.
///   require: `claim` is what the document claims
Status check_obligations_of_text(const TransitionSystem& system, const TermInvariant& claim,
                                 const smtlib::Document& document);

}  // namespace lem::check
