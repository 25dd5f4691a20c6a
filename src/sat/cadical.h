// CaDiCaL behind our interface: BMC, k-induction and the independent checks use it. It is strong on
// few large queries; frame queries of IC3 use sat/cdcl.h.
#pragma once

#include <memory>

#include "sat/sat_solver.h"

namespace lem::sat {

std::unique_ptr<SatSolver> make_cadical();

}  // namespace lem::sat
