// JUnit XML, as test reports of continuous integration read it: a test suite for each file, a test
// case for each property. Unsafe is a failure with the run as its text. Unknown is an error: a
// property without a verdict must not count as passed, as the exit code 2 does not.
// Tests: tests/unit/writer/findings_test.cpp, tests/cli/findings_test.py.
#pragma once

#include <span>
#include <string>

#include "writer/finding.h"

namespace lem::writer {

std::string write_junit(std::span<const CheckedFile> files);

}  // namespace lem::writer
