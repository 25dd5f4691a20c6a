// BMC on programs: merging symbolic execution with growing bounds for the loops
// [Clarke04, Kuznetsov12]. Tests: tests/unit/engine/bmc/program_search_test.cpp.
#pragma once

#include <memory>
#include <vector>

#include "base/context.h"
#include "engine/bmc/options.h"
#include "engine/bmc/stats.h"
#include "engine/bmc/unwinding.h"
#include "engine/parts/terms/decider.h"
#include "model/problem.h"
#include "model/verdict.h"

namespace lem::engine {

class ProgramSearch {
 public:
  /// Borrows both.
  ProgramSearch(const Problem& problem, const Context& ctx);
  Verdict run();

 private:
  bool feasible(Term condition);
  smt::Answer ask(Term condition, Patience patience);
  smt::Answer reach_error();
  bool raise_bounds();
  Safe proof() const;
  CfaTrace trace();

  const Cfa& cfa_;
  const Context& ctx_;
  BmcConfig config_;
  BmcProgramStats stats_;
  std::unique_ptr<Decider> decider_;
  Unwinding unwinding_;
  std::vector<std::uint32_t> bounds_;  // by head of a loop
};

}  // namespace lem::engine
