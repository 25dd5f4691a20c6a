// Certificates of transition systems: a self-contained SMT-LIB script with the system, the
// invariant and the proof obligations, each of which Z3 and cvc5 (--incremental) answer with unsat.
// docs/formats.md has the layout; check/validate.h reads it back.
// Tests: tests/unit/check/term_evidence_test.cpp.
#pragma once

#include <string>

#include "check/certify.h"
#include "model/problem.h"
#include "model/verdict.h"

namespace lem::writer {

/// The script for the one property of `focused`. Of Horn systems also the interpretation of every
/// predicate, if the invariant is inductive (k = 1).
///   require: the model is a transition system, the verdict Safe
std::string write_smt_certificate(const Problem& focused, const check::Certified& certified);

}  // namespace lem::writer
