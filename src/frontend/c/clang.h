// The C compiler as a process of its own: C to LLVM bitcode without any optimisation.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "frontend/c/c.h"

namespace lem::c {

struct Compiled {
  std::string bitcode;
  std::vector<SourcePos> constant_shifts{};  // where a constant says to shift by the width or more
  bool boxed = true;                         // clang ran in the sandbox
  std::vector<Warning> unsequenced{};        // changes of a variable that C does not order
};

/// Returns clang's first error. The functions in `own` are treated as ordinary functions even if
/// the C library has functions of these names. `more` is compiled as the end of the file.
Result<Compiled> compile(const std::string& path, const COptions& options,
                         const std::vector<std::string>& own, const std::stop_token& stop,
                         const std::string& more = {});

/// What the preprocessor leaves.
Result<std::string> preprocess(const std::string& path, const COptions& options,
                               const std::stop_token& stop);

}  // namespace lem::c
