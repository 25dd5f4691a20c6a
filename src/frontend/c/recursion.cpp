#include "frontend/c/recursion.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>
#include <vector>

#include "base/try.h"
#include "frontend/c/inline.h"
#include "frontend/c/place.h"

namespace lem::c {

static constexpr std::size_t kMostCalls = 1'000;
static constexpr std::size_t kDeepest = 100;
static constexpr std::size_t kMostInstructions = 200'000;
static constexpr llvm::StringLiteral kNumber = "lemmata.call";  // of a call in its function

static void reach(llvm::Function& from, std::set<llvm::Function*>& seen) {
  for (llvm::CallBase* call : defined_calls(from))
    if (seen.insert(called(*call)).second) reach(*called(*call), seen);
}

std::set<const llvm::Function*> recursive_functions(llvm::Function& main) {
  std::set<llvm::Function*> all = {&main};
  reach(main, all);
  std::map<llvm::Function*, std::set<llvm::Function*>> from;
  for (llvm::Function* function : all) reach(*function, from[function]);
  std::set<const llvm::Function*> out;
  for (const auto& [function, reached] : from)
    for (llvm::Function* other : reached)
      if (from[other].count(other) != 0) out.insert(function);
  return out;
}

namespace {

using Constants = std::vector<llvm::ConstantInt*>;  // by argument; null: not known

/// A temporary copy, in which local variables are promoted and constants propagated.
class Scratch {
 public:
  Scratch(llvm::Function& original, const Constants& arguments)
      : copy_(llvm::CloneFunction(&original, map_)) {
    for (llvm::Argument& argument : copy_->args())
      if (argument.getArgNo() < arguments.size() && arguments[argument.getArgNo()] != nullptr)
        argument.replaceAllUsesWith(arguments[argument.getArgNo()]);
    promote();
    fold();
  }
  ~Scratch() { copy_->eraseFromParent(); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// Calls that may be made, by their numbers, and what is known of their arguments.
  std::map<std::uint64_t, Constants> calls() const;

 private:
  void start(llvm::AllocaInst& local, llvm::Instruction& before);
  void promote();
  void fold();

  llvm::ValueToValueMapTy map_;
  llvm::Function* copy_;
};

/// Any value: a call that nothing is known of.
void Scratch::start(llvm::AllocaInst& local, llvm::Instruction& before) {
  llvm::Type* type = local.getAllocatedType();
  std::string name = kOwnNondet.str();
  llvm::raw_string_ostream(name) << *type;
  auto* value =
      llvm::CallInst::Create(copy_->getParent()->getOrInsertFunction(name, type), "", &before);
  new llvm::StoreInst(value, &local, &before);
}

void Scratch::promote() {
  std::vector<llvm::AllocaInst*> locals;
  std::vector<llvm::CallBase*> marks;
  for (llvm::Instruction& instruction : llvm::instructions(*copy_)) {
    auto* local = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (local && local->getAllocatedType()->isIntOrPtrTy() && !local->isArrayAllocation())
      locals.push_back(local);
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call && called(*call) && callee_of(*called(*call)) == Callee::Fresh) marks.push_back(call);
  }
  for (llvm::AllocaInst* local : locals) start(*local, *local->getNextNode());
  for (llvm::CallBase* mark : marks) {
    auto* local = llvm::dyn_cast<llvm::AllocaInst>(
        mark->getArgOperand(mark->arg_size() - 1)->stripPointerCasts());
    if (local && local->getAllocatedType()->isIntOrPtrTy() && !local->isArrayAllocation())
      start(*local, *mark->getNextNode());
    mark->eraseFromParent();
  }
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(*copy_)))
    if (llvm::isa<llvm::BitCastInst>(instruction) && instruction.use_empty())
      instruction.eraseFromParent();
  std::erase_if(locals, [](const auto* local) { return !llvm::isAllocaPromotable(local); });
  llvm::DominatorTree dominators(*copy_);
  if (!locals.empty()) llvm::PromoteMemToReg(locals, dominators);
}

void Scratch::fold() {
  const llvm::DataLayout& layout = copy_->getParent()->getDataLayout();
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::BasicBlock& block : *copy_)
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
        if (instruction.use_empty() || !instruction.getType()->isIntOrPtrTy()) continue;
        llvm::Constant* value = llvm::ConstantFoldInstruction(&instruction, layout);
        if (value == nullptr || llvm::isa<llvm::UndefValue>(value)) continue;
        instruction.replaceAllUsesWith(value);
        changed = true;
      }
    for (llvm::BasicBlock& block : *copy_)
      changed = llvm::ConstantFoldTerminator(&block) || changed;
    // removeUnreachableBlocks would take more: what is behind undefined behaviour
    changed = llvm::EliminateUnreachableBlocks(*copy_) || changed;
  }
}

std::uint64_t number_of(const llvm::CallBase& call) {
  auto* node = call.getMetadata(kNumber);
  assert(node != nullptr && "calls are numbered before they are copied");
  return llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(0))->getZExtValue();
}

