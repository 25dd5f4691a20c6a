// BMC on bits: one solver, one frame after the other [Biere99, Een03].
#include "engine/bmc/search.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <span>
#include <string>

#include "sat/cadical.h"

namespace lem::engine {

/// Long queries over large models fill the memory before they are asked.
constexpr std::size_t kGatesPerQuery = 1'000'000;

static std::size_t steps_per_query(const Problem& problem, std::size_t wanted) {
  std::size_t affordable = kGatesPerQuery / (problem.aig().num_ands() + std::size_t{1});
  return std::max<std::size_t>(1, std::min(wanted, affordable));
}

BmcSearch::BmcSearch(const Problem& problem, const Context& ctx)
    : ctx_(ctx),
      config_(ctx.options),
      stats_(ctx.stats),
      steps_per_query_(steps_per_query(problem, config_.step)),
      solver_(sat::make_cadical()),
      path_(problem, *solver_, Unroller::Start::Reset) {
  solver_->set_stop(ctx.stop);
}

/// [Biere99]: I(X0) & T(X0,X1) & ... & T(Xk-1,Xk) & bad(Xk) for growing k.
Verdict BmcSearch::run() {
  while (!ctx_.stopped()) {
    extend();
    if (open_.empty()) return Unknown{Reason::BoundReached};
    switch (reach_bad()) {
      case sat::SatResult::Sat:
        return Unsafe{path_.trace(first_bad())};
      case sat::SatResult::Unsat:
        exclude();
        break;
      case sat::SatResult::Stopped:
        return Unknown{Reason::Stopped};
    }
  }
  return Unknown{Reason::Stopped};
}

/// The next steps to look at; none at the bound.
void BmcSearch::extend() {
  while (open_.size() < steps_per_query_ && !at_bound() && !ctx_.stopped())
    open_.push_back(path_.extend());
  stats_.depth.value = path_.num_steps();
  stats_.nodes.value = path_.gates().size();
  if (ctx_.progress.due())
    ctx_.progress.publish("bmc: step " + std::to_string(path_.num_steps()) + ", " +
                          std::to_string(path_.gates().size()) + " nodes");
}

/// A trace is legal up to its bad step, not up to the end of the group: the constraints of the
/// group's first step bind every disjunct, those of the later steps only what comes after.
sat::SatResult BmcSearch::reach_bad() {
  LazyGates& gates = path_.gates();
  path_.require(path_.legal(open_.front()));
  sat::Lit legal = gates.truth();
  sat::Lit reached = path_.bad(open_.front());
  for (Step step : std::span(open_).subspan(1)) {
    legal = gates.conj(legal, path_.legal(step));
    reached = gates.disj(reached, gates.conj(legal, path_.bad(step)));
  }
  for (Step step : open_) path_.encoded(path_.bad(step));  // first_bad() reads them all
  ++stats_.queries;
  TimerScope time(stats_.solve);
  return solver_->solve(std::array{path_.encoded(reached)});
}

Step BmcSearch::first_bad() const {
  auto at = std::find_if(open_.begin(), open_.end(),
                         [&](Step step) { return path_.value(path_.bad(step)); });
  assert(at != open_.end() && "the model of the query has no bad step");
  return *at;
}

/// No legal trace is bad within the group: later traces pass it legally and unharmed.
void BmcSearch::exclude() {
  for (Step step : open_) {
    path_.require(path_.legal(step));
    path_.require(!path_.bad(step));
  }
  open_.clear();
}

}  // namespace lem::engine
