// Cones of influence of an Aig, as sets of variables.
#pragma once

#include <span>
#include <vector>

#include "model/aig.h"

namespace lem {

/// The variables (by index, true if inside) that `roots` and the model's constraints depend on
/// over any number of steps.
std::vector<bool> sequential_cone(const Aig& aig, std::span<const AigLit> roots);

}  // namespace lem
