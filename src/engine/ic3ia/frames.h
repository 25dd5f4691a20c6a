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
#include "engine/parts/query/asker.h"
#include "engine/parts/query/clause_frames.h"
#include "engine/parts/query/queries.h"
#include "engine/parts/terms/lazy_transition.h"

namespace lem::engine {

class PredicateFrames {
 public:
  /// Borrows all three. There is no predicate yet.
  PredicateFrames(TermSystem& system, const Ic3iaConfig& config, const Context& ctx);

  const Predicates& predicates() const { return predicates_; }
  /// Adds those that are new.   require: atoms over X
  void add_predicates(std::span<const Term> atoms);
  const Atoms& atoms() const { return predicates_.atoms(); }

  const ClauseFrames& clauses() const { return clauses_; }
  Level top() const { return clauses_.top(); }
  void extend() { clauses_.extend(); }
  std::optional<Level> propagate() { return clauses_.propagate(*this); }
  /// Part of all frames but F_0 from now on.   require: an inductive invariant
  void assume_invariants(const std::vector<Term>& invariants);
  /// require: clauses().is_lemma(level, cube).  ensure: false if it was known
  bool add_lemma(Level level, const Cube& cube);
  bool learn(Level level, std::vector<Lit> cube) { return add_lemma(level, Cube(std::move(cube))); }

  // Queries: the oracle of Generalizer (contracts there) without block_ctg. After a query that a
  // solver did not decide, or a stop request, stopped() holds and inductive() answers Stopped.
  Induction inductive(Level i, std::span<const Lit> cube);
  /// A state of all predicates.
  std::vector<Lit> counterexample() { return last_state_; }
  bool meets_initial(std::span<const Lit> cube);
  /// Literals that are in few lemmas first.
  void order(std::vector<Lit>& cube) const { activity_.order(cube); }
  bool stopped() const { return queries_.stopped(); }
  /// Init & Bad: a trace of one step.
  std::optional<TermTrace> bad_in_init();
  /// F_top & Bad: a cube that implies Bad.
  std::optional<Cube> bad_in_top();

 private:
  void tell(Term formula);
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
  TermSystem& system_;
  TermStore& terms_;
  Queries queries_;
  std::optional<LazyTransition> lazy_;  // of ic3ia.lazy-steps
  Predicates predicates_;
  ClauseFrames clauses_;
  std::vector<Lit> core_;  // of the last query of induction that holds
  AtomActivity activity_;
  TermUnroller copies_;                    // the X and X' of ic3ia.encoding=eq
  std::unique_ptr<smt::SmtSolver> step_;   // !Bad(X), Trans, labels over X and X', lemmas
  std::unique_ptr<smt::SmtSolver> state_;  // Bad as a label, labels over X, lemmas
  Term initial_;                           // switches Init on in both
  Term bad_;                               // label of Bad in state_
  Labels switches_;                        // by level: switches the lemmas of one list on
  std::vector<AtInit> at_init_;            // by predicate
  std::mt19937 random_;                    // of ic3ia.seed
  SeenSteps seen_;
  std::vector<Lit> last_state_;  // of the last query that was not inductive
  Counter &predicate_count_, &spared_;
};

}  // namespace lem::engine
