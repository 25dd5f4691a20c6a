// Counterexamples of transition systems as a table: one row for each variable, one column for each
// step. It is text for people and is read back by check/validate.h.
// Tests: tests/unit/check/term_evidence_test.cpp.
#pragma once

#include <string>

#include "check/certify.h"
#include "model/problem.h"
#include "model/verdict.h"

namespace lem::writer {

/// require: the trace fits the system; the property is one of the problem's
std::string write_trace_table(const Problem& problem, std::size_t property_index,
                              const TermTrace& trace);

/// The evidence of a certified verdict.  require: the verdict is Unsafe
inline std::string write_trace_table(const Problem& problem, std::size_t property_index,
                                     const check::Certified& certified) {
  return write_trace_table(problem, property_index,
                           std::get<Unsafe>(certified.verdict()).term_trace());
}

}  // namespace lem::writer
