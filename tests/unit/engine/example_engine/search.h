// The state of one run of the example engine, and its loops.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/context.h"
#include "engine/parts/bits/transition_cnf.h"
#include "engine/parts/bits/unroller.h"
#include "model/verdict.h"
#include "sat/cadical.h"
#include "unit/engine/example_engine/options.h"
#include "unit/engine/example_engine/stats.h"

namespace lem::engine {

class HoudiniSearch {
 public:
  /// Borrows both.
  HoudiniSearch(const Problem& problem, const Context& ctx)
      : problem_(problem), ctx_(ctx), config_(ctx.options), stats_(ctx.stats), cnf_(problem) {}

  Verdict run() {
    if (std::optional<Trace> trace = short_counterexample()) return Unsafe{std::move(*trace)};
    propose();
    while (!ctx_.stopped() && drop_refuted() > 0) report();  // until all of them are inductive
    if (ctx_.stopped()) return Unknown{Reason::Stopped};
    if (!excludes_bad()) return Unknown{ctx_.stopped() ? Reason::Stopped : Reason::GaveUp};
    return Safe{invariant()};
  }

 private:
  std::optional<Trace> short_counterexample() {
    std::unique_ptr<sat::SatSolver> solver = sat::make_cadical();
    solver->set_stop(ctx_.stop);
    Unroller path(problem_, *solver, Unroller::Start::Reset);
    for (std::uint32_t depth = 0; depth <= config_.depth && !ctx_.stopped(); ++depth) {
      Step last = path.extend();
      path.require(path.legal(last));
      if (ask(*solver, {path.encoded(path.bad(last))}) == sat::SatResult::Sat)
        return path.trace(last);
    }
    return {};
  }

  /// A candidate is a clause, kept as the cube that it excludes. Initially it must hold.
  void propose() {
    const Aig& aig = cnf_.aig();
    auto add = [&](std::vector<Lit> cube) {
      if (!cnf_.meets_reset(cube)) candidates_.push_back(std::move(cube));
    };
    for (std::uint32_t a = 2 * aig.first_latch(); a < 2 * aig.first_and(); ++a) {
      add({Lit::from_code(a)});
      for (std::uint32_t b = 2 * aig.first_latch(); config_.width == 2 && b < a; ++b)
        if (b / 2 != a / 2) add({Lit::from_code(a), Lit::from_code(b)});
    }
    stats_.candidates += candidates_.size();
  }

  /// One round: all candidates are assumed at once, and those go that a step can violate.
  std::size_t drop_refuted() {
    std::unique_ptr<sat::Cdcl> solver = solver_with_candidates();
    std::size_t dropped = std::erase_if(candidates_, [&](const std::vector<Lit>& cube) {
      std::vector<Lit> after;
      for (Lit lit : cube) after.push_back(cnf_.next(lit));
      return ask(*solver, after) != sat::SatResult::Unsat;  // also when stopped: nothing is claimed
    });
    stats_.dropped += dropped;
    return dropped;
  }

  bool excludes_bad() {
    return ask(*solver_with_candidates(), {cnf_.bad()}) == sat::SatResult::Unsat;
  }

  std::unique_ptr<sat::Cdcl> solver_with_candidates() const {
    std::unique_ptr<sat::Cdcl> solver = cnf_.make_solver();
    solver->set_stop(ctx_.stop);
    for (const std::vector<Lit>& cube : candidates_) {
      std::vector<Lit> clause;
      for (Lit lit : cube) clause.push_back(!lit);
      solver->add_clause(clause);
    }
    return solver;
  }

  sat::SatResult ask(sat::SatSolver& solver, const std::vector<Lit>& assumptions) {
    ++stats_.queries;
    TimerScope timer(stats_.solve);
    return solver.solve(assumptions);
  }

  InductiveInvariant invariant() const {
    InductiveInvariant result;
    for (const std::vector<Lit>& cube : candidates_) {
      SignalClause& clause = result.clauses.emplace_back();
      for (Lit lit : cube) clause.push_back(to_aig(!lit));
    }
    return result;
  }

  void report() {
    if (ctx_.progress.due())
      ctx_.progress.publish("houdini: " + std::to_string(candidates_.size()) + " candidates");
  }

  const Problem& problem_;
  const Context& ctx_;
  HoudiniConfig config_;
  HoudiniStats stats_;
  TransitionCnf cnf_;
  std::vector<std::vector<Lit>> candidates_;
};

}  // namespace lem::engine
