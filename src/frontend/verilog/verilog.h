// Verilog and SystemVerilog, read through Yosys: sources -> netlist -> BTOR2 -> Problem. What Yosys
// passes over in silence is found in its messages, in the preprocessed text and in the netlist, and
// refused or reported (docs/verilog.md has the list). Tests: tests/unit/frontend/verilog_test.cpp,
// tests/cli/verilog_test.py.
#pragma once

#include <stop_token>
#include <string>

#include "base/result.h"
#include "frontend/source_options.h"
#include "frontend/verilog/options.h"
#include "model/problem.h"
#include "model/remarks.h"

namespace lem::verilog {

/// ensure: one property for each assertion and each cover (a goal), in the order of the netlist;
///         the remarks have the source, source.observed the public signals that
///         are no states or inputs.
Result<Problem> read_verilog(const std::string& path, const frontend::SourceOptions& source,
                             const VerilogOptions& options, Remarks* remarks,
                             const std::stop_token& stop);

}  // namespace lem::verilog
