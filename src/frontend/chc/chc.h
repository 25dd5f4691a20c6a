// Constrained Horn clauses (SMT-LIB logic HORN, the form of CHC-COMP; rules of Z3's fixedpoints) as
// a transition system if they are linear, perhaps after inlining, else as they are.
// docs/formats.md says what is accepted and how it is encoded.
// Tests: tests/unit/frontend/chc_test.cpp.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/problem.h"

namespace lem::chc {

/// ensure: one property "query", which is safe iff the clauses are satisfiable; a run that violates
///         it is a derivation of false. SourceMap::predicates has every declared predicate of a
///         system that became a transition system.
Result<Problem> read_chc(const std::string& path, std::string_view bytes);

}  // namespace lem::chc
