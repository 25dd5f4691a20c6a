// The state of one IC3+IA run.
#pragma once

#include <optional>
#include <vector>

#include "base/context.h"
#include "engine/ic3ia/frames.h"
#include "engine/ic3ia/options.h"
#include "engine/ic3ia/refine.h"
#include "engine/ic3ia/stats.h"
#include "engine/parts/common/obligations.h"
#include "engine/parts/terms/blocker.h"
#include "engine/parts/terms/system.h"

namespace lem::engine {

class Ic3iaSearch {
 public:
  Ic3iaSearch(const Problem& problem, const Context& ctx);
  Verdict run();

 private:
  enum class Blocked : std::uint8_t { All, Counterexample, Refined, Stopped };

  Blocked strengthen();
  Blocked discharge(ObligationId id, Level level);
  Blocked enqueue_predecessor(ObligationId id, Level level);
  Blocked simulate(ObligationId id);
  bool stopped() const { return frames_.stopped() || gave_up_; }
  void report_progress();

  const Context& ctx_;
  Ic3iaConfig config_;
  Ic3iaStats stats_;
  TermSystem system_;
  TermStore& terms_;
  Refiner refiner_;
  PredicateFrames frames_;
  Blocker blocker_;
  ObligationQueue<> obligations_;
  bool gave_up_ = false;  // all sources of predicates did
  std::optional<TermTrace> trace_;
};

}  // namespace lem::engine
