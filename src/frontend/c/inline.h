// Replaces a call by the body of what it calls, instruction by instruction. LLVM's own inliner
// simplifies while it copies and gives undefined values whichever value is simplest: a read beyond
// a constant table masked with 1 became 0. Here nothing is simplified.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>

#include <vector>

namespace lem::c {

/// The direct calls in a function of what the program defines.
std::vector<llvm::CallBase*> defined_calls(llvm::Function& function);

/// The calls in the copy.
///   require: a call, direct, of a function with a body and of the call's own type, without
///            variable arguments
std::vector<llvm::CallBase*> inline_call(llvm::CallBase& call);

}  // namespace lem::c
