// Why a property is unknown in more words than the verdict line has, and what to try next. Tests:
// tests/unit/app/check/advice_test.cpp.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "app/check/request.h"
#include "model/problem.h"
#include "writer/run_report.h"

namespace lem::app {

/// How far each engine got: the last progress line of each. Written by the run, read by the
/// supervisor's thread too.
class ProgressNotes {
 public:
  /// `ic3: frame 7, ...`: the engine's name is in front of the colon.
  void note(const std::string& line);
  std::vector<std::string> lines() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::string> last_;  // by engine
};

/// One sentence for each thing to know or to try, the most promising first; empty for a verdict
/// that is not unknown. `problem` is nullptr if the file was never read to its end.
std::vector<std::string> advise(const writer::PropertyResult& result, const CheckRequest& request,
                                const Problem* problem, const std::vector<std::string>& progress);

/// `NAME: what`, a line for each sentence; properties with the same advice share it.
std::vector<std::string> advice_lines(const writer::RunReport& report);

}  // namespace lem::app
