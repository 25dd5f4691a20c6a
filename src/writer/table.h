// Counterexamples of transition systems as a table: one row for each variable, one column for each
// step. Readable text, which check/validate.h also reads back. Tests:
// tests/unit/check/term_evidence_test.cpp.
#pragma once

#include <string>

#include "check/certify.h"
#include "model/problem.h"
#include "model/verdict.h"

namespace lem::writer {

/// require: the verdict is Unsafe, for that property of the system
std::string write_trace_table(const Problem& problem, std::size_t property_index,
                              const check::Certified& certified);

}  // namespace lem::writer
