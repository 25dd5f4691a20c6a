// Tests: tests/unit/frontend/c/everyday_test.cpp, CLabels
#include "frontend/c/labels.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include <vector>

#include "frontend/c/place.h"

namespace lem::c {

using Marks = llvm::DenseMap<const llvm::BasicBlock*, llvm::Constant*>;

/// A byte of its own stands for the label, in all jumps.
static llvm::Constant* mark_of(llvm::BasicBlock& block, llvm::Module& module, Marks& marks) {
  llvm::Constant*& known = marks[&block];
  if (known != nullptr) return known;
  llvm::Type* byte = llvm::Type::getInt8Ty(module.getContext());
  auto* mark = new llvm::GlobalVariable(module, byte, true, llvm::GlobalValue::InternalLinkage,
                                        llvm::ConstantInt::get(byte, 0), kOwnLabel);
  llvm::BlockAddress* address = llvm::BlockAddress::get(&block);
  address->replaceAllUsesWith(llvm::ConstantExpr::getBitCast(mark, address->getType()));
  address->destroyConstant();
  return known = mark;
}

static void choose(llvm::IndirectBrInst& jump, llvm::Module& module, Marks& made) {
  llvm::Function& function = *jump.getFunction();
  llvm::LLVMContext& context = module.getContext();
  std::vector<llvm::BasicBlock*> targets;
  for (unsigned i = 0; i < jump.getNumDestinations(); ++i)
    if (llvm::BasicBlock* to = jump.getDestination(i); !llvm::is_contained(targets, to))
      targets.push_back(to);
  llvm::BasicBlock* first = jump.getParent();
  llvm::BasicBlock* here = first;
  llvm::DebugLoc place = jump.getDebugLoc();
  std::vector<llvm::Constant*> marks;
  for (llvm::BasicBlock* to : targets) marks.push_back(mark_of(*to, module, made));
  llvm::Value* address = jump.getAddress();  // a label itself has become its mark
  jump.eraseFromParent();
  llvm::IRBuilder<> build(here);
  build.SetCurrentDebugLocation(place);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    auto* next = llvm::BasicBlock::Create(context, "", &function);
    llvm::Value* mark = llvm::ConstantExpr::getBitCast(marks[i], address->getType());
    build.CreateCondBr(build.CreateICmpEQ(address, mark), targets[i], next);
    for (llvm::PHINode& phi : targets[i]->phis()) {
      llvm::Value* value = phi.getIncomingValueForBlock(first);
      while (phi.getBasicBlockIndex(first) >= 0) phi.removeIncomingValue(first, false);
      phi.addIncoming(value, here);
    }
    here = next;
    build.SetInsertPoint(here);
  }
  llvm::FunctionCallee assume = module.getOrInsertFunction(
      kOwnAssume, llvm::Type::getVoidTy(context), llvm::Type::getInt1Ty(context));
  build.CreateCall(assume, {build.getFalse()});
  build.CreateUnreachable();
}

void choose_labels(llvm::Module& module) {
  std::vector<llvm::IndirectBrInst*> jumps;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* jump = llvm::dyn_cast<llvm::IndirectBrInst>(&instruction)) jumps.push_back(jump);
  Marks marks;
  for (llvm::IndirectBrInst* jump : jumps) choose(*jump, module, marks);
}

}  // namespace lem::c
