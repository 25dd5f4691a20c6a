// DPLL(T) for linear arithmetic: conflict-driven clause learning over literals, some of which are
// bounds of simplex, made for streams of small queries that differ in assumptions and a scope.
//
// It shares watch lists and decision queue with sat/cdcl.h and its way with cones and temporary
// clauses, but is a solver of its own: a theory needs reasons that are no clauses, conflicts that
// are found late, atoms that are made during the search, and proofs, none of which the inner loop
// of the bit-level engines should pay for.
//
// How it searches: clauses are propagated to a fixpoint, then bounds are asserted and the literals
// that other atoms of the same column then have, then simplex is checked. Decisions about atoms
// agree with the values that simplex has, so that they cost no pivot.
//
// Files: dpllt.cpp (search), dpllt_conflicts.cpp, dpllt_clauses.cpp (memory, scopes, cones),
// dpllt_integers.cpp (branches and cuts). Tests: tests/unit/arith/.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "arith/proof.h"
#include "arith/simplex.h"
#include "sat/decision_queue.h"
#include "sat/sat_solver.h"
#include "sat/watch_pool.h"

namespace lem::arith {

using sat::Lit;
using sat::Var;

enum class Answer : std::uint8_t { Sat, Unsat, Unknown };

class Dpllt {
 public:
  enum class Proofs : std::uint8_t { No, Yes };
  explicit Dpllt(Proofs proofs = Proofs::No);

  // Building ------------------------------------------------------------------------------------
  Var new_var();
  Var num_vars() const { return static_cast<Var>(level_.size()); }
  Lit true_literal() const { return Lit(0, false); }
  Column new_column(Simplex::Integral integral) { return simplex_.add_column(integral); }
  /// The literal of form <= bound (< if strict). The form is over columns of variables.
  Lit at_most(LinearForm form, Number bound, bool strict);
  /// `var` is defined by clauses from `on`: a query about it is one about them, too.
  void depends(Var var, std::span<const Var> on);
  /// The column is defined with these literals: a query about one of its atoms is about them.
  void column_depends(Column column, std::span<const Var> on);

  enum class Role : std::uint8_t {
    Definition,  // of a variable by others; matters to queries about it
    Assertion    // in the current scope; matters to every query there
  };
  /// `part`: where the clause is from, for interpolation.
  void add_clause(std::span<const Lit> clause, Role role, std::uint32_t part = 0);
  void push();
  void pop();
  std::size_t scopes() const { return scopes_.size(); }

  // Asking --------------------------------------------------------------------------------------
  Answer solve(std::span<const Lit> assumptions);
  /// After Unsat: is the assumption among those that are unsatisfiable together?
  bool failed(Lit assumption) const { return failed_[assumption.code()] != 0; }
  /// After Unknown: the limit of branches and cuts was reached, not one of time or work.
  bool gave_up_on_integers() const { return gave_up_on_integers_; }

  /// After Sat, until the next: truth of a variable (of one that the query left open: false).
  bool model_value(Var var) const { return var < model_.size() && model_[var] > 0; }
  bool model_knows(Var var) const { return var < model_.size() && model_[var] != 0; }
  Number model_number(Column column) const {
    return column < numbers_.size() ? numbers_[column] : Number();
  }

  void set_stop(std::stop_token stop) { stop_ = std::move(stop); }
  /// Seconds and units of work for each solve(); 0: no limit.
  void limit_time(double seconds) { time_limit_ = seconds; }
  void limit_work(std::uint64_t units) { work_limit_ = units; }
  /// Branches and cuts of one query before it is Unknown.
  void limit_integer_rounds(std::uint32_t rounds) { integer_limit_ = rounds; }

  struct Counts {
    std::uint64_t queries = 0, unsat = 0, unknown = 0;
    std::uint64_t conflicts = 0, theory_conflicts = 0, decisions = 0, propagations = 0;
    std::uint64_t implied = 0, checks = 0, restarts = 0, branches = 0, cuts = 0, divisions = 0;
  };
  const Counts& counts() const { return counts_; }
  const Simplex& simplex() const { return simplex_; }
  /// The refutation. require: proofs are kept, the last answer was Unsat without assumptions
  const Proof& proof() const { return *proof_; }
  AtomIndex atom_of(Var var) const { return atom_of_[var]; }
  static constexpr AtomIndex kNoAtom = UINT32_MAX;

 private:
  using Ref = std::uint32_t;  // index of a clause in arena_
  enum class Kind : std::uint8_t { Problem, Learnt, Scoped };

  /// Why a literal is true: a clause, another literal that implies it in the theory, or nothing.
  class Reason {
   public:
    Reason() = default;
    static Reason clause(Ref ref) { return Reason(2 * ref); }
    static Reason bound(Lit lit) { return Reason(2 * lit.code() + 1); }
    bool is_none() const { return tagged_ == UINT32_MAX; }
    bool is_clause() const { return (tagged_ & 1) == 0; }
    Ref ref() const { return tagged_ >> 1; }
    Lit lit() const { return Lit::from_code(tagged_ >> 1); }

   private:
    explicit Reason(std::uint32_t tagged) : tagged_(tagged) {}
    std::uint32_t tagged_ = UINT32_MAX;
  };

  struct Scope {
    Var guard = 0;              // its clauses have the negated guard
    std::vector<Ref> clauses;   // asserted or learnt, gone when it closes
    std::vector<Var> roots;     // variables of what is asserted
    bool inconsistent = false;  // shown without assumptions
  };

