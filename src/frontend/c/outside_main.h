// Parts of a module outside main that affect the program: code that runs before and after main,
// aliases of functions and variables, and symbols that the linker defines.
#pragma once

#include <llvm/IR/Module.h>

#include <string>
#include <vector>

#include "base/result.h"

namespace lem::c {

/// Inserts calls of constructors at the start of main and of destructors where it returns and
/// before each exit, and replaces aliases. Refuses other code that would run outside main.
Status include_code_outside_main(llvm::Module& module, llvm::Function& main,
                                 const std::string& path);

/// Refuses globals in `main` that the linker defines.
Status know_all_globals(const llvm::Function& main, const std::string& path);

/// Functions with a body that clang would take for those of the C library.
std::vector<std::string> own_library_functions(const llvm::Module& module);

/// Whether some instruction is a shift of this place.
bool has_shift(const llvm::Module& module, const SourcePos& at);

/// Whether some function of the module asserts something.
bool asserts_anything(const llvm::Module& module);

}  // namespace lem::c
