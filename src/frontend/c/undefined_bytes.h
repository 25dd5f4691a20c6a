// Bytes of the constants that clang copies into local variables: those that C leaves open.
#pragma once

#include <llvm/ADT/APInt.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GlobalVariable.h>

namespace lem::c {

/// One for each bit in the `bytes` at `offset` that has no value: bytes between members, and those
/// of a union behind the member that is initialised. Objects of static storage have none, whatever
/// LLVM says: all compilers let them start as 0.
llvm::APInt undefined_bits(const llvm::GlobalVariable& constant, std::uint64_t offset,
                           std::uint64_t bytes, const llvm::DataLayout& layout);

}  // namespace lem::c