  // Clauses: [size][kind and glue][literals ...]
  std::uint32_t size(Ref clause) const { return arena_[clause]; }
  std::uint32_t glue(Ref clause) const { return arena_[clause + 1] >> 2; }
  Lit* lits(Ref clause) { return reinterpret_cast<Lit*>(arena_.data() + clause + 2); }
  const Lit* lits(Ref clause) const {
    return reinterpret_cast<const Lit*>(arena_.data() + clause + 2);
  }
  Ref allocate(std::span<const Lit> clause, Kind kind, std::uint32_t glue);
  void attach(Ref clause);
  void remove(Ref clause);
  void reduce_learnts();
  void collect_garbage();

  std::int8_t truth(Lit lit) const { return values_[lit.code()]; }
  std::uint32_t decision_level() const { return static_cast<std::uint32_t>(levels_.size()); }
  void assign(Lit lit, Reason reason);
  void open_level();
  void backtrack(std::uint32_t level);

  /// False: conflict_ has a clause that is false.
  bool propagate();
  bool propagate_clauses();
  bool visit_watches(Lit falsified);
  bool propagate_bounds();
  void imply_atoms(BoundId bound);
  void take_theory_conflict();
  BoundId bound_of(Lit lit) const { return BoundId(atom_of_[lit.var()], lit.negative()); }
  Lit literal_of(BoundId bound) const { return Lit(var_of_[bound.atom()], bound.is_lower()); }
  Lit literal_of_atom(AtomIndex atom);

  Answer search();
  /// nullopt: go on.
  std::optional<Answer> handle_conflict();
  enum class Step : std::uint8_t { Decided, Model, Conflict };
  Step decide();
  void decide_literal(Lit lit);
  void fill_queue();
  void settle();
  bool out_of_resources();
  void keep_model();

  void analyze();
  bool redundant(Lit lit);
  void analyze_final(Lit failed);
  void learn();
  template <class Visit>
  void for_each_antecedent(Lit implied, Visit visit) const {
    const Reason reason = reason_[implied.var()];
    if (!reason.is_clause()) {
      visit(!reason.lit());
      return;
    }
    const Lit* at = lits(reason.ref());
    for (std::uint32_t i = 0; i < size(reason.ref()); ++i)
      if (at[i].var() != implied.var()) visit(at[i]);
  }
  ProofId id_of_reason(Lit implied);
  /// Derives `target` from the conflict by resolution with reasons.
  ProofId record_derivation(std::span<const Lit> target);

  enum class Integers : std::uint8_t { Fine, Changed, Conflict, GaveUp };
  Integers check_integers();
  bool divisible_rows();
  bool row_is_divisible(RowIndex row);
  bool cut(Column basic);
  void learn_lemma();
  bool widen_cone(Var var, Var known);
  void branch(Column basic);

  bool in_cone(Var var) const { return cone_[var] >= cone_stamp_; }
  bool column_in_cone(Column column) const {
    return column < column_cone_.size() && column_cone_[column] >= cone_stamp_;
  }
  void add_cone(Var root, std::uint32_t stamp);
  void enter_cone(std::span<const Lit> assumptions);

  bool ok_ = true;
  std::vector<std::uint32_t> arena_;
  std::size_t wasted_ = 0;
  std::vector<Ref> problem_, learnt_;
  sat::WatchPool watches_;
  std::vector<Scope> scopes_;
  std::vector<Var> guards_;  // by depth, kept when scopes close

  std::vector<std::int8_t> values_;  // by literal code
  std::vector<std::uint32_t> level_;
  std::vector<Reason> reason_;
  std::vector<std::int8_t> phase_;
  std::vector<Lit> trail_;
  struct Level {
    std::uint32_t trail;
    std::uint32_t bounds;  // size of simplex' trail
  };
  std::vector<Level> levels_;
  std::size_t head_ = 0;         // first literal whose clauses were not visited
  std::size_t theory_head_ = 0;  // first literal that simplex does not know
  std::size_t fixed_at_collection_ = 0;

  sat::DecisionQueue queue_;
  bool queue_filled_ = false;

  Simplex simplex_;
  std::vector<AtomIndex> atom_of_;  // by variable
  std::vector<Var> var_of_;         // by atom; 0: none yet
  bool feasible_ = false;           // simplex' values satisfy its bounds

  static constexpr std::uint32_t kAlways = UINT32_MAX;
  std::vector<std::uint32_t> cone_;  // stamp by variable; kAlways: in every query
  std::vector<std::uint32_t> column_cone_;
  std::uint32_t cone_stamp_ = 1;
  std::vector<Var> always_vars_, cone_vars_;
  std::vector<std::vector<Var>> depends_;         // by variable
  std::vector<std::vector<Var>> column_depends_;  // by column

  std::vector<Lit> assumptions_;
  std::vector<std::uint8_t> failed_;
  std::vector<Lit> failed_list_;
  std::vector<std::int8_t> model_;
  std::vector<Number> numbers_;

  std::vector<Lit> conflict_;  // a clause that is false now
  ProofId conflict_id_ = 0;
  std::vector<Lit> clause_;  // the clause being learnt
  std::vector<std::uint8_t> seen_;
  std::vector<Lit> to_clear_, minimize_stack_;
  std::vector<std::uint32_t> level_stamp_;
  std::uint32_t level_stamp_now_ = 0;

  std::unique_ptr<Proof> proof_;
  std::vector<std::pair<Ref, ProofId>> clause_ids_;  // of clauses in arena_, ascending
  std::vector<ProofId> unit_ids_;                    // by variable

  std::stop_token stop_;
  double time_limit_ = 0;
  double deadline_ = 0;
  std::uint64_t work_limit_ = 0;
  std::uint64_t work_start_ = 0;
  std::uint32_t integer_limit_ = 200;
  std::uint32_t integer_rounds_ = 0;
  bool gave_up_on_integers_ = false;
  std::size_t learnt_limit_ = 1000;
  Counts counts_;
};

}  // namespace lem::arith
