// From one prepared function to the automaton. Chains of basic blocks become edges, one for each
// source line. The parts, each with what it owns:
//
//   Workspace          facts about main; the automaton; the terms of values   workspace.h
//   Operands           constants, values and pointers as terms                operands.h
//   Addresses          where objects begin whose addresses are numbers        addresses.h
//   Objects            numbers, sizes and lives of objects, with their checks objects.h
//   Memory             variables of cells: load, store, allocate, copy        memory.h
//   Initialised        which cells have a value                               initialised.h
//   PointerOperations, IntegerOperations, FloatOperations   instructions
//   Calls              what a call means                                      calls.h
//   Failures           error locations and their properties                   failures.h
#pragma once

#include <llvm/IR/Function.h>

#include <string>

#include "base/result.h"
#include "frontend/c/c.h"

namespace lem::c {

/// require: `main` is prepared (prepare.h)
///   ensure: all of CProgram but `module` and what follows `properties`
Result<CProgram> translate(const llvm::Function& main, const std::string& path,
                           const COptions& options);

}  // namespace lem::c
