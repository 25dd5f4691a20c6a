#include "frontend/c/explicit.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/raw_ostream.h>

#include <map>
#include <string>
#include <vector>

#include "frontend/c/copy_lowering.h"
#include "frontend/c/environment.h"
#include "frontend/c/place.h"

namespace lem::c {

void name_numbers(llvm::Module& module) {
  static constexpr std::int64_t kPage = 4096;
  llvm::Type* byte = llvm::Type::getInt8Ty(module.getContext());
  llvm::GlobalVariable* numbers = nullptr;
  for (llvm::Constant* one : fixed_addresses(module)) {
    const llvm::APInt& number = llvm::cast<llvm::ConstantInt>(one->getOperand(0))->getValue();
    unsigned width = module.getDataLayout().getPointerSizeInBits();
    std::int64_t at = number.zextOrTrunc(width).getSExtValue();
    if (at == 0 || at < -kPage || at >= kPage) continue;
    auto* none = llvm::ArrayType::get(byte, 0);
    if (numbers == nullptr)
      numbers = new llvm::GlobalVariable(module, none, true, llvm::GlobalValue::InternalLinkage,
                                         llvm::ConstantAggregateZero::get(none), kOwnNumbers);
    llvm::Constant* start = llvm::ConstantExpr::getBitCast(numbers, byte->getPointerTo());
    auto* by = llvm::ConstantInt::getSigned(llvm::Type::getIntNTy(module.getContext(), width), at);
    one->replaceAllUsesWith(llvm::ConstantExpr::getBitCast(
        llvm::ConstantExpr::getGetElementPtr(byte, start, by), one->getType()));
  }
}

void drop_promises(llvm::Module& module) {
  using A = llvm::Attribute;
  llvm::AttributeMask promises;
  for (A::AttrKind kind : {A::NonNull,
                           A::NoUndef,
                           A::Dereferenceable,
                           A::DereferenceableOrNull,
                           A::Alignment,
                           A::NoAlias,
                           A::Returned,
                           A::ReadNone,
                           A::ReadOnly,
                           A::WriteOnly,
                           A::ArgMemOnly,
                           A::InaccessibleMemOnly,
                           A::InaccessibleMemOrArgMemOnly,
                           A::Speculatable,
                           A::WillReturn,
                           A::MustProgress,
                           A::NoFree,
                           A::NoSync,
                           A::NoRecurse,
                           A::AllocSize})
    promises.addAttribute(kind);
  auto without = [&](llvm::AttributeList list) {
    for (unsigned i : list.indexes())
      list = list.removeAttributesAtIndex(module.getContext(), i, promises);
    return list;
  };
  for (llvm::Function& function : module) {
    if (!function.isIntrinsic()) function.setAttributes(without(function.getAttributes()));
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call && !llvm::isa<llvm::IntrinsicInst>(call))
        call->setAttributes(without(call->getAttributes()));
      for (unsigned kind :
           {llvm::LLVMContext::MD_nonnull, llvm::LLVMContext::MD_noundef,
            llvm::LLVMContext::MD_dereferenceable, llvm::LLVMContext::MD_dereferenceable_or_null,
            llvm::LLVMContext::MD_align, llvm::LLVMContext::MD_invariant_load})
        instruction.setMetadata(kind, nullptr);
    }
  }
}

// Undefined values ------------------------------------------------------------------------------

/// A call of our own that returns any value.
static llvm::CallInst* nondet(llvm::Type* type, llvm::Instruction* before) {
  std::string name = kOwnNondet.str();
  llvm::raw_string_ostream(name) << *type;
  llvm::CallInst* call =
      llvm::CallInst::Create(before->getModule()->getOrInsertFunction(name, type), "", before);
  call->setDebugLoc(before->getDebugLoc());
  return call;
}

static void call_own(llvm::StringRef name, llvm::Value* argument, llvm::Instruction* before) {
  llvm::FunctionCallee callee = before->getModule()->getOrInsertFunction(
      name, llvm::Type::getVoidTy(before->getContext()), argument->getType());
  llvm::CallInst::Create(callee, {argument}, "", before)->setDebugLoc(before->getDebugLoc());
}

void replace_undef(llvm::Function& function) {
  std::vector<llvm::Use*> uses;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    for (llvm::Use& use : instruction.operands())
      if (llvm::isa<llvm::UndefValue>(use.get()) &&
          (use->getType()->isIntOrPtrTy() || use->getType()->isFloatingPointTy()))
        uses.push_back(&use);
  std::map<std::pair<llvm::PHINode*, llvm::BasicBlock*>, llvm::Value*> same;
  for (llvm::Use* use : uses) {
    auto* user = llvm::cast<llvm::Instruction>(use->getUser());
    auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
    if (phi == nullptr) {
      use->set(nondet(use->get()->getType(), user));
      continue;
    }
    llvm::BasicBlock* from = phi->getIncomingBlock(*use);
    llvm::Value*& value = same[{phi, from}];  // a block may come in twice, with one value
    if (value == nullptr) value = nondet(use->get()->getType(), from->getTerminator());
    use->set(value);
  }
}

