// A function of the program instead of main.
#pragma once

#include <llvm/IR/Module.h>

#include <string>

#include "base/result.h"
#include "frontend/c/c.h"

namespace lem::c {

/// A new main, which calls options.entry. Its arguments are inputs; pointers are null or point to
/// options.pointer_size new elements, whose numbers are inputs and whose pointers are null.
Status begin_with(llvm::Module& module, const std::string& path, const COptions& options);

}  // namespace lem::c
