// Pointers that are numbers for a while: (T *)(((uintptr_t)p + 7) & ~7).
#pragma once

#include <llvm/IR/Function.h>

namespace lem::c {

/// A pointer that is calculated from the address of one other pointer becomes that pointer and a
/// displacement in bytes, as C's rules of provenance have it. Locals that hold such numbers become
/// values, and constants that contain addresses become instructions.
void restore_integer_pointers(llvm::Function& function);

}  // namespace lem::c
