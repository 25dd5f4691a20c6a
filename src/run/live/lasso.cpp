#include "run/live/lasso.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "run/live/product.h"
#include "term/traverse.h"

namespace lem::run {

namespace {

// Latches outside the cone of the property may count: a lasso is repeated at most until it has so
// many steps.
constexpr std::size_t kMostSteps = 100'000;

struct Span {
  std::size_t from, to;  // the states at these steps are the same
};

/// Finds two equal states with every signal seen between, step after step.
template <class State>
class Repetition {
 public:
  explicit Repetition(std::size_t signals) : last_(signals) {}

  /// The state at the next step.
  std::optional<Span> reach(const State& state) {
    std::size_t now = steps_;
    std::size_t since = now;  // all signals were seen in since..now-1
    for (std::size_t last : last_) since = std::min(since, last);
    std::vector<std::size_t>& before = at_[state];
    std::optional<Span> found;
    if (!never_)
      for (std::size_t from : before)
        if (from < since) found = Span{from, now};
    before.push_back(now);
    return found;
  }
  /// What holds at this step.
  template <class Holds>
  void leave(Holds holds) {
    ++steps_;
    never_ = false;
    for (std::size_t i = 0; i < last_.size(); ++i) {
      if (holds(i)) last_[i] = steps_;  // one more than the step: 0 is never
      never_ = never_ || last_[i] == 0;
    }
  }

 private:
  std::vector<std::size_t> last_;
  bool never_ = true;
  std::size_t steps_ = 0;
  std::map<State, std::vector<std::size_t>> at_;
};

// Bits ------------------------------------------------------------------------------------------

class Simulator {
 public:
  explicit Simulator(const Aig& aig, std::vector<bool> initial)
      : aig_(aig), state_(std::move(initial)), value_(aig.num_vars()) {}
  const std::vector<bool>& state() const { return state_; }
  bool holds(AigLit lit) const { return value_[lit.var()] != lit.negative(); }
  void step(const std::vector<bool>& inputs) {
    for (std::uint32_t i = 0; i < aig_.num_inputs(); ++i) value_[aig_.input(i).var()] = inputs[i];
    for (std::uint32_t i = 0; i < aig_.num_latches(); ++i) value_[aig_.latch(i).var()] = state_[i];
    for (std::uint32_t var = aig_.first_and(); var < aig_.num_vars(); ++var)
      value_[var] = holds(aig_.gate_of(var).left) && holds(aig_.gate_of(var).right);
    for (std::uint32_t i = 0; i < aig_.num_latches(); ++i)
      state_[i] = holds(aig_.latches()[i].next);
  }

 private:
  const Aig& aig_;
  std::vector<bool> state_;
  std::vector<bool> value_;
};

/// The loop once more until the whole state comes back.
std::optional<Unsafe> close_bits(const Aig& aig, const Trace& trace, Span loop) {
  Trace lasso{trace.initial, {}};
  Simulator model(aig, trace.initial);
  auto go = [&](std::size_t step) {
    lasso.inputs.push_back(trace.inputs[step]);
    model.step(trace.inputs[step]);
  };
  for (std::size_t step = 0; step < loop.from; ++step) go(step);
  std::map<std::vector<bool>, std::size_t> entered;
  while (lasso.inputs.size() < kMostSteps) {
    auto [before, fresh] = entered.emplace(model.state(), lasso.inputs.size());
    if (!fresh) return Unsafe{std::move(lasso), before->second};
    for (std::size_t step = loop.from; step < loop.to; ++step) go(step);
  }
  return {};
}

std::optional<Unsafe> lasso_in_bits(const Problem& problem, const Trace& trace) {
  const std::vector<AigLit>& often = problem.property().often();
  std::vector<std::uint32_t> recurring = recurring_states(problem);
  Simulator model(problem.aig(), trace.initial);
  Repetition<std::vector<bool>> states(often.size());
  for (std::size_t step = 0;; ++step) {
    std::vector<bool> state;
    for (std::uint32_t latch : recurring) state.push_back(model.state()[latch]);
    if (auto loop = states.reach(state)) return close_bits(problem.aig(), trace, *loop);
    if (step == trace.inputs.size()) return {};
    model.step(trace.inputs[step]);
    states.leave([&](std::size_t i) { return model.holds(often[i]); });
  }
}

// Terms -----------------------------------------------------------------------------------------

TermMap values_at(const TransitionSystem& system, const TermTrace::Step& step) {
  TermMap values;
  for (std::size_t i = 0; i < step.states.size(); ++i)
    values[system.states()[i].current] = step.states[i];
  for (std::size_t i = 0; i < step.inputs.size(); ++i) values[system.inputs()[i]] = step.inputs[i];
  return values;
}

/// require: the states outside the cone have updates
std::optional<Unsafe> close_terms(const TransitionSystem& system, const TermTrace& trace,
                                  Span loop) {
  TermTrace lasso{{trace.steps.begin(), trace.steps.begin() + std::ptrdiff_t(loop.from)}};
  std::vector<Term> state = trace.steps[loop.from].states;
  std::map<std::vector<Term>, std::size_t> entered;
  while (lasso.steps.size() < kMostSteps) {
    auto [before, fresh] = entered.emplace(state, lasso.steps.size());
    if (!fresh) return Unsafe{std::move(lasso), before->second};
    for (std::size_t step = loop.from; step < loop.to; ++step) {
      lasso.steps.push_back({state, trace.steps[step].inputs});
      TermMap values = values_at(system, lasso.steps.back());
      // What has no update is part of what comes back.
      std::size_t next = step + 1 == loop.to ? loop.from : step + 1;
      for (std::size_t i = 0; i < state.size(); ++i) {
        Term update = system.states()[i].update;
        state[i] = update ? evaluate(system.terms(), update, values) : trace.steps[next].states[i];
      }
    }
  }
  return {};
}

std::optional<Unsafe> lasso_in_terms(const Problem& problem, const TermTrace& trace) {
  const TransitionSystem& system = problem.system();
  const std::vector<Term>& often = problem.property().often_terms();
  std::vector<std::uint32_t> recurring = recurring_states(problem);
  Repetition<std::vector<Term>> states(often.size());
  for (std::size_t step = 0; step < trace.steps.size(); ++step) {
    std::vector<Term> state;
    for (std::uint32_t index : recurring) state.push_back(trace.steps[step].states[index]);
    if (auto loop = states.reach(state)) return close_terms(system, trace, *loop);
    TermMap values = values_at(system, trace.steps[step]);
    states.leave([&](std::size_t i) {
      return system.terms().is_true(evaluate(system.terms(), often[i], values));
    });
  }
  return {};
}

}  // namespace

Run project(const Problem& original, Run run) {
  if (auto* trace = std::get_if<Trace>(&run)) {
    trace->initial.resize(original.aig().num_latches());
    for (std::vector<bool>& row : trace->inputs) row.resize(original.aig().num_inputs());
  }
  if (auto* trace = std::get_if<TermTrace>(&run)) {
    for (TermTrace::Step& step : trace->steps) {
      step.states.resize(original.system().states().size());
      step.inputs.resize(original.system().inputs().size());
    }
  }
  return run;
}

std::optional<Unsafe> lasso_in(const Problem& problem, const Run& run) {
  if (const auto* trace = std::get_if<Trace>(&run)) return lasso_in_bits(problem, *trace);
  if (const auto* trace = std::get_if<TermTrace>(&run)) return lasso_in_terms(problem, *trace);
  return {};
}

}  // namespace lem::run
