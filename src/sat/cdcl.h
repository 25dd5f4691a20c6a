// Our own CDCL solver, made for streams of small relative-induction queries on one circuit.
//
// What it has that general solvers lack ([Su25]): a query can be confined to the cone of its
// literals; one temporary clause per query without fresh activation variables; a copy of a solver
// is a handful of array copies. What it leaves out on purpose: inprocessing, rephasing, proof
// logging - they cost more than the small queries they would speed up. CaDiCaL serves the large
// ones.
//
// Speed outranks form in cdcl.cpp; it is measured by `bench/` on the ic3 engine. Tests:
// tests/unit/sat/.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "sat/decision_queue.h"
#include "sat/sat_solver.h"
#include "sat/watch_pool.h"

namespace lem::sat {

/// For every variable the variables it is defined from. Contract for confined queries: each clause
/// that defines a variable mentions only it and its dependencies, and any values of the
/// dependencies extend to it; clauses of other kinds are over variables marked `always`.
class Dependencies {
 public:
  explicit Dependencies(std::vector<std::vector<Var>> of);
  std::span<const Var> operator[](Var var) const {
    if (var + 1 >= begin_.size()) return {};
    return {flat_.data() + begin_[var], flat_.data() + begin_[var + 1]};
  }

 private:
  std::vector<std::uint32_t> begin_;
  std::vector<Var> flat_;
};

enum class Truth : std::int8_t { False = -1, Unassigned = 0, True = 1 };

class Cdcl final : public SatSolver {
 public:
  Cdcl();
  /// A copy answers like the original and is independent afterwards.
  Cdcl(const Cdcl&) = default;
  Cdcl& operator=(const Cdcl&) = delete;

  Var new_var() override;
  Var num_vars() const override { return static_cast<Var>(level_.size()); }
  void add_clause(std::span<const Lit> clause) override;
  SatResult solve(std::span<const Lit> assumptions) override;
  bool value(Lit lit) const override { return model(lit) == Truth::True; }
  bool failed(Lit lit) const override { return failed_[lit.code()] != 0; }
  void set_stop(std::stop_token stop) override { stop_ = std::move(stop); }

  /// Confined queries. require: set once, before the first; every variable exists.
  void set_dependencies(std::shared_ptr<const Dependencies> dependencies);
  /// `var` and its cone belong to every confined query (variables of lemmas and constraints).
  void always(Var var);
  /// Like solve(), with one more clause that is forgotten afterwards (none if empty), deciding and
  /// propagating only in the cone of assumptions, temporary clause and `always` variables.
  ///   ensure: after Sat any values outside the cone that the definitions allow give a model
  SatResult solve_confined(std::span<const Lit> assumptions, std::span<const Lit> temporary);

  /// The value in the last model; Unassigned outside the cone of a confined query.
  Truth model(Lit lit) const {
    if (confined_ && !in_cone(lit.var()) && level_[lit.var()] > 0) return Truth::Unassigned;
    return truth(lit);
  }
  /// Cheap model shrinking: unassigns `lit` (true in the last model) if every problem clause stays
  /// satisfied without it. require: its variable was `tracked` before the clauses were added.
  bool drop_from_model(Lit lit);
  void track(Var var);

  void limit_conflicts(std::uint64_t per_query) override { conflict_limit_ = per_query; }

  /// True in every model.
  bool fixed(Lit lit) const { return values_[lit.code()] > 0 && level_[lit.var()] == 0; }
  bool inconsistent() const { return !ok_; }

  struct Counts {
    std::uint64_t queries = 0, conflicts = 0, decisions = 0, propagations = 0;
    std::uint64_t restarts = 0, reductions = 0, collections = 0;
  };
  const Counts& counts() const { return counts_; }
  /// Learnt clauses kept before the worse half is forgotten; grows by a tenth each time.
  void set_learnt_limit(std::size_t limit) { learnt_limit_ = limit; }

 private:
  using Ref = std::uint32_t;  // index of a clause in arena_
  static constexpr Ref kNoClause = UINT32_MAX;
  enum class Kind : std::uint8_t { Problem, Learnt, Temporary };

