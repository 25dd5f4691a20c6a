// Frames over predicates, and the queries of IC3+IA about them: AbsRelInd [Cimatti14 formula 3].
//
// With a label x_p for every predicate, F(X) & c(X) & EQ(X, X~) & T(X~, X~') & EQ(X~', X') & !c(X')
// needs no second copy of the states: F and c speak of labels only, so taking X = X~ and X' = X~'
// loses nothing, and EQ is the definition of the labels. `ic3ia.encoding=eq` keeps the copies.
//
// Everything is incremental: new predicates are added to the solvers that are there; no lemma, no
// frame and no solver is ever discarded.
#pragma once

#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "base/context.h"
#include "engine/ic3ia/options.h"
#include "engine/ic3ia/predicates.h"
#include "engine/ic3ia/seen_steps.h"
#include "engine/parts/terms/lazy_transition.h"
#include "engine/parts/terms/theory_frames.h"

namespace lem::engine {

class PredicateFrames final : public TheoryFrames {
 public:
  /// Borrows all three. There is no predicate yet.
  PredicateFrames(TermSystem& system, const Ic3iaConfig& config, const Context& ctx);

  const Predicates& predicates() const { return predicates_; }
  /// Adds those that are new.   require: atoms over X
  void add_predicates(std::span<const Term> atoms);
  Term formula(Lit lit) const override { return predicates_.formula(lit); }

  // Queries.
  Induction inductive(Level i, std::span<const Lit> cube) override;
  /// A state of all predicates.
  std::vector<Lit> counterexample() override { return last_state_; }
  bool meets_initial(std::span<const Lit> cube) override;
  /// Init & Bad: a trace of one step.
  std::optional<TermTrace> bad_in_init();
  /// F_top & Bad: a cube that implies Bad.
  std::optional<Cube> bad_in_top();

 private:
  void tell_invariant(Term invariant) override;
  void tell_lemma(Level level, const Cube& cube) override;
  Term frame_switch(Level level);
  Term switch_of(Level level) { return level == Level{0} ? initial_ : frame_switch(level); }
  std::vector<Lit> shrink_bad(std::vector<Lit> cube);
  void repair_initiation(std::span<const Lit> cube);
  std::vector<Lit> model_cube(smt::SmtSolver& solver);
  void record_step(Level level);
  /// What Init says of a predicate.
  enum class AtInit : std::uint8_t { Either, True, False };
  AtInit at_init(sat::Var p);
  bool never_initial(Lit lit) const {
    return at_init_[lit.var()] == (lit.negative() ? AtInit::True : AtInit::False);
  }

  const Ic3iaConfig& config_;
  std::optional<LazyTransition> lazy_;  // of ic3ia.lazy-steps
  Predicates predicates_;
  TermUnroller copies_;                    // the X and X' of ic3ia.encoding=eq
  std::unique_ptr<smt::SmtSolver> step_;   // !Bad(X), Trans, labels over X and X', lemmas
  std::unique_ptr<smt::SmtSolver> state_;  // Bad as a label, labels over X, lemmas
  Term initial_;                           // switches Init on in both
  Term bad_;                               // label of Bad in state_
  std::vector<Term> switches_;             // by level: switches the lemmas of one list on
  std::vector<AtInit> at_init_;            // by predicate
  std::mt19937 random_;                    // of ic3ia.seed
  SeenSteps seen_;
  std::vector<Lit> last_state_;  // of the last query that was not inductive
  Counter &predicate_count_, &spared_;
};

}  // namespace lem::engine
