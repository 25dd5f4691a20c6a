// Frames whose lemmas are clauses of theory literals, and the queries that concrete IC3 modulo
// theories asks about them [Cimatti14 2.2]. Literals are interned on demand, so that Cube,
// Frames, ObligationQueue and Generalizer work as they do on latches.
//
// A literal is assumed over X' (or over Init) through a label that implies it; labels imply in one
// direction only, so that the solver may ignore atoms that no assumption and no clause mentions.
// Tests: tests/unit/engine/ic3smt/ic3smt_test.cpp, ipdr_terms_test.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/context.h"
#include "engine/parts/bits/lazy_transition.h"
#include "engine/parts/common/frames.h"
#include "engine/parts/common/induction.h"
#include "engine/parts/terms/system.h"
#include "smt/smt_solver.h"

namespace lem {

class TermFrames {
 public:
  /// How states that step into a cube grow from the model's to a cube.
  enum class Preimage : std::uint8_t { Values, Project };
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
  Term formula(Lit lit) const {
    return lit.negative() ? terms_.make_not(atoms_[lit.var()]) : atoms_[lit.var()];
  }
  std::vector<Term> formulas(std::span<const Lit> cube) const;
  std::size_t num_atoms() const { return atoms_.size(); }

  // Frames.
  /// Part of all frames but F_0 from now on.   require: an inductive invariant
  void assume_invariants(std::vector<Term> invariants);
  const Frames& frames() const { return frames_; }
  Level top() const { return frames_.top(); }
  void extend();
  /// require: the lemma holds in F_level.  ensure: false if it was known
  bool add_lemma(Level level, Cube cube);
  /// Pushes lemmas.   ensure: a level i with F_i = F_i+1, if there is one
  std::optional<Level> propagate();
  /// F_level.
  Term frame(Level level) const;

  // Queries. After one that the solver could not answer, or a stop, stopped() holds.
  /// Init & Bad: a trace of one step.
  std::optional<TermTrace> bad_in_init();
  /// F_top & Bad: literals that imply Bad, true in a state of F_top.
  std::optional<std::vector<Term>> bad_in_top();
  /// F_level & cube unsatisfiable.
  bool excludes(Level level, std::span<const Lit> cube);
  /// F_i-1 & !state & Trans & state' satisfiable.   require: literals over X
  bool steps_into(Level i, std::span<const Term> state);
  /// After inductive() failed or steps_into() held: a variable of X, I or X' in the model.
  ///   require: of X', what the model says
  Term value(Term variable) { return step_.solver->value(variable); }
  /// Whether the model gives the next value of a state its meaning; with lazy steps not all do.
  bool says_next(Term current) const { return !lazy_ || !lazy_->waits(current); }
  bool stopped() const { return ctx_.stopped() || gave_up_; }

  // The greater part of the Generalizer's oracle (contracts there). counterexample() speaks of the
  // atoms of the last cube alone.
  Induction inductive(Level i, std::span<const Lit> cube);
  std::vector<Lit> counterexample();
  bool meets_initial(std::span<const Lit> cube);
  /// After inductive() failed: literals that hold in the model's state, all of whose states step
  /// into the cube.
  std::vector<Term> predecessor();

 private:
  /// A solver that is told formulas on demand and can start afresh.
  struct Told {
    std::unique_ptr<smt::SmtSolver> solver;
    std::vector<bool> labels;  // by literal code: whether its label was told
    std::size_t formulas = 0;
  };
  void start_step();
  void start_state();
  void start_initial();
  void restart_if_due();
  void tell_lemma(Told& told, Level level, const Cube& cube);
  Term assume(Told& told, Lit lit, Term meaning);
  Term label(Lit lit);
  Term frame_switch(Level level);
  void assume_frame(Level level, std::vector<Term>& assumptions);
  smt::Answer ask(Told& told, std::span<const Term> assumptions);
  void demand_steps(Term formula);
  void repair_initiation(std::span<const Lit> cube);
  std::vector<Term> values(smt::SmtSolver& solver);
  std::vector<Term> cube_around_model(smt::SmtSolver& solver, Term formula,
                                      std::span<const Term> eliminate);
  Term side_of(smt::SmtSolver& solver, Term literal);
  Term clause_of(const Cube& cube) const;

  const Context& ctx_;
  Settings settings_;
  TermSystem& system_;
  TermStore& terms_;
  std::optional<LazyTransition> lazy_;
  Term step_base_;                            // Trans, or what is left of it when lazy
  std::unordered_map<Term, Term> equations_;  // demanded so far, by variable
  std::vector<Term> equation_order_;          // its keys, oldest first
  std::unordered_set<Term> states_;           // X

  std::vector<Term> atoms_;
  std::unordered_map<Term, sat::Var> index_;
  std::vector<Term> labels_;         // by literal code; no term: none yet
  std::vector<bool> never_initial_;  // by literal code: Init excludes it
  std::vector<Term> switches_;       // by level: switches the lemmas of one list on
  Term initial_;                     // switches Init on in step_

  std::vector<Term> invariants_;  // known beforehand
  Frames frames_;
  Told step_;                   // !Bad, Trans, lemmas; labels over X'
  Told state_;                  // lemmas; labels over X
  Told at_init_;                // Init; labels over X
  std::vector<Lit> last_cube_;  // of inductive()
  std::vector<Lit> core_;       // of the last query that holds
  bool gave_up_ = false;        // a solver did

  Counter &queries_, &lemmas_, &atom_count_, &depth_, &valued_, &restarts_;
  Timer &solve_, &project_, &propagate_;
};

}  // namespace lem
