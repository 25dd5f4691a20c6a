// Output is nothing to the program, unless it looks at the result or at errno, or unless memory is
// checked: then what is printed is read.
#pragma once

#include <llvm/IR/Module.h>

#include "frontend/c/c.h"

namespace lem::c {

/// Gives such calls the models of libc/stdio.c. Whether there were any.
bool watch_output(llvm::Module& module, const COptions& options, bool errno_read);

}  // namespace lem::c
