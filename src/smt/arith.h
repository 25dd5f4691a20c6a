// Our solver for linear arithmetic (src/arith) behind SmtSolver.
#pragma once

#include <memory>
#include <stop_token>

#include "base/stats.h"
#include "smt/smt_solver.h"

namespace lem::smt {

/// Linear arithmetic over integers and reals with Booleans. Assertions and assumptions of other
/// theories, and integer queries that it leaves open, go to Z3; `stats`, if given, counts both
/// under smt.arith.
std::unique_ptr<SmtSolver> make_arith(TermStore& terms, Workload workload, std::stop_token stop,
                                      Stats* stats = nullptr);

}  // namespace lem::smt
