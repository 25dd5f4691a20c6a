// FSIS(M, P) of [Bradley07; Santi23 2.3; Lange18 3.1]: P-hat starts as P, F as true; a
// counterexample to induction adds an inductive clause to F, or a subgoal to P-hat.
//
// Deviations: P may speak about inputs, so its violation is the first subgoal (a step that is bad)
// and the states that can be bad are its CTIs. Consecution is asked subgoal by subgoal: one that no
// state of P-hat & F leads to stays closed, as both only grow. CTIs are lifted to cubes, all of
// whose states lead to the subgoal under the same inputs, so that a subgoal that meets the initial
// states is a counterexample along its successors. Nothing guides the search: large models are
// better served by ic3. Tests: tests/unit/engine/fsis/fsis_test.cpp,
// tests/papers/fsis_example_test.cpp.
#include "engine/fsis/fsis.h"

#include <array>
#include <cassert>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/fsis/mic.h"
#include "engine/parts/bits/lifter.h"
#include "engine/parts/bits/transition_cnf.h"
#include "engine/parts/bits/valuation.h"

namespace lem {

namespace {

constexpr std::array kOptions = {
    OptionRow::choice("fsis.implicate", 0, "linear|binary",
                      "how IMPLICATE looks for a prime implicate [Bradley07]"),
    OptionRow::choice("fsis.mic", 1, "down|implicate|minimal",
                      "stop at the largest inductive subclause, at a prime implicate of it, or at "
                      "a minimal one [Bradley07]"),
    OptionRow::toggle("fsis.lift", true, "CTIs become cubes of states [Chockler11, Een11]"),
};
constexpr std::array kPresets = {
    Preset{"paper", "fsis.lift=off", "the algorithm as in [Lange18 3.1]"},
};

struct FsisStats {
  explicit FsisStats(Stats& all)
      : ctis(all.counter("fsis.ctis")),
        clauses(all.counter("fsis.clauses")),
        subgoals(all.counter("fsis.subgoals")),
        queries(all.counter("fsis.queries")),
        mic(all.timer("fsis.mic")) {}
  Counter& ctis;
  Counter& clauses;
  Counter& subgoals;
  Counter& queries;
  Timer& mic;
};

enum class SubgoalId : std::uint32_t { Property = 0 };

/// All states of `cube` step into the successor's cube under `inputs`, or are bad if the successor
/// is the property.
struct Cti {
  Cube cube;
  std::vector<Lit> inputs;
  SubgoalId successor;
};

class FsisRun {
 public:
  FsisRun(const Problem& problem, const Context& ctx)
      : ctx_(ctx),
        stats_(ctx.stats),
        cnf_(problem),
        solver_(cnf_.make_solver()),
        lifter_(cnf_, ctx.options.on("fsis.lift") ? Lift::Both : Lift::None, 1),
        mic_(cnf_, *solver_, static_cast<Implicate>(ctx.options.get("fsis.implicate")),
             static_cast<MicEffort>(ctx.options.get("fsis.mic"))),
        activity_(problem.aig().num_vars(), 0) {
    solver_->set_stop(ctx.stop);
    lifter_.set_stop(ctx.stop);
    mic_.set_stop(ctx.stop);
  }

  /// [Santi23 2.3].
  Verdict check() {
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

 private:
  std::optional<Cti> violate_consecution(SubgoalId subgoal);
  std::optional<Cube> minimal_inductive_subclause(const Cti& cti);
  void strengthen(const Cube& cube);
  void add_subgoal(Cti cti);
  void add_clause(const Cube& cube);
  InductiveInvariant strengthening() const;
  Trace trace(Cti first) const;
  void report();

  const Cti& subgoal(SubgoalId id) const { return subgoals_[static_cast<std::size_t>(id) - 1]; }

  const Context& ctx_;
  FsisStats stats_;
  TransitionCnf cnf_;
  std::unique_ptr<sat::Cdcl> solver_;  // P-hat & F & T
  Lifter lifter_;
  Mic mic_;
  std::vector<double> activity_;  // the lifter wants one; all alike here
  std::vector<Cube> f_;           // negated clauses of F
  std::vector<Cti> subgoals_;     // P-hat beyond P; SubgoalId 1 is the first
  std::vector<SubgoalId> open_ = {SubgoalId::Property};
  std::uint64_t own_queries_ = 0;
};

/// P-hat & F & T & subgoal'.
std::optional<Cti> FsisRun::violate_consecution(SubgoalId id) {
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
  return Cti{Cube(std::move(lifted.state)), std::move(lifted.inputs), id};
}

std::optional<Cube> FsisRun::minimal_inductive_subclause(const Cti& cti) {
  TimerScope time(stats_.mic);
  return mic_.mic(cti.cube);
}

void FsisRun::strengthen(const Cube& cube) {
  ++stats_.clauses;
  add_clause(cube);
  f_.push_back(cube);
}

/// The newest subgoal is worked on first: it is one step closer to the initial states.
void FsisRun::add_subgoal(Cti cti) {
  ++stats_.subgoals;
  add_clause(cti.cube);
  subgoals_.push_back(std::move(cti));
  open_.push_back(SubgoalId{static_cast<std::uint32_t>(subgoals_.size())});
}

void FsisRun::add_clause(const Cube& cube) {
  assert(!cnf_.meets_reset(cube.lits()) && "a conjunct of the strengthening must hold initially");
  std::vector<Lit> clause;
  for (Lit lit : cube.lits()) {
    clause.push_back(!lit);
    solver_->always(lit.var());
  }
  solver_->add_clause(clause);
}

InductiveInvariant FsisRun::strengthening() const {
  InductiveInvariant invariant;
  auto conjoin = [&](const Cube& cube) {
    SignalClause& clause = invariant.clauses.emplace_back();
    for (Lit lit : cube.lits()) clause.push_back(to_aig(!lit));
  };
  for (const Cube& cube : f_) conjoin(cube);
  for (const Cti& cti : subgoals_) conjoin(cti.cube);
  return invariant;
}

Trace FsisRun::trace(Cti first) const {
  Trace trace{initial_state(cnf_.aig(), first.cube), {}};
  trace.inputs.push_back(input_values(cnf_.aig(), first.inputs));
  for (SubgoalId id = first.successor; id != SubgoalId::Property; id = subgoal(id).successor)
    trace.inputs.push_back(input_values(cnf_.aig(), subgoal(id).inputs));
  return trace;
}

void FsisRun::report() {
  stats_.queries.value = own_queries_ + mic_.queries() + lifter_.queries();
  if (ctx_.progress.due())
    ctx_.progress.publish("fsis: " + std::to_string(f_.size()) + " clauses, " +
                          std::to_string(subgoals_.size()) + " subgoals, " +
                          std::to_string(open_.size()) + " open");
}

class Fsis final : public Engine {
 public:
  Verdict check(const Problem& problem, const Context& ctx) override {
    return FsisRun(problem, ctx).check();
  }
};

}  // namespace

constinit const EngineInfo kFsisInfo = {
    "fsis",
    "finite-state inductive strengthening",
    "[Bradley07] [Santi23 2] [Lange18 3.1]",
    kOptions,
    kPresets,
    Accepts::Bits,
    []() -> std::unique_ptr<Engine> { return std::make_unique<Fsis>(); }};

}  // namespace lem
