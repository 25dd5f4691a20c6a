// The state of one run of concrete IC3 modulo theories.
#pragma once

#include <optional>
#include <vector>

#include "base/context.h"
#include "engine/ic3smt/options.h"
#include "engine/ic3smt/stats.h"
#include "engine/parts/common/obligations.h"
#include "engine/parts/terms/blocker.h"
#include "engine/parts/terms/frames.h"
#include "engine/parts/terms/system.h"

namespace lem::engine {

class Ic3smtSearch {
 public:
  Ic3smtSearch(const Problem& problem, const Context& ctx);
  Verdict run();

 private:
  enum class Blocked : std::uint8_t { All, Counterexample, Stopped };

  Blocked strengthen();
  Blocked discharge(ObligationId id, Level level);
  Blocked enqueue_predecessor(ObligationId id, Level level);
  Blocked counterexample_from(ObligationId id);
  Cube cube_of(const std::vector<Term>& literals);
  std::vector<Lit> combine(Level level, std::vector<Lit> core);
  bool stopped() const { return frames_.stopped() || infeasible_; }
  void report_progress();

  const Context& ctx_;
  Ic3smtConfig config_;
  Ic3smtStats stats_;
  TermSystem system_;
  TermStore& terms_;
  TermFrames frames_;
  Blocker blocker_;
  ObligationQueue<> obligations_;
  std::optional<TermTrace> trace_;
  bool infeasible_ = false;  // a chain of obligations was no counterexample: a projection was wrong
};

}  // namespace lem::engine
