#pragma once

#include "base/context.h"
#include "model/problem.h"
#include "model/verdict.h"

namespace lem::engine {

/// The engine `bmc` on a transition system.
Verdict bmc_on_terms(const Problem& problem, const Context& ctx);

}  // namespace lem::engine
