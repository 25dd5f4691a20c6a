// k-induction [Sheeran00], both cases incremental and the simple-path constraints lazy [Een03].
//
// Deviations: states must differ pairwise among the k good steps only, as the certificate says; a
// difference is demanded after a model repeated a state. With simple paths the method is complete,
// though k may be as large as the longest path without repetition.
// Tests: tests/unit/engine/kind/kind_test.cpp.
#include "engine/kind/kind.h"

#include <array>
#include <cassert>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/kind/kind_terms.h"
#include "engine/parts/bits/unroller.h"
#include "sat/cadical.h"

namespace lem {

namespace {

constexpr std::array kOptions = {
    OptionRow::number("kind.max-k", 0, 0, 1'000'000, "largest k to try, 0 for no limit"),
    OptionRow::toggle("kind.simple-path", true,
                      "demand pairwise different states, when a model repeats one [Sheeran00]"),
};
constexpr std::array kPresets = {
    Preset{"plain", "kind.simple-path=off", "no simple-path constraints: cheap, incomplete"},
};

struct KindStats {
  explicit KindStats(Stats& all)
      : k(all.counter("kind.k")),
        queries(all.counter("kind.queries")),
        differences(all.counter("kind.differences")),
        base(all.timer("kind.base")),
        step(all.timer("kind.step")) {}
  Counter& k;
  Counter& queries;
  Counter& differences;
  Timer& base;
  Timer& step;
};

/// A path with a solver of its own: from reset (base case) or from anywhere (step case).
struct Path {
  Path(const Problem& problem, Unroller::Start start, const std::stop_token& stop)
      : solver(sat::make_cadical()), steps(problem, *solver, start) {
    solver->set_stop(stop);
  }
  std::unique_ptr<sat::SatSolver> solver;
  Unroller steps;
};

enum class StepAnswer { Inductive, NotInductive, Stopped };

class KindRun {
 public:
  KindRun(const Problem& problem, const Context& ctx)
      : ctx_(ctx),
        stats_(ctx.stats),
        simple_path_(ctx.options.on("kind.simple-path")),
        max_k_(static_cast<std::uint32_t>(ctx.options.get("kind.max-k"))),
        base_(problem, Unroller::Start::Reset, ctx.stop),
        step_(problem, Unroller::Start::Anywhere, ctx.stop),
        differ_(step_.steps.encoded(step_.steps.gates().leaf())) {
    extend(step_);
  }

  /// [Sheeran00]: the base case shows that steps 0 .. k-1 are good, the step case that k good steps
  /// are followed by another one.
  Verdict check() {
    for (std::uint32_t k = 1; !ctx_.stopped(); ++k) {
      if (max_k_ != 0 && k > max_k_) return Unknown{Reason::BoundReached};
      report(k);
      switch (base_case()) {
        case sat::SatResult::Sat:
          return Unsafe{base_.steps.trace(Step{k - 1})};
        case sat::SatResult::Stopped:
          return Unknown{Reason::Stopped};
        case sat::SatResult::Unsat:
          break;
      }
      switch (step_case()) {
        case StepAnswer::Inductive:
          return Safe{certificate(k)};
        case StepAnswer::Stopped:
          return Unknown{Reason::Stopped};
        case StepAnswer::NotInductive:
          break;
      }
    }
    return Unknown{Reason::Stopped};
  }

 private:
  static Step extend(Path& path);
  sat::SatResult base_case();
  StepAnswer step_case();
  bool demand_differences(Step last);
  bool require_differ(Step left, Step right);
  KInductive certificate(std::uint32_t k) const;
  void report(std::uint32_t k);

