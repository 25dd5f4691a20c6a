// Structs and vectors as values, which clang makes of what functions return, become their scalars.
#pragma once

#include <llvm/IR/Function.h>

namespace lem::c {

/// Loads, stores, choices and parts; what is left is refused when it is translated.
void take_aggregates_apart(llvm::Function& function);

}  // namespace lem::c
