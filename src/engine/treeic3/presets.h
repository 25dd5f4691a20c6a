// The configurations of the papers.
#pragma once

#include <array>

#include "engine/engine.h"

namespace lem {

inline constexpr std::array kTreeIc3Presets = {
    Preset{"concrete", "treeic3.cubes=concrete,treeic3.congruences=0",
           "predecessors by projection [Cimatti12]"},
    Preset{"itp", "treeic3.cubes=itp,treeic3.congruences=2",
           "formulas of interpolants where possible [Cimatti12]"},
    Preset{"ia", "treeic3.cubes=ia,treeic3.congruences=2",
           "implicit predicate abstraction [Cimatti14]"},
};

}  // namespace lem
