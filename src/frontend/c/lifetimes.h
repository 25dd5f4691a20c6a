// Locals without a value at each entry of their block (C 6.2.4). Clang marks where a variable
// starts to exist, but not where a jump goes past its declaration or a label stands before it in
// its block; without a mark there it would keep the value of an earlier round.
#pragma once

#include <llvm/IR/Module.h>

namespace lem::c {

/// Adds the marks (llvm.lifetime.start) that clang leaves out, at each way into the block of the
/// variable, which the debug information has, and at its declaration. Whether there were any.
///   require: code as clang makes it, before anything is inlined
bool mark_lifetimes(llvm::Module& module);

}  // namespace lem::c
