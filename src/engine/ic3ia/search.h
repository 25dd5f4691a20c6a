// The state of one IC3+IA run [Cimatti14]: IC3 over cubes of predicates, with the abstraction
// implicit in the queries. search.cpp has the loops of Figure 2, queries.cpp AbsRelInd and the
// generalizer's oracle, refine.cpp simulation and refinement (section 3.3), seeds.cpp the initial
// predicates.
//
// Everything is incremental: a refinement adds predicates to the solvers that are there; no lemma,
// no frame and no solver is ever discarded.
#pragma once

#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "base/context.h"
#include "engine/ic3ia/options.h"
#include "engine/ic3ia/predicates.h"
#include "engine/ic3ia/refine.h"
#include "engine/ic3ia/seen_steps.h"
#include "engine/parts/bits/lazy_transition.h"
#include "engine/parts/common/frames.h"
#include "engine/parts/common/generalizer.h"
#include "engine/parts/common/obligations.h"
#include "engine/parts/common/push_up.h"
#include "engine/parts/terms/system.h"
#include "smt/smt_solver.h"

namespace lem {

struct Ic3iaStats {
  explicit Ic3iaStats(Stats& all)
      : obligations(all.counter("ic3ia.obligations")),
        lemmas(all.counter("ic3ia.lemmas")),
        predicates(all.counter("ic3ia.predicates")),
        refinements(all.counter("ic3ia.refinements")),
        ctgs(all.counter("ic3ia.ctgs")),
        depth(all.counter("ic3ia.depth")),
        queries(all.counter("ic3ia.queries")),
        seen(all.counter("ic3ia.queries-spared")),
        solve(all.timer("ic3ia.solve")),
        block(all.timer("ic3ia.block")),
        generalize(all.timer("ic3ia.generalize")),
        propagate(all.timer("ic3ia.propagate")),
        refine(all.timer("ic3ia.refine")) {}
  Counter &obligations, &lemmas, &predicates, &refinements, &ctgs, &depth, &queries, &seen;
  Timer &solve, &block, &generalize, &propagate, &refine;
};

class Ic3iaSearch {
 public:
  Ic3iaSearch(const Problem& problem, const Context& ctx);
  Verdict run();

  // The oracle of Generalizer (contracts there).
  Induction inductive(Level i, std::span<const Lit> cube);
  std::vector<Lit> counterexample() const { return last_state_; }
  bool meets_initial(std::span<const Lit> cube);
  void order(std::vector<Lit>& cube) const;
  bool block_ctg(Level i, const Effort& effort, std::uint32_t depth);

 private:
  bool stopped() const { return ctx_.stopped() || gave_up_; }
  enum class Blocked : std::uint8_t { All, Counterexample, Refined, Stopped };

  // search.cpp
  std::unique_ptr<smt::SmtSolver> make_solver();
  void assume_invariants(std::vector<Term> predicates);
  void extend();
  Blocked strengthen();
  std::optional<Cube> find_bad();
  Blocked discharge(ObligationId id, Level level);
  Blocked enqueue_predecessor(ObligationId id, Level level);
  Blocked simulate(ObligationId id);
  std::optional<Level> propagate();
  void add_lemma(Level level, Cube cube);
  Term invariant(Level level) const;
  Verdict unknown() const;
  void report_progress();

  // queries.cpp
  void add_predicates(std::span<const Term> atoms);
  Term frame_switch(Level level);
  void assume_frame(Level level, std::vector<Term>& assumptions);
  smt::Answer ask(smt::SmtSolver& solver, std::span<const Term> assumptions);
  std::vector<Lit> shrink_bad(std::vector<Lit> cube);
  void repair_initiation(std::span<const Lit> cube);
  std::vector<Lit> model_cube(smt::SmtSolver& solver);
  void note_step(Level level);

  const Context& ctx_;
  Ic3iaConfig config_;
  Ic3iaStats stats_;
  TermSystem system_;
  TermStore& terms_;
  std::optional<LazyTransition> lazy_;  // of ic3ia.lazy-steps
  Predicates predicates_;
  TermUnroller copies_;  // the X and X' of ic3ia.encoding=eq
  Refiner refiner_;
  std::vector<Term> known_;  // invariants, of ic3ia.invariants
  Frames frames_;
  ObligationQueue obligations_;
  Generalizer<Ic3iaSearch> generalizer_;

  std::unique_ptr<smt::SmtSolver> step_;   // !Bad(X), Trans, labels over X and X', lemmas
  std::unique_ptr<smt::SmtSolver> state_;  // Bad as a label, labels over X, lemmas
  Term initial_;                           // switches Init on in both
  Term bad_;                               // label of Bad in state_
  std::vector<Term> switches_;             // by level: switches the lemmas of one list on
  enum class AtInit : std::uint8_t { Either, True, False };
  std::vector<AtInit> at_init_;   // by predicate: what Init says of it
  std::mt19937 random_;           // of ic3ia.seed
  std::vector<double> activity_;  // by predicate
  SeenSteps seen_;
  std::vector<Lit> last_state_;  // of the last query that was not inductive
  std::vector<Lit> core_;        // of the last query that holds
  bool gave_up_ = false;         // a solver or all sources of predicates did
  std::optional<TermTrace> trace_;
};

}  // namespace lem
