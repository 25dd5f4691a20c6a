// Cones of influence of AIGs, as sets of variables.
#pragma once

#include <vector>

#include "model/aig.h"

namespace lem {

/// The variables (by index, true if inside) that `roots` depend on over any number of steps.
std::vector<bool> sequential_cone(const Aig& aig, std::vector<AigLit> roots);

/// The same for `roots` and the constraints of the model.
std::vector<bool> constrained_cone(const Aig& aig, std::vector<AigLit> roots);

}  // namespace lem
