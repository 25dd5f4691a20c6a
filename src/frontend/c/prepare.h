// From the module that clang made to one function main without calls of what the program defines.
//
// What runs, and why no undefined behaviour is used for it: (1) flags that promise anything (nsw,
// exact, inbounds) are dropped; (2) each undef becomes a call of its own, as do starts of objects
// without a value, and each division is preceded by an assumption, all before anything else is
// done; (3) calls become bodies, which are copied as they are; (4) recursion that ends
// for constant arguments is unfolded; (5) promotion of local pointers, which have a value by (2);
// (6) calls through pointers become choices; (7) copies become loads and stores, structs as values
// their scalars, and memory of several types bytes. Nothing else.
#pragma once

#include <llvm/IR/Module.h>

#include <string>

#include "base/result.h"
#include "frontend/c/c.h"

namespace lem::c {

/// ensure: main calls only what has no body or a meaning of its own (Callee)
Result<llvm::Function*> prepare(llvm::Module& module, const std::string& path,
                                const COptions& options);

}  // namespace lem::c
