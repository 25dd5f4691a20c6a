// Frames whose lemmas are clauses of theory literals, and the queries that concrete IC3 modulo
// theories asks about them [Cimatti14 2.2]. Literals are interned on demand, so that Cube,
// Frames, ObligationQueue and Generalizer work as they do on latches.
//
// A literal is assumed over X' (or over Init) through a label that implies it; labels imply in one
// direction only, so that the solver may ignore atoms that no assumption and no clause mentions.
// Tests: tests/unit/engine/ic3smt/ic3smt_test.cpp, tests/unit/engine/ipdr/terms_test.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/context.h"
#include "engine/parts/query/asker.h"
#include "engine/parts/query/clause_frames.h"
#include "engine/parts/query/queries.h"
#include "engine/parts/terms/lazy_transition.h"
#include "smt/smt_solver.h"

namespace lem::engine {

class TermFrames {
 public:
  /// How states that step into a cube grow from the model's to a cube.
  enum class Preimage : std::uint8_t { Values, Project };
  friend constexpr std::string_view words(Preimage) { return "values|project"; }
  struct Settings {
    std::string_view prefix;  // of statistics: "ic3smt."
    bool lazy_steps = true;   // LazyTransition
    Preimage preimage = Preimage::Project;
    bool convex = false;        // cubes: t != 0 as the side the model is on
    std::uint32_t rebuild = 0;  // formulas added to a solver before it starts afresh; 0: never
  };
  /// Borrows both.
  TermFrames(TermSystem& system, const Context& ctx, const Settings& settings);

  // Literals. Any formula over X is one, though most are theory literals.
  Lit literal(Term formula);
  const Atoms& atoms() const { return atoms_; }

  const ClauseFrames& clauses() const { return clauses_; }
  Level top() const { return clauses_.top(); }
  void extend() { clauses_.extend(); }
  std::optional<Level> propagate() { return clauses_.propagate(*this); }
  /// Part of all frames but F_0 from now on.   require: an inductive invariant
  void assume_invariants(const std::vector<Term>& invariants);
  /// require: clauses().is_lemma(level, cube).  ensure: false if it was known
  bool add_lemma(Level level, const Cube& cube);
  /// The same for a cube that was just blocked: order() goes by how often literals were.
  bool learn(Level level, std::vector<Lit> cube);

  // Queries: the oracle of Generalizer (contracts there) without block_ctg. After a query that a
  // solver did not decide, or a stop request, stopped() holds and inductive() answers Stopped.
  Induction inductive(Level i, std::span<const Lit> cube);
  /// Speaks of the atoms of the last cube alone.
  std::vector<Lit> counterexample();
  bool meets_initial(std::span<const Lit> cube);
  /// Literals that were rarely blocked first; of equal ones the latest atom.
  void order(std::vector<Lit>& cube) const;
  bool stopped() const { return queries_.stopped(); }
  /// Init & Bad: a trace of one step.
  std::optional<TermTrace> bad_in_init();
  /// F_top & Bad: literals that imply Bad, true in a state of F_top.
  std::optional<std::vector<Term>> bad_in_top();
  /// F_level & cube unsatisfiable.
  bool excludes(Level level, std::span<const Lit> cube);
  /// F_i-1 & !state & Trans & state' satisfiable.   require: literals over X
  bool steps_into(Level i, std::span<const Term> state);
  /// After inductive() failed: literals that hold in the model's state, all of whose states step
  /// into the cube.
  std::vector<Term> predecessor();
  /// After inductive() failed or steps_into() held: a variable of X, I or X' in the model.
  ///   require: of X', what the model says
  Term value(Term variable) { return step_.solver->value(variable); }
  /// Whether the model gives the next value of a state its meaning; with lazy steps not all do.
  bool says_next(Term current) const { return !lazy_ || !lazy_->waits(current); }

 private:
  void start_step();
  void start_state();
  void start_initial();
  void restart_if_due();
  void tell_lemma(Asker& target, Level level, const Cube& cube);
  Term assume(Asker& target, Lit lit, Term meaning);
  std::vector<Term> assume_at_init(std::span<const Lit> cube);
  std::vector<Term> switches_of(Level level);
  void demand_steps(Term formula);
  void repair_initiation(std::span<const Lit> cube);
  std::vector<Term> values(smt::SmtSolver& solver);
  std::vector<Term> cube_around_model(smt::SmtSolver& solver, Term formula,
                                      std::span<const Term> eliminate);
  Term side_of(smt::SmtSolver& solver, Term literal);

  const Context& ctx_;
  Settings settings_;
  TermSystem& system_;
  TermStore& terms_;
  Queries queries_;
  Atoms atoms_;
  ClauseFrames clauses_;
  std::vector<Lit> core_;  // of the last query of induction that holds
  AtomActivity activity_;
  std::optional<LazyTransition> lazy_;
  Term step_base_;                            // Trans, or what is left of it when lazy
  std::unordered_map<Term, Term> equations_;  // demanded so far, by variable
  std::vector<Term> equation_order_;          // its keys, oldest first
  std::unordered_set<Term> states_;           // X

  Labels labels_;                    // by literal code
  std::vector<bool> never_initial_;  // by literal code: Init excludes it
  Labels switches_;                  // by level: switches the lemmas of one list on
  Term initial_;                     // switches Init on in step_

  // They get formulas on demand and can start afresh.
  Asker step_;                  // !Bad, Trans, lemmas; labels over X'
  Asker state_;                 // lemmas; labels over X
  Asker at_init_;               // Init; labels over X
  std::vector<Lit> last_cube_;  // of inductive()

  Counter &atom_count_, &valued_, &restarts_;
  Timer& project_;
};

}  // namespace lem::engine
