// Incremental BMC [Biere99, Een03]: one solver, one frame after the other, bad as an assumption.
//
// Deviations: `bmc.step` frames share one query, and the answer is cut at its first bad step. To
// refute the last frames before a counterexample is often the hardest part, and it is not needed:
// with 40 frames to a query, arbitrated_top_n2_w8_d32 of hwmcc20 takes 0.6 s, with 20 frames 9 s
// and with one more than 20 s; likewise krebs.3, shift_register_top_w64_d8 and
// circular_pointer_top. Finds counterexamples only, not always the shortest; a proof never comes
// out. Tests: tests/unit/engine/bmc/bmc_test.cpp.
#include "engine/bmc/bmc.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/bmc/bmc_terms.h"
#include "engine/parts/bits/unroller.h"
#include "sat/cadical.h"

namespace lem {

namespace {

constexpr std::array kOptions = {
    OptionRow::number("bmc.max-depth", 0, 0, 1'000'000, "last step to look at, 0 for no limit"),
    OptionRow::number("bmc.step", 40, 1, 1000,
                      "steps that share one query; fewer when the model is large [Een03]"),
};
constexpr std::array kPresets = {
    Preset{"shortest", "bmc.step=1", "step by step: the shortest counterexample"},
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

/// Long queries over large models fill the memory before they are asked.
constexpr std::size_t kGatesPerQuery = 1'000'000;

std::size_t steps_per_query(const Problem& problem, const Options& options) {
  std::size_t affordable = kGatesPerQuery / (problem.aig().num_ands() + std::size_t{1});
  auto wanted = static_cast<std::size_t>(options.get("bmc.step"));
  return std::max<std::size_t>(1, std::min(wanted, affordable));
}

class BmcRun {
 public:
  BmcRun(const Problem& problem, const Context& ctx)
      : ctx_(ctx),
        stats_(ctx.stats),
        max_depth_(static_cast<std::uint32_t>(ctx.options.get("bmc.max-depth"))),
        step_(steps_per_query(problem, ctx.options)),
        solver_(sat::make_cadical()),
        path_(problem, *solver_, Unroller::Start::Reset) {
    solver_->set_stop(ctx.stop);
  }

  /// [Biere99]: I(X0) & T(X0,X1) & ... & T(Xk-1,Xk) & bad(Xk) for growing k.
  Verdict check() {
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

 private:
  bool at_bound() const { return max_depth_ != 0 && path_.num_steps() > max_depth_; }
  void extend();
  sat::SatResult reach_bad();
  Step first_bad() const;
  void exclude();

  const Context& ctx_;
  BmcStats stats_;
  std::uint32_t max_depth_;
  std::size_t step_;
  std::unique_ptr<sat::SatSolver> solver_;
  Unroller path_;
  std::vector<Step> open_;  // the latest steps, not refuted yet
};

/// The next steps to look at; none at the bound.
void BmcRun::extend() {
  while (open_.size() < step_ && !at_bound() && !ctx_.stopped()) open_.push_back(path_.extend());
  stats_.depth.value = path_.num_steps();
  stats_.nodes.value = path_.gates().size();
  if (ctx_.progress.due())
    ctx_.progress.publish("bmc: step " + std::to_string(path_.num_steps()) + ", " +
                          std::to_string(path_.gates().size()) + " nodes");
}

/// A trace is legal up to its bad step, not up to the end of the group: the constraints of the
/// group's first step bind every disjunct, those of the later steps only what comes after.
sat::SatResult BmcRun::reach_bad() {
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

Step BmcRun::first_bad() const {
  auto at = std::find_if(open_.begin(), open_.end(),
                         [&](Step step) { return path_.value(path_.bad(step)); });
  assert(at != open_.end() && "the model of the query has no bad step");
  return *at;
}

/// No legal trace is bad within the group: later traces pass it legally and unharmed.
void BmcRun::exclude() {
  for (Step step : open_) {
    path_.require(path_.legal(step));
    path_.require(!path_.bad(step));
  }
  open_.clear();
}

class Bmc final : public Engine {
 public:
  Verdict check(const Problem& problem, const Context& ctx) override {
    if (!problem.is_bits()) return bmc_on_terms(problem, ctx);
    return BmcRun(problem, ctx).check();
  }
};

}  // namespace

constinit const EngineInfo kBmcInfo = {
    "bmc",
    "bounded model checking: finds counterexamples, proves nothing",
    "[Biere99] [Een03]",
    kOptions,
    kPresets,
    Accepts::Systems,
    []() -> std::unique_ptr<Engine> { return std::make_unique<Bmc>(); }};

}  // namespace lem
