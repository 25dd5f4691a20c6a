#pragma once

#include "engine/engine.h"

namespace lem {

/// The engine `bmc` on a transition system.
Verdict bmc_on_terms(const Problem& problem, const Context& ctx);

}  // namespace lem
