// What of a module is not in main and still decides what the program does: code that runs before
// and after main, other names of functions and variables, and what only the linker knows.
#pragma once

#include <llvm/IR/Module.h>

#include <string>
#include <vector>

#include "base/result.h"

namespace lem::c {

/// Has constructors run where main starts, destructors where it returns and before each exit, and
/// calls what has two names by one of them. Refuses what would run unseen.
Status take_in_surroundings(llvm::Module& module, llvm::Function& main, const std::string& path);

/// Refuses globals in `main` of which the linker says what they are.
Status know_all_globals(const llvm::Function& main, const std::string& path);

/// Functions with a body that clang would take for those of the C library.
std::vector<std::string> own_library_functions(const llvm::Module& module);

/// Whether some instruction is a shift of this place.
bool has_shift(const llvm::Module& module, const SourcePos& at);

/// Whether some function of the module asserts something.
bool asserts_anything(const llvm::Module& module);

}  // namespace lem::c
