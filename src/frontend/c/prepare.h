// From the module that clang made to one function main without calls of what the program defines.
//
// The passes and their reasons are a table in prepare.cpp. None of them concludes anything from
// undefined behaviour: in each function, before anything else is done to it, flags that promise
// something (nsw, exact, inbounds) are dropped, each undef and each start of an object without a
// value becomes a call of its own, and each division is preceded by an assumption (explicit.h).
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
