// Concretization: the run behind a chain of cubes from Init to Bad.
#pragma once

#include <optional>
#include <vector>

#include "base/context.h"
#include "engine/parts/terms/system.h"

namespace lem::engine {

/// One query along the chain; `cubes[k]` are formulas over X that hold at step k. Nothing if the
/// solver does not decide it.   require: there is such a run
std::optional<TermTrace> concretize(TermSystem& system, const std::vector<std::vector<Term>>& cubes,
                                    const Context& ctx);

}  // namespace lem::engine
