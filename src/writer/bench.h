// A trace as a test bench in Verilog: it drives the inputs of the design as the trace does, gives
// registers and memories without initial value those of the trace, and ends after the last step.
// Tests: tests/cli/waveform_test.py runs them in Icarus Verilog.
#pragma once

#include <string>

#include "check/certify.h"
#include "model/problem.h"
#include "model/verilog_source.h"

namespace lem::writer {

/// Step k begins at time k * kStepTime (writer/vcd.h), with the edge of the clock if there is one.
///   require: the verdict is Unsafe; the problem is the design
std::string write_bench(const Problem& original, std::size_t property, const VerilogSource& design,
                        const VerilogBench& names, const check::Certified& certified);

}  // namespace lem::writer
