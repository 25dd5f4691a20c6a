// The state of one CTIGAR run. An obligation <cube, [s,] i, n> asks to block the cube at level i,
// relative to F_i-1. The loops are in parts/terms/loop.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/context.h"
#include "engine/ctigar/domain.h"
#include "engine/ctigar/lifting.h"
#include "engine/ctigar/mining.h"
#include "engine/ctigar/options.h"
#include "engine/ctigar/refine.h"
#include "engine/ctigar/stats.h"
#include "engine/parts/terms/frames.h"
#include "engine/parts/terms/loop.h"
#include "engine/parts/terms/system.h"

namespace lem::engine {

class CtigarSearch {
 public:
  CtigarSearch(const Problem& problem, const Context& ctx);
  Verdict run();

  // For the loop (contracts there).
  std::optional<Cube> violation();
  void refresh(ObligationId id);                        // obligations.cpp
  Outcome at_initial(ObligationId id, Level level);     // triggers.cpp
  Outcome not_inductive(ObligationId id, Level level);  // obligations.cpp
  void about_to_block(ObligationId id);
  std::string progress() const;

 private:
  using Queue = ObligationQueue<CtiDetails>;
  Queue& obligations() { return loop_.obligations; }
  bool stopped() const { return loop_.stopped(); }

  // obligations.cpp
  CtiDetails& details(ObligationId id) { return obligations()[id].details; }
  TermMap model();
  Assignment state_of(const TermMap& model) const;
  Queue::Handle lift_cti(const TermMap& model, ObligationId successor, Level level, bool caf,
                         std::span<const Term> target);
  enum class Shrink : std::uint8_t { No, Yes };
  void abstract_and_lift(ObligationId id, Shrink shrink);

  // triggers.cpp
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
  TermLoop<TermFrames, CtiDetails> loop_;
  Cube bad_;  // conjuncts of Bad
};

}  // namespace lem::engine
