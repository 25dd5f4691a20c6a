// A main of our own: it calls a function of the program, or its main with arguments.
#pragma once

#include <llvm/IR/Module.h>

#include <string>

#include "base/result.h"
#include "frontend/c/c.h"

namespace lem::c {

/// A new main, which calls options.entry. Its arguments are inputs; pointers are null or point to
/// options.pointer_size new elements, whose numbers are inputs and whose pointers are null.
/// Without options.entry, a main that reads argc and argv is called with any number of strings;
/// where memory is checked there are less than options.pointer_size, of at most 15 characters.
/// Returns whether there is a new main.
Result<bool> begin_with(llvm::Module& module, const std::string& path, const COptions& options);

}  // namespace lem::c
