// The C compiler as a process of its own: C to LLVM bitcode without any optimisation.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/temporary_folder.h"
#include "frontend/c/c.h"

namespace lem::c {

/// Compiles `path` to `folder`/out.bc and returns that. The first error of clang is ours. What is
/// in `own` are functions like any other, though the C library has some of these names.
Result<std::string> compile(const std::string& path, const COptions& options,
                            const TemporaryFolder& folder,
                            const std::vector<std::string>& own = {});

/// Where, in what was compiled to `folder`, a constant says to shift by the width or more.
std::vector<SourcePos> constant_shifts(const std::string& path, const TemporaryFolder& folder);

/// Runs the preprocessor alone: `folder`/out.i.
Result<std::string> preprocess(const std::string& path, const COptions& options,
                               const TemporaryFolder& folder);

}  // namespace lem::c
