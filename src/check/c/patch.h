// Writes into a copy of the program what the harness cannot supply through functions: the values
// that uninitialised variables have in the run, behind their declarations, and a call at the label
// that is the error (`ERROR: goto ERROR;`). Lines stay as they are. Tests:
// tests/unit/check/c/native_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "check/c/harness.h"
#include "ctext/text.h"

namespace lem::check {

struct Patch {
  std::string program;              // the text of the copy
  std::string functions;            // C that the harness needs for it
  std::vector<std::string> places;  // what was written where, in words; none: nothing to patch
  std::string instructions;         // instructions for doing the same by hand, as C comments
};

/// `error_line`: of the run's last step.
Patch patch_program(const ctext::CText& text, const TermStore& terms,
                    const std::vector<OpenValue>& open, std::uint32_t error_line);

}  // namespace lem::check
