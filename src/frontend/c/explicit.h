// Makes explicit what C and LLVM leave undefined, before anything else is done to the code: nothing
// can then be concluded from undefined behaviour.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

namespace lem::c {

/// Numbers that no object has as its address, (void *)1 or (void *)-1, become places in one object
/// that begins at the number 0 (addresses.h).
void name_numbers(llvm::Module& module);

/// Drops attributes and metadata that may be wrong and that LLVM relies on: a function declared
/// `returns_nonnull` may return null.
void drop_promises(llvm::Module& module);

/// Drops flags (nsw, exact, inbounds), puts an assumption before each division, and gives shifts by
/// the width or more any value. What clang calls unreachable by itself becomes an assumption.
void make_defined(llvm::Function& function);

/// Each undef becomes a call of its own, which returns any value.
void replace_undef(llvm::Function& function);

/// Marks where each object begins to exist, at its first or at each entry of its block.
void start_objects(llvm::Function& function);

/// Clang passes and returns small structs as numbers: reading one is a copy, and what is between
/// the members need not have a value. Such a read is at the place of the call or return.
void mark_coerced(llvm::Function& function);

}  // namespace lem::c
