// LLVM's reader trusts its input: damaged bitcode makes it crash or abort. So code that is given to
// us is first read and verified in a process of its own, with limits. Tests:
// tests/cli/sandbox_test.py.
#pragma once

#include <stop_token>
#include <string>

#include "base/result.h"

namespace lem::c {

/// Ok if LLVM gets through it, whatever it says: then it is read again by us. `path` names it.
Status try_reading(const std::string& bytes, const std::string& path, const std::stop_token& stop);

}  // namespace lem::c
