// Addresses of labels, &&label, and jumps to them.
#pragma once

#include <llvm/IR/Module.h>

namespace lem::c {

/// Each label whose address is taken is a constant of its own, and `goto *p` compares p with those
/// of its function. A jump to anything else ends the run.
void choose_labels(llvm::Module& module);

}  // namespace lem::c
