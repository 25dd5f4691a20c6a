// A self-contained page about a run: verdicts, traces as tables, invariants, statistics. Opens
// without a network and without scripts.
#pragma once

#include <string>

#include "base/stats.h"
#include "model/problem.h"
#include "writer/run_report.h"

namespace lem::writer {

/// `problem` may be nullptr when the input was not read; no row then has evidence.
std::string write_html(const RunReport& report, const Problem* problem, const Stats& stats);

}  // namespace lem::writer
