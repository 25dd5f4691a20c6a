// Functions with variable arguments: the arguments behind the named ones are memory of the
// caller's.
#pragma once

#include <llvm/IR/Module.h>

#include <string>

#include "base/result.h"

namespace lem::c {

/// Each such function gets a last parameter, a pointer to these arguments one behind the other, as
/// the ABI of i386 has them and that of x86-64 has those for which there are no registers left.
/// va_start lets the va_list begin there, with no register left, so that clang's code for va_arg
/// reads them in their order. Another type than the argument's reads the bytes that are there, or
/// any value.
/// Functions whose address is taken keep their variable arguments; calls of them are refused later.
Status lower_variable_arguments(llvm::Module& module, const std::string& path);

}  // namespace lem::c
