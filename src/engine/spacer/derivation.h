// The ground derivation that facts stand for.
#pragma once

#include <optional>

#include "base/context.h"
#include "engine/spacer/summaries.h"
#include "model/evidence/horn.h"

namespace lem::engine {

/// Values for every clause on the way down from a fact about the query. Facts are sets, so the same
/// one may be needed with several values: a step for each. nullopt if the solver gives no values
/// that can be written down.
std::optional<Derivation> ground(const CallRules& rules, const Summaries& summaries, FactId query,
                                 const Context& ctx);

}  // namespace lem::engine
