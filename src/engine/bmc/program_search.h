// BMC on programs: merging symbolic execution with growing bounds for the loops
// [Clarke04, Kuznetsov12]. Questions are sliced: conditions that share no variable with the last
// one of a path, not even through others, are asked about apart, once [Cadar08]. Tests:
// tests/unit/engine/bmc/program_search_test.cpp.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

#include "base/context.h"
#include "engine/bmc/options.h"
#include "engine/bmc/simulation.h"
#include "engine/bmc/stats.h"
#include "engine/bmc/unwinding.h"
#include "engine/parts/terms/decider.h"
#include "model/problem.h"
#include "model/verdict.h"
#include "term/connected.h"
#include "term/traverse.h"

namespace lem::engine {

class ProgramSearch {
 public:
  /// Borrows both.
  ProgramSearch(const Problem& problem, const Context& ctx);
  /// Every run that is found goes to `found`, at most one of those whose errors are connected; the
  /// search ends after the first bounds that have some.
  ///   ensure: Safe, or Unknown
  using OnRun = std::function<void(CfaTrace)>;
  Verdict run(const OnRun& found);

 private:
  bool feasible(PathId path);
  std::optional<CfaTrace> simulate();
  smt::Answer ask(Term condition, Patience patience);
  Term slice(const std::vector<Term>& conditions, Connected::Class wanted);
  std::vector<Term> conditions(PathId path);
  smt::Answer reach_error(const OnRun& found);
  struct Reached {
    smt::Answer answer;
    std::optional<CfaTrace> run{};  // if Sat
  };
  Reached reach_one_of(const std::vector<PathId>& paths);
  std::vector<Term> unknowns();
  void take_values(Connected::Class part, TermMap& model);
  std::optional<TermMap> completed(const std::vector<PathId>& paths,
                                   const std::vector<Term>& slices);
  bool raise_bounds();
  Safe proof() const;
  CfaTrace trace(TermMap model);

  const Cfa& cfa_;
  const Context& ctx_;
  BmcConfig config_;
  BmcProgramStats stats_;
  std::unique_ptr<Decider> decider_;
  Unwinding unwinding_;
  Connected connected_;
  std::unordered_set<Term> possible_;  // slices that can hold
  std::optional<Simulation> simulation_;
  Simulation::Seconds next_simulation_;  // no more of them: 0
  bool has_facts_ = false;               // that connect more than conditions do
  std::vector<std::uint32_t> bounds_;    // by head of a loop
};

}  // namespace lem::engine
