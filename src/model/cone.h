// Cones of influence of AIGs, for everyone that keeps only what something depends on.
#pragma once

#include <vector>

#include "model/aig.h"

namespace lem {

/// By variable: what `roots` depend on over any number of steps.
std::vector<bool> sequential_cone(const Aig& aig, std::vector<AigLit> roots);

}  // namespace lem
