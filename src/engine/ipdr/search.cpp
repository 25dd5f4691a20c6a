// Interpolating PDR, [Wolff 4.4] and Listing 7 [Vizel14]: the frontier is extended by one
// unrolled query, and its refutation strengthens all frames before IC3's propagation.
//
// The sequence interpolants come from clause extraction, not from resolution proofs: our solvers
// log none, clauses are what frames are made of (an interpolant would have to be brought into CNF,
// the costly line 92 of the listing), and they can be generalized like any IC3 lemma. From left to
// right, with the suffix B_i = F_i(X_i) & T & ... & bad(X_k): once F_i-1 & T & B_i is
// unsatisfiable, every state of B_i is unreachable from F_i-1 in one step, and a clause that says
// so is one conjunct of J_i. When B_i is empty, F_i & T & B_i+1 is unsatisfiable, and i+1 has its
// turn. In contrast to IC3 no obligation ever moves backwards. Deviations: the refutation starts at
// the last frame that refutes its suffix (`ipdr.shortest`). Tests:
// tests/unit/engine/ipdr/ipdr_test.cpp.
#include "engine/ipdr/search.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string>
#include <utility>

#include "engine/ipdr/ipdr.h"
#include "engine/ipdr/ipdr_terms.h"
#include "sat/cadical.h"