  // Clauses: [size][kind and glue][literals ...]
  std::uint32_t size(Ref clause) const { return arena_[clause]; }
  Kind kind(Ref clause) const { return static_cast<Kind>(arena_[clause + 1] & 3); }
  std::uint32_t glue(Ref clause) const { return arena_[clause + 1] >> 2; }
  Lit* lits(Ref clause) { return reinterpret_cast<Lit*>(arena_.data() + clause + 2); }
  const Lit* lits(Ref clause) const {
    return reinterpret_cast<const Lit*>(arena_.data() + clause + 2);
  }
  Ref allocate(std::span<const Lit> clause, Kind kind, std::uint32_t glue);
  void attach(Ref clause);
  void remove(Ref clause);

  Truth truth(Lit lit) const { return static_cast<Truth>(values_[lit.code()]); }
  std::uint32_t decision_level() const { return static_cast<std::uint32_t>(levels_.size()); }
  void assign(Lit lit, Ref reason);
  void open_level() { levels_.push_back(static_cast<std::uint32_t>(trail_.size())); }
  void backtrack(std::uint32_t level);
  Ref propagate();
  Ref visit_watches(Lit falsified);

  void analyze(Ref conflict);
  bool redundant(Lit lit);
  void analyze_final(Lit failed);
  void learn();

  SatResult search();
  enum class Step : std::uint8_t { Decided, Model, Conflict };
  /// Takes the next assumption, or a decision when all of them hold.
  Step decide();
  void fill_queue();
  void settle();

  bool in_cone(Var var) const { return cone_[var] == cone_stamp_; }
  void enter_cone(std::span<const Lit> roots);
  void add_cone(Var root);
  bool install_temporary(std::span<const Lit> temporary);
  void forget_temporary();

  void reduce_learnts();
  void collect_garbage();

  bool ok_ = true;
  std::vector<std::uint32_t> arena_;
  std::size_t wasted_ = 0;  // words of removed clauses in arena_
  std::vector<Ref> problem_, learnt_;
  std::vector<Ref> temporary_;  // the temporary clause and what was learnt from it
  WatchPool watches_;

  std::vector<std::int8_t> values_;  // by literal code
  std::vector<std::uint32_t> level_;
  std::vector<Ref> reason_;
  std::vector<std::int8_t> phase_;  // last sign, by variable
  std::vector<Lit> trail_;
  std::vector<std::uint32_t> levels_;    // trail size at each open level
  std::size_t head_ = 0;                 // first literal of trail_ not propagated yet
  std::size_t fixed_at_collection_ = 0;  // level-0 literals when garbage was last collected

  DecisionQueue queue_;
  bool queue_filled_ = false;  // filled at the first decision of a query

  std::shared_ptr<const Dependencies> dependencies_;
  bool confined_ = false;            // the query under way is
  std::vector<std::uint32_t> cone_;  // stamp by variable
  std::uint32_t cone_stamp_ = 0;
  std::vector<Var> cone_vars_;
  std::vector<Var> always_vars_;
  std::vector<std::uint8_t> is_always_;
  Var guard_ = 0;  // activates the temporary clause

  std::vector<std::uint8_t> tracked_;
  std::vector<std::vector<Ref>> occurrences_;  // of tracked literals in problem clauses

  std::vector<Lit> assumptions_;      // of the query under way, the guard first
  std::vector<std::uint8_t> failed_;  // by literal code
  std::vector<Lit> failed_list_;
  std::vector<std::uint8_t> seen_;
  std::vector<Lit> clause_;  // the clause being learnt, asserting literal first
  std::vector<Lit> to_clear_, minimize_stack_;
  std::vector<std::uint32_t> level_stamp_;
  std::uint32_t level_stamp_now_ = 0;

  std::stop_token stop_;
  std::uint64_t conflict_limit_ = UINT64_MAX;
  std::size_t learnt_limit_ = 2000;
  Counts counts_;
};

}  // namespace lem::sat
