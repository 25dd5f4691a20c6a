// Interpolating PDR on bits, [Wolff 4.4] and Listing 7 [Vizel14]; ipdr.cpp says where we deviate.
#include "engine/ipdr/search.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string>
#include <utility>

#include "engine/parts/common/push_up.h"
#include "sat/cadical.h"

namespace lem::engine {

IpdrSearch::IpdrSearch(const Problem& problem, const Context& ctx)
    : ctx_(ctx),
      config_(ctx.options),
      stats_(ctx.stats),
      frames_(problem, {Lift::Both}, ctx.stop),
      generalizer_(*this),
      path_solver_(sat::make_cadical()),
      path_(problem, *path_solver_, Unroller::Start::Reset),
      suffixes_(problem, ctx.stop) {
  path_solver_->set_stop(ctx.stop);
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
    if (auto fixpoint = propagate()) return Safe{frames_.invariant(*fixpoint)};
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
  Level first = config_.shortest ? last_refuted_suffix() : Level{0};
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
    if (auto cube = states_leading_to_bad(i)) block(i, *cube);
  }
  return false;
}

/// The model's state at step i, lifted along its path: all states of the cube reach bad under the
/// model's inputs. They need not stay in the frames on the way, and need not be asked to: a
/// successor of F_i-1 does.
///   ensure: nothing if stopped
std::optional<Cube> IpdrSearch::states_leading_to_bad(Level i) {
  std::vector<Lit> targets = {frames_.cnf().bad()};
  for (Level at = frames_.top();; at = previous(at)) {
    std::vector<Lit> facts = suffixes_.state(at);
    std::vector<Lit> inputs = suffixes_.inputs(at);
    facts.insert(facts.end(), inputs.begin(), inputs.end());
    facts.insert(facts.end(), targets.begin(), targets.end());
    std::optional<Lifted> lifted = frames_.lift_step(facts, targets);
    assert((lifted || stopped()) && "a step of the model is no step of the system");
    if (!lifted) return {};
    if (at == i) return Cube(std::move(lifted->state));
    targets.clear();
    for (Lit lit : lifted->state) targets.push_back(frames_.cnf().next(lit));
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
  core = generalizer_.generalize(i, std::move(core), config_.effort);
  BlockedCube blocked = push_up(*this, {i, std::move(core)}, frames_.top());
  add_lemma(blocked.level, Cube(std::move(blocked.cube)));
}

Induction IpdrSearch::inductive(Level i, std::span<const Lit> cube) {
  ++stats_.step_queries;
  return frames_.inductive(i, cube);
}

void IpdrSearch::order(std::vector<Lit>& cube) const {
  std::stable_sort(cube.begin(), cube.end(),
                   [&](Lit a, Lit b) { return frames_.activity()[a] < frames_.activity()[b]; });
}

void IpdrSearch::extend() {
  frames_.extend();
  suffixes_.extend();
  stats_.depth.value = index(frames_.top());
}

/// IC3's propagation.   ensure: a level i with F_i = F_i+1, if there is one
std::optional<Level> IpdrSearch::propagate() {
  TimerScope time(stats_.propagate);
  for (Level level{1}; level < frames_.top() && !stopped(); ++level) {
    std::vector<Lemma> lemmas = frames_.lemmas().at(level);  // a copy: pushing changes the list
    for (const Lemma& lemma : lemmas)
      if (Induction answer = inductive(next(level), lemma.cube.lits()); answer.holds())
        add_lemma(next(level), Cube({answer.core.begin(), answer.core.end()}));
    if (!stopped() && frames_.lemmas().at(level).empty()) return level;
  }
  return {};
}

/// A lemma of F_level holds at steps 0 .. level of every unrolling.
void IpdrSearch::add_lemma(Level level, const Cube& cube) {
  if (!frames_.add(level, cube)) return;
  ++stats_.lemmas;
  for (Level i{1}; i <= level; ++i) suffixes_.exclude(i, cube);
}

void IpdrSearch::report() {
  if (ctx_.progress.due())
    ctx_.progress.publish("ipdr: frame " + std::to_string(index(frames_.top())) + ", " +
                          std::to_string(frames_.lemmas().size()) + " lemmas, " +
                          std::to_string(stats_.suffix_queries.value) + " suffix queries");
}

}  // namespace lem::engine
