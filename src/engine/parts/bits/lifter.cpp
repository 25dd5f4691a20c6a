#include "engine/parts/bits/lifter.h"

#include <algorithm>
#include <cassert>

namespace lem::engine {

Lifter::Lifter(const TransitionCnf& cnf, Lift mode, std::uint32_t rounds)
    : cnf_(cnf),
      mode_(mode),
      rounds_(rounds),
      solver_(cnf.make_free_solver()),
      stamp_(cnf.aig().num_vars(), 0),
      computed_(cnf.aig().num_vars(), 0) {}

/// Gates absorbed into a larger definition have no SAT value: they are computed, once per model.
bool Lifter::value(const sat::Cdcl& solver, AigLit lit) {
  std::uint32_t var = lit.var();
  if (cnf_.has_value(var)) return solver.value(to_lit(lit));
  if (computed_[var] >> 1 != now_) {
    const AndGate& gate = cnf_.aig().gate_of(var);
    bool both = value(solver, gate.left) && value(solver, gate.right);
    computed_[var] = 2 * now_ + (both ? 1 : 0);
  }
  return ((computed_[var] & 1) != 0) != lit.negative();
}

/// All assigned inputs and latches. A model that satisfies every clause without a latch's literal
/// takes the same step whatever the latch, unless the latch itself is a target.
void Lifter::read_all(sat::Cdcl& solver) {
  const Aig& aig = cnf_.aig();
  ++now_;
  for (Lit target : targets_) stamp_[target.var()] = now_;
  for (std::uint32_t var = aig.first_input(); var < aig.first_and(); ++var) {
    sat::Truth truth = solver.model(Lit(var, false));
    if (truth == sat::Truth::Unassigned) continue;
    Lit lit(var, truth == sat::Truth::False);
    bool droppable = mode_ == Lift::Model && aig.is_latch(var) && stamp_[var] != now_;
    if (droppable && solver.drop_from_model(lit)) continue;
    (aig.is_input(var) ? result_.inputs : result_.state).push_back(lit);
  }
}

void Lifter::need(Lit lit) {
  if (stamp_[lit.var()] == now_) return;
  stamp_[lit.var()] = now_;
  open_.push_back(lit.var());
  std::push_heap(open_.begin(), open_.end());
}

/// Walks back from the targets in reverse topological order, so that a false conjunction can choose
/// a fan-in that something else needs anyway.
void Lifter::justify(const sat::Cdcl& solver) {
  const Aig& aig = cnf_.aig();
  ++now_;
  open_.clear();
  for (Lit target : targets_) need(target);
  while (!open_.empty()) {
    std::pop_heap(open_.begin(), open_.end());
    std::uint32_t var = open_.back();
    open_.pop_back();
    if (aig.is_constant(var)) continue;
    if (!aig.is_and(var)) {
      Lit lit(var, !solver.value(Lit(var, false)));
      (aig.is_input(var) ? result_.inputs : result_.state).push_back(lit);
      continue;
    }
    auto [left, right] = aig.gate_of(var);
    bool left_true = value(solver, left);
    bool right_true = value(solver, right);
    if (left_true && right_true) {
      need(to_lit(left));
      need(to_lit(right));
    } else if (left_true || right_true) {
      need(to_lit(left_true ? right : left));
    } else if (stamp_[left.var()] == now_ || stamp_[right.var()] == now_) {
      continue;
    } else {
      // Neither is needed yet: inputs are free, and shallow gates lead to fewer latches.
      bool take_left =
          aig.is_input(left.var()) || (!aig.is_input(right.var()) && left.var() < right.var());
      need(to_lit(take_left ? left : right));
    }
  }
}

/// Drops the state literals outside an unsat core; several orders find different cores.
void Lifter::shrink_by_core(std::span<const double> activity) {
  miss_.clear();
  for (Lit target : targets_) miss_.push_back(!target);
  auto by_activity = [&](Lit a, Lit b) { return activity[a.var()] > activity[b.var()]; };
  std::stable_sort(result_.state.begin(), result_.state.end(), by_activity);
  for (std::uint32_t round = 0; round < rounds_; ++round) {
    assumptions_ = result_.inputs;
    assumptions_.insert(assumptions_.end(), result_.state.begin(), result_.state.end());
    sat::SatResult answer = solver_->solve_confined(assumptions_, miss_);
    assert(answer != sat::SatResult::Sat && "the cube misses a target");
    if (answer == sat::SatResult::Stopped) return;  // what we have is valid, only larger
    std::size_t before = result_.state.size();
    std::erase_if(result_.state, [&](Lit lit) { return !solver_->failed(lit); });
    if (result_.state.size() == before && round > 0) return;
    std::reverse(result_.state.begin(), result_.state.end());
  }
}

Lifted Lifter::lift(sat::Cdcl& solver, std::span<const Lit> targets,
                    std::span<const double> activity) {
  result_ = Lifted();
  targets_.assign(targets.begin(), targets.end());
  targets_.insert(targets_.end(), cnf_.constraints().begin(), cnf_.constraints().end());
  switch (mode_) {
    case Lift::None:
    case Lift::Core:
    case Lift::Model:
      read_all(solver);
      break;
    case Lift::Ternary:
    case Lift::Both:
      justify(solver);
      break;
  }
  if (mode_ != Lift::None && mode_ != Lift::Ternary) shrink_by_core(activity);
  return std::move(result_);
}

}  // namespace lem::engine
