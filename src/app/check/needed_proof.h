// Which lemmas of a proof the property needs, for the page of --report: the question of `lemmata
// explain`, with a limit of time and in a copy of this process. A solver that crashes, hangs or
// takes much memory then costs the answer and not the report. Tests:
// tests/unit/app/check/needed_proof_test.cpp.
#pragma once

#include <chrono>
#include <optional>

#include "model/problem.h"
#include "writer/report/report.h"

namespace lem::app {

/// Divides accepted proofs. All of them together have one limit of time.
class NeededProofs {
 public:
  using Seconds = std::chrono::duration<double>;
  ///   require: the problem outlives this
  NeededProofs(const Problem& problem, Seconds limit);

  /// All lemmas are in the first part, and not known to be a minimal set, if nothing else is known
  /// by the end of the time. nullopt if the proof has no lemmas of its own (unwound loops, a
  /// property that is inductive by itself).
  ///   require: the verdict is Safe
  std::optional<writer::ProofParts> divide(const writer::PropertyResult& result);

 private:
  const Problem& problem_;
  std::chrono::steady_clock::time_point end_;
};

}  // namespace lem::app
