// The main loop of IC3 and its blocking phase [Lange18 Algs. 8, 9].
#include "engine/ic3/search.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <random>

#include <fmt/format.h>

#include "engine/ic3/ic3.h"

namespace lem {

Ic3Search::Ic3Search(const Problem& problem, const Context& ctx)
    : problem_(problem),
      ctx_(ctx),
      config_(ctx.options),
      stats_(ctx.stats),
      cnf_(problem),
      lifter_(cnf_, config_.lift, config_.lift_rounds),
      obligations_(config_.ties),
      generalizer_(*this),
      step_(cnf_.make_solver(config_.lift == Lift::Model ? TransitionCnf::Track::Latches
                                                         : TransitionCnf::Track::Nothing)),
      activity_(problem.aig().num_vars(), 0) {
  step_->set_stop(ctx.stop);
  lifter_.set_stop(ctx.stop);
  if (config_.seed != 0) {
    std::mt19937 random(config_.seed);
    for (double& activity : activity_) activity = static_cast<double>(random() % 1000) / 1000;
  }
  solvers_.push_back(std::make_unique<sat::Cdcl>(*step_));
  clauses_added_.push_back(0);
  for (Lit lit : cnf_.reset()) solvers_[0]->add_clause({&lit, 1});
}

Ic3Search::~Ic3Search() {
  stats_.depth += index(frames_.top());
  stats_.queries += retired_queries_ + lifter_.queries();
  for (const auto& solver : solvers_) {
    stats_.queries += solver->counts().queries;
    stats_.conflicts += solver->counts().conflicts;
  }
}

/// [Lange18 Alg. 8].
Verdict Ic3Search::run() {
  while (!stopped()) {
    switch (strengthen()) {  // until F_k & bad is unsatisfiable
      case Blocked::All:
        break;
      case Blocked::Counterexample:
        return Unsafe{std::move(*trace_)};
      case Blocked::Stopped:
        return Unknown{Reason::Stopped};
    }
    extend();  // F_k+1 := true
    if (auto fixpoint = propagate()) return Safe{invariant(*fixpoint)};
  }
  return Unknown{Reason::Stopped};
}

void Ic3Search::extend() {
  frames_.extend();
  solvers_.push_back(std::make_unique<sat::Cdcl>(*step_));
  clauses_added_.push_back(0);
}

/// [Lange18 Alg. 9], for every violation in the top frame.
Ic3Search::Blocked Ic3Search::strengthen() {
  TimerScope timer(stats_.block);
  while (!stopped()) {
    if (auto popped = obligations_.pop(frames_.top())) {
      Blocked outcome = discharge(popped->obligation.id(), popped->level);
      if (outcome != Blocked::All) return outcome;
      continue;
    }
    if (!find_bad()) return stopped() ? Blocked::Stopped : Blocked::All;
    if (trace_) return Blocked::Counterexample;
  }
  return Blocked::Stopped;
}

/// F_k & bad: turns a violation into an obligation, or into a trace if it is initial.
bool Ic3Search::find_bad() {
  rebuild_if_stale(frames_.top());
  sat::Cdcl& solver = *solvers_.back();
  Lit bad = cnf_.bad();
  if (solver.solve_confined({&bad, 1}, {}) != sat::SatResult::Sat) return false;
  Lifted lifted = lift_model(solver, {&bad, 1});
  Obligation obligation{Cube(std::move(lifted.state)), std::move(lifted.inputs)};
  bool initial = meets_initial(obligation.cube.lits());
  ObligationHandle made = obligations_.make(std::move(obligation));
  obligations_.push(made.id(), frames_.top());
  if (initial) trace_ = trace_from_initial(made.id());
  return true;
}

Ic3Search::Blocked Ic3Search::discharge(ObligationId id, Level level) {
  assert(index(level) > 0 && "obligations at level 0 are counterexamples when they are made");
  if (ctx_.progress.due()) report_progress();
  ++stats_.obligations;
  Obligation& obligation = obligations_[id];
  if (config_.drop_obligation != 0 && obligation.effort > config_.drop_obligation &&
      obligation.successor != ObligationId::None) {
    return Blocked::All;  // its successor meets it again if it matters
  }
  if (std::uint32_t from = reached_in(obligation.cube); from != kNone) return arrive(id, from);
  if (auto blocked = frames_.blocked_at(level, obligation.cube)) {
    bool again = config_.reenqueue && !obligation.may && *blocked <= frames_.top();
    if (again) obligations_.push(id, next(*blocked));
    return Blocked::All;
  }
  rebuild_if_stale(previous(level));
  std::vector<Lit> cube(obligation.cube.lits().begin(), obligation.cube.lits().end());
  std::stable_sort(cube.begin(), cube.end(),
                   [&](Lit a, Lit b) { return activity_[a.var()] > activity_[b.var()]; });
  obligation.effort += 1;
  Induction answer = inductive(level, cube);
  if (answer.stopped()) return Blocked::Stopped;
  if (answer.fails()) return enqueue_predecessor(id, level);
  learn(id, level, {answer.core.begin(), answer.core.end()});
  if (config_.triggered) push_armed(level);
  return Blocked::All;
}

/// The cube is unreachable within `level` steps: generalize, push, block, and look one level
/// higher.
void Ic3Search::learn(ObligationId id, Level level, std::vector<Lit> core) {
  parent_ = nullptr;
  std::optional<Lemma> parent;
  if (config_.order == Ic3Config::Order::Parent && index(level) > 1) {
    const Lemma* found = frames_.subsuming(previous(level), Cube(core));
    if (found != nullptr) parent = *found;  // a copy: blocking CTGs changes the lists
  }
  if (parent) parent_ = &*parent;
  {
    TimerScope timer(stats_.generalize);
    core = generalizer_.generalize(level, std::move(core), effort_for(obligations_[id]));
  }
  parent_ = nullptr;
  BlockedCube blocked = push_up(*this, {level, std::move(core)}, frames_.top());
  add_lemma(blocked.level, Cube(std::move(blocked.cube)));
  if (config_.reenqueue && !obligations_[id].may) obligations_.push(id, next(blocked.level));
}

/// DynAMic [Su25a]: the more often an obligation came back, the harder its generalization tries.
Effort Ic3Search::effort_for(const Obligation& obligation) const {
  Effort effort = config_.effort;
  if (effort.method != Generalize::Dynamic) return effort;
  if (obligation.effort < config_.dynamic_ctg) {
    effort.method = Generalize::Down;
    effort.ctg_count = 0;
    return effort;
  }
  effort.method = Generalize::Ctg;
  double beyond = obligation.effort - config_.dynamic_chain;
  if (beyond > 0) {
    effort.ctg_count = 5;
    effort.ctg_chain = 5 + static_cast<std::uint32_t>(2 * std::pow(beyond, 0.45));
  }
  return effort;
}

/// The last query's model is a predecessor in F_level-1.
Ic3Search::Blocked Ic3Search::enqueue_predecessor(ObligationId id, Level level) {
  Lifted lifted = lift_model(*solvers_[index(level) - 1], last_targets_);
  const Obligation& target = obligations_[id];
  Obligation fresh{Cube(std::move(lifted.state)), std::move(lifted.inputs), id, target.depth + 1};
  fresh.may = target.may;
  bool initial = meets_initial(fresh.cube.lits());
  assert((initial || index(level) > 1) && "a predecessor in F_0 is initial");
  ObligationHandle predecessor = obligations_.make(std::move(fresh));
  if (initial) return arrive(predecessor.id(), kNone);
  obligations_.push(predecessor.id(), previous(level));
  obligations_.push(id, level);
  return Blocked::All;
}

/// A reachable state (`from`, or an initial one) is in the obligation's cube: a counterexample, or
/// for a may-obligation the proof that its lemma is a bad one.
Ic3Search::Blocked Ic3Search::arrive(ObligationId id, std::uint32_t from) {
  if (obligations_[id].may) {
    walk_forward(id, from);
    return Blocked::All;
  }
  trace_ = from == kNone ? trace_from_initial(id) : trace_from_reached(id, from);
  return Blocked::Counterexample;
}

void Ic3Search::add_lemma(Level level, Cube cube) {
  assert(!meets_initial(cube.lits()) && "a lemma must hold initially");
  bump(cube.lits());
  if (!frames_.add(level, Lemma{cube})) return;
  ++stats_.lemmas;
  for (std::uint32_t i = 1; i <= index(level); ++i) {
    add_clause_of(cube, *solvers_[i]);
    ++clauses_added_[i];
  }
}

void Ic3Search::add_lemma_infinity(Cube cube) {
  if (!frames_.add_infinity(Lemma{cube})) return;
  ++stats_.infinity;
  add_clause_of(cube, *step_);
  for (std::size_t i = 1; i < solvers_.size(); ++i) add_clause_of(cube, *solvers_[i]);
}

void Ic3Search::report_progress() {
  std::string per_frame;
  for (Level i{1}; i <= frames_.top(); ++i) {
    if (index(frames_.top()) < 12 || index(i) + 10 > index(frames_.top()))
      per_frame += fmt::format(" {}", frames_.at(i).size());
  }
  std::uint64_t queries = retired_queries_ + lifter_.queries();
  for (const auto& solver : solvers_) queries += solver->counts().queries;
  auto now = std::chrono::steady_clock::now();
  std::chrono::duration<double> since = now - reported_at_;
  double rate = static_cast<double>(queries - reported_queries_) / std::max(since.count(), 1e-3);
  reported_at_ = now;
  reported_queries_ = queries;
  // The lemmas last: a narrow terminal cuts them first.
  ctx_.progress.publish(fmt::format(
      "ic3: frame {}, obligations {}, {:.0f} queries/s, lemmas{}, inf {}", index(frames_.top()),
      obligations_.size(), rate, per_frame, frames_.infinity().size()));
}

namespace {

class Ic3 final : public Engine {
 public:
  Verdict check(const Problem& problem, const Context& ctx) override {
    return Ic3Search(problem, ctx).run();
  }
};

constexpr std::array kPresets = {
    Preset{"bradley", "ic3.generalize=down,ic3.lift=none,ic3.order=index,ic3.infinity=off",
           "the algorithm of 2011 without later additions [Bradley11]"},
    Preset{"pdr", "ic3.generalize=drop,ic3.lift=ternary,ic3.order=index,ic3.infinity=off",
           "as in ABC [Een11]"},
    Preset{"ctg", "ic3.generalize=ctg", "blocks counterexamples to generalization [Hassan13]"},
    Preset{"triggered", "ic3.push=triggered", "triggered clause pushing [Suda13]"},
    Preset{"quip", "ic3.quip=on", "may-obligations and reachable states [Ivrii15]"},
};

}  // namespace

const EngineInfo kIc3Info = {"ic3",
                             "incremental induction on and-inverter graphs",
                             "[Bradley11] [Een11] [Hassan13] [Lange18 ch. 3]",
                             kIc3Options,
                             kPresets,
                             Rung::Bits,
                             [] { return std::unique_ptr<Engine>(std::make_unique<Ic3>()); }};

}  // namespace lem
