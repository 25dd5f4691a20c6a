// sprintf, snprintf and scanf with a constant format become calls of the models in libc/stdio.c,
// one for each part of the format.
#pragma once

#include <llvm/IR/Module.h>

namespace lem::c {

/// True if any call was replaced. A call with a conversion that has no model (%f of sprintf) stays,
/// with kRefused: it may never be made.
bool expand_formats(llvm::Module& module);

}  // namespace lem::c