  const Context& ctx_;
  KindStats stats_;
  bool simple_path_;
  std::uint32_t max_k_;
  Path base_;
  Path step_;
  sat::Lit differ_;  // guards the simple-path clauses, so that a core says whether they matter
};

Step KindRun::extend(Path& path) {
  Step at = path.steps.extend();
  path.steps.require(path.steps.legal(at));
  return at;
}

sat::SatResult KindRun::base_case() {
  TimerScope time(stats_.base);
  Step at = extend(base_);
  ++stats_.queries;
  sat::Lit bad = base_.steps.encoded(base_.steps.bad(at));
  sat::SatResult answer = base_.solver->solve(std::array{bad});
  if (answer == sat::SatResult::Unsat) base_.steps.require(!bad);
  return answer;
}

/// The last built step becomes a good one, and the step after it is asked to be bad.
StepAnswer KindRun::step_case() {
  TimerScope time(stats_.step);
  Step good{step_.steps.num_steps() - 1};
  step_.steps.require(!step_.steps.bad(good));
  sat::Lit bad = step_.steps.encoded(step_.steps.bad(extend(step_)));
  while (!ctx_.stopped()) {
    ++stats_.queries;
    switch (step_.solver->solve(std::array{differ_, bad})) {
      case sat::SatResult::Unsat:
        return StepAnswer::Inductive;
      case sat::SatResult::Stopped:
        return StepAnswer::Stopped;
      case sat::SatResult::Sat:
        if (!simple_path_ || !demand_differences(good)) return StepAnswer::NotInductive;
    }
  }
  return StepAnswer::Stopped;
}

/// Looks for repeated states among steps 0 .. last of the model and forbids them; false if nothing
/// new was forbidden. Latches that no query needed yet read as false: that can hide a repetition
/// for a while, demand a difference early, or see a repetition of states that differ by structure;
/// all are sound.
bool KindRun::demand_differences(Step last) {
  std::map<std::vector<bool>, Step> first_seen;
  std::vector<std::pair<Step, Step>> repeated;
  for (std::uint32_t i = 0; i <= index(last); ++i) {
    std::vector<bool> values;
    for (sat::Lit lit : step_.steps.state(Step{i}))
      values.push_back(step_.steps.gates().known(lit) && step_.steps.value(lit));
    auto [seen, fresh] = first_seen.emplace(std::move(values), Step{i});
    if (!fresh) repeated.emplace_back(seen->second, Step{i});
  }
  bool forbidden = false;
  for (auto [left, right] : repeated) forbidden |= require_differ(left, right);
  return forbidden;
}

/// False if the two states differ by structure already.
bool KindRun::require_differ(Step left, Step right) {
  const std::vector<sat::Lit>& before = step_.steps.state(left);
  const std::vector<sat::Lit>& after = step_.steps.state(right);
  std::vector<sat::Lit> clause = {!differ_};
  for (std::size_t latch = 0; latch < before.size(); ++latch) {
    // Rewriting may express the difference without the two latches: the solver must know them too,
    // or the next model would be read as the same repetition again.
    step_.steps.encoded(before[latch]);
    step_.steps.encoded(after[latch]);
    sat::Lit differs = step_.steps.gates().differ(before[latch], after[latch]);
    if (differs == step_.steps.gates().truth()) return false;
    if (differs != step_.steps.gates().falsity()) clause.push_back(step_.steps.encoded(differs));
  }
  step_.solver->add_clause(clause);
  ++stats_.differences;
  return true;
}

KInductive KindRun::certificate(std::uint32_t k) const {
  bool needed = simple_path_ && step_.solver->failed(differ_);
  return {k, needed ? SimplePath::Yes : SimplePath::No, {}};
}

void KindRun::report(std::uint32_t k) {
  stats_.k.value = k;
  if (ctx_.progress.due())
    ctx_.progress.publish("kind: k " + std::to_string(k) + ", " +
                          std::to_string(stats_.differences.value) + " simple-path constraints");
}

class Kind final : public Engine {
 public:
  Verdict check(const Problem& problem, const Context& ctx) override {
    if (!problem.is_bits()) return kind_on_terms(problem, ctx);
    return KindRun(problem, ctx).check();
  }
};

}  // namespace

constinit const EngineInfo kKindInfo = {
    "kind",
    "k-induction with simple-path constraints",
    "[Sheeran00] [Een03]",
    kOptions,
    kPresets,
    Accepts::Systems,
    []() -> std::unique_ptr<Engine> { return std::make_unique<Kind>(); }};

}  // namespace lem
