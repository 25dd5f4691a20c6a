// Memory that is read and written with types that do not fit each other is memory of bytes: its
// accesses are taken apart into those of single bytes. Other memory stays as it is.
#pragma once

#include <llvm/IR/Function.h>

#include <string>

#include "frontend/c/c.h"

namespace lem::c {

///   ensure: what still does not fit is refused when cells are made (cells.h)
void split_mixed_memory(llvm::Function& main, const std::string& path, const COptions& options);

}  // namespace lem::c
