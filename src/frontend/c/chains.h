// The order of the translation. Blocks that control comes to straight from one other block are
// joined to a chain; within a chain the value of an instruction is a term, beyond it a variable.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace lem::c {

class Chains {
 public:
  static constexpr std::uint32_t kBeyond = std::numeric_limits<std::uint32_t>::max();

  /// Finds the chains that control can come to.
  explicit Chains(const llvm::Function& main);

  /// The first block of each chain; that of main is the first.
  const std::vector<const llvm::BasicBlock*>& heads() const { return heads_; }
  /// All blocks, chain by chain, and all instructions in them.
  const std::vector<const llvm::BasicBlock*>& blocks() const { return blocks_; }
  const std::vector<const llvm::Instruction*>& instructions() const { return instructions_; }
  /// The block behind this one in its chain; null at the end.
  static const llvm::BasicBlock* next(const llvm::BasicBlock& block);
  /// The position among all instructions.
  std::uint32_t order(const llvm::Instruction& instruction) const {
    return order_.lookup(&instruction);
  }
  /// The position of the last use; 0: it is not used, kBeyond: in another chain.
  std::uint32_t last_use(const llvm::Instruction& instruction) const {
    return last_use_.lookup(&instruction);
  }

 private:
  void find_last_uses();

  std::vector<const llvm::BasicBlock*> heads_, blocks_;
  std::vector<const llvm::Instruction*> instructions_;
  llvm::DenseMap<const llvm::BasicBlock*, const llvm::BasicBlock*> head_of_;
  llvm::DenseMap<const llvm::Instruction*, std::uint32_t> order_, last_use_;
};

}  // namespace lem::c
