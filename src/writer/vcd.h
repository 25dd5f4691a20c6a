// A trace as a value change dump (IEEE 1364-2005, section 18), for waveform viewers.
// Tests: tests/unit/writer/vcd_test.cpp, tests/cli/waveform_test.py.
#pragma once

#include <string>

#include "check/certify.h"
#include "model/problem.h"
#include "model/verdict.h"
#include "model/verilog_source.h"

namespace lem::writer {

/// The signals of writer/waves.h and the bad signals at every step, under the scopes of their names
/// (blanks replaced, duplicates numbered). Time: one unit per step; for Verilog designs
/// kStepTime, with the edge of the clock at its start. Enumerations have a second variable, of the
/// type `string`, with the names of the values.
///   require: the verdict is Unsafe, for a property of the model, which is no automaton
std::string write_vcd(const Problem& original, const check::Certified& certified,
                      const VerilogSource* verilog = nullptr);

/// Of a step, in the time units of waveforms and test benches of Verilog designs.
inline constexpr int kStepTime = 10;

}  // namespace lem::writer
