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
#include "engine/parts/terms/lazy_transition.h"
#include "engine/parts/terms/theory_frames.h"
#include "smt/smt_solver.h"

namespace lem::engine {

class TermFrames final : public TheoryFrames {
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
  Term formula(Lit lit) const override {
    return lit.negative() ? terms_.make_not(atoms_[lit.var()]) : atoms_[lit.var()];
  }
  std::size_t num_atoms() const { return atoms_.size(); }

  // Queries.
  Induction inductive(Level i, std::span<const Lit> cube) override;
  /// Speaks of the atoms of the last cube alone.
  std::vector<Lit> counterexample() override;
  bool meets_initial(std::span<const Lit> cube) override;
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
  /// A solver that gets formulas on demand and can start afresh.
  struct LazySolver {
    std::unique_ptr<smt::SmtSolver> solver;
    std::vector<bool> labels;  // by literal code: whether it knows the label
    std::size_t formulas = 0;  // how many it got
  };
  void start_step();
  void start_state();
  void start_initial();
  void restart_if_due();
  void tell_invariant(Term invariant) override;
  void tell_lemma(Level level, const Cube& cube) override;
  void tell_lemma(LazySolver& target, Level level, const Cube& cube);
  Term assume(LazySolver& target, Lit lit, Term meaning);
  std::vector<Term> assume_at_init(std::span<const Lit> cube);
  Term label(Lit lit);
  Term frame_switch(Level level);
  std::vector<Term> switches_of(Level level);
  void demand_steps(Term formula);
  void repair_initiation(std::span<const Lit> cube);
  std::vector<Term> values(smt::SmtSolver& solver);
  std::vector<Term> cube_around_model(smt::SmtSolver& solver, Term formula,
                                      std::span<const Term> eliminate);
  Term side_of(smt::SmtSolver& solver, Term literal);

  Settings settings_;
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

  LazySolver step_;             // !Bad, Trans, lemmas; labels over X'
  LazySolver state_;            // lemmas; labels over X
  LazySolver at_init_;          // Init; labels over X
  std::vector<Lit> last_cube_;  // of inductive()

  Counter &atom_count_, &valued_, &restarts_;
  Timer& project_;
};

}  // namespace lem::engine
