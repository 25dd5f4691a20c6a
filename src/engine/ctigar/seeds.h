// The initial domain [Birgmeier14 4.1], and what is known before the search.
#pragma once

#include <vector>

#include "base/context.h"
#include "engine/ctigar/domain.h"
#include "engine/ctigar/options.h"

namespace lem {

struct Seeds {
  std::vector<Term> predicates;
  std::vector<Term> invariants;  // their conjunction is inductive
};
Seeds find_seeds(TermSystem& system, const Domain& domain, const Problem& problem,
                 const CtigarConfig& config, const Context& ctx);

}  // namespace lem