std::map<std::uint64_t, Constants> Scratch::calls() const {
  std::map<std::uint64_t, Constants> out;
  for (llvm::CallBase* call : defined_calls(*copy_)) {
    // A call through a pointer, which is a constant in the copy alone, is none that is unfolded.
    if (call->getMetadata(kNumber) == nullptr) continue;
    Constants& arguments = out[number_of(*call)];
    for (llvm::Value* argument : call->args())
      arguments.push_back(llvm::dyn_cast<llvm::ConstantInt>(argument));
  }
  return out;
}

class Unfolding {
 public:
  Unfolding(llvm::Function& main, const std::string& path) : main_(main), path_(path) {}
  Status run();

 private:
  using Key = std::pair<llvm::Function*, Constants>;
  struct Open {
    llvm::CallBase* call;
    Constants constants;
    std::vector<Key> around;  // calls that this one is inside of
  };
  const std::map<std::uint64_t, Constants>& forecast(const Key& key);
  void add(std::vector<llvm::CallBase*> calls, const Key& inside, const std::vector<Key>& around);
  void end(llvm::CallBase& call);
  Status unfold(const Open& open);

  llvm::Function& main_;
  const std::string& path_;
  std::map<Key, std::map<std::uint64_t, Constants>> forecasts_;
  std::vector<Open> open_;
};

const std::map<std::uint64_t, Constants>& Unfolding::forecast(const Key& key) {
  auto found = forecasts_.find(key);
  if (found != forecasts_.end()) return found->second;
  std::uint32_t next = 0;
  llvm::LLVMContext& context = main_.getContext();
  for (llvm::CallBase* call : defined_calls(*key.first)) {
    auto* number = llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), next++);
    call->setMetadata(kNumber, llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(number)));
  }
  return forecasts_[key] = Scratch(*key.first, key.second).calls();
}

/// A call is left out of a forecast because its block is never entered: then neither is this one,
/// from its beginning. Only the call's rest goes when another call waits before it.
void Unfolding::end(llvm::CallBase& call) {
  const llvm::BasicBlock* block = call.getParent();
  bool waits = std::any_of(open_.begin(), open_.end(),
                           [&](const Open& open) { return open.call->getParent() == block; });
  bool whole = !waits && block != &main_.getEntryBlock();
  llvm::Instruction* from = whole ? call.getParent()->getFirstNonPHI() : &call;
  auto* never = llvm::ConstantInt::getFalse(main_.getContext());
  llvm::CallInst::Create(
      main_.getParent()->getOrInsertFunction(kOwnAssume, llvm::Type::getVoidTy(main_.getContext()),
                                             never->getType()),
      {never}, "", from)
      ->setDebugLoc(call.getDebugLoc());
  llvm::changeToUnreachable(from);
}

void Unfolding::add(std::vector<llvm::CallBase*> calls, const Key& inside,
                    const std::vector<Key>& around) {
  const auto& made = forecast(inside);
  std::vector<Key> path = around;
  path.push_back(inside);
  std::set<const llvm::BasicBlock*> ended;  // by a call that is never made
  std::vector<std::pair<llvm::CallBase*, const llvm::BasicBlock*>> places;
  for (llvm::CallBase* call : calls) places.push_back({call, call->getParent()});
  for (const auto& [call, block] : places) {
    if (ended.count(block) != 0) continue;
    auto found = made.find(number_of(*call));
    if (found != made.end()) {
      open_.push_back({call, found->second, path});
      continue;
    }
    ended.insert(block);
    end(*call);
  }
}

Status Unfolding::unfold(const Open& open) {
  llvm::Function& callee = *called(*open.call);
  Key key{&callee, open.constants};
  std::string name = "recursion: call of '" + callee.getName().str() + "'";
  bool again = std::find(open.around.begin(), open.around.end(), key) != open.around.end();
  if (again || &callee == &main_ || callee.getFunctionType() != open.call->getFunctionType() ||
      callee.isVarArg())
    return unsupported(*open.call, path_, name);
  if (open.around.size() > kDeepest)
    return unsupported(*open.call, path_, "recursion of more than 100 calls inside each other");
  if (main_.getInstructionCount() + callee.getInstructionCount() > kMostInstructions)
    return unsupported(*open.call, path_, name + " needs more than 200000 instructions");
  forecast(key);  // numbers the calls before they are copied
  open.call->setCalledFunction(&callee);
  std::vector<llvm::CallBase*> calls;
  for (llvm::CallBase* call : inline_call(*open.call))
    if (llvm::Function* next = called(*call); next && callee_of(*next) == Callee::Defined)
      calls.push_back(call);
  add(std::move(calls), key, open.around);
  return Ok{};
}

Status Unfolding::run() {
  Key start{&main_, {}};
  forecast(start);
  add(defined_calls(main_), start, {});
  for (std::size_t done = 0; !open_.empty(); ++done) {
    Open open = std::move(open_.back());
    open_.pop_back();
    if (done == kMostCalls)
      return unsupported(*open.call, path_, "recursion of more than 1000 calls");
    LEM_TRY(unfold(open));
  }
  return Ok{};
}

}  // namespace

Status unfold_recursion(llvm::Function& main, const std::string& path) {
  return Unfolding(main, path).run();
}

}  // namespace lem::c
