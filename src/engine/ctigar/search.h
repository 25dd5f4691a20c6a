// The state of one CTIGAR run [Birgmeier14]: IC3 over cubes of predicates, where the domain is
// refined relative to single steps. search.cpp has the loops, obligations.cpp lifting and
// consecution of Table 1, triggers.cpp when and what to refine (section 3.3).
//
// An obligation <cube, [s,] i, n> asks to block the cube at level i, relative to F_i-1; the root is
// Bad at the top. Levels are those of the other engines here, one more than in the paper.
#pragma once

#include <optional>
#include <vector>

#include "base/context.h"
#include "engine/ctigar/domain.h"
#include "engine/ctigar/lifting.h"
#include "engine/ctigar/mining.h"
#include "engine/ctigar/options.h"
#include "engine/ctigar/refine.h"
#include "engine/parts/common/generalizer.h"
#include "engine/parts/common/obligations.h"
#include "engine/parts/common/push_up.h"
#include "engine/parts/terms/frames.h"
#include "engine/parts/terms/system.h"

namespace lem {

struct CtigarStats {
  explicit CtigarStats(Stats& all);
  Counter &obligations, &ctgs, &predicates;
  Counter &liftings, &lifted;  // abstract ones, and those that succeed
  Counter& spurious;           // consecution failures (CAF)
  Counter &lifting_refinements, &consecution_refinements;
  Counter &on_counterexample, &on_initial, &on_spurious, &on_unlifted;  // the four triggers
  Counter& unlifted_blocked;                                            // Figure 4(b)
  Timer &block, &generalize, &refine, &lift;
};

class CtigarSearch {
 public:
  CtigarSearch(const Problem& problem, const Context& ctx);
  Verdict run();

  // The oracle of Generalizer (contracts there).
  Induction inductive(Level i, std::span<const Lit> cube) { return frames_.inductive(i, cube); }
  std::vector<Lit> counterexample() { return frames_.counterexample(); }
  bool meets_initial(std::span<const Lit> cube) { return frames_.meets_initial(cube); }
  void order(std::vector<Lit>& cube) const;
  bool block_ctg(Level i, const Effort& effort, std::uint32_t depth);

 private:
  bool stopped() const { return frames_.stopped() || gave_up_; }
  enum class Outcome : std::uint8_t { Done, Counterexample, Stopped };

  // search.cpp
  Outcome strengthen();
  Outcome discharge(ObligationId id, Level level);
  Level block(Level level, std::vector<Lit> core, const Effort& effort, std::uint32_t depth);
  double activity(Lit lit) const;
  Verdict unknown() const;
  void report_progress();

  // obligations.cpp
  CtiDetails& details(ObligationId id);
  TermMap model();
  Assignment state_of(const TermMap& model) const;
  Outcome consecution_failed(ObligationId id, Level level);
  ObligationHandle lift_cti(const TermMap& model, ObligationId successor, Level level, bool caf,
                            std::span<const Term> target);
  enum class Shrink : std::uint8_t { No, Yes };
  void abstract_and_lift(ObligationId id, Shrink shrink);
  void refresh(ObligationId id);

  // triggers.cpp
  Outcome at_initial(ObligationId id, Level level);
  Outcome counterexample_from(ObligationId id);
  Outcome concretize(ObligationId id);
  void refine(ObligationId id, Level level);
  void refine_lifting(ObligationId id);
  void refine_consecution(ObligationId id, Level level);
  void drop_predecessors(ObligationId id);
  void add_predicates(std::span<const Term> predicates);

  const Context& ctx_;
  CtigarConfig config_;
  CtigarStats stats_;
  TermSystem system_;
  TermStore& terms_;
  TermFrames frames_;
  Domain domain_;
  Lifting lifting_;
  CtigarRefiner refiner_;
  StateMiner miner_;
  ObligationQueue obligations_;
  std::vector<CtiDetails> details_;  // by obligation
  Generalizer<CtigarSearch> generalizer_;
  Cube bad_;                      // conjuncts of Bad
  std::vector<double> activity_;  // by atom: how many lemmas mention it
  std::optional<TermTrace> trace_;
  bool gave_up_ = false;  // a solver did not know, or erred
};

}  // namespace lem
