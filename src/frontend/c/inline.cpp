#include "frontend/c/inline.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <algorithm>
#include <set>

#include "frontend/c/place.h"

namespace lem::c {

namespace {

class Inlining {
 public:
  explicit Inlining(llvm::CallBase& call)
      : call_(call), caller_(*call.getFunction()), callee_(*call.getCalledFunction()) {}
  std::vector<llvm::CallBase*> run();

 private:
  llvm::Value* passed(llvm::Argument& parameter, llvm::Instruction& before);
  void copy_blocks(llvm::BasicBlock& before, llvm::BasicBlock& behind);
  void set_places();
  void move_locals();
  void bound_stack(const std::vector<llvm::ReturnInst*>& ends);
  std::vector<llvm::ReturnInst*> returns() const;
  void join_results(llvm::BasicBlock& behind, const std::vector<llvm::ReturnInst*>& ends);

  llvm::CallBase& call_;
  llvm::Function& caller_;
  llvm::Function& callee_;
  llvm::ValueToValueMapTy map_;
  std::vector<llvm::BasicBlock*> copies_;  // the entry first
};

/// A struct that is passed by value is a copy, which the callee may change.
llvm::Value* Inlining::passed(llvm::Argument& parameter, llvm::Instruction& before) {
  llvm::Value* given = call_.getArgOperand(parameter.getArgNo());
  if (!parameter.hasByValAttr()) return given;
  const llvm::DataLayout& layout = caller_.getParent()->getDataLayout();
  llvm::Type* type = parameter.getParamByValType();
  llvm::Align align = layout.getPrefTypeAlign(type);
  if (llvm::MaybeAlign asked = parameter.getParamAlign()) align = std::max(align, *asked);
  auto* local = new llvm::AllocaInst(type, layout.getAllocaAddrSpace(), nullptr, align, "",
                                     &caller_.getEntryBlock().front());
  llvm::IRBuilder<> build(&before);
  build.SetCurrentDebugLocation(call_.getDebugLoc());
  build.CreateMemCpy(local, align, given, llvm::Align(1),
                     layout.getTypeStoreSize(type).getFixedSize());
  return local;
}

void Inlining::copy_blocks(llvm::BasicBlock& before, llvm::BasicBlock& behind) {
  for (llvm::Argument& parameter : callee_.args())
    map_[&parameter] = passed(parameter, *before.getTerminator());
  std::vector<llvm::BasicBlock*> all = reachable(callee_);
  std::set<const llvm::BasicBlock*> entered(all.begin(), all.end());
  for (llvm::BasicBlock& block : callee_) {
    if (entered.count(&block) == 0) continue;
    llvm::BasicBlock* copy = llvm::CloneBasicBlock(&block, map_, "", &caller_);
    copy->moveBefore(&behind);
    map_[&block] = copy;
    copies_.push_back(copy);
  }
  // Ways into a phi that come from where control never is have no copy.
  for (llvm::BasicBlock* copy : copies_)
    for (llvm::PHINode& phi : copy->phis())
      for (unsigned i = phi.getNumIncomingValues(); i-- > 0;)
        if (map_.find(phi.getIncomingBlock(i)) == map_.end())
          phi.removeIncomingValue(i, /*DeletePHIIfEmpty=*/false);
  for (llvm::BasicBlock* copy : copies_)
    for (llvm::Instruction& instruction : *copy)
      llvm::RemapInstruction(&instruction, map_,
                             llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
}

/// Each instruction says where it was written and which call brought it here. Code without any
/// places, of a model of the library, is at the call.
void Inlining::set_places() {
  llvm::DebugLoc at = call_.getDebugLoc();
  if (!at) return;
  llvm::LLVMContext& context = caller_.getContext();
  auto* here = llvm::DILocation::getDistinct(context, at.getLine(), at.getCol(), at.getScope(),
                                             at.getInlinedAt());
  llvm::DenseMap<const llvm::MDNode*, llvm::MDNode*> known;
  for (llvm::BasicBlock* copy : copies_)
    for (llvm::Instruction& instruction : *copy) {
      llvm::DebugLoc own = instruction.getDebugLoc();
      if (own) {
        llvm::MDNode* around = llvm::DebugLoc::appendInlinedAt(own, here, context, known);
        instruction.setDebugLoc(llvm::DILocation::get(
            context, own.getLine(), own.getCol(), own.getScope(), around, own.isImplicitCode()));
      } else if (callee_.getSubprogram() == nullptr && !llvm::isa<llvm::AllocaInst>(instruction)) {
        instruction.setDebugLoc(at);
      }
    }
}

/// Locals of fixed size are in the first block of a function, so that one in a loop is one object.
void Inlining::move_locals() {
  llvm::Instruction* first = &caller_.getEntryBlock().front();
  for (llvm::Instruction& original : callee_.getEntryBlock()) {
    auto* local = llvm::dyn_cast<llvm::AllocaInst>(&original);
    if (local == nullptr || !local->isStaticAlloca()) continue;
    llvm::Value* copy = map_[local];
    llvm::cast<llvm::AllocaInst>(copy)->moveBefore(first);
  }
}

/// Locals of variable size end with their function.
void Inlining::bound_stack(const std::vector<llvm::ReturnInst*>& ends) {
  bool variable = false;
  for (llvm::BasicBlock* copy : copies_)
    for (llvm::Instruction& instruction : *copy)
      variable = variable || llvm::isa<llvm::AllocaInst>(instruction);
  if (!variable) return;
  llvm::Module& module = *caller_.getParent();
  llvm::Value* saved =
      llvm::IRBuilder<>(&copies_.front()->front())
          .CreateCall(llvm::Intrinsic::getDeclaration(&module, llvm::Intrinsic::stacksave));
  for (llvm::ReturnInst* end : ends)
    llvm::IRBuilder<>(end).CreateCall(
        llvm::Intrinsic::getDeclaration(&module, llvm::Intrinsic::stackrestore), saved);
}

std::vector<llvm::ReturnInst*> Inlining::returns() const {
  std::vector<llvm::ReturnInst*> out;
  for (llvm::BasicBlock* copy : copies_)
    if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(copy->getTerminator())) out.push_back(end);
  return out;
}

/// Control goes on behind the call, with the value that was returned.
void Inlining::join_results(llvm::BasicBlock& behind, const std::vector<llvm::ReturnInst*>& ends) {
  if (!call_.use_empty()) {
    llvm::Value* result = llvm::UndefValue::get(call_.getType());  // behind it nothing is reached
    if (ends.size() == 1) result = ends[0]->getReturnValue();
    if (ends.size() > 1) {
      auto* phi = llvm::PHINode::Create(call_.getType(), static_cast<unsigned>(ends.size()), "",
                                        &behind.front());
      for (llvm::ReturnInst* end : ends) phi->addIncoming(end->getReturnValue(), end->getParent());
      result = phi;
    }
    call_.replaceAllUsesWith(result);
  }
  for (llvm::ReturnInst* end : ends) {
    llvm::BranchInst::Create(&behind, end)->setDebugLoc(end->getDebugLoc());
    end->eraseFromParent();
  }
}

std::vector<llvm::CallBase*> Inlining::run() {
  llvm::BasicBlock* before = call_.getParent();
  llvm::BasicBlock* behind = before->splitBasicBlock(&call_);
  copy_blocks(*before, *behind);
  set_places();
  move_locals();
  std::vector<llvm::ReturnInst*> ends = returns();
  bound_stack(ends);
  before->getTerminator()->setSuccessor(0, copies_.front());
  join_results(*behind, ends);
  call_.eraseFromParent();
  std::vector<llvm::CallBase*> calls;
  for (llvm::BasicBlock* copy : copies_)
    for (llvm::Instruction& instruction : *copy)
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
        calls.push_back(call);
        if (auto* plain = llvm::dyn_cast<llvm::CallInst>(call))  // it is the last no more
          plain->setTailCallKind(llvm::CallInst::TCK_None);
      }
  llvm::MergeBlockIntoPredecessor(copies_.front());
  llvm::MergeBlockIntoPredecessor(behind);
  return calls;
}

}  // namespace

std::vector<llvm::CallBase*> defined_calls(llvm::Function& function) {
  std::vector<llvm::CallBase*> out;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      if (llvm::Function* callee = called(*call); callee && callee_of(*callee) == Callee::Defined)
        out.push_back(call);
  return out;
}

std::vector<llvm::CallBase*> inline_call(llvm::CallBase& call) {
  return Inlining(call).run();
}

}  // namespace lem::c
