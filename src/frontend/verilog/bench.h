// What a test bench for a design needs to know: read from the sources once more, as a simulator
// reads them, since only such a bench needs it.
#pragma once

#include <stop_token>

#include "base/result.h"
#include "model/verilog_source.h"

namespace lem::verilog {

Result<VerilogBench> read_bench(const VerilogSource& design, const std::stop_token& stop);

}  // namespace lem::verilog
