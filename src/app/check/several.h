// `lemmata check FILES…`: several models, one after the other, each in a process of its own, so
// that one that crashes or exhausts its limits costs the others nothing. Verdict lines have the
// file before the name; a table of all files goes to standard error. docs/ci.md has the rules.
// Tests: tests/cli/several_test.py, tests/unit/app/check/several_test.cpp.
#pragma once

#include <span>

#include "app/check/request.h"
#include "app/console.h"
#include "app/exit_code.h"
#include "base/result.h"

namespace lem::app {

/// Whether the files are models of their own. Several files of C or of Verilog are one program or
/// design, unless --each says otherwise; in a list with other formats they are a usage error
/// without it.
Result<bool> is_several_models(const CheckRequest& request);

/// Each file.   require: is_several_models()
Result<ExitCode> check_files(const CheckRequest& request, Console& console);

/// The exit code of several runs: 70, 66, 65, 64, 1, 2, 0, the first of them that occurs.
ExitCode worst(std::span<const ExitCode> codes);

}  // namespace lem::app