namespace lem {

namespace {

constexpr std::array kOptions = {
    OptionRow::choice("ipdr.generalize", 4, "none|core|drop|binary|down",
                      "how a clause of an interpolant shrinks [Bradley11]"),
    OptionRow::choice("ipdr.lift", 3, "none|core|ternary|both",
                      "how a state of a suffix grows to a cube [Chockler11, Een11]"),
    OptionRow::toggle("ipdr.shortest", true,
                      "interpolate the shortest refuted suffix, not the whole unrolling"),
    OptionRow::choice("ipdr.interpolant", 0, "all|spacer|backward",
                      "on terms: where interpolants come from; all: one after the other"),
    OptionRow::number("ipdr.interpolant-ms", 5000, 1, 1'000'000,
                      "on terms: milliseconds for one source of interpolants"),
};
constexpr std::array kPresets = {
    Preset{"paper", "ipdr.shortest=off", "the whole unrolling is interpolated [Vizel14]"},
};

}  // namespace

IpdrSearch::IpdrSearch(const Problem& problem, const Context& ctx)
    : ctx_(ctx),
      stats_(ctx.stats),
      effort_{static_cast<Generalize>(ctx.options.get("ipdr.generalize"))},
      shortest_(ctx.options.on("ipdr.shortest")),
      cnf_(problem),
      lifter_(cnf_, static_cast<Lift>(ctx.options.get("ipdr.lift")), 1),
      generalizer_(*this),
      path_solver_(sat::make_cadical()),
      path_(problem, *path_solver_, Unroller::Start::Reset),
      suffixes_(problem, ctx.stop),
      step_(cnf_.make_solver()),
      activity_(problem.aig().num_vars(), 0) {
  step_->set_stop(ctx.stop);
  lifter_.set_stop(ctx.stop);
  path_solver_->set_stop(ctx.stop);
  solvers_.push_back(std::make_unique<sat::Cdcl>(*step_));
  for (Lit lit : cnf_.reset()) {
    solvers_[0]->add_clause({&lit, 1});
    solvers_[0]->always(lit.var());
  }
  suffixes_.extend();
}

/// [Wolff Listing 1] with the frontier extension of Listing 7.
Verdict IpdrSearch::run() {
  while (!stopped()) {
    switch (unrolled_query()) {  // F_0 & T & F_1 & ... & F_k & bad
      case Reach::Bad:
        return Unsafe{path_.trace(Step{index(frames_.top())})};
      case Reach::Stopped:
        return Unknown{Reason::Stopped};
      case Reach::Safe:
        break;
    }
    if (!interpolate()) break;  // F_i := F_i & J_i
    extend();                   // F_k+1 := true
    if (auto fixpoint = propagate()) return Safe{invariant(*fixpoint)};
  }
  return Unknown{Reason::Stopped};
}

IpdrSearch::Reach IpdrSearch::unrolled_query() {
  TimerScope time(stats_.unrolled);
  Step last = path_.extend();
  assert(index(last) == index(frames_.top()) && "the unrolling ends at the frontier");
  path_.require(path_.legal(last));
  sat::Lit bad = path_.encoded(path_.bad(last));
  switch (path_solver_->solve(std::array{bad})) {
    case sat::SatResult::Sat:
      return Reach::Bad;
    case sat::SatResult::Stopped:
      return Reach::Stopped;
    case sat::SatResult::Unsat:
      break;
  }
  path_.require(!bad);
  return Reach::Safe;
}

/// Listing 7, lines 89-92.   ensure: F_k & bad is unsatisfiable; false if stopped
bool IpdrSearch::interpolate() {
  Level first = shortest_ ? last_refuted_suffix() : Level{0};
  for (Level i = next(first); i <= frames_.top(); ++i)
    if (!strengthen(i)) return false;
  return !stopped();
}

/// The largest i with F_i & T & ... & bad unsatisfiable; 0 is known to be one.
Level IpdrSearch::last_refuted_suffix() {
  TimerScope time(stats_.suffixes);
  for (Level i = frames_.top(); index(i) > 0 && !stopped(); i = previous(i)) {
    ++stats_.suffix_queries;
    if (suffixes_.reach_bad(i) == sat::SatResult::Unsat) return i;
  }
  return Level{0};
}

/// J_i: blocks every state of F_i that reaches bad within the remaining steps.
///   require: F_i-1 & T & B_i is unsatisfiable
///   ensure:  B_i is unsatisfiable; false if stopped
bool IpdrSearch::strengthen(Level i) {
  while (!stopped()) {
    report();
    sat::SatResult answer = [&] {
      TimerScope time(stats_.suffixes);
      ++stats_.suffix_queries;
      return suffixes_.reach_bad(i);
    }();
    if (answer != sat::SatResult::Sat) return answer == sat::SatResult::Unsat;
    block(i, states_leading_to_bad(i));
  }
  return false;
}

/// The model's state at step i, lifted along its path: all states of the cube reach bad under the
/// model's inputs. They need not stay in the frames on the way, and need not be asked to: a
/// successor of F_i-1 does.
Cube IpdrSearch::states_leading_to_bad(Level i) {
  std::vector<Lit> targets = {cnf_.bad()};
  for (Level at = frames_.top();; at = previous(at)) {
    std::vector<Lit> facts = suffixes_.state(at);
    std::vector<Lit> inputs = suffixes_.inputs(at);
    facts.insert(facts.end(), inputs.begin(), inputs.end());
    facts.insert(facts.end(), targets.begin(), targets.end());
    if (step_->solve_confined(facts, {}) != sat::SatResult::Sat) {
      assert(stopped() && "a step of the model is no step of the system");
      return Cube(suffixes_.state(i));
    }
    Lifted lifted = lifter_.lift(*step_, targets, activity_);
    if (at == i) return Cube(std::move(lifted.state));
    targets.clear();
    for (Lit lit : lifted.state) targets.push_back(cnf_.next(lit));
  }
}

void IpdrSearch::block(Level i, const Cube& cube) {
  if (stopped()) return;
  assert(!meets_initial(cube.lits()) && "shorter counterexamples were excluded before");
  TimerScope time(stats_.generalize);
  Induction answer = inductive(i, cube.lits());
  assert(!answer.fails() && "a state of the suffix is reachable from the frame before");
  if (!answer.holds()) return;
  std::vector<Lit> core(answer.core.begin(), answer.core.end());
  core = generalizer_.generalize(i, std::move(core), effort_);
  BlockedCube blocked = push_up(*this, {i, std::move(core)}, frames_.top());
  add_lemma(blocked.level, Cube(std::move(blocked.cube)));
}

/// [Lange18 (3.3)]: F_i-1 & !cube & T & cube' unsatisfiable; the core keeps clear of the initial
/// states.
Induction IpdrSearch::inductive(Level i, std::span<const Lit> cube) {
  sat::Cdcl& solver = *solvers_[index(i) - 1];
  std::vector<Lit> assumptions, clause;
  for (Lit lit : cube) {
    assumptions.push_back(cnf_.next(lit));
    clause.push_back(!lit);
  }
  last_query_ = previous(i);
  ++stats_.step_queries;
  switch (solver.solve_confined(assumptions, clause)) {
    case sat::SatResult::Sat:
      return {Induction::Fails};
    case sat::SatResult::Stopped:
      return {Induction::Stopped};
    case sat::SatResult::Unsat:
      break;
  }
  core_.clear();
  for (Lit lit : cube)
    if (solver.failed(cnf_.next(lit))) core_.push_back(lit);
  if (!meets_initial(core_)) return {Induction::Holds, core_};
  auto excluded =
      std::find_if(cube.begin(), cube.end(), [&](Lit lit) { return cnf_.excluded_by_reset(lit); });
  assert(excluded != cube.end() && "the cube meets the initial states");
  core_.push_back(*excluded);
  return {Induction::Holds, core_};
}

std::vector<Lit> IpdrSearch::counterexample() const {
  const sat::Cdcl& solver = *solvers_[index(last_query_)];
  std::vector<Lit> state;
  for (std::uint32_t i = 0; i < cnf_.aig().num_latches(); ++i) {
    Lit lit = to_lit(cnf_.aig().latch(i));
    sat::Truth truth = solver.model(lit);
    if (truth != sat::Truth::Unassigned) state.push_back(lit ^ (truth == sat::Truth::False));
  }
  return state;
}

void IpdrSearch::order(std::vector<Lit>& cube) const {
  std::stable_sort(cube.begin(), cube.end(),
                   [&](Lit a, Lit b) { return activity_[a.var()] < activity_[b.var()]; });
}

void IpdrSearch::extend() {
  frames_.extend();
  solvers_.push_back(std::make_unique<sat::Cdcl>(*step_));
  suffixes_.extend();
  stats_.depth.value = index(frames_.top());
}

/// IC3's propagation.   ensure: a level i with F_i = F_i+1, if there is one
std::optional<Level> IpdrSearch::propagate() {
  TimerScope time(stats_.propagate);
  for (Level level{1}; level < frames_.top() && !stopped(); ++level) {
    std::vector<Lemma> lemmas = frames_.at(level);  // a copy: pushing changes the list
    for (const Lemma& lemma : lemmas)
      if (Induction answer = inductive(next(level), lemma.cube.lits()); answer.holds())
        add_lemma(next(level), Cube({answer.core.begin(), answer.core.end()}));
    if (!stopped() && frames_.at(level).empty()) return level;
  }
  return {};
}

/// A lemma of F_level holds at steps 0 .. level of every unrolling.
void IpdrSearch::add_lemma(Level level, const Cube& cube) {
  assert(!meets_initial(cube.lits()) && "a lemma must hold initially");
  constexpr double kLimit = 1e100;
  activity_step_ /= 0.99;
  for (Lit lit : cube.lits()) activity_[lit.var()] += activity_step_;
  if (activity_step_ > kLimit) {
    for (double& activity : activity_) activity /= kLimit;
    activity_step_ /= kLimit;
  }
  if (!frames_.add(level, Lemma{cube, {}, false})) return;
  ++stats_.lemmas;
  for (Level i{1}; i <= level; ++i) {
    add_clause_of(cube, *solvers_[index(i)]);
    suffixes_.exclude(i, cube);
  }
}

void IpdrSearch::add_clause_of(const Cube& cube, sat::Cdcl& solver) const {
  std::vector<Lit> clause;
  for (Lit lit : cube.lits()) {
    clause.push_back(!lit);
    solver.always(lit.var());
  }
  solver.add_clause(clause);
}

/// require: F_level = F_level+1
InductiveInvariant IpdrSearch::invariant(Level level) const {
  InductiveInvariant result;
  for (Level i = next(level); i <= frames_.top(); ++i)
    for (const Lemma& lemma : frames_.at(i)) {
      SignalClause& clause = result.clauses.emplace_back();
      for (Lit lit : lemma.cube.lits()) clause.push_back(to_aig(!lit));
    }
  return result;
}

void IpdrSearch::report() {
  if (ctx_.progress.due())
    ctx_.progress.publish("ipdr: frame " + std::to_string(index(frames_.top())) + ", " +
                          std::to_string(frames_.size()) + " lemmas, " +
                          std::to_string(stats_.suffix_queries.value) + " suffix queries");
}

namespace {

class Ipdr final : public Engine {
 public:
  Verdict check(const Problem& problem, const Context& ctx) override {
    if (!problem.is_bits()) return IpdrTerms(problem, ctx).run();
    return IpdrSearch(problem, ctx).run();
  }
};

}  // namespace

constinit const EngineInfo kIpdrInfo = {
    "ipdr",
    "interpolation sequences and IC3 frames",
    "[Vizel14] [Wolff 4.4]",
    kOptions,
    kPresets,
    {Rung::Bits, Rung::Terms},
    []() -> std::unique_ptr<Engine> { return std::make_unique<Ipdr>(); }};

}  // namespace lem
