// Evidence about Horn systems: derivations are replayed by evaluation alone, interpretations are
// checked clause by clause with fresh solvers, on the clauses as they were read. Tests:
// tests/unit/check/horn_test.cpp.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "check/terms.h"
#include "model/evidence/horn.h"
#include "model/horn.h"

namespace lem::check {

/// What is wrong with the derivation; nullopt if it is one of a query.
std::optional<std::string> replay(const HornSystem& system, const Derivation& derivation);

/// What makes an interpretation none of this system, whatever its formulas say; nullopt if nothing.
std::optional<std::string> misfit(const HornSystem& system, const Interpretation& claim);

/// Whether every clause is true under the interpretation.
///   require: no misfit
TermFinding check_interpretation(const HornSystem& system, const Interpretation& claim,
                                 std::stop_token stop);

}  // namespace lem::check
