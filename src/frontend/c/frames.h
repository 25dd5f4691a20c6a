// Where instructions are in the source, call by call: inlined instructions keep their chain of
// calls.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>

#include <vector>

#include "model/c_marks.h"

namespace lem::c {

class Frames {
 public:
  /// Numbers the calls that were inlined into the function, in the order of its instructions.
  explicit Frames(const llvm::Function& main);

  const std::vector<CFrame>& all() const { return frames_; }
  /// Names of the other files than that of main that instructions are from.
  const std::vector<std::string>& files() const { return files_; }
  /// Line 0 if debug information has none, or one in another file than that of main.
  CMark mark(const llvm::Instruction& instruction) const;
  /// The call that a place is in.
  std::uint32_t frame(const llvm::DILocation& at) const;

 private:
  const llvm::DIFile* file_ = nullptr;
  std::vector<CFrame> frames_;
  std::vector<std::string> files_;
  llvm::DenseMap<const llvm::DIFile*, std::uint32_t> file_numbers_;  // as CMark has them
  llvm::DenseMap<const llvm::DILocation*, std::uint32_t> numbers_;
};

}  // namespace lem::c
