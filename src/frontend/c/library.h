// Functions of the C library: which model each call gets. The models are in libc/*.c, each with the
// section of ISO C 11 that it follows.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "frontend/c/c.h"

namespace lem::c {

/// Functions that are used, and have neither a body nor a meaning of their own.
std::vector<llvm::Function*> undefined_functions(llvm::Module& module);

/// Direct calls of a function without a body.
std::vector<llvm::CallBase*> calls_of(llvm::Module& module, llvm::StringRef name);
void call_instead(llvm::CallBase& call, const std::string& name);
/// Where the address of a function without a body is taken, that of its model is. Whether it was.
bool take_address_of_model(llvm::Module& module, llvm::StringRef name);

/// Names of models begin with it, where the front end chooses them.
inline constexpr llvm::StringLiteral kModel = "lemmata_";

/// Whether anything was changed. Models are compiled when they are used. No model calls a function
/// of the program's, but for those that it is given (qsort, atexit).
Result<bool> link_models(llvm::Module& module, const COptions& options,
                         const std::stop_token& stop);

/// Calls of models that the automaton needs no names for; the module that runs are replayed on has
/// them.
void lower_models(llvm::Module& module);

/// Bitcode of the models in libc/*.c, with these macros.
Result<std::string> compile_models(const COptions& options, const std::vector<std::string>& defines,
                                   const std::stop_token& stop);

}  // namespace lem::c
