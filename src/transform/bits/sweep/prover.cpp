#include "transform/bits/sweep/prover.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace lem::transform {

namespace {

constexpr std::uint64_t kSeed = 0x1e33a7a5eedULL;
// Lanes that follow the model of a query; the others deviate from it at random.
constexpr SimWord kFaithful = 0x00000000ffffffffULL;
// Lanes that follow a reachable state where the model leaves values open; the others are random
// there.
constexpr SimWord kSettled = 0x000000000000000fULL;

std::vector<std::uint32_t> candidates(const Aig& aig, SweepScope scope) {
  std::vector<std::uint32_t> vars;
  for (std::uint32_t var = 1; var < aig.num_vars(); ++var)
    if (scope == SweepScope::AllSignals || aig.is_latch(var)) vars.push_back(var);
  return vars;
}

}  // namespace

SweepProver::SweepProver(const Aig& aig, SweepScope scope, SweepLimits limits)
    : aig_(aig),
      scope_(scope),
      limits_(std::move(limits)),
      start_(std::clock()),
      random_(kSeed),
      simulation_(aig),
      classes_(guess()),
      awake_(aig.num_vars(), false),
      awake_constraint_(aig.constraints().size(), false) {}

/// Classes by random simulation from reset. Runs that a constraint cuts off start again.
Classes SweepProver::guess() {
  constexpr std::uint32_t kFrames = 48;
  constexpr std::uint32_t kWords = 4;
  simulation_.randomize_inputs(random_);
  simulation_.reset_latches(random_, ~SimWord{0});
  simulation_.evaluate();
  Classes classes(aig_.num_vars(), candidates(aig_, scope_), simulation_.words());
  for (std::uint32_t word = 0; word < kWords; ++word) {
    simulation_.reset_latches(random_, ~SimWord{0});
    for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
      simulation_.randomize_inputs(random_);
      simulation_.evaluate();
      classes.refine(simulation_.words(), ~SimWord{0});
      if (classes.num_members() == 0 || out_of_time()) break;
      SimWord cut_off = ~simulation_.allowed();
      simulation_.step();
      if (cut_off != 0) simulation_.reset_latches(random_, cut_off);
    }
  }
  for (std::uint32_t i = 0; i < aig_.num_latches(); ++i)
    reachable_.push_back(simulation_[aig_.first_latch() + i]);
  // Inputs may represent other signals but are never merged into another.
  for (std::uint32_t i = 0; i < aig_.num_inputs(); ++i)
    if (classes.is_member(1 + i)) classes.isolate(1 + i);
  return classes;
}

/// Refutes inductiveness cheaply: random states that satisfy the latch equalities, one step on.
void SweepProver::falsify_by_random_states() {
  constexpr int kPatience = 6;
  for (int quiet = 0; quiet < kPatience && classes_.num_members() > 0 && !out_of_time();) {
    std::uint64_t before = classes_.version();
    simulation_.randomize_inputs(random_);
    for (std::uint32_t var = aig_.first_latch(); var < aig_.first_and(); ++var)
      simulation_[var] =
          classes_.is_member(var) ? simulation_.of(classes_.representative(var)) : random_.next();
    simulation_.evaluate();
    SimWord allowed = simulation_.allowed();
    simulation_.step();
    classes_.refine(simulation_.words(), allowed);
    quiet = classes_.version() == before ? quiet + 1 : 0;
  }
}

std::optional<SignalSubstitution> SweepProver::prove() {
  if (scope_ == SweepScope::Latches) falsify_by_random_states();
  // Refinement keeps the base case: a part of a class that is equal at reset is equal at reset.
  if (!prove_case(InductionCase::Base) || !prove_case(InductionCase::Step)) return std::nullopt;
  auto proved = classes_.representatives();
  return SignalSubstitution(proved.begin(), proved.end());
}

bool SweepProver::prove_case(InductionCase which) {
  for (std::uint64_t round = 0; classes_.num_members() > 0; ++round) {
    if (round == limits_.rounds) return false;
    std::uint64_t before = classes_.version();
    std::clock_t began = used();
    if (!run_round(which)) return false;
    if (classes_.version() == before) return true;
    // The round that finds nothing to refine takes about as long as this one.
    if (used() + (used() - began) / 2 > limits_.processor_time) return false;
  }
  return !out_of_time();
}

