// The C compiler as a process of its own: C to LLVM bitcode without any optimisation.
#pragma once

#include <string>

#include "base/result.h"
#include "base/temporary_folder.h"
#include "frontend/c/c.h"

namespace lem::c {

/// Compiles `path` to `folder`/out.bc and returns that. The first error of clang is ours.
Result<std::string> compile(const std::string& path, const COptions& options,
                            const TemporaryFolder& folder);

}  // namespace lem::c
