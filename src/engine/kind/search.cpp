// k-induction on bits [Sheeran00, Een03].
#include "engine/kind/search.h"

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sat/cadical.h"

namespace lem::engine {

KindSearch::Path::Path(const Problem& problem, Unroller::Start start, const std::stop_token& stop)
    : solver(sat::make_cadical()), steps(problem, *solver, start) {
  solver->set_stop(stop);
}

KindSearch::KindSearch(const Problem& problem, const Context& ctx)
    : ctx_(ctx),
      config_(ctx.options),
      stats_(ctx.stats),
      base_(problem, Unroller::Start::Reset, ctx.stop),
      step_(problem, Unroller::Start::Anywhere, ctx.stop),
      differ_(step_.steps.encoded(step_.steps.gates().leaf())) {
  extend(step_);
}

/// [Sheeran00]: the base case shows that steps 0 .. k-1 are good, the step case that k good steps
/// are followed by another one.
Verdict KindSearch::run() {
  for (std::uint32_t k = 1; !ctx_.stopped(); ++k) {
    if (config_.beyond(k)) return Unknown{Reason::BoundReached};
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

Step KindSearch::extend(Path& path) {
  Step at = path.steps.extend();
  path.steps.require(path.steps.legal(at));
  return at;
}

sat::SatResult KindSearch::base_case() {
  TimerScope time(stats_.base);
  Step at = extend(base_);
  ++stats_.queries;
  sat::Lit bad = base_.steps.encoded(base_.steps.bad(at));
  sat::SatResult answer = base_.solver->solve(std::array{bad});
  if (answer == sat::SatResult::Unsat) base_.steps.require(!bad);
  return answer;
}

/// The last built step becomes a good one, and the step after it is asked to be bad.
KindSearch::StepAnswer KindSearch::step_case() {
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
        if (!config_.simple_path || !demand_differences(good)) return StepAnswer::NotInductive;
    }
  }
  return StepAnswer::Stopped;
}

/// Looks for repeated states among steps 0 .. last of the model and forbids them; false if nothing
/// new was forbidden. Latches that no query needed yet read as false: that can hide a repetition
/// for a while, demand a difference early, or see a repetition of states that differ by structure;
/// all are sound.
bool KindSearch::demand_differences(Step last) {
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
bool KindSearch::require_differ(Step left, Step right) {
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

KInductive KindSearch::certificate(std::uint32_t k) const {
  bool needed = config_.simple_path && step_.solver->failed(differ_);
  return {k, needed ? SimplePath::Yes : SimplePath::No, {}};
}

void KindSearch::report(std::uint32_t k) {
  stats_.k.value = k;
  if (ctx_.progress.due())
    ctx_.progress.publish("kind: k " + std::to_string(k) + ", " +
                          std::to_string(stats_.differences.value) + " simple-path constraints");
}

}  // namespace lem::engine
