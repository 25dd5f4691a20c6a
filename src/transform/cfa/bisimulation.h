// Bisimulation minimization of locations [Lange18 5.1.2]: locations whose edges have the same
// commands to equivalent locations become one, by partition refinement. The initial and the error
// location stay apart. Equal edges between the same two locations become one as well.
#pragma once

#include "transform/cfa/reduction.h"

namespace lem::transform {

Reduction bisimulation(const Cfa& cfa);

}  // namespace lem::transform
