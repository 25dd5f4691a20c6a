// One justice property by one method. Tests: tests/unit/run/live_test.cpp.
#pragma once

#include "base/context.h"
#include "base/result.h"
#include "model/found.h"
#include "run/live/methods.h"
#include "run/question.h"

namespace lem::run {

/// What is found is about the original of the question, and not certified. `prover`: the engine
/// for the safety problems; nullptr: the one that the options choose.
///   require: the question is one justice property of an AIG or a transition system
///   ensure: why the search ended; an error if the prover does not take the model
Result<Reason> search_live(const Question& question, const LiveInfo& method,
                           const engine::EngineInfo* prover, const OnFound& found,
                           const Context& ctx);

/// Why a model with this justice property has no encoding in bits; empty if it has one.
std::string why_no_bits_for(const Problem& problem);

}  // namespace lem::run
