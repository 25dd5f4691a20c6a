#include "engine/parts/bits/frames.h"

#include <cassert>
#include <utility>

#include "base/assert.h"

namespace lem::engine {

BitFrames::BitFrames(const Problem& problem, const Config& config, std::stop_token stop)
    : cnf_(problem),
      activity_(problem.aig().num_vars(), config.seed),
      lifter_(cnf_, config.lift, config.lift_rounds),
      step_(cnf_.make_solver(config.lift == Lift::Model ? TransitionCnf::Track::Latches
                                                        : TransitionCnf::Track::Nothing)) {
  step_->set_stop(stop);
  step_->limit_conflicts(config.conflicts);
  lifter_.set_stop(std::move(stop));
  solvers_.push_back(std::make_unique<sat::Cdcl>(*step_));
  clauses_added_.push_back(0);
  for (Lit lit : cnf_.reset()) solvers_[0]->add_clause({&lit, 1});
}

void BitFrames::extend() {
  LEM_CHECKED(is_monotone(top()), "a frame has a lemma that the frame before does not imply");
  lemmas_.extend();
  solvers_.push_back(std::make_unique<sat::Cdcl>(*step_));
  clauses_added_.push_back(0);
}

void BitFrames::assume_step_into(std::span<const Lit> cube) {
  assumptions_.clear();
  temporary_.clear();
  for (Lit lit : cube) {
    assumptions_.push_back(cnf_.next(lit));
    temporary_.push_back(!lit);
  }
}

Induction BitFrames::inductive(Level i, std::span<const Lit> cube) {
  LEM_DASSERT(cube.empty() || cube.data() != core_.data());
  LEM_DASSERT(!meets_initial(cube));
  assert(index(i) > 0 && i <= next(top()) && "frames are F_0 .. F_top");
  sat::Cdcl& solver = *solvers_[index(i) - 1];
  assume_step_into(cube);
  if (index(i) == 1) temporary_.clear();  // F_0 excludes the cube by itself
  asked_ = previous(i);
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
void BitFrames::repair_initiation(std::span<const Lit> cube) {
  if (!meets_initial(core_)) return;
  std::optional<Lit> best;
  for (Lit lit : cube) {
    if (!cnf_.excluded_by_reset(lit)) continue;
    if (!best || activity_[lit] > activity_[*best]) best = lit;
  }
  assert(best && "the cube meets the initial states");
  core_.push_back(*best);
}

bool BitFrames::inductive_for_good(std::span<const Lit> cube) {
  assume_step_into(cube);
  return step_->solve_confined(assumptions_, temporary_) == sat::SatResult::Unsat;
}

sat::SatResult BitFrames::reach_bad(std::size_t property) {
  assumptions_.assign(1, cnf_.bad(property));
  asked_ = top();
  return solvers_.back()->solve_confined(assumptions_, {});
}

bool BitFrames::good_for_good(std::size_t property) {
  assumptions_.assign(1, cnf_.bad(property));
  return step_->solve_confined(assumptions_, {}) == sat::SatResult::Unsat;
}

std::vector<Lit> BitFrames::counterexample() const {
  const sat::Cdcl& solver = *solvers_[index(asked_)];
  const Aig& aig = cnf_.aig();
  std::vector<Lit> state;
  state.reserve(aig.num_latches());
  for (std::uint32_t var = aig.first_latch(); var < aig.first_and(); ++var) {
    sat::Truth truth = solver.model(Lit(var, false));
    if (truth != sat::Truth::Unassigned) state.emplace_back(var, truth == sat::Truth::False);
  }
  return state;
}

Lifted BitFrames::predecessor() {
  Lifted lifted = lifter_.lift(*solvers_[index(asked_)], assumptions_, activity_.values());
  LEM_CHECKED(!sample_.due() || leads_on(lifted, assumptions_), "the cube is not in the preimage");
  return lifted;
}

std::optional<Lifted> BitFrames::lift_step(std::span<const Lit> facts,
                                           std::span<const Lit> targets) {
  if (step_->solve_confined(facts, {}) != sat::SatResult::Sat) return {};
  return lifter_.lift(*step_, targets, activity_.values());
}

bool BitFrames::add(Level level, const Cube& cube) {
  assert(!meets_initial(cube.lits()) && "a lemma must hold initially");
  LEM_CHECKED(!sample_.due() || is_inductive(level, cube), "the frame before allows the cube");
  activity_.bump(cube.lits());
  if (!lemmas_.add(level, Lemma{cube})) return false;
  for (std::uint32_t i = 1; i <= index(level); ++i) {
    add_clause_of(cube, *solvers_[i]);
    ++clauses_added_[i];
  }
  return true;
}

bool BitFrames::add_infinity(const Cube& cube) {
  assert(!meets_initial(cube.lits()) && "a lemma must hold initially");
  if (!lemmas_.add_infinity(Lemma{cube})) return false;
  add_clause_of(cube, *step_);
  for (std::size_t i = 1; i < solvers_.size(); ++i) add_clause_of(cube, *solvers_[i]);
  return true;
}

void BitFrames::add_clause_of(const Cube& cube, sat::Cdcl& solver) const {
  std::vector<Lit> clause;
  for (Lit lit : cube.lits()) {
    clause.push_back(!lit);
    solver.always(lit.var());
  }
  solver.add_clause(clause);
}

std::unique_ptr<sat::Cdcl> BitFrames::solver_of(Level level) const {
  auto solver = std::make_unique<sat::Cdcl>(*step_);
  for (Level i = level; i <= top(); ++i)
    for (const Lemma& lemma : lemmas_.at(i)) add_clause_of(lemma.cube, *solver);
  return solver;
}

bool BitFrames::rebuild_if_stale(Level level) {
  if (index(level) == 0) return false;
  std::size_t live = 0;
  for (Level i = level; i <= top(); ++i) live += lemmas_.at(i).size();
  if (clauses_added_[index(level)] < 2 * live + 200) return false;
  retired_queries_ += solvers_[index(level)]->counts().queries;
  solvers_[index(level)] = solver_of(level);
  clauses_added_[index(level)] = live;
  return true;
}

InductiveInvariant BitFrames::invariant(Level level) const {
  InductiveInvariant result;
  auto add = [&](const std::vector<Lemma>& lemmas) {
    for (const Lemma& lemma : lemmas) {
      SignalClause& clause = result.clauses.emplace_back();
      for (Lit lit : lemma.cube.lits()) clause.push_back(to_aig(!lit));
    }
  };
  for (Level i = next(level); i <= top(); ++i) add(lemmas_.at(i));
  add(lemmas_.infinity());
  return result;
}

std::uint64_t BitFrames::queries() const {
  std::uint64_t count = retired_queries_ + lifter_.queries();
  for (const auto& solver : solvers_) count += solver->counts().queries;
  return count;
}

std::uint64_t BitFrames::conflicts() const {
  std::uint64_t count = 0;
  for (const auto& solver : solvers_) count += solver->counts().conflicts;
  return count;
}

/// F_level-1 & !cube & T & cube' is unsatisfiable, by a solver made for the question from the
/// lemma lists. Stopped counts as true, here and below.
bool BitFrames::is_inductive(Level level, const Cube& cube) const {
  std::vector<Lit> after, clause;
  for (Lit lit : cube.lits()) {
    after.push_back(cnf_.next(lit));
    clause.push_back(!lit);
  }
  if (index(level) > 1)
    return solver_of(previous(level))->solve_confined(after, clause) != sat::SatResult::Sat;
  sat::Cdcl initial(*step_);
  for (Lit lit : cnf_.reset()) initial.add_clause({&lit, 1});
  return initial.solve_confined(after, clause) != sat::SatResult::Sat;
}

/// F_i => F_i+1 below the level: the solver of each frame excludes the lemmas of the frames above.
bool BitFrames::is_monotone(Level level) const {
  for (Level i{1}; i < level; ++i) {
    sat::Cdcl solver(*solvers_[index(i)]);
    for (Level above = next(i); above <= level; ++above)
      for (const Lemma& lemma : lemmas_.at(above))
        if (solver.solve_confined(lemma.cube.lits(), {}) == sat::SatResult::Sat) return false;
  }
  return true;
}

/// Every state of the cube satisfies targets and constraints under the inputs.
bool BitFrames::leads_on(const Lifted& lifted, std::span<const Lit> targets) const {
  std::vector<Lit> assumptions = lifted.state;
  assumptions.insert(assumptions.end(), lifted.inputs.begin(), lifted.inputs.end());
  std::vector<Lit> miss;
  for (Lit target : targets) miss.push_back(!target);
  for (Lit constraint : cnf_.constraints()) miss.push_back(!constraint);
  return cnf_.make_free_solver()->solve_confined(assumptions, miss) != sat::SatResult::Sat;
}

}  // namespace lem::engine
