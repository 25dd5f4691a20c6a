// A main of our own: it calls a function of the program, or its main with arguments.
#pragma once

#include <llvm/IR/Module.h>

#include <string>

#include "base/result.h"
#include "frontend/c/c.h"

namespace lem::c {

/// A new main, which calls options.entry with any arguments, in any state of the globals (see
/// entry_values.h) in which options.assumptions hold. Without options.entry, a main that reads argc
/// and argv is called with any number of strings; where memory is checked there are less than
/// options.pointer_size, of at most 15 characters. Returns whether there is a new main.
///   ensure: `warnings` are about the values that the entry is called with
Result<bool> begin_with(llvm::Module& module, const std::string& path, const COptions& options,
                        std::vector<std::string>& warnings);

}  // namespace lem::c
