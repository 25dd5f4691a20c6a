#include "frontend/c/unions.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <vector>

#include "frontend/c/copy_lowering.h"
#include "frontend/c/place.h"

namespace lem::c {

bool is_union(const llvm::Type& type) {
  auto* fields = llvm::dyn_cast<llvm::StructType>(&type);
  return fields && fields->hasName() && fields->getName().startswith("union.");
}

namespace {

bool has_union(const llvm::Type& type, unsigned depth) {
  if (is_union(type)) return true;
  if (depth == 0 || type.isPointerTy()) return false;
  return llvm::any_of(type.subtypes(),
                      [&](const llvm::Type* part) { return has_union(*part, depth - 1); });
}

/// Whether the pointer may be one into a union, by the types that it had. A copy too many does no
/// harm.
bool is_of_union(const llvm::Value* pointer) {
  static constexpr unsigned kDeepest = 6;
  for (;;) {
    const llvm::Type* type = pointer->getType()->getPointerElementType();
    if (!type->isPointerTy() && has_union(*type, kDeepest)) return true;
    if (auto* cast = llvm::dyn_cast<llvm::BitCastOperator>(pointer)) {
      pointer = cast->getOperand(0);
      continue;
    }
    auto* element = llvm::dyn_cast<llvm::GEPOperator>(pointer);
    if (element == nullptr) return false;
    pointer = element->getPointerOperand();
  }
}

/// What is cast from an address to a number as wide and back, or the other way round.
llvm::Value* undone(const llvm::Instruction& cast, const llvm::DataLayout& layout) {
  bool to_address = llvm::isa<llvm::IntToPtrInst>(cast);
  if (!to_address && !llvm::isa<llvm::PtrToIntInst>(cast)) return nullptr;
  auto* inner = llvm::dyn_cast<llvm::Operator>(cast.getOperand(0));
  unsigned opposite = to_address ? llvm::Instruction::PtrToInt : llvm::Instruction::IntToPtr;
  if (inner == nullptr || inner->getOpcode() != opposite) return nullptr;
  unsigned width = layout.getPointerSizeInBits();
  bool whole = to_address ? inner->getType()->isIntegerTy(width)
                          : cast.getType()->isIntegerTy(width) &&
                                inner->getOperand(0)->getType()->isIntegerTy(width);
  return whole ? inner->getOperand(0) : nullptr;
}

void fold_casts(llvm::Function& function) {
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(block))
      if (llvm::Value* before = undone(instruction, layout)) {
        llvm::IRBuilder<> build(&instruction);
        llvm::Value* same = before->getType()->isPointerTy()
                                ? build.CreatePointerCast(before, instruction.getType())
                                : before;
        instruction.replaceAllUsesWith(same);
        instruction.eraseFromParent();
      }
}

}  // namespace

void keep_union_copies(llvm::Function& function) {
  fold_casts(function);
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  llvm::Type* number = layout.getIntPtrType(function.getContext());
  llvm::Type* address = llvm::Type::getInt8PtrTy(function.getContext());
  std::vector<std::pair<llvm::LoadInst*, llvm::StoreInst*>> found;
  for (llvm::BasicBlock* block : reachable(function))
    for (llvm::Instruction& instruction : *block) {
      auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      if (store == nullptr || store->hasMetadata(kAlso)) continue;
      llvm::Value* value = store->getValueOperand();
      while (auto* cast = llvm::dyn_cast<llvm::BitCastInst>(value)) value = cast->getOperand(0);
      auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
      bool fits =
          load && (load->getType()->isPointerTy() || load->getType() == number) &&
          load->getType()->isPointerTy() == store->getValueOperand()->getType()->isPointerTy();
      if (fits &&
          (is_of_union(load->getPointerOperand()) || is_of_union(store->getPointerOperand())))
        found.push_back({load, store});
    }
  llvm::MDNode* mark = llvm::MDNode::get(function.getContext(), {});
  for (auto [load, store] : found) {
    llvm::Type* other = load->getType()->isPointerTy() ? number : address;
    llvm::IRBuilder<> build(load->getNextNode());
    build.SetCurrentDebugLocation(load->getDebugLoc());
    llvm::LoadInst* value = build.CreateLoad(
        other, build.CreatePointerCast(load->getPointerOperand(), other->getPointerTo()));
    for (llvm::StringRef name : {kAlso, kCopyMark}) value->setMetadata(name, mark);
    build.SetInsertPoint(store->getNextNode());
    build.SetCurrentDebugLocation(store->getDebugLoc());
    build
        .CreateStore(value,
                     build.CreatePointerCast(store->getPointerOperand(), other->getPointerTo()))
        ->setMetadata(kAlso, mark);
  }
}

}  // namespace lem::c
