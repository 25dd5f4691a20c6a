#include "frontend/c/chains.h"

#include <llvm/IR/CFG.h>

#include <algorithm>

namespace lem::c {

const llvm::BasicBlock* Chains::next(const llvm::BasicBlock& block) {
  const llvm::BasicBlock* next = block.getUniqueSuccessor();
  auto* jump = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  bool chained = next && jump && jump->isUnconditional() && next->getSinglePredecessor() == &block;
  return chained && next != &block ? next : nullptr;
}

Chains::Chains(const llvm::Function& main) {
  std::vector<const llvm::BasicBlock*> waiting = {&main.getEntryBlock()};
  while (!waiting.empty()) {
    const llvm::BasicBlock* head = waiting.back();
    waiting.pop_back();
    if (head_of_.count(head) != 0) continue;
    heads_.push_back(head);
    for (const llvm::BasicBlock* block = head; block != nullptr; block = next(*block)) {
      head_of_[block] = head;
      blocks_.push_back(block);
      for (const llvm::Instruction& instruction : *block) {
        order_[&instruction] = static_cast<std::uint32_t>(instructions_.size());
        instructions_.push_back(&instruction);
      }
    }
    const llvm::BasicBlock* last = blocks_.back();
    std::vector<const llvm::BasicBlock*> successors(llvm::succ_begin(last), llvm::succ_end(last));
    waiting.insert(waiting.end(), successors.rbegin(), successors.rend());
  }
  find_last_uses();
}

/// A phi uses its operand at the end of the block that the operand comes from.
void Chains::find_last_uses() {
  for (const llvm::Instruction* instruction : instructions_) {
    std::uint32_t last = 0;
    for (const llvm::Use& use : instruction->uses()) {
      auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(user))
        user = phi->getIncomingBlock(use)->getTerminator();
      const llvm::BasicBlock* head = head_of_.lookup(user->getParent());
      if (head == nullptr) continue;  // never reached
      bool here = head == head_of_.lookup(instruction->getParent());
      last = std::max(last, here ? order(*user) : kBeyond);
    }
    last_use_[instruction] = last;
  }
}

}  // namespace lem::c
