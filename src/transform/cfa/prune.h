// Locations that no path from the initial location reaches, and those without a path to the error
// location, go with their edges.
#pragma once

#include "transform/cfa/reduction.h"

namespace lem::transform {

Reduction prune(const Cfa& cfa);

}  // namespace lem::transform
