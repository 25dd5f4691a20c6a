// The page of --report: collects what the writer shows besides the results.
#pragma once

#include <string>

#include "app/check/request.h"
#include "base/growth.h"
#include "base/options.h"
#include "model/problem.h"
#include "model/remarks.h"
#include "writer/run_report.h"

namespace lem::app {

/// What is known of a run besides its results.
struct RunFacts {
  const Options& options;
  const Remarks& remarks;
  const Growth* growth;  // nullptr: not collected
};

/// The whole page; reads the user's files once more.
std::string report_page(const CheckRequest& request, const writer::RunReport& report,
                        const Problem* problem, const Stats& stats, const RunFacts& facts);

}  // namespace lem::app
