// Initial predicates of the abstraction: those of Init and the property [Cimatti14 Fig. 2, line 1],
// and on request bounds, equalities and affine relations.
#pragma once

#include <vector>

#include "base/context.h"
#include "engine/ic3ia/options.h"
#include "engine/parts/terms/system.h"

namespace lem {

std::vector<Term> initial_predicates(TermSystem& system, const Problem& problem,
                                     const Ic3iaConfig& config, const Context& ctx);

}  // namespace lem
