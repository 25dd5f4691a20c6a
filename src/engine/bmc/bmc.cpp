// Incremental BMC [Biere99, Een03]: one solver, one frame after the other, bad as an assumption.
//
// Deviations: `bmc.step` frames share one query, and the answer is cut at its first bad step. Finds
// counterexamples only; a proof never comes out. Tests: tests/unit/engine/bmc_test.cpp.
#include "engine/bmc/bmc.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/parts/unroller.h"
#include "sat/cadical.h"

namespace lem {

namespace {

constexpr std::array kOptions = {
    OptionRow::number("bmc.max-depth", 0, 0, 1'000'000, "last step to look at, 0 for no limit"),
    OptionRow::number("bmc.step", 1, 1, 1000, "steps that share one query [Een03]"),
};
constexpr std::array kPresets = {
    Preset{"deep", "bmc.step=10", "ten steps to a query: for long counterexamples"},
};

struct BmcStats {
  explicit BmcStats(Stats& all)
      : depth(all.counter("bmc.depth")),
        queries(all.counter("bmc.queries")),
        nodes(all.counter("bmc.nodes")),
        solve(all.timer("bmc.solve")) {}
  Counter& depth;
  Counter& queries;
  Counter& nodes;
  Timer& solve;
};

class BmcRun {
 public:
  BmcRun(const Problem& problem, const Context& ctx)
      : ctx_(ctx),
        stats_(ctx.stats),
        max_depth_(static_cast<std::uint32_t>(ctx.options.get("bmc.max-depth"))),
        group_(static_cast<std::uint32_t>(ctx.options.get("bmc.step"))),
        solver_(sat::make_cadical()),
        path_(problem, *solver_, Unroller::Start::Reset) {
    solver_->set_stop(ctx.stop);
  }

  /// [Biere99]: I(X0) & T(X0,X1) & ... & T(Xk-1,Xk) & bad(Xk) for growing k.
  Verdict check() {
    while (!ctx_.stopped()) {
      std::vector<Step> group = extend();
      if (group.empty()) return Unknown{Reason::BoundReached};
      switch (reach_bad(group)) {
        case sat::SatResult::Sat:
          return Unsafe{path_.trace(first_bad(group))};
        case sat::SatResult::Unsat:
          exclude(group);
          break;
        case sat::SatResult::Stopped:
          return Unknown{Reason::Stopped};
      }
    }
    return Unknown{Reason::Stopped};
  }

 private:
  std::vector<Step> extend();
  sat::SatResult reach_bad(const std::vector<Step>& group);
  Step first_bad(const std::vector<Step>& group) const;
  void exclude(const std::vector<Step>& group);

  const Context& ctx_;
  BmcStats stats_;
  std::uint32_t max_depth_;
  std::uint32_t group_;
  std::unique_ptr<sat::SatSolver> solver_;
  Unroller path_;
};

/// The next steps to look at; none at the bound.
std::vector<Step> BmcRun::extend() {
  std::vector<Step> group;
  while (group.size() < group_ && (max_depth_ == 0 || path_.num_steps() <= max_depth_)) {
    if (ctx_.stopped()) break;
    group.push_back(path_.extend());
  }
  stats_.depth.value = path_.num_steps();
  stats_.nodes.value = path_.gates().size();
  if (ctx_.progress.due())
    ctx_.progress.publish("bmc: step " + std::to_string(path_.num_steps()) + ", " +
                          std::to_string(path_.gates().size()) + " nodes");
  return group;
}

/// A trace is legal up to its bad step, not up to the end of the group: the constraints of the
/// group's first step bind every disjunct, those of the later steps only what comes after.
sat::SatResult BmcRun::reach_bad(const std::vector<Step>& group) {
  LazyGates& gates = path_.gates();
  path_.require(path_.legal(group.front()));
  sat::Lit legal = gates.truth();
  sat::Lit reached = path_.bad(group.front());
  for (Step step : std::span(group).subspan(1)) {
    legal = gates.conj(legal, path_.legal(step));
    reached = gates.disj(reached, gates.conj(legal, path_.bad(step)));
  }
  for (Step step : group) path_.encoded(path_.bad(step));  // first_bad() reads them all
  ++stats_.queries;
  TimerScope time(stats_.solve);
  return solver_->solve(std::array{path_.encoded(reached)});
}

Step BmcRun::first_bad(const std::vector<Step>& group) const {
  auto at = std::find_if(group.begin(), group.end(),
                         [&](Step step) { return path_.value(path_.bad(step)); });
  assert(at != group.end() && "the model of the query has no bad step");
  return *at;
}

/// No legal trace is bad within the group: later traces pass it legally and unharmed.
void BmcRun::exclude(const std::vector<Step>& group) {
  for (Step step : group) {
    path_.require(path_.legal(step));
    path_.require(!path_.bad(step));
  }
}

class Bmc final : public Engine {
 public:
  Verdict check(const Problem& problem, const Context& ctx) override {
    return BmcRun(problem, ctx).check();
  }
};

}  // namespace

constinit const EngineInfo kBmcInfo = {
    "bmc",
    "bounded model checking: finds shortest counterexamples, proves nothing",
    "[Biere99] [Een03]",
    kOptions,
    kPresets,
    []() -> std::unique_ptr<Engine> { return std::make_unique<Bmc>(); }};

}  // namespace lem
