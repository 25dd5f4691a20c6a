// A trace as a value change dump (IEEE 1364-2005, section 18), for waveform viewers.
// Tests: tests/unit/writer/vcd_test.cpp.
#pragma once

#include <string>

#include "model/problem.h"
#include "model/verdict.h"

namespace lem::writer {

/// Inputs, latches and bad signals at every step, one time unit per step, under the names of the
/// source (blanks replaced, duplicates numbered).
///   require: the trace fits the model
std::string write_vcd(const Problem& original, const Trace& trace);

/// The same for transition systems, words as vectors. Variables that are neither Bool nor BitVec
/// have no place in a dump and are left out.
std::string write_vcd(const Problem& original, const TermTrace& trace);

}  // namespace lem::writer
