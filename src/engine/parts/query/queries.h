// Asking solvers: what is counted and timed, and whether one gave up.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/context.h"
#include "smt/smt_solver.h"

namespace lem::engine {

/// The statistic `name` of the engine that `prefix` belongs to.
inline std::string prefixed(std::string_view prefix, std::string_view name) {
  return std::string(prefix) + std::string(name);
}

class Queries {
 public:
  /// Borrows the context. `prefix`: of statistics, "ic3smt."
  Queries(const Context& ctx, std::string_view prefix)
      : ctx_(ctx),
        count_(ctx.stats.counter(prefixed(prefix, "queries"))),
        time_(ctx.stats.timer(prefixed(prefix, "solve"))) {}

  smt::Answer ask(smt::SmtSolver& solver, std::span<const Term> assumptions) {
    ++count_;
    TimerScope timer(time_);
    smt::Answer answer = solver.solve(assumptions);
    if (answer == smt::Answer::Unknown) gave_up_ = true;
    return answer;
  }
  /// A stop was requested, or a solver did not decide a query: nothing is to be claimed any more.
  bool stopped() const { return ctx_.stopped() || gave_up_; }
  double seconds() const { return time_.seconds; }

 private:
  const Context& ctx_;
  bool gave_up_ = false;  // a solver did
  Counter& count_;
  Timer& time_;
};

}  // namespace lem::engine
