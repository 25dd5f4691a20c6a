#pragma once

#include "engine/engine.h"

namespace lem {

/// The engine `kind` on a transition system.
Verdict kind_on_terms(const Problem& problem, const Context& ctx);

}  // namespace lem
