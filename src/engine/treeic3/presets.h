// The configurations of the papers.
#pragma once

#include <array>

#include "engine/engine.h"

namespace lem {

// Large blocks: a tree with a node for each way through a loop's body grows too fast, and one block
// is a query of a few milliseconds.
#define LEM_TREEIC3_BLOCKS ",transform.block-size=5000"

inline constexpr std::array kTreeIc3Presets = {
    Preset{"concrete", "treeic3.cubes=concrete" LEM_TREEIC3_BLOCKS,
           "predecessors by projection [Cimatti12]"},
    Preset{"itp", "treeic3.cubes=itp" LEM_TREEIC3_BLOCKS,
           "formulas of interpolants where possible [Cimatti12]"},
    Preset{"ia", "treeic3.cubes=ia" LEM_TREEIC3_BLOCKS,
           "implicit predicate abstraction [Cimatti14]"},
};

#undef LEM_TREEIC3_BLOCKS

}  // namespace lem
