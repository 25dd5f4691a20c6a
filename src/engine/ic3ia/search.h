// The state of one IC3+IA run [Cimatti14 Fig. 2]; the loops are in parts/terms/loop.h.
#pragma once

#include <optional>
#include <string>

#include "base/context.h"
#include "engine/ic3ia/frames.h"
#include "engine/ic3ia/options.h"
#include "engine/ic3ia/refine.h"
#include "engine/parts/terms/loop.h"
#include "engine/parts/terms/system.h"

namespace lem::engine {

class Ic3iaSearch {
 public:
  Ic3iaSearch(const Problem& problem, const Context& ctx);
  Verdict run() { return loop_.run(*this); }

  // For the loop (contracts there).
  std::optional<Cube> violation() { return frames_.bad_in_top(); }
  Outcome at_initial(ObligationId id, Level /*level*/) { return simulate(id); }
  Outcome not_inductive(ObligationId id, Level level);
  std::string progress() const;

 private:
  Outcome simulate(ObligationId id);

  Ic3iaConfig config_;
  TermSystem system_;
  Refiner refiner_;
  PredicateFrames frames_;
  TermLoop<PredicateFrames> loop_;
  Counter& refinements_;
  Timer& refine_;
};

}  // namespace lem::engine
