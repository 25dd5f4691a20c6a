// What a program is besides its text: the volatile memory and the devices that it reads, the
// library functions that it calls, the function that it begins with. All of it becomes part of the
// module, so that a run is replayed on the very program that was checked.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "frontend/c/c.h"

namespace lem::c {

/// Whether anything was changed. Models of the library are compiled when they are used.
///   ensure: `undefined` names functions that return any value because the options say so
Result<bool> add_environment(llvm::Module& module, const std::string& path, const COptions& options,
                             std::vector<std::string>& undefined, const std::stop_token& stop);

/// Whether memory that a model leaves open would be reported as an error of the program.
bool looks_at_memory(const std::set<CRule>& checks);

/// A call of the input function for this type; null if there is none.
llvm::Value* make_input(llvm::Type& type, llvm::IRBuilder<>& build);

/// The constants of a module, and in its initial values, that are a number as an address.
std::vector<llvm::Constant*> fixed_addresses(llvm::Module& module);

}  // namespace lem::c
