// The state of one run of fsis; search.cpp has the algorithm.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/context.h"
#include "engine/fsis/mic.h"
#include "engine/fsis/options.h"
#include "engine/fsis/stats.h"
#include "engine/parts/bits/lifter.h"
#include "engine/parts/bits/transition_cnf.h"
#include "engine/parts/common/sample.h"
#include "model/verdict.h"

namespace lem::engine {

class FsisSearch {
 public:
  /// Borrows both.
  FsisSearch(const Problem& problem, const Context& ctx);
  Verdict run();

 private:
  enum class SubgoalId : std::uint32_t { Property = 0 };

  /// All states of `cube` step into the successor's cube under `inputs`, or are bad if the
  /// successor is the property.
  struct Cti {
    Cube cube;
    std::vector<Lit> inputs;
    SubgoalId successor;
  };

  std::optional<Cti> violate_consecution(SubgoalId subgoal);
  std::optional<Cube> minimal_inductive_subclause(const Cti& cti);
  void strengthen(const Cube& cube);
  void add_subgoal(Cti cti);
  void add_clause(const Cube& cube);
  InductiveInvariant strengthening() const;
  Trace trace(Cti first) const;
  bool is_inductive(const Cube& cube) const;
  bool leads_on(const Cti& cti) const;
  void report();

  const Cti& subgoal(SubgoalId id) const { return subgoals_[static_cast<std::size_t>(id) - 1]; }

  const Context& ctx_;
  FsisConfig config_;
  FsisStats stats_;
  TransitionCnf cnf_;
  std::unique_ptr<sat::Cdcl> solver_;  // P-hat & F & T
  Lifter lifter_;
  Mic mic_;
  std::vector<double> activity_;  // the lifter wants one; all alike here
  std::vector<Cube> f_;           // negated clauses of F
  std::vector<Cti> subgoals_;     // P-hat beyond P; SubgoalId 1 is the first
  std::vector<SubgoalId> open_ = {SubgoalId::Property};
  std::uint64_t own_queries_ = 0;
  Sample sample_;  // of clauses whose induction is asked about again
};

}  // namespace lem::engine