static bool has_start(const llvm::Value& pointer) {
  for (const llvm::User* user : pointer.users()) {
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(user))
      if (call->getIntrinsicID() == llvm::Intrinsic::lifetime_start) return true;
    if (llvm::isa<llvm::BitCastInst>(user) && has_start(*user)) return true;
  }
  return false;
}

void start_objects(llvm::Function& function) {
  std::vector<llvm::AllocaInst*> objects;
  std::vector<llvm::IntrinsicInst*> starts;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* object = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) objects.push_back(object);
    auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (call && call->getIntrinsicID() == llvm::Intrinsic::lifetime_start) starts.push_back(call);
  }
  for (llvm::IntrinsicInst* start : starts) {
    auto* object = llvm::dyn_cast<llvm::AllocaInst>(start->getArgOperand(1)->stripPointerCasts());
    if (object && object->getAllocatedType()->isPointerTy())
      new llvm::StoreInst(nondet(object->getAllocatedType(), start->getNextNode()), object,
                          start->getNextNode());
  }
  for (llvm::AllocaInst* object : objects) {
    llvm::Instruction* next = object->getNextNode();
    while (llvm::isa<llvm::AllocaInst>(next)) next = next->getNextNode();
    if (object->getAllocatedType()->isPointerTy())
      new llvm::StoreInst(nondet(object->getAllocatedType(), next), object, next);
    else if (!has_start(*object)) {
      auto* bytes = llvm::Type::getInt8PtrTy(function.getContext());
      call_own(kOwnFresh, llvm::CastInst::CreatePointerCast(object, bytes, "", next), next);
    }
  }
}

// Undefined operations --------------------------------------------------------------------------

static bool is_division(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SDiv:
    case llvm::Instruction::URem:
    case llvm::Instruction::SRem:
      return instruction.getType()->isIntegerTy();
    default:
      return false;
  }
}

/// By the width or more: any value. The translator reads a variable amount so.
static void make_defined_shift(llvm::BinaryOperator& shift) {
  auto* known = llvm::dyn_cast<llvm::ConstantInt>(shift.getOperand(1));
  unsigned width = shift.getType()->getScalarSizeInBits();
  if (known == nullptr || known->getValue().ult(width)) return;
  shift.replaceAllUsesWith(nondet(shift.getType(), &shift));
  shift.eraseFromParent();
}

/// Where control leaves several scopes at once, clang emits a switch over the targets whose default
/// is unreachable. `__builtin_unreachable` has a place, or something before it.
static void mark_impossible(llvm::BasicBlock& block) {
  auto* end = llvm::dyn_cast<llvm::UnreachableInst>(&block.front());
  if (end == nullptr || end->getDebugLoc() || llvm::pred_empty(&block)) return;
  for (const llvm::BasicBlock* before : llvm::predecessors(&block)) {
    auto* choice = llvm::dyn_cast<llvm::SwitchInst>(before->getTerminator());
    if (choice == nullptr || choice->getDefaultDest() != &block) return;
  }
  call_own(kOwnAssume, llvm::ConstantInt::getFalse(block.getContext()), end);
}

/// The end of a function that is declared to never return: gcc goes on behind the call, clang says
/// that nothing is there.
static void mark_end(llvm::BasicBlock& block) {
  llvm::Instruction* end = block.getTerminator();
  if (llvm::isa<llvm::ReturnInst>(end) && block.getParent()->doesNotReturn())
    call_own(kOwnEnd, llvm::ConstantInt::getFalse(block.getContext()), end);
}

void make_defined(llvm::Function& function) {
  for (llvm::BasicBlock& block : function) {
    mark_impossible(block);
    mark_end(block);
  }
  std::vector<llvm::Instruction*> all;
  for (llvm::Instruction& instruction : llvm::instructions(function)) all.push_back(&instruction);
  for (llvm::Instruction* instruction : all) {
    if (auto* op = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(instruction))
      if (op->hasNoSignedWrap())
        instruction->setMetadata(kSigned, llvm::MDNode::get(function.getContext(), {}));
    if (llvm::isa<llvm::OverflowingBinaryOperator, llvm::PossiblyExactOperator, llvm::GEPOperator>(
            instruction))
      instruction->dropPoisonGeneratingFlags();
    if (instruction->isShift() && instruction->getType()->isIntegerTy()) {
      make_defined_shift(*llvm::cast<llvm::BinaryOperator>(instruction));
      continue;
    }
    if (!is_division(*instruction)) continue;
    llvm::Value* divisor = instruction->getOperand(1);
    if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(divisor); known && !known->isZero())
      continue;
    auto* nonzero = new llvm::ICmpInst(instruction, llvm::CmpInst::ICMP_NE, divisor,
                                       llvm::Constant::getNullValue(divisor->getType()));
    nonzero->setDebugLoc(instruction->getDebugLoc());
    call_own(kOwnAssume, nonzero, instruction);
  }
}

void mark_coerced(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (load == nullptr || !load->hasOneUse()) continue;
    auto* user = llvm::cast<llvm::Instruction>(load->user_back());
    bool passes = llvm::isa<llvm::CallBase, llvm::ReturnInst, llvm::InsertValueInst>(user);
    if (passes && load->getDebugLoc() && load->getDebugLoc() == user->getDebugLoc())
      load->setMetadata(kCopyMark, llvm::MDNode::get(function.getContext(), {}));
  }
}

}  // namespace lem::c
