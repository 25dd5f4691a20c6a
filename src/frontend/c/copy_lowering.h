// Copies and fills of memory: small ones become loads and stores, others loops of these.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IntrinsicInst.h>

namespace lem::c {

/// Metadata of loads that are part of a copy: what is copied need not have a value.
inline constexpr llvm::StringLiteral kCopyMark = "lemmata.copy";

/// Copies of whole large objects stay as they are: the translator copies arrays.
void lower_copies(llvm::Function& function);

/// The same of one copy or fill, whatever its size. Scalars are copied as the types of the objects
/// have them where that is known, else byte by byte.
void lower_copy(llvm::MemIntrinsic& moves);

}  // namespace lem::c