bool SweepProver::run_round(InductionCase which) {
  if (out_of_time()) return false;
  ++counts_.rounds;
  case_ = which;
  round_version_ = classes_.version();
  speculated_.assign(classes_.representatives().begin(), classes_.representatives().end());
  miters_ = make_miters(aig_, speculated_, which, scope_);
  memory_.enter(structure_of(miters_), context());
  goals_.clear();
  for (const Miter& goal : miters_.goals)
    if (!memory_.proved(goal)) goals_.push_back(goal);
  plain_.reset();
  in_context_.reset();
  for (const Miter& goal : goals_) {
    if (out_of_time()) return false;
    settle(goal);
  }
  return true;
}

/// The assumptions in use.
std::vector<Miter> SweepProver::context() const {
  std::vector<Miter> used;
  for (const Miter& equality : miters_.assumed)
    if (awake_[equality.var]) used.push_back(equality);
  for (std::size_t i = 0; i < miters_.constraints.size(); ++i)
    if (awake_constraint_[i]) used.push_back({0, miters_.constraints[i], kAigTrue});
  return used;
}

/// Proves the goal, or refines the classes with a counterexample, or gives the candidate up. First
/// tries its own cone alone: cheaper, and such a proof is valid in all rounds.
void SweepProver::settle(const Miter& goal) {
  if (!memory_.needs_context(goal)) {
    switch (try_plain(goal)) {
      case Outcome::Proved:
        memory_.prove_plain(goal);
        return;
      case Outcome::Refined:
        return;
      case Outcome::Abandoned:
        abandon(goal);
        return;
      case Outcome::Open:
        memory_.refute_plain(goal);
        break;
    }
  }
  constexpr int kTries = 24;
  for (int tries = 0; tries < kTries; ++tries) {
    switch (try_in_context(goal)) {
      case Outcome::Proved:
        memory_.prove_in_context(goal);
        return;
      case Outcome::Refined:
        return;
      case Outcome::Abandoned:
        abandon(goal);
        return;
      case Outcome::Open:
        break;
    }
  }
  abandon(goal);
}

bool SweepProver::is_believed(const Miter& goal) const {
  return classes_.representative(goal.var) == speculated_[goal.var];
}

void SweepProver::abandon(const Miter& goal) {
  ++counts_.abandoned;
  if (is_believed(goal)) classes_.isolate(goal.var);
}

SweepProver::Outcome SweepProver::try_plain(const Miter& goal) {
  if (!plain_) {
    std::vector<AigLit> roots;
    for (const Miter& each : goals_) roots.insert(roots.end(), {each.left, each.right});
    plain_.emplace(miters_.graph, roots, limits_.conflicts, limits_.stop);
  }
  return ask(goal, *plain_, OnBroken::LeaveAsleep);
}

SweepProver::Outcome SweepProver::try_in_context(const Miter& goal) {
  if (!in_context_) {
    std::vector<AigLit> roots = miters_.constraints;
    for (const Miter& each : goals_) roots.insert(roots.end(), {each.left, each.right});
    for (const Miter& each : miters_.assumed) roots.insert(roots.end(), {each.left, each.right});
    in_context_.emplace(miters_.graph, roots, limits_.conflicts, limits_.stop);
    for (const Miter& equality : context()) in_context_->assume(equality);
  }
  return ask(goal, *in_context_, OnBroken::Wake);
}

SweepProver::Outcome SweepProver::ask(const Miter& goal, MiterSolver& solver, OnBroken on_broken) {
  for (bool sign : {false, true}) {
    if ((goal.right ^ sign) == kAigTrue) continue;  // nothing is above the constant true
    if (!is_believed(goal)) return Outcome::Refined;
    ++counts_.queries;
    switch (solver.ask(goal.left ^ sign, !goal.right ^ sign)) {
      case sat::SatResult::Unsat:
        break;
      case sat::SatResult::Stopped:
        return Outcome::Abandoned;
      case sat::SatResult::Sat:
        return learn_from_model(solver, on_broken);
    }
  }
  return Outcome::Proved;
}

/// Reachable states violate no assumption; random ones refute more.
SimWord SweepProver::fill_lanes(const MiterSolver& solver, AigLit lit, SimWord reachable) {
  sat::Truth value = solver.value(lit);
  if (value == sat::Truth::Unassigned) return (reachable & kSettled) | (random_.next() & ~kSettled);
  SimWord word = value == sat::Truth::True ? ~SimWord{0} : 0;
  return word ^ (random_.next() & random_.next() & random_.next() & ~kFaithful);
}

/// The lanes whose first step breaks the equality.
SimWord SweepProver::broken(const Miter& equality) const {
  return simulation_[equality.var] ^ simulation_.of(speculated_[equality.var]);
}

