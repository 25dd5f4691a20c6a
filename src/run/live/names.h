// How the variables are named that a product adds to a transition system.
#pragma once

#include <string>

#include "model/transition_system.h"

namespace lem::run {

/// What no name of a state or input of the system starts with.
std::string live_prefix(const TransitionSystem& system);

}  // namespace lem::run
