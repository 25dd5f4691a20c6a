// The state of one CTIGAR run. An obligation <cube, [s,] i, n> asks to block the cube at level i,
// relative to F_i-1.
#pragma once

#include <optional>
#include <vector>

#include "base/context.h"
#include "engine/ctigar/domain.h"
#include "engine/ctigar/lifting.h"
#include "engine/ctigar/mining.h"
#include "engine/ctigar/options.h"
#include "engine/ctigar/refine.h"
#include "engine/ctigar/stats.h"
#include "engine/parts/common/obligations.h"
#include "engine/parts/terms/blocker.h"
#include "engine/parts/terms/frames.h"
#include "engine/parts/terms/system.h"

namespace lem::engine {

class CtigarSearch {
 public:
  CtigarSearch(const Problem& problem, const Context& ctx);
  Verdict run();

 private:
  bool stopped() const { return frames_.stopped() || gave_up_; }
  using Queue = ObligationQueue<CtiDetails>;
  enum class Outcome : std::uint8_t { Done, Counterexample, Stopped };

  // search.cpp
  Outcome strengthen();
  Outcome discharge(ObligationId id, Level level);
  void report_progress();

  // obligations.cpp
  CtiDetails& details(ObligationId id) { return obligations_[id].details; }
  TermMap model();
  Assignment state_of(const TermMap& model) const;
  Outcome consecution_failed(ObligationId id, Level level);
  Queue::Handle lift_cti(const TermMap& model, ObligationId successor, Level level, bool caf,
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
  Blocker blocker_;
  Queue obligations_;
  Cube bad_;  // conjuncts of Bad
  std::optional<TermTrace> trace_;
  bool gave_up_ = false;  // a solver did not know, or erred
};

}  // namespace lem::engine
