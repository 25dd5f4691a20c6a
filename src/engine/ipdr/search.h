// The state of one run of ipdr on bits; search.cpp has the algorithm.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/context.h"
#include "base/id.h"
#include "engine/ipdr/options.h"
#include "engine/ipdr/stats.h"
#include "engine/ipdr/suffixes.h"
#include "engine/parts/bits/frames.h"
#include "engine/parts/bits/unroller.h"
#include "engine/parts/common/generalizer.h"
#include "model/verdict.h"

namespace lem::engine {

class IpdrSearch {
 public:
  /// Borrows both.
  IpdrSearch(const Problem& problem, const Context& ctx);
  Verdict run();

  // The oracle of Generalizer (contracts there).
  Induction inductive(Level i, std::span<const Lit> cube);
  std::vector<Lit> counterexample() const { return frames_.counterexample(); }
  bool meets_initial(std::span<const Lit> cube) const { return frames_.meets_initial(cube); }
  void order(std::vector<Lit>& cube) const;
  /// Generalization never recurses here.
  bool block_ctg(Level /*i*/, const Effort& /*effort*/, std::uint32_t /*depth*/) { return false; }

 private:
  bool stopped() const { return ctx_.stopped(); }
  enum class Reach : std::uint8_t { Bad, Safe, Stopped };
  Reach unrolled_query();
  bool interpolate();
  Level last_refuted_suffix();
  bool strengthen(Level i);
  std::optional<Cube> states_leading_to_bad(Level i);
  void block(Level i, const Cube& cube);
  void extend();
  std::optional<Level> propagate();
  void add_lemma(Level level, const Cube& cube);
  void report();

  const Context& ctx_;
  IpdrConfig config_;
  IpdrStats stats_;
  BitFrames frames_;
  Generalizer<IpdrSearch> generalizer_;
  std::unique_ptr<sat::SatSolver> path_solver_;
  Unroller path_;  // from reset, for the frontier's query
  Suffixes suffixes_;
};

}  // namespace lem::engine
