// String literals. C does not say whether two of them are one object, nor whether one lies in the
// other (6.4.5p7): clang merges equal ones of a file, linkers merge those that end alike.
#pragma once

#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>

#include <cstdint>

namespace lem::c {

bool is_literal(const llvm::Value& object);

/// Whether these two may lie in memory so that the bytes at the two offsets are one: what overlaps
/// is equal then.
///   require: is_literal(a), is_literal(b)
bool may_overlap(const llvm::GlobalVariable& a, std::int64_t at, const llvm::GlobalVariable& b,
                 std::int64_t at_b);

/// Gives each place that uses a literal as a value an object of its own, where pointers are
/// compared at all. What only prints or reports keeps the common one.
void separate_literals(llvm::Module& module);

}  // namespace lem::c
