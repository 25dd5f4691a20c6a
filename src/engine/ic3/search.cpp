// The main loop of IC3 and its blocking phase [Lange18 Algs. 8, 9].
#include "engine/ic3/search.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "base/assert.h"
#include "engine/parts/bits/valuation.h"
#include "engine/parts/common/progress.h"
#include "engine/parts/common/push_up.h"

namespace lem::engine {

// With several properties none of them may keep the others waiting for a single query.
static constexpr std::uint64_t kSharedConflicts = 5000;

static BitFrames::Config frames_config(const Ic3Config& config, const Problem& problem) {
  bool alone = problem.properties.size() == 1;
  return {config.lift, config.lift_rounds, config.seed, alone ? UINT64_MAX : kSharedConflicts};
}

Ic3Search::Ic3Search(const Problem& problem, const Context& ctx)
    : problem_(problem),
      ctx_(ctx),
      config_(ctx.options),
      stats_(ctx.stats),
      frames_(problem, frames_config(config_, problem), ctx.stop),
      obligations_(rank_by(config_.ties)),
      generalizer_(*this),
      reached_(problem.aig()),
      exchange_(ctx.options.text("ic3.lemmas"), problem) {}

Verdict Ic3Search::run() {
  Verdict verdict = search();
  finish();
  return verdict;
}

/// Leaves the lemmas for other runs, as a proof may serve other properties, and says what it cost.
void Ic3Search::finish() {
  if (exchange_.on()) publish_lemmas(Level{1});
  stats_.depth += index(frames_.top());
  stats_.queries += frames_.queries();
  stats_.conflicts += frames_.conflicts();
}

/// May-obligations come first within a level [Ivrii15].
Ic3Search::Queue::Rank Ic3Search::rank_by(Ic3Config::Ties ties) {
  static constexpr std::uint64_t kMust = std::uint64_t{1} << 32;
  if (ties == Ic3Config::Ties::Shallow)
    return
        [](const Obligation<Details>& each) { return (each.details.may ? 0 : kMust) + each.depth; };
  return [](const Obligation<Details>& each) {
    return (each.details.may ? 0 : kMust) + (UINT32_MAX - each.depth);
  };
}

/// [Lange18 Alg. 8].
Verdict Ic3Search::search() {
  while (!stopped()) {
    switch (strengthen(0)) {  // until F_k & bad is unsatisfiable
      case Outcome::Done:
        break;
      case Outcome::Counterexample:
        return Unsafe{std::move(*trace_)};
      case Outcome::Stopped:
        return Unknown{Reason::Stopped};
    }
    frames_.extend();  // F_k+1 := true
    if (auto fixpoint = propagate()) return Safe{frames_.invariant(*fixpoint)};
  }
  return Unknown{Reason::Stopped};
}

/// [Lange18 Alg. 9], for every violation in the top frame.
Outcome Ic3Search::strengthen(std::size_t property) {
  TimerScope timer(stats_.block);
  while (!stopped()) {
    if (auto popped = obligations_.pop(frames_.top())) {
      Outcome outcome = discharge(popped->obligation.id(), popped->level);
      if (outcome != Outcome::Done) return outcome;
      continue;
    }
    switch (find_bad(property)) {
      case sat::SatResult::Sat:
        break;
      case sat::SatResult::Unsat:
        return Outcome::Done;
      case sat::SatResult::Stopped:
        return Outcome::Stopped;
    }
    if (trace_) return Outcome::Counterexample;
  }
  return Outcome::Stopped;
}

/// F_k & bad: turns a violation into an obligation, or into a trace if it is initial.
sat::SatResult Ic3Search::find_bad(std::size_t property) {
  rebuild_if_stale(frames_.top());
  sat::SatResult answer = frames_.reach_bad(property);
  if (answer != sat::SatResult::Sat) return answer;
  Lifted lifted = lift_last_model();
  Cube cube(std::move(lifted.state));
  bool initial = meets_initial(cube.lits());
  Queue::Handle made =
      obligations_.make({std::move(cube), ObligationId::None, 0, {std::move(lifted.inputs)}});
  LEM_CHECKED(!sample_.due() || replays(made.id()), "the states of the obligation are not bad");
  obligations_.push(made.id(), frames_.top());
  if (initial) trace_ = trace_of(made.id(), {});
  return answer;
}

Outcome Ic3Search::discharge(ObligationId id, Level level) {
  assert(index(level) > 0 && "obligations at level 0 are counterexamples when they are made");
  if (ctx_.progress.due()) report_progress();
  if (exchange_.due()) share_lemmas();
  ++stats_.obligations;
  Queue::Entry& obligation = obligations_[id];
  if (config_.drop_obligation != 0 && obligation.details.effort > config_.drop_obligation &&
      obligation.successor != ObligationId::None) {
    return Outcome::Done;  // its successor meets it again if it matters
  }
  if (auto from = reached_.in(obligation.cube)) return arrive(id, from);
  if (auto blocked = frames_.lemmas().blocked_at(level, obligation.cube)) {
    bool again = config_.reenqueue && !obligation.details.may && *blocked <= frames_.top();
    if (again) obligations_.push(id, next(*blocked));
    return Outcome::Done;
  }
  rebuild_if_stale(previous(level));
  const LatchActivity& activity = frames_.activity();
  std::vector<Lit> cube(obligation.cube.lits().begin(), obligation.cube.lits().end());
  std::stable_sort(cube.begin(), cube.end(),
                   [&](Lit a, Lit b) { return activity[a] > activity[b]; });
  obligation.details.effort += 1;
  Induction answer = inductive(level, cube);
  if (answer.stopped()) return Outcome::Stopped;
  if (answer.fails()) return enqueue_predecessor(id, level);
  learn(id, level, {answer.core.begin(), answer.core.end()});
  if (config_.push == Ic3Config::Push::Triggered) push_armed(level);
  return Outcome::Done;
}

/// The cube is unreachable within `level` steps: generalize, push, block, and look one level
/// higher.
void Ic3Search::learn(ObligationId id, Level level, std::vector<Lit> core) {
  assert(Level{0} < level && level <= frames_.top() && "cubes are blocked in F_1 .. F_top");
  assert(!core.empty() && "a cube that meets no initial state has a literal");
  if (config_.order == Ic3Config::Order::Parent && index(level) > 1) {
    const Lemma* found = frames_.lemmas().subsuming(previous(level), Cube(core));
    if (found != nullptr) parent_ = found->cube;  // a copy: blocking CTGs changes the lists
  }
  {
    TimerScope timer(stats_.generalize);
    core = generalizer_.generalize(level, std::move(core), effort_for(obligations_[id].details));
  }
  parent_.reset();
  BlockedCube blocked = push_up(*this, {level, std::move(core)}, frames_.top());
  LEM_DASSERT(!meets_initial(blocked.cube) && "a lemma holds in the initial states");
  add_lemma(blocked.level, blocked.cube);
  if (config_.reenqueue && !obligations_[id].details.may)
    obligations_.push(id, next(blocked.level));
}

/// DynAMic [Su25a]: the more often an obligation came back, the harder its generalization tries.
Effort Ic3Search::effort_for(const Details& obligation) const {
  Effort effort = config_.effort;
  if (effort.method != Generalize::Dynamic) return effort;
  if (obligation.effort < config_.dynamic_ctg) {
    effort.method = Generalize::Down;
    effort.ctg_count = 0;
    return effort;
  }
  assert(obligation.effort >= 0 && "returns are counted");
  effort.method = Generalize::Ctg;
  double beyond = obligation.effort - config_.dynamic_chain;
  if (beyond > 0) {
    effort.ctg_count = 5;
    effort.ctg_chain = 5 + static_cast<std::uint32_t>(2 * std::pow(beyond, 0.45));
  }
  return effort;
}

void Ic3Search::order(std::vector<Lit>& cube) const {
  if (config_.order == Ic3Config::Order::Index) return;
  const LatchActivity& activity = frames_.activity();
  bool use_parent = config_.order == Ic3Config::Order::Parent && parent_;
  std::stable_sort(cube.begin(), cube.end(), [&](Lit a, Lit b) {
    if (use_parent) {
      bool in_a = parent_->contains(a);
      bool in_b = parent_->contains(b);
      if (in_a != in_b) return in_b;
    }
    return activity[a] < activity[b];
  });
}

bool Ic3Search::block_ctg(Level i, const Effort& effort, std::uint32_t depth) {
  return block_chain(i, lift_last_model().state, effort, depth, effort.ctg_chain).has_value();
}

/// Blocks the cube at level i; a predecessor in the way is blocked first, within the budget.
///   ensure: what is left of the budget; nothing if the cube is not blocked
std::optional<std::uint32_t> Ic3Search::block_chain(Level i, std::vector<Lit> cube,
                                                    const Effort& effort, std::uint32_t depth,
                                                    std::uint32_t budget) {
  if (index(i) == 0 || budget == 0 || meets_initial(cube)) return {};
  LEM_DASSERT(i <= frames_.top() && "a frame that exists");
  --budget;
  Induction answer = inductive(i, cube);
  while (!answer.holds()) {
    if (answer.stopped() || budget == 0 || index(i) == 1) return {};
    auto left = block_chain(previous(i), lift_last_model().state, effort, depth, budget);
    if (!left) return {};
    budget = *left;
    answer = inductive(i, cube);
  }
  ++stats_.ctgs;
  BlockedCube blocked =
      push_up(*this, {i, {answer.core.begin(), answer.core.end()}}, frames_.top());
  blocked.cube = generalizer_.generalize(blocked.level, std::move(blocked.cube), effort, depth);
  add_lemma(blocked.level, blocked.cube);
  return budget;
}

Lifted Ic3Search::lift_last_model() {
  TimerScope timer(stats_.lift);
  return frames_.predecessor();
}

/// The last query's model is a predecessor in F_level-1.
Outcome Ic3Search::enqueue_predecessor(ObligationId id, Level level) {
  Lifted lifted = lift_last_model();
  Cube cube(std::move(lifted.state));
  bool initial = meets_initial(cube.lits());
  assert((initial || index(level) > 1) && "a predecessor in F_0 is initial");
  const Queue::Entry& target = obligations_[id];
  Queue::Handle predecessor = obligations_.make(
      {std::move(cube), id, target.depth + 1, {std::move(lifted.inputs), target.details.may}});
  LEM_CHECKED(!sample_.due() || replays(predecessor.id()), "the obligation's chain is no run");
  if (initial) return arrive(predecessor.id(), {});
  obligations_.push(predecessor.id(), previous(level));
  obligations_.push(id, level);
  return Outcome::Done;
}

/// A reachable state (`from`, or an initial one) is in the obligation's cube: a counterexample, or
/// for a may-obligation the proof that its lemma is a bad one.
Outcome Ic3Search::arrive(ObligationId id, std::optional<ReachedId> from) {
  if (obligations_[id].details.may) {
    walk_forward(id, from);
    return Outcome::Done;
  }
  trace_ = trace_of(id, from);
  return Outcome::Counterexample;
}

/// Runs from a reachable state in the obligation's cube along the successors; every state on the
/// way is reachable, and every lemma that excludes one is bad.
void Ic3Search::walk_forward(ObligationId id, std::optional<ReachedId> from) {
  const Aig& aig = problem_.aig();
  ReachedId at =
      from ? *from : remember(reached_.add_initial(initial_state(aig, obligations_[id].cube)));
  while (obligations_[id].successor != ObligationId::None) {
    at = remember(reached_.add_successor(at, input_values(aig, obligations_[id].details.inputs)));
    id = obligations_[id].successor;
    assert(reached_.is_in(at, obligations_[id].cube) && "lifting guarantees the step");
  }
}

ReachedId Ic3Search::remember(ReachedStates::Added added) {
  if (!added.fresh) return added.id;
  ++stats_.reachable;
  for (Level level{1}; level <= frames_.top(); ++level)
    for (Lemma& lemma : frames_.lemmas().at(level))
      lemma.bad |= reached_.is_in(added.id, lemma.cube);
  return added.id;
}

/// The run to a reached state in the obligation's cube, or from an initial one in it, and then
/// along the successors to the violation.
Trace Ic3Search::trace_of(ObligationId id, std::optional<ReachedId> from) const {
  const Aig& aig = problem_.aig();
  Trace trace =
      from ? reached_.run_to(*from) : Trace{initial_state(aig, obligations_[id].cube), {}};
  assert((from || meets_initial(obligations_[id].cube.lits())) && "a run starts initial");
  for (; id != ObligationId::None; id = obligations_[id].successor)
    trace.inputs.push_back(input_values(aig, obligations_[id].details.inputs));
  return trace;
}

/// For checked builds: a state of the obligation's cube takes the steps of its chain, within the
/// constraints, and violates the property at its end, unless that is a may-obligation.
bool Ic3Search::replays(ObligationId id) const {
  const Aig& aig = problem_.aig();
  std::vector<bool> state = some_state(aig, obligations_[id].cube);
  while (true) {
    const Queue::Entry& here = obligations_[id];
    if (!in_cube(aig, state, here.cube)) return false;
    bool last = here.successor == ObligationId::None;
    if (last && here.details.may) return true;
    std::vector<bool> values = signal_values(aig, state, input_values(aig, here.details.inputs));
    auto holds = [&](AigLit lit) { return values[lit.var()] != lit.negative(); };
    if (!std::all_of(aig.constraints().begin(), aig.constraints().end(), holds)) return false;
    auto fails = [&](const Property& property) { return holds(property.bad()); };
    if (last) return std::any_of(problem_.properties.begin(), problem_.properties.end(), fails);
    state = next_state(aig, values);
    id = here.successor;
  }
}

void Ic3Search::add_lemma(Level level, std::span<const Lit> cube) {
  if (frames_.add(level, Cube({cube.begin(), cube.end()}))) ++stats_.lemmas;
}

void Ic3Search::rebuild_if_stale(Level level) {
  if (frames_.rebuild_if_stale(level)) ++stats_.rebuilds;
}

void Ic3Search::report_progress() {
  std::uint64_t queries = frames_.queries();
  auto now = std::chrono::steady_clock::now();
  std::chrono::duration<double> since = now - reported_at_;
  double rate = static_cast<double>(queries - reported_queries_) / std::max(since.count(), 1e-3);
  reported_at_ = now;
  reported_queries_ = queries;
  // The lemmas last: a narrow terminal cuts them first.
  ctx_.progress.publish(fmt::format("ic3: frame {}, obligations {}, {:.0f} queries/s, {}, inf {}",
                                    index(frames_.top()), obligations_.size(), rate,
                                    lemma_counts(frames()), frames().infinity().size()));
}

}  // namespace lem::engine
