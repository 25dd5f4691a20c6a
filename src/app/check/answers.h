// What happens with a verdict once it is certified: the verdict line, the row of the report, the
// evidence file. When all are known there is a second look: for vacuous proofs, and for shorter
// runs of PLC programs. No verdict waits for that of another property.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "app/check/plc.h"
#include "app/check/request.h"
#include "app/check/scoreboard.h"
#include "app/supervisor.h"
#include "base/context.h"
#include "base/result.h"
#include "check/certify.h"
#include "check/vacuity.h"
#include "model/problem.h"
#include "model/remarks.h"

namespace lem::app {

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
  Answers(const Run& run, const Prover& prover)
      : run_(run), prover_(prover), start_(run.supervisor.elapsed()) {}

  /// The verdict of one of the chosen properties, and the engine or method that answered. An error
  /// if its evidence could not be written, or nobody reads the verdicts.
  Status add(std::size_t property, check::Certified outcome, std::string_view by);
  /// Every property without a verdict: the run is stopped.
  Status add_rest();
  /// The second look.   require: every property has its verdict
  Status look_again();
  /// To standard output, if it was asked for there: when there is no shorter run to be found.
  void print_evidence();
  /// Whether one of these failed.
  bool lost() const { return lost_; }
  /// Whether some evidence has no form that was asked for; that was said, and the run goes on.
  bool incomplete() const { return incomplete_; }

 private:
  Status write(std::size_t place, const check::Certified& outcome);
  std::string vacuous(std::size_t property, const writer::PropertyResult& result,
                      const Context& ctx);

  Run run_;
  Prover prover_;
  double start_;
  bool lost_ = false;
  bool incomplete_ = false;
  bool noted_ = false;  // what the user should know about witnesses is said once
  std::map<std::size_t, std::string> texts_;  // of evidence for standard output, by place
  check::Vacuity vacuity_;
  std::optional<std::string> no_cycle_;  // why no cycle ends, once that was asked
};

}  // namespace lem::app
