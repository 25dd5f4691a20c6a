// SAT queries of IC3: relative induction, lifting, and the state behind a model.
#include <algorithm>
#include <cassert>

#include "engine/ic3/search.h"

namespace lem {

/// [Lange18 (3.3)]: F_i-1 & !cube & T & cube' unsatisfiable.
Induction Ic3Search::inductive(Level i, std::span<const Lit> cube) {
  LEM_DASSERT(cube.empty() || cube.data() != core_.data());
  assert(index(i) > 0 && i <= next(frames_.top()) && "frames are F_0 .. F_top");
  sat::Cdcl& solver = *solvers_[index(i) - 1];
  assumptions_.clear();
  temporary_.clear();
  for (Lit lit : cube) {
    assumptions_.push_back(cnf_.next(lit));
    if (index(i) > 1) temporary_.push_back(!lit);  // F_0 excludes the cube by itself
  }
  last_query_ = previous(i);
  last_targets_ = assumptions_;
  switch (solver.solve_confined(assumptions_, temporary_)) {
    case sat::SatResult::Sat:
      return {Induction::Fails};
    case sat::SatResult::Stopped:
      return {Induction::Stopped};
    case sat::SatResult::Unsat:
      break;
  }
  core_.clear();
  for (Lit lit : cube) {
    if (solver.failed(cnf_.next(lit))) core_.push_back(lit);
  }
  repair_initiation(cube);
  return {Induction::Holds, core_};
}

/// A core says nothing about initiation: take back one literal that excludes the reset values.
void Ic3Search::repair_initiation(std::span<const Lit> cube) {
  if (!meets_initial(core_)) return;
  std::optional<Lit> best;
  for (Lit lit : cube) {
    if (!cnf_.excluded_by_reset(lit)) continue;
    if (!best || activity_[lit.var()] > activity_[best->var()]) best = lit;
  }
  assert(best && "the cube meets the initial states");
  core_.push_back(*best);
}

std::vector<Lit> Ic3Search::counterexample() const {
  const sat::Cdcl& solver = *solvers_[index(last_query_)];
  const Aig& aig = cnf_.aig();
  std::vector<Lit> state;
  state.reserve(aig.num_latches());
  for (std::uint32_t var = aig.first_latch(); var < aig.first_and(); ++var) {
    sat::Truth truth = solver.model(Lit(var, false));
    if (truth != sat::Truth::Unassigned) state.emplace_back(var, truth == sat::Truth::False);
  }
  return state;
}

Lifted Ic3Search::lift_model(sat::Cdcl& solver, std::span<const Lit> targets) {
  TimerScope timer(stats_.lift);
  return lifter_.lift(solver, targets, activity_);
}

void Ic3Search::order(std::vector<Lit>& cube) const {
  if (config_.order == Ic3Config::Order::Index) return;
  bool use_parent = config_.order == Ic3Config::Order::Parent && parent_ != nullptr;
  std::stable_sort(cube.begin(), cube.end(), [&](Lit a, Lit b) {
    if (use_parent) {
      bool in_a = parent_->cube.contains(a);
      bool in_b = parent_->cube.contains(b);
      if (in_a != in_b) return in_b;
    }
    return activity_[a.var()] < activity_[b.var()];
  });
}

void Ic3Search::bump(std::span<const Lit> cube) {
  constexpr double kLimit = 1e100;
  activity_step_ /= 0.99;
  for (Lit lit : cube) activity_[lit.var()] += activity_step_;
  if (activity_step_ < kLimit) return;
  for (double& activity : activity_) activity /= kLimit;
  activity_step_ /= kLimit;
}

bool Ic3Search::block_ctg(Level i, const Effort& effort, std::uint32_t depth) {
  std::uint32_t budget = effort.ctg_chain;
  return block_chain(i, lift_last_model(), effort, depth, budget);
}

/// Blocks the cube at level i; a predecessor in the way is blocked first, within the budget.
bool Ic3Search::block_chain(Level i, std::vector<Lit> cube, const Effort& effort,
                            std::uint32_t depth, std::uint32_t& budget) {
  if (index(i) == 0 || budget == 0 || meets_initial(cube)) return false;
  --budget;
  Induction answer = inductive(i, cube);
  while (!answer.holds()) {
    if (answer.stopped() || budget == 0 || index(i) == 1) return false;
    if (!block_chain(previous(i), lift_last_model(), effort, depth, budget)) return false;
    answer = inductive(i, cube);
  }
  ++stats_.ctgs;
  BlockedCube blocked =
      push_up(*this, {i, {answer.core.begin(), answer.core.end()}}, frames_.top());
  blocked.cube = generalizer_.generalize(blocked.level, std::move(blocked.cube), effort, depth);
  add_lemma(blocked.level, Cube(std::move(blocked.cube)));
  return true;
}

/// The cube around the state of the last satisfiable relative-induction query.
std::vector<Lit> Ic3Search::lift_last_model() {
  return lift_model(*solvers_[index(last_query_)], last_targets_).state;
}

void Ic3Search::add_clause_of(const Cube& cube, sat::Cdcl& solver) const {
  std::vector<Lit> clause;
  for (Lit lit : cube.lits()) {
    clause.push_back(!lit);
    solver.always(lit.var());
  }
  solver.add_clause(clause);
}

/// Lemmas that were subsumed or pushed on stay in the solvers as dead weight; a solver with far
/// more clauses than its frame has lemmas is built anew.
void Ic3Search::rebuild_if_stale(Level level) {
  if (index(level) == 0) return;
  std::size_t live = 0;
  for (Level i = level; i <= frames_.top(); ++i) live += frames_.at(i).size();
  if (clauses_added_[index(level)] < 2 * live + 200) return;
  ++stats_.rebuilds;
  retired_queries_ += solvers_[index(level)]->counts().queries;
  auto fresh = std::make_unique<sat::Cdcl>(*step_);
  for (Level i = level; i <= frames_.top(); ++i) {
    for (const Lemma& lemma : frames_.at(i)) add_clause_of(lemma.cube, *fresh);
  }
  solvers_[index(level)] = std::move(fresh);
  clauses_added_[index(level)] = live;
}

}  // namespace lem
