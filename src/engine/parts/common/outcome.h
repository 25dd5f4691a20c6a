// How a search, or a part of it, ends.
#pragma once

#include <cstdint>

#include "base/context.h"
#include "model/verdict.h"

namespace lem::engine {

/// Of one obligation: blocked, or others come first. Of all of them: none is left.
enum class Outcome : std::uint8_t { Done, Counterexample, Stopped };

/// Stopped when that was asked for, else the engine gave up: a solver did not decide a query, or
/// the method is incomplete.
inline Unknown unknown(const Context& ctx) {
  return {ctx.stopped() ? Reason::Stopped : Reason::GaveUp};
}

}  // namespace lem::engine
