// The system calls that no program in a sandbox may make (libseccomp). Tests:
// tests/unit/base/sandbox_test.cpp.
#pragma once

#include "base/process.h"

namespace lem {

enum class Forking : std::uint8_t { Forbidden, Allowed };

/// The filter as the kernel wants it, in a file; not ok() on failure. What is forbidden fails with
/// EPERM; code for another processor is ended.
Descriptor seccomp_filter(Forking forking);

}  // namespace lem
