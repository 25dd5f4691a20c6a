// Recursion that ends for the constants it is called with: unfolded, call by call.
#pragma once

#include <llvm/IR/Function.h>

#include <set>
#include <string>

#include "base/result.h"

namespace lem::c {

/// Functions that main may call and from which a call may come back to where it was.
std::set<const llvm::Function*> recursive_functions(llvm::Function& main);

/// Inlines calls of recursive functions in main, as long as arguments that are constants decide
/// which further calls are made. A call that they rule out is never made, and the run ends there.
/// A call with the constants of a call around it, and too many calls, are refused with their place.
///   require: undefined values are calls (prepare.h); main calls no other function with a body
Status unfold_recursion(llvm::Function& main, const std::string& path);

}  // namespace lem::c
