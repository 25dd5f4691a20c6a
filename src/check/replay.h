// A trace replayed on the model by plain simulation: no solver, no encoding.
#pragma once

#include <optional>
#include <string>

#include "model/aig.h"
#include "model/verdict.h"

namespace lem::check {

/// nullopt if the trace starts in a reset state, keeps the constraints at every step, the last
/// included, and `bad` holds at the last step; else what is wrong with it.
std::optional<std::string> replay(const Aig& aig, AigLit bad, const Trace& trace);

}  // namespace lem::check
