// Unions of numbers and addresses that are copied through a register: clang passes and returns
// small ones in that way, as one of both kinds.
#pragma once

#include <llvm/IR/Function.h>

namespace lem::c {

bool is_union(const llvm::Type& type);

/// Beside each such copy there is one of the other kind, see kAlso in place.h. An address that is
/// made a number and an address again stays what it is.
void keep_union_copies(llvm::Function& function);

}  // namespace lem::c
