// From cubes to the full valuations that traces are made of.
#pragma once

#include <span>
#include <vector>

#include "engine/parts/common/cube.h"
#include "model/aig.h"

namespace lem {

/// An initial state in the cube; what neither decides is false.
///   require: the cube meets the reset values
std::vector<bool> initial_state(const Aig& aig, const Cube& cube);

/// All inputs of a step; what the literals leave open is false.
std::vector<bool> input_values(const Aig& aig, std::span<const Lit> inputs);

}  // namespace lem
