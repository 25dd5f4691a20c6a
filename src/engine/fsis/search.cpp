// FSIS(M, P) as in [Santi23 2.3]: P-hat starts as P, F as true; a counterexample to induction adds
// an inductive clause to F, or a subgoal to P-hat.
#include "engine/fsis/search.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

#include "base/assert.h"
#include "engine/parts/bits/valuation.h"

namespace lem::engine {

FsisSearch::FsisSearch(const Problem& problem, const Context& ctx)
    : ctx_(ctx),
      config_(ctx.options),
      stats_(ctx.stats),
      cnf_(problem),
      solver_(cnf_.make_solver()),
      lifter_(cnf_, config_.lift, 1),
      mic_(cnf_, *solver_, config_.implicate, config_.effort),
      activity_(problem.aig().num_vars(), 0) {
  solver_->set_stop(ctx.stop);
  lifter_.set_stop(ctx.stop);
  mic_.set_stop(ctx.stop);
}

/// [Santi23 2.3].
Verdict FsisSearch::run() {
  while (!ctx_.stopped()) {
    if (open_.empty()) return Safe{strengthening()};  // P-hat & F is inductive
    std::optional<Cti> cti = violate_consecution(open_.back());
    if (ctx_.stopped()) break;
    if (!cti) {
      open_.pop_back();  // nothing leads to this subgoal
    } else if (cnf_.meets_reset(cti->cube.lits())) {
      return Unsafe{trace(std::move(*cti))};  // I => P-hat fails
    } else if (std::optional<Cube> clause = minimal_inductive_subclause(*cti)) {
      strengthen(*clause);  // F := F & clause
    } else if (!ctx_.stopped()) {
      add_subgoal(std::move(*cti));  // P-hat := P-hat & !cti
    }
    report();
  }
  return Unknown{Reason::Stopped};
}

/// P-hat & F & T & subgoal'.
std::optional<FsisSearch::Cti> FsisSearch::violate_consecution(SubgoalId id) {
  std::vector<Lit> targets;
  if (id == SubgoalId::Property) {
    targets = {cnf_.bad()};
  } else {
    targets = {!cnf_.bad()};
    for (Lit lit : subgoal(id).cube.lits()) targets.push_back(cnf_.next(lit));
  }
  ++own_queries_;
  if (solver_->solve_confined(targets, {}) != sat::SatResult::Sat) return {};
  ++stats_.ctis;
  Lifted lifted = lifter_.lift(*solver_, targets, activity_);
  Cti cti{Cube(std::move(lifted.state)), std::move(lifted.inputs), id};
  LEM_CHECKED(leads_on(cti), "the CTI is not in the preimage of its subgoal");
  return cti;
}

std::optional<Cube> FsisSearch::minimal_inductive_subclause(const Cti& cti) {
  TimerScope time(stats_.mic);
  return mic_.mic(cti.cube);
}

void FsisSearch::strengthen(const Cube& cube) {
  LEM_CHECKED(!sample_.due() || is_inductive(cube), "P-hat & F allow a step into the cube");
  ++stats_.clauses;
  add_clause(cube);
  f_.push_back(cube);
}

/// The newest subgoal is worked on first: it is one step closer to the initial states.
void FsisSearch::add_subgoal(Cti cti) {
  ++stats_.subgoals;
  add_clause(cti.cube);
  subgoals_.push_back(std::move(cti));
  open_.push_back(SubgoalId{static_cast<std::uint32_t>(subgoals_.size())});
}

/// For checked builds: P-hat & F & !cube & T & cube' is unsatisfiable, by a solver of its own.
bool FsisSearch::is_inductive(const Cube& cube) const {
  std::vector<Lit> after = {!cnf_.bad()}, clause;
  for (Lit lit : cube.lits()) {
    after.push_back(cnf_.next(lit));
    clause.push_back(!lit);
  }
  return sat::Cdcl(*solver_).solve_confined(after, clause) != sat::SatResult::Sat;
}

/// For checked builds: a state of the cube steps into the successor's cube within the constraints,
/// or is bad.
bool FsisSearch::leads_on(const Cti& cti) const {
  const Aig& aig = cnf_.aig();
  std::vector<bool> values =
      signal_values(aig, some_state(aig, cti.cube), input_values(aig, cti.inputs));
  auto holds = [&](Lit lit) { return values[lit.var()] != lit.negative(); };
  if (!std::all_of(cnf_.constraints().begin(), cnf_.constraints().end(), holds)) return false;
  if (cti.successor == SubgoalId::Property) return holds(cnf_.bad());
  return in_cube(aig, next_state(aig, values), subgoal(cti.successor).cube);
}

void FsisSearch::add_clause(const Cube& cube) {
  assert(!cnf_.meets_reset(cube.lits()) && "a conjunct of the strengthening must hold initially");
  std::vector<Lit> clause;
  for (Lit lit : cube.lits()) {
    clause.push_back(!lit);
    solver_->always(lit.var());
  }
  solver_->add_clause(clause);
}

InductiveInvariant FsisSearch::strengthening() const {
  InductiveInvariant invariant;
  auto conjoin = [&](const Cube& cube) {
    SignalClause& clause = invariant.clauses.emplace_back();
    for (Lit lit : cube.lits()) clause.push_back(to_aig(!lit));
  };
  for (const Cube& cube : f_) conjoin(cube);
  for (const Cti& cti : subgoals_) conjoin(cti.cube);
  return invariant;
}

Trace FsisSearch::trace(Cti first) const {
  Trace trace{initial_state(cnf_.aig(), first.cube), {}};
  trace.inputs.push_back(input_values(cnf_.aig(), first.inputs));
  for (SubgoalId id = first.successor; id != SubgoalId::Property; id = subgoal(id).successor)
    trace.inputs.push_back(input_values(cnf_.aig(), subgoal(id).inputs));
  return trace;
}

void FsisSearch::report() {
  stats_.queries.value = own_queries_ + mic_.queries() + lifter_.queries();
  if (ctx_.progress.due())
    ctx_.progress.publish("fsis: " + std::to_string(f_.size()) + " clauses, " +
                          std::to_string(subgoals_.size()) + " subgoals, " +
                          std::to_string(open_.size()) + " open");
}

}  // namespace lem::engine
