// What a program leaves to the compiler, where its meaning may depend on it: warnings, each with
// the choice that is checked here.
#pragma once

#include <llvm/IR/Module.h>

#include <string>
#include <vector>

#include "model/remarks.h"

namespace lem::c {

/// Operands that C evaluates in any order, one of which calls a function that changes what the
/// other one reads or changes. Looks at named variables and what they point to, through calls;
/// what two pointers may have in common is not looked at.
///   require: code as clang makes it, before anything is inlined
std::vector<Warning> order_of_evaluation(const llvm::Module& module, const std::string& path);

/// Floating-point arithmetic of 32-bit programs, which gcc does with x87's precision.
std::vector<Warning> excess_precision(const llvm::Module& module, const std::string& path);

/// Functions of the program that are called like those that report a failure, and report none.
std::vector<Warning> silent_assertions(const llvm::Module& module, const std::string& path);

/// Macros and built-in functions whose value depends on how a program is compiled, in its text.
std::vector<Warning> compiler_macros(const std::string& text, const std::string& path);

}  // namespace lem::c
