// The state of one run of kind on bits; search.cpp has the algorithm.
#pragma once

#include <cstdint>
#include <memory>

#include "base/context.h"
#include "engine/kind/options.h"
#include "engine/kind/stats.h"
#include "engine/parts/bits/unroller.h"
#include "model/verdict.h"
#include "sat/sat_solver.h"

namespace lem::engine {

class KindSearch {
 public:
  /// Borrows both.
  KindSearch(const Problem& problem, const Context& ctx);
  Verdict run();

 private:
  enum class StepAnswer : std::uint8_t { Inductive, NotInductive, Stopped };
  /// A path with a solver of its own: from reset (base case) or from anywhere (step case).
  struct Path {
    Path(const Problem& problem, Unroller::Start start, const std::stop_token& stop);
    std::unique_ptr<sat::SatSolver> solver;
    Unroller steps;
  };
  static Step extend(Path& path);
  sat::SatResult base_case();
  StepAnswer step_case();
  bool demand_differences(Step last);
  bool require_differ(Step left, Step right);
  KInductive certificate(std::uint32_t k) const;
  void report(std::uint32_t k);

  const Context& ctx_;
  KindConfig config_;
  KindStats stats_;
  Path base_;
  Path step_;
  sat::Lit differ_;  // guards the simple-path clauses, so that a core says whether they matter
};

}  // namespace lem::engine
