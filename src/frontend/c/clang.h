// The C compiler as a process of its own: C to LLVM bitcode without any optimisation.
#pragma once

#include <string>

#include "base/result.h"
#include "frontend/c/c.h"

namespace lem::c {

/// A folder of its own that goes with its owner.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }  // empty: could not be made

 private:
  std::string path_;
};

/// Compiles `path` to `folder`/out.bc and returns that. The first error of clang is ours.
Result<std::string> compile(const std::string& path, const COptions& options,
                            const TemporaryFolder& folder);

}  // namespace lem::c
