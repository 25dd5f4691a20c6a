#include "frontend/c/promotion.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <string>
#include <vector>

#include "frontend/c/place.h"

namespace lem::c {

/// Any value, of a variable that starts to exist.
static void start(llvm::AllocaInst& local, llvm::Instruction& before) {
  llvm::Type* type = local.getAllocatedType();
  std::string name = kOwnNondet.str();
  llvm::raw_string_ostream(name) << *type;
  auto* value =
      llvm::CallInst::Create(before.getModule()->getOrInsertFunction(name, type), "", &before);
  new llvm::StoreInst(value, &local, &before);
}

static void add_lifetimes(llvm::Value& pointer, std::vector<llvm::Instruction*>& out) {
  for (llvm::User* user : pointer.users()) {
    auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(user);
    if (call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::lifetime_start)
      out.push_back(call);
    if (llvm::isa<llvm::BitCastInst>(user)) add_lifetimes(*user, out);
  }
}

/// Where the variable starts to exist.
static void start_everywhere(llvm::AllocaInst& local) {
  std::vector<llvm::Instruction*> starts;
  add_lifetimes(local, starts);
  for (llvm::Instruction* at : starts) start(local, *at->getNextNode());
  llvm::Instruction* next = local.getNextNode();
  while (llvm::isa<llvm::AllocaInst>(next)) next = next->getNextNode();
  start(local, *next);
}

static bool is_any(const llvm::Value& value) {
  auto* call = llvm::dyn_cast<llvm::CallBase>(&value);
  const llvm::Function* callee = call == nullptr ? nullptr : called(*call);
  return callee != nullptr && callee->getName().startswith(kOwnNondet);
}

/// A truth value beside the variable: whether it has a value. `asks`: the calls that check it.
static llvm::AllocaInst* add_flag(llvm::AllocaInst& local, std::vector<llvm::CallInst*>& asks) {
  llvm::Module& module = *local.getModule();
  llvm::Type* truth = llvm::Type::getInt1Ty(module.getContext());
  auto* flag = new llvm::AllocaInst(truth, 0, "", &local);
  llvm::FunctionCallee ask =
      module.getOrInsertFunction(kOwnGiven, llvm::Type::getVoidTy(module.getContext()), truth);
  for (llvm::User* user : std::vector<llvm::User*>(local.user_begin(), local.user_end())) {
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
      new llvm::StoreInst(
          llvm::ConstantInt::getBool(truth->getContext(), !is_any(*store->getValueOperand())), flag,
          store);
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
      auto* value = new llvm::LoadInst(truth, flag, "", load);
      asks.push_back(llvm::CallInst::Create(ask, {value}, "", load));
      asks.back()->setDebugLoc(load->getDebugLoc());
    }
  }
  return flag;
}

void promote(const std::vector<llvm::AllocaInst*>& locals, Given given) {
  if (locals.empty()) return;
  llvm::Function& function = *locals.front()->getFunction();
  std::vector<llvm::AllocaInst*> all = locals;
  std::vector<llvm::CallInst*> asks;
  for (llvm::AllocaInst* local : locals) {
    if (!local->getAllocatedType()->isPointerTy()) start_everywhere(*local);
    if (given == Given::Look) all.push_back(add_flag(*local, asks));
  }
  llvm::DominatorTree dominators(function);
  llvm::PromoteMemToReg(all, dominators);
  for (llvm::CallInst* ask : asks) {
    auto* known = llvm::dyn_cast<llvm::ConstantInt>(ask->getArgOperand(0));
    if (known != nullptr && known->isOne()) ask->eraseFromParent();
  }
}

}  // namespace lem::c
