// Turns small copies and fills of memory into loads and stores, so that later steps need not handle
// them.
#pragma once

#include <llvm/IR/Function.h>

namespace lem::c {

/// Takes memcpy, memmove and memset of few bytes apart, scalar by scalar; the others stay. Scalars
/// are those of the type behind the pointers; bytes between them are copied one by one.
void take_copies_apart(llvm::Function& function);

}  // namespace lem::c
