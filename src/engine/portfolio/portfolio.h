// The portfolio: several engine configurations in worker processes; the first answer whose evidence
// is accepted wins. `auto` is the portfolio that suits the model.
#pragma once

#include <vector>

#include "engine/engine.h"
#include "engine/portfolio/worker.h"

namespace lem {

extern const EngineInfo kPortfolioInfo;
extern const EngineInfo kAutoInfo;

/// Runs the members until one gives an answer that `judge` (none: everybody) believes.
/// require: ctx.options has the rows of kPortfolioInfo.
/// Counts portfolio.contradiction when two contradicting answers were both believed: a bug in an
/// engine or in the checker, and never a verdict.
Verdict run_portfolio(const std::vector<Member>& members, const Problem& problem,
                      const Judge& judge, const Context& ctx);

}  // namespace lem
