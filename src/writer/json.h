// The machine-readable result of a run (SPEC section 3, `--json`; docs/formats.md has the schema).
// Tests: tests/unit/writer/json_test.cpp.
#pragma once

#include <string>

#include "base/stats.h"
#include "model/problem.h"
#include "writer/run_report.h"

namespace lem {

/// One JSON document with a newline at its end. `problem` gives the signals their names and may be
/// nullptr when the input was not read; no row then has evidence.
std::string write_json(const RunReport& report, const Problem* problem, const Stats& stats);

}  // namespace lem
