#include "engine/parts/terms/seeds/samples.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "engine/parts/terms/seeds/affine.h"
#include "smt/solvers.h"

namespace lem::engine {

namespace {

constexpr std::size_t kRuns = 12;
constexpr std::size_t kSteps = 16;
constexpr std::size_t kWishRounds = 4;    // queries spent to move free variables
constexpr std::uint32_t kWork = 200'000;  // for each query, in the solver's units
constexpr std::size_t kMaxVariables = 4;  // of an equation
constexpr std::uint32_t kMaxFactor = 64;  // of an equation
constexpr std::size_t kMaxEquations = 24;
constexpr std::size_t kSpare = 3;

using State = std::vector<Term>;  // values in the order of the system's current variables

/// Random runs, each step a model of Trans from the state before. Free variables (unknown initial
/// values, inputs, next values that a step leaves open) should be random numbers; values that a
/// query refuses are dropped by its unsat core.
class RunSampler {
 public:
  RunSampler(TermSystem& system, std::uint32_t seed, const Context& ctx)
      : system_(system),
        terms_(system.terms()),
        random_(seed),
        start_(smt::Solvers(ctx).make(terms_, smt::Workload::Stream)),
        step_(smt::Solvers(ctx).make(terms_, smt::Workload::Stream)) {
    start_->add(system.init());
    step_->add(system.trans());
    start_->limit_work(kWork);
    step_->limit_work(kWork);
    open_.assign(system.next().begin(), system.next().end());
    open_.insert(open_.end(), system.inputs().begin(), system.inputs().end());
  }

  void run(std::size_t steps, std::vector<State>& states) {
    std::optional<State> state = sample(*start_, system_.current(), system_.current());
    for (std::size_t i = 0; state && i < steps; ++i) {
      states.push_back(*state);
      smt::Scope scope(*step_);
      for (std::size_t v = 0; v < state->size(); ++v)
        step_->add(terms_.make_eq(system_.current()[v], (*state)[v]));
      state = sample(*step_, open_, system_.next());
    }
  }

 private:
  std::optional<State> sample(smt::SmtSolver& solver, std::span<const Term> movable,
                              std::span<const Term> read) {
    std::vector<Term> wishes;
    for (Term variable : movable)
      if (std::optional<Term> wish = random_value(variable))
        wishes.push_back(terms_.make_eq(variable, *wish));
    for (std::size_t round = 0;; ++round) {
      if (round == kWishRounds) wishes.clear();
      smt::Answer answer = solver.solve(wishes);
      if (answer == smt::Answer::Sat) break;
      if (answer == smt::Answer::Unknown || wishes.empty()) return {};
      const std::vector<Term>& refused = solver.core();
      if (refused.empty()) return {};
      std::erase_if(wishes, [&](Term wish) {
        return std::find(refused.begin(), refused.end(), wish) != refused.end();
      });
    }
    State values;
    for (Term variable : read) values.push_back(solver.value(variable));
    return values;
  }

  std::optional<Term> random_value(Term variable) {
    auto number = static_cast<std::uint32_t>(
        random_());  // the distributions of <random> differ between libraries
    switch (terms_.kind(variable)) {
      case SortKind::Bool:
        return terms_.boolean(number % 2 == 1);
      case SortKind::Int:
      case SortKind::Real:
        return terms_.number(static_cast<int>(number % 24) - 3, terms_.sort(variable));
      case SortKind::BitVec:
      case SortKind::Array:
      case SortKind::Float:
        return {};
    }
    unreachable();
  }

  TermSystem& system_;
  TermStore& terms_;
  std::mt19937 random_;
  std::unique_ptr<smt::SmtSolver> start_, step_;
  std::vector<Term> open_;  // next values and inputs
};

class Relations {
 public:
  explicit Relations(const TermSystem& system) : terms_(system.terms()) {
    for (std::size_t i = 0; i < system.current().size(); ++i) {
      Term variable = system.current()[i];
      if (terms_.kind(variable) == SortKind::Bool) bools_.push_back(i);
      if (!terms_.is_numeric(terms_.sort(variable))) continue;
      numbers_.push_back(i);
      variables_.push_back(variable);
    }
  }
  bool none() const { return numbers_.empty(); }

  /// Over all states, then for each valuation of the Bool states.
  std::vector<Term> of(const std::vector<State>& states) {
    std::map<std::vector<Term>, std::set<std::vector<mpq_class>>> groups;
    for (const State& state : states) {
      std::vector<Term> key;
      std::vector<mpq_class> point;
      for (std::size_t i : bools_) key.push_back(state[i]);
      for (std::size_t i : numbers_) point.push_back(terms_.number_value(state[i]));
      groups[{}].insert(point);
      groups[key].insert(point);
    }
    for (const auto& [key, points] : groups)
      for (const AffineEquation& equation : affine_hull({points.begin(), points.end()}, kSpare))
        add(equation);
    return std::move(found_);
  }

 private:
  void add(const AffineEquation& equation) {
    if (found_.size() >= 2 * kMaxEquations) return;
    AffineSize size = size_of(equation);
    if (size.variables > kMaxVariables || size.factor > kMaxFactor) return;
    auto sides = affine_sides(terms_, variables_, equation);
    if (!sides) return;
    found_.push_back(terms_.make_le(sides->first, sides->second));
    found_.push_back(terms_.make_ge(sides->first, sides->second));
  }

  TermStore& terms_;
  std::vector<Term> variables_;               // of numbers_
  std::vector<std::size_t> numbers_, bools_;  // indices of current variables
  std::vector<Term> found_;
};

}  // namespace

std::vector<Term> affine_relations(TermSystem& system, std::uint32_t seed, std::string_view engine,
                                   const Context& ctx) {
  std::string prefix = std::string(engine) + ".affine";
  Relations relations(system);
  if (relations.none()) return {};
  TimerScope timer(ctx.stats.timer(prefix));
  RunSampler sampler(system, seed, ctx);
  std::vector<State> states;
  for (std::size_t run = 0; run < kRuns && !ctx.stopped(); ++run) sampler.run(kSteps, states);
  std::vector<Term> found = relations.of(states);
  ctx.stats.counter(prefix + "-samples") += states.size();
  ctx.stats.counter(prefix + "-relations") += found.size() / 2;
  return found;
}

}  // namespace lem::engine
