#include "frontend/c/indirect.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include "frontend/c/place.h"
#include "frontend/c/points_to.h"

namespace lem::c {

std::vector<llvm::CallBase*> IndirectCalls::indirect() const {
  std::vector<llvm::CallBase*> out;
  for (llvm::BasicBlock* block : reachable(function_))
    for (llvm::Instruction& instruction : *block)
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (!call->isInlineAsm() && called(*call) == nullptr) out.push_back(call);
  return out;
}

/// Before the call: if the pointer is this function, it is called instead.
llvm::CallBase* IndirectCalls::add_way(llvm::CallBase& call, llvm::Function& target) {
  llvm::LLVMContext& context = function_.getContext();
  llvm::BasicBlock* last = call.getParent();
  if (tried_[&call].empty()) {  // the call gets a block of its own
    last = llvm::SplitBlock(call.getParent(), &call);
    llvm::BasicBlock* after = llvm::SplitBlock(last, call.getNextNode());
    if (!call.getType()->isVoidTy()) {
      auto* result = llvm::PHINode::Create(call.getType(), 2, "", &after->front());
      call.replaceAllUsesWith(result);
      result->addIncoming(&call, last);
      results_[&call] = result;
    }
  }
  tried_[&call].insert(&target);
  llvm::BasicBlock* before = last->getSinglePredecessor();
  llvm::BasicBlock* after = last->getSingleSuccessor();
  auto* test = llvm::BasicBlock::Create(context, "", &function_, last);
  auto* way = llvm::BasicBlock::Create(context, "", &function_, last);
  before->getTerminator()->replaceSuccessorWith(last, test);
  llvm::IRBuilder<> build(test);
  build.SetCurrentDebugLocation(call.getDebugLoc());
  llvm::Value* pointer = call.getCalledOperand();
  llvm::Value* same =
      build.CreateICmpEQ(pointer, llvm::ConstantExpr::getPointerCast(&target, pointer->getType()));
  build.CreateCondBr(same, way, last);
  build.SetInsertPoint(way);
  std::vector<llvm::Value*> arguments;
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    llvm::Value* argument = call.getArgOperand(i);
    llvm::Type* wanted = i < target.arg_size() ? target.getArg(i)->getType() : argument->getType();
    bool cast = wanted != argument->getType() && wanted->isPointerTy() &&
                argument->getType()->isPointerTy();
    arguments.push_back(cast ? build.CreatePointerCast(argument, wanted) : argument);
  }
  std::vector<llvm::Type*> types;
  for (llvm::Value* argument : arguments) types.push_back(argument->getType());
  llvm::Type* result = call.getType();
  bool casts = result->isPointerTy() && target.getReturnType()->isPointerTy();
  if (casts || call.getType()->isVoidTy() ||
      (results_.count(&call) && results_[&call]->use_empty()))
    result = target.getReturnType();
  auto* type = llvm::FunctionType::get(result, types, false);
  if (target.getFunctionType()->isVarArg()) type = target.getFunctionType();
  llvm::CallInst* direct = build.CreateCall(
      type, llvm::ConstantExpr::getPointerCast(&target, type->getPointerTo()), arguments);
  direct->setAttributes(call.getAttributes());
  direct->setCallingConv(target.getCallingConv());
  if (llvm::PHINode* phi = results_.count(&call) ? results_[&call] : nullptr) {
    llvm::Value* value = direct;
    if (value->getType() != phi->getType())
      value = casts ? build.CreatePointerCast(direct, phi->getType())
                    : llvm::UndefValue::get(phi->getType());
    phi->addIncoming(value, way);
  }
  build.CreateBr(after);
  return direct;
}

Result<std::vector<llvm::CallBase*>> IndirectCalls::resolve() {
  std::vector<llvm::CallBase*> calls = indirect(), made;
  if (calls.empty()) return made;
  PointsTo points_to(function_);
  std::vector<const llvm::BasicBlock*> blocks;
  for (const llvm::BasicBlock* block : reachable(function_)) blocks.push_back(block);
  points_to.analyse(blocks);
  for (llvm::CallBase* call : calls) {
    Targets targets = points_to(*call->getCalledOperand());
    if (targets.unknown != nullptr)
      return unsupported(*call, path_, "indirect call: " + origin(*targets.unknown));
    for (const auto& [object, offset] : targets.objects) {
      if (points_to[object].kind != Object::Kind::Function) continue;
      auto* target = llvm::cast<llvm::Function>(const_cast<llvm::Value*>(points_to[object].site));
      if (tried_[call].count(target) == 0) made.push_back(add_way(*call, *target));
    }
  }
  return made;
}

void IndirectCalls::finish() {
  for (llvm::CallBase* call : indirect()) {
    llvm::Module& module = *function_.getParent();
    auto* truth = llvm::Type::getInt1Ty(module.getContext());
    llvm::FunctionCallee assume =
        module.getOrInsertFunction(kOwnAssume, llvm::Type::getVoidTy(module.getContext()), truth);
    llvm::CallInst::Create(assume, {llvm::ConstantInt::getFalse(truth)}, "", call)
        ->setDebugLoc(call->getDebugLoc());
    llvm::changeToUnreachable(call);
  }
}

}  // namespace lem::c
