// How a search ends that has no verdict.
#pragma once

#include "base/context.h"
#include "model/verdict.h"

namespace lem::engine {

/// Stopped when that was asked for, else the engine gave up: a solver did not decide a query, or
/// the method is incomplete.
inline Unknown unknown(const Context& ctx) {
  return {ctx.stopped() ? Reason::Stopped : Reason::GaveUp};
}

}  // namespace lem::engine
