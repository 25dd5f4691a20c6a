// LLVM's reader does not validate its input: damaged bitcode makes it crash or abort. So .ll and
// .bc files are first read and verified in a child process with limits. Tests:
// tests/cli/sandbox_test.py.
#pragma once

#include <stop_token>
#include <string>

#include "base/result.h"

namespace lem::c {

/// Ok if LLVM does not crash on it; reading it again then reports its errors. `path` names it.
Status read_in_child(const std::string& bytes, const std::string& path,
                     const std::stop_token& stop);

}  // namespace lem::c
