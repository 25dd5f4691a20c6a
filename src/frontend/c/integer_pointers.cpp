#include "frontend/c/integer_pointers.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <set>
#include <vector>

#include "frontend/c/promotion.h"

namespace lem::c {

/// A pointer that is made from a number that is calculated.
static bool returns(const llvm::ConstantExpr& made) {
  auto* inner = llvm::dyn_cast<llvm::ConstantExpr>(made.getOperand(0));
  if (inner == nullptr || !made.getType()->isPointerTy()) return false;
  return made.getOpcode() == llvm::Instruction::IntToPtr || returns(*inner);
}

/// A number that is still no literal is calculated from addresses, or compares them. The address
/// itself may stay a constant.
static bool calculates(const llvm::Value* value) {
  auto* made = llvm::dyn_cast<llvm::ConstantExpr>(value);
  if (made == nullptr) return false;
  if (made->getType()->isIntegerTy()) return made->getOpcode() != llvm::Instruction::PtrToInt;
  return returns(*made);
}

static void expand_constants(llvm::Function& function) {
  std::vector<llvm::Instruction*> waiting;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    waiting.push_back(&instruction);
  while (!waiting.empty()) {
    llvm::Instruction* user = waiting.back();
    waiting.pop_back();
    auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
    for (unsigned i = 0; i < user->getNumOperands(); ++i) {
      if (!calculates(user->getOperand(i))) continue;
      llvm::Instruction* before = phi ? phi->getIncomingBlock(i)->getTerminator() : user;
      llvm::Instruction* made =
          llvm::cast<llvm::ConstantExpr>(user->getOperand(i))->getAsInstruction(before);
      made->setDebugLoc(user->getDebugLoc());
      llvm::Value* old = user->getOperand(i);
      // One block may lead to a phi twice, with one value.
      for (unsigned k = i; phi != nullptr && k < phi->getNumOperands(); ++k)
        if (phi->getIncomingBlock(k) == phi->getIncomingBlock(i) && phi->getOperand(k) == old)
          phi->setOperand(k, made);
      user->setOperand(i, made);
      waiting.push_back(made);
    }
  }
}

/// Numbers that this one is calculated from, without what it is read from memory.
static std::vector<llvm::Value*> parts_of(llvm::Value* number) {
  std::vector<llvm::Value*> found = {number};
  std::set<llvm::Value*> seen = {number};
  for (std::size_t i = 0; i < found.size(); ++i) {
    bool goes_on = llvm::isa<llvm::BinaryOperator>(found[i]) ||
                   llvm::isa<llvm::FreezeInst>(found[i]) || llvm::isa<llvm::SExtInst>(found[i]) ||
                   llvm::isa<llvm::ZExtInst>(found[i]) || llvm::isa<llvm::TruncInst>(found[i]);
    if (!goes_on) continue;
    for (llvm::Value* operand : llvm::cast<llvm::User>(found[i])->operands())
      if (seen.insert(operand).second) found.push_back(operand);
  }
  return found;
}

/// Locals that are read for a number that becomes a pointer.
static void promote_numbers(llvm::Function& function) {
  for (;;) {
    std::set<llvm::AllocaInst*> wanted;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (!llvm::isa<llvm::IntToPtrInst>(instruction)) continue;
      for (llvm::Value* part : parts_of(instruction.getOperand(0)))
        if (auto* load = llvm::dyn_cast<llvm::LoadInst>(part))
          if (auto* local = llvm::dyn_cast<llvm::AllocaInst>(load->getPointerOperand()))
            if (llvm::isAllocaPromotable(local)) wanted.insert(local);
    }
    if (wanted.empty()) return;
    std::vector<llvm::AllocaInst*> locals;  // in the order of the program
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* local = llvm::dyn_cast<llvm::AllocaInst>(&instruction); wanted.count(local) != 0)
        locals.push_back(local);
    promote(locals, Given::Ignore);
  }
}

/// The one address that the number is calculated from; null if there is none, or several.
static llvm::PtrToIntOperator* origin_of(llvm::Value* number) {
  llvm::PtrToIntOperator* found = nullptr;
  for (llvm::Value* part : parts_of(number)) {
    auto* address = llvm::dyn_cast<llvm::PtrToIntOperator>(part);
    if (llvm::isa<llvm::PHINode, llvm::SelectInst>(part)) return nullptr;
    if (address == nullptr) continue;
    if (found != nullptr && found->getPointerOperand() != address->getPointerOperand())
      return nullptr;
    found = address;
  }
  return found;
}

void restore_integer_pointers(llvm::Function& function) {
  expand_constants(function);
  promote_numbers(function);
  std::vector<llvm::IntToPtrInst*> casts;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* cast = llvm::dyn_cast<llvm::IntToPtrInst>(&instruction)) casts.push_back(cast);
  for (llvm::IntToPtrInst* cast : casts) {
    llvm::Value* number = cast->getOperand(0);
    llvm::PtrToIntOperator* address = origin_of(number);
    bool same_width = address != nullptr && address->getType() == number->getType();
    if (!same_width) continue;
    llvm::IRBuilder<> build(cast);
    llvm::Value* pointer = address->getPointerOperand();
    llvm::Value* moved = build.CreateBitCast(pointer, build.getInt8PtrTy());
    auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(number);
    bool plus = sum != nullptr && sum->getOpcode() == llvm::Instruction::Add;
    if (number != address) {
      llvm::Value* by = plus && sum->getOperand(0) == address   ? sum->getOperand(1)
                        : plus && sum->getOperand(1) == address ? sum->getOperand(0)
                                                                : build.CreateSub(number, address);
      moved = build.CreateGEP(build.getInt8Ty(), moved, by);
    }
    cast->replaceAllUsesWith(build.CreateBitCast(moved, cast->getType()));
    cast->eraseFromParent();
  }
}

}  // namespace lem::c
