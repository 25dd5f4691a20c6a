// The state of one run of concrete IC3 modulo theories; the loops are in parts/terms/loop.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/context.h"
#include "engine/ic3smt/options.h"
#include "engine/parts/terms/frames.h"
#include "engine/parts/terms/loop.h"
#include "engine/parts/terms/system.h"

namespace lem::engine {

class Ic3smtSearch {
 public:
  Ic3smtSearch(const Problem& problem, const Context& ctx);
  Verdict run() { return loop_.run(*this); }

  // For the loop (contracts there).
  std::optional<Cube> violation();
  bool is_excluded(Level level, const Cube& cube) { return frames_.excludes(level, cube.lits()); }
  Outcome at_initial(ObligationId id, Level /*level*/) { return counterexample_from(id); }
  Outcome not_inductive(ObligationId id, Level level);
  std::string progress() const;

 private:
  Outcome counterexample_from(ObligationId id);
  Cube cube_of(const std::vector<Term>& literals);
  std::vector<Lit> combine(Level level, std::vector<Lit> core);

  const Context& ctx_;
  Ic3smtConfig config_;
  TermSystem system_;
  TermStore& terms_;
  TermFrames frames_;
  TermLoop<TermFrames> loop_;
  Counter& combined_;
};

}  // namespace lem::engine
