// The referee brings an engine's verdict back to the original problem and has it certified. It
// also is the judge of the portfolio, and remembers what it accepted, so that no evidence is
// checked twice. Tests: tests/unit/portfolio/referee_test.cpp.
#pragma once

#include <optional>

#include "base/context.h"
#include "base/result.h"
#include "check/certify.h"
#include "model/problem.h"
#include "model/verdict.h"
#include "portfolio/portfolio.h"
#include "transform/transform.h"

namespace lem::portfolio {

class Referee final : public Judge {
 public:
  /// Borrows all three; they outlive the referee.
  Referee(const Problem& original, const transform::Pipeline& pipeline, const Context& ctx,
          check::Native native = check::Native::Sandbox)
      : original_(original), pipeline_(pipeline), ctx_(ctx), native_(native) {}

  /// Whether the evidence of a definite verdict about the transformed problem passes. Two accepted
  /// verdicts that contradict each other make `rule` fail.
  bool accepts(const Verdict& verdict) override;

  /// The engine's last word. Rejected evidence and contradictions are internal errors; a rejection
  /// that another answer made good is only logged.
  Result<check::Certified> rule(const Verdict& verdict);

 private:
  struct Accepted {
    Verdict verdict;  // as the engine gave it
    check::Certified outcome;
  };
  Result<check::Certified> certify_back(const Verdict& verdict);

  const Problem& original_;
  const transform::Pipeline& pipeline_;
  const Context& ctx_;
  check::Native native_;
  std::optional<Accepted> accepted_;
  std::optional<Error> rejected_;
  std::optional<check::Certified> undecided_;  // evidence that is not wrong and was not enough
  std::optional<Error> contradiction_;
};

}  // namespace lem::portfolio
