// SARIF 2.1.0 (OASIS), for code scanning: a result for each property that is unsafe (kind `fail`,
// with its run as a code flow) or unknown (kind `open`), one rule for each kind of property. Proved
// properties are no results: viewers show every result as a problem.
// Tests: tests/unit/writer/findings_test.cpp, tests/cli/findings_test.py (against the schema).
#pragma once

#include <span>
#include <string>

#include "writer/finding.h"

namespace lem::writer {

std::string write_sarif(const std::string& version, std::span<const CheckedFile> files);

}  // namespace lem::writer
