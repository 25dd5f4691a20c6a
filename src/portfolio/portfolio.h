// The portfolio: several engine configurations in worker processes; the first answer whose evidence
// is accepted wins.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/context.h"
#include "model/problem.h"
#include "model/verdict.h"
#include "portfolio/worker.h"

namespace lem::portfolio {

/// Decides whether the evidence of a definite verdict about the portfolio's problem is accepted.
class Judge {
 public:
  virtual ~Judge() = default;
  virtual bool accepts(const Verdict& verdict) = 0;
};

/// `engine`: the id of the one that gave the verdict; empty if none did.
struct Answer {
  Verdict verdict;
  std::string engine{};
};

std::span<const OptionRow> portfolio_options();

/// Runs the members until one gives an answer that `judge` accepts (nullptr: any answer).
/// require: ctx.options has portfolio_options().
/// `growth`, if given, gets what the members count while they run.
/// Counts portfolio.contradiction when two contradicting answers were both accepted: a bug in an
/// engine or in the checker, and never a verdict.
Answer run_members(const std::vector<Member>& members, const Problem& problem, Judge* judge,
                   const Context& ctx, Growth* growth = nullptr);

/// Runs the members that suit the problem (members.h).
Answer run_portfolio(const Problem& problem, Judge* judge, const Context& ctx,
                     Growth* growth = nullptr);

}  // namespace lem::portfolio
