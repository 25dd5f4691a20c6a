// Types of LLVM code that no C program has here and whose size LLVM does not know: it ends the
// process when it is asked.
#pragma once

#include <llvm/IR/Module.h>

#include <string>

#include "base/result.h"

namespace lem::c {

/// Refuses vectors of unknown length, tiles and tokens wherever they occur. `text`: the code, if
/// it is text, for the line.
Status refuse_odd_types(const llvm::Module& module, const std::string& path,
                        const std::string& text);

}  // namespace lem::c
