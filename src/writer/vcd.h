// A trace as a value change dump (IEEE 1364-2005, section 18), for waveform viewers.
// Tests: tests/unit/writer/vcd_test.cpp.
#pragma once

#include <string>

#include "check/certify.h"
#include "model/problem.h"
#include "model/verdict.h"

namespace lem::writer {

/// Inputs, latches and bad signals at every step, one time unit per step, under the names of the
/// source (blanks replaced, duplicates numbered).
/// For transition systems, words are vectors; variables that are neither Bool nor BitVec are left
/// out.
///   require: the verdict is Unsafe, for a property of the model, which is no automaton
std::string write_vcd(const Problem& original, const check::Certified& certified);

}  // namespace lem::writer
