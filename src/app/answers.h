// What happens with a verdict once it is certified: the look for a vacuous proof, the verdict line,
// the row of the report, the evidence file.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "app/plc.h"
#include "app/request.h"
#include "app/scoreboard.h"
#include "app/supervisor.h"
#include "base/context.h"
#include "base/result.h"
#include "check/certify.h"
#include "check/vacuity.h"
#include "model/problem.h"
#include "model/remarks.h"

namespace lem {

class Answers {
 public:
  /// What a run has when its properties are known.
  struct Run {
    const CheckRequest& request;
    const Problem& problem;
    std::span<const std::size_t> chosen;  // the properties to check, in input order
    std::span<const std::string> labels;  // of their evidence files
    const Remarks& remarks;
    const Context& ctx;
    Supervisor& supervisor;
    Scoreboard& board;
    Console& console;
  };
  Answers(const Run& run, AskAgain ask)
      : run_(run), ask_(std::move(ask)), start_(run.supervisor.elapsed()) {}

  /// The verdict of one of the chosen properties. `method`: what answered, if not the engine that
  /// was asked for. An error if its evidence could not be written, or nobody reads the verdicts.
  Status settle(std::size_t property, check::Certified outcome, std::string_view method);
  /// Whether settle() failed.
  bool lost() const { return lost_; }

 private:
  std::string vacuous(std::size_t property, const writer::PropertyResult& result);

  Run run_;
  AskAgain ask_;
  double start_;
  bool lost_ = false;
  check::Vacuity vacuity_;
};

}  // namespace lem
