// The configurations of the papers.
#pragma once

#include <array>

#include "engine/engine.h"

namespace lem {

inline constexpr std::array kTreeIc3Presets = {
    Preset{"concrete", "treeic3.cubes=concrete", "predecessors by projection [Cimatti12]"},
    Preset{"itp", "treeic3.cubes=itp", "formulas of interpolants where possible [Cimatti12]"},
    Preset{"ia", "treeic3.cubes=ia", "implicit predicate abstraction [Cimatti14]"},
};

}  // namespace lem
