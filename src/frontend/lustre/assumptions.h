// Assumptions constrain the inputs of a node: they may depend on its outputs of earlier instants
// only. Tests: tests/unit/frontend/lustre_contract_test.cpp.
#pragma once

#include "base/result.h"
#include "frontend/lustre/syntax.h"

namespace lem::lustre {

/// Refuses contracts in which an assumption, or an input given to an imported contract, depends on
/// an output of the same instant: directly, through ghost variables, calls, modes or imports.
///   require: the program is checked; calls and imports are not circular
Status check_assumptions(const Program& program);

}  // namespace lem::lustre
