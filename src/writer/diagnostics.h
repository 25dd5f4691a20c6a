// Findings in the form of gcc's diagnostics, which every editor parses:
// `file:line:col: error: assertion may fail: x > 0`, then a note for each step of the run. Tests:
// tests/cli/findings_test.py.
#pragma once

#include <string>

#include "writer/finding.h"

namespace lem::writer {

/// Lines with their ends; none for a property that is safe. Unknown places are 1:1.
std::string diagnostics(const Finding& finding);

}  // namespace lem::writer
