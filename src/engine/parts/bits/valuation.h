// From cubes to the full valuations that traces are made of, and steps on them.
#pragma once

#include <span>
#include <vector>

#include "engine/parts/common/cube.h"
#include "model/aig.h"

namespace lem::engine {

/// An initial state in the cube; what neither decides is false.
///   require: the cube meets the reset values
std::vector<bool> initial_state(const Aig& aig, const Cube& cube);

/// All inputs of a step; what the literals leave open is false.
std::vector<bool> input_values(const Aig& aig, std::span<const Lit> inputs);

/// A state in the cube; what it leaves open alternates.
std::vector<bool> some_state(const Aig& aig, const Cube& cube);
bool in_cube(const Aig& aig, const std::vector<bool>& state, const Cube& cube);

/// All signals of a step, by variable; and the state after it.
std::vector<bool> signal_values(const Aig& aig, const std::vector<bool>& state,
                                const std::vector<bool>& inputs);
std::vector<bool> next_state(const Aig& aig, const std::vector<bool>& signals);

}  // namespace lem::engine