SimWord SweepProver::broken_lanes() const {
  SimWord lanes = ~simulation_.allowed();
  for (const Miter& equality : miters_.assumed) lanes |= broken(equality);
  return lanes;
}

void SweepProver::wake(const Miter& equality) {
  in_context_->assume(equality);
  memory_.widen(equality);
  ++counts_.wakes;
}

/// Adds the assumptions that most lanes following the model violate to the confined queries; false
/// if all are in use already. Few at a time: each makes every later query larger.
bool SweepProver::wake_broken() {
  auto lanes_of = [](SimWord word) { return std::popcount(word & kFaithful); };
  int most = 0;
  for (const Miter& equality : miters_.assumed)
    if (!awake_[equality.var]) most = std::max(most, lanes_of(broken(equality)));
  std::span<const AigLit> constraints = aig_.constraints();
  for (std::size_t i = 0; i < miters_.constraints.size(); ++i)
    if (!awake_constraint_[i]) most = std::max(most, lanes_of(~simulation_.of(constraints[i])));
  if (most == 0) return false;
  for (const Miter& equality : miters_.assumed)
    if (!awake_[equality.var] && lanes_of(broken(equality)) == most) {
      awake_[equality.var] = true;
      wake(equality);
    }
  for (std::size_t i = 0; i < miters_.constraints.size(); ++i)
    if (!awake_constraint_[i] && lanes_of(~simulation_.of(constraints[i])) == most) {
      awake_constraint_[i] = true;
      wake({0, miters_.constraints[i], kAigTrue});
    }
  return true;
}

/// The classes just refined hold in the present step of every lane, so it is the first step of
/// further counterexamples, as long as constraints allow. This refutes whole chains of registers at
/// once.
void SweepProver::walk_on(SimWord lanes) {
  constexpr int kPatience = 2;
  for (int quiet = 0; quiet < kPatience;) {
    // Constraints read gates, which a sweep of latches has not evaluated.
    if (scope_ == SweepScope::Latches) simulation_.evaluate();
    lanes &= simulation_.allowed();
    if (lanes == 0) return;
    simulation_.step();
    simulation_.randomize_inputs(random_);
    if (scope_ == SweepScope::AllSignals) simulation_.evaluate();
    std::uint64_t before = classes_.version();
    classes_.refine(simulation_.words(), lanes);
    quiet = classes_.version() == before ? quiet + 1 : 0;
  }
}

/// Runs the counterexample and its neighbours on the unreduced model.
SweepProver::Outcome SweepProver::learn_from_model(const MiterSolver& solver, OnBroken on_broken) {
  SimWord lanes = ~SimWord{0};
  Outcome outcome = Outcome::Refined;
  for (std::uint32_t i = 0; i < aig_.num_inputs(); ++i)
    simulation_[1 + i] = fill_lanes(solver, miters_.first_inputs[i], random_.next());
  for (std::uint32_t var = aig_.first_latch(); var < aig_.first_and(); ++var) {
    AigLit value = miters_.first_latches[var - aig_.first_latch()];
    bool own = case_ == InductionCase::Base || speculated_[var].var() == var;
    if (value.var() == 0) {
      simulation_[var] = value.negative() ? ~SimWord{0} : 0;
    } else if (own) {
      simulation_[var] = fill_lanes(solver, value, reachable_[var - aig_.first_latch()]);
    } else {
      simulation_[var] = simulation_.of(speculated_[var]);
    }
  }
  simulation_.evaluate();
  if (case_ == InductionCase::Step) {
    lanes = ~broken_lanes();
    if ((lanes & kFaithful) == 0) {
      outcome = Outcome::Open;
      if (on_broken == OnBroken::Wake && !wake_broken()) outcome = Outcome::Abandoned;
    }
    simulation_.step();
    for (std::uint32_t i = 0; i < aig_.num_inputs(); ++i)
      simulation_[1 + i] = fill_lanes(solver, miters_.last_inputs[i], random_.next());
    if (scope_ == SweepScope::AllSignals && lanes != 0) simulation_.evaluate();
  }
  classes_.refine(simulation_.words(), lanes);
  if (case_ == InductionCase::Step && lanes != 0) walk_on(lanes);
  if (outcome == Outcome::Refined) ++counts_.refuted;
  // Perhaps not the goal's own class, and perhaps it was split earlier in this round.
  assert((outcome != Outcome::Refined || classes_.version() != round_version_) &&
         "a counterexample refutes some equality of its round");
  return outcome;
}

}  // namespace lem::transform
