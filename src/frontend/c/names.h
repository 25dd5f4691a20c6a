// Names of places in memory, from debug information.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>

#include <cstdint>
#include <string>

#include "frontend/c/c.h"
#include "frontend/c/frames.h"

namespace lem::c {

class Names {
 public:
  explicit Names(const llvm::Function& main);
  /// The scalar of that size at an offset in bytes. With a step it stands for all that are
  /// multiples of it further on, and `[]` stands for their index.
  CVariable describe(const llvm::Value* site, std::uint64_t offset, std::uint32_t bits,
                     std::uint64_t step) const;
  /// Of the variable at that place.
  CDeclaration declaration(const llvm::Value* site) const;

 private:
  Frames frames_;
  llvm::DenseMap<const llvm::Value*, const llvm::DIVariable*> declared_;
  llvm::DenseMap<const llvm::Value*, const llvm::DILocation*> places_;  // of local variables
};

}  // namespace lem::c
