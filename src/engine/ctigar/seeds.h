// The initial domain [002 section 4.1].
#pragma once

#include <vector>

#include "base/context.h"
#include "engine/ctigar/domain.h"
#include "engine/ctigar/options.h"

namespace lem {

std::vector<Term> initial_domain(TermSystem& system, const Domain& domain, const Problem& problem,
                                 const CtigarConfig& config, const Context& ctx);

}  // namespace lem
