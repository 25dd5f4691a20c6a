#include "frontend/c/prepare.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <map>
#include <set>
#include <vector>

#include "frontend/c/aggregates.h"
#include "frontend/c/bytes.h"
#include "frontend/c/checks.h"
#include "frontend/c/copy_lowering.h"
#include "frontend/c/environment.h"
#include "frontend/c/indirect.h"
#include "frontend/c/inline.h"
#include "frontend/c/integer_pointers.h"
#include "frontend/c/labels.h"
#include "frontend/c/library.h"
#include "frontend/c/literals.h"
#include "frontend/c/outside_main.h"
#include "frontend/c/place.h"
#include "frontend/c/promotion.h"
#include "frontend/c/recursion.h"
#include "frontend/c/unions.h"
#include "frontend/c/variable_arguments.h"

namespace lem::c {

static constexpr std::size_t kMostInstructions = 200'000;  // after inlining

namespace {

class Preparation {
 public:
  Preparation(llvm::Module& module, const std::string& path, const COptions& options)
      : module_(module), path_(path), options_(options) {}
  Result<llvm::Function*> run();

 private:
  enum class Progress : std::uint8_t { New, Visited };
  Status visit(llvm::Function& function);
  Status inline_calls(llvm::Function& function);
  Status fit_types(llvm::CallBase& call, llvm::Function& callee);
  void make_defined(llvm::Function& function);
  void mark_impossible(llvm::BasicBlock& block);
  void mark_end(llvm::BasicBlock& block);
  void make_defined_shift(llvm::BinaryOperator& shift);
  void replace_undef(llvm::Function& function);
  void start_objects(llvm::Function& function);
  Status inline_rest(llvm::Function& main);
  Status inline_indirect(llvm::Function& main);
  void promote_pointers(llvm::Function& function);
  Status one_of_each(llvm::Function& function);
  llvm::CallInst* nondet(llvm::Type* type, llvm::Instruction* before);
  void call_own(llvm::StringRef name, llvm::Value* argument, llvm::Instruction* before);

  llvm::Module& module_;
  const std::string& path_;
  const COptions& options_;
  std::map<const llvm::Function*, Progress> progress_;
  std::set<const llvm::Function*> recursive_;
};

llvm::CallInst* Preparation::nondet(llvm::Type* type, llvm::Instruction* before) {
  std::string name = kOwnNondet.str();
  llvm::raw_string_ostream(name) << *type;
  llvm::CallInst* call =
      llvm::CallInst::Create(module_.getOrInsertFunction(name, type), "", before);
  call->setDebugLoc(before->getDebugLoc());
  return call;
}

void Preparation::call_own(llvm::StringRef name, llvm::Value* argument, llvm::Instruction* before) {
  llvm::FunctionCallee callee = module_.getOrInsertFunction(
      name, llvm::Type::getVoidTy(module_.getContext()), argument->getType());
  llvm::CallInst::Create(callee, {argument}, "", before)->setDebugLoc(before->getDebugLoc());
}

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

/// Attributes and metadata may be wrong, and LLVM relies on them: a function declared
/// `returns_nonnull` may return null.
static void drop_promises(llvm::Module& module) {
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

/// By the width or more: any value. The translator reads a variable amount so.
void Preparation::make_defined_shift(llvm::BinaryOperator& shift) {
  auto* known = llvm::dyn_cast<llvm::ConstantInt>(shift.getOperand(1));
  unsigned width = shift.getType()->getScalarSizeInBits();
  if (known == nullptr || known->getValue().ult(width)) return;
  shift.replaceAllUsesWith(nondet(shift.getType(), &shift));
  shift.eraseFromParent();
}

/// Where control leaves several scopes at once, clang emits a switch over the targets whose default
/// is unreachable. `__builtin_unreachable` has a place, or something before it.
void Preparation::mark_impossible(llvm::BasicBlock& block) {
  auto* end = llvm::dyn_cast<llvm::UnreachableInst>(&block.front());
  if (end == nullptr || end->getDebugLoc() || llvm::pred_empty(&block)) return;
  for (const llvm::BasicBlock* before : llvm::predecessors(&block)) {
    auto* choice = llvm::dyn_cast<llvm::SwitchInst>(before->getTerminator());
    if (choice == nullptr || choice->getDefaultDest() != &block) return;
  }
  call_own(kOwnAssume, llvm::ConstantInt::getFalse(module_.getContext()), end);
}

/// The end of a function that is declared to never return: gcc goes on behind the call, clang says
/// that nothing is there.
void Preparation::mark_end(llvm::BasicBlock& block) {
  llvm::Instruction* end = block.getTerminator();
  if (llvm::isa<llvm::ReturnInst>(end) && block.getParent()->doesNotReturn())
    call_own(kOwnEnd, llvm::ConstantInt::getFalse(module_.getContext()), end);
}

void Preparation::make_defined(llvm::Function& function) {
  for (llvm::BasicBlock& block : function) {
    mark_impossible(block);
    mark_end(block);
  }
  std::vector<llvm::Instruction*> all;
  for (llvm::Instruction& instruction : llvm::instructions(function)) all.push_back(&instruction);
  for (llvm::Instruction* instruction : all) {
    if (auto* op = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(instruction))
      if (op->hasNoSignedWrap())
        instruction->setMetadata(kSigned, llvm::MDNode::get(module_.getContext(), {}));
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

void Preparation::replace_undef(llvm::Function& function) {
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

/// Marks where each object begins to exist, at its first or at each entry of its block.
void Preparation::start_objects(llvm::Function& function) {
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
      auto* bytes = llvm::Type::getInt8PtrTy(module_.getContext());
      call_own(kOwnFresh, llvm::CastInst::CreatePointerCast(object, bytes, "", next), next);
    }
  }
}

Status Preparation::fit_types(llvm::CallBase& call, llvm::Function& callee) {
  if (call.getFunctionType() == callee.getFunctionType()) {
    call.setCalledFunction(&callee);  // not through a cast
    return Ok{};
  }
  llvm::FunctionType* type = callee.getFunctionType();
  bool fits = !type->isVarArg() && type->getNumParams() == call.arg_size() &&
              (type->getReturnType() == call.getType() || call.use_empty());
  for (unsigned i = 0; fits && i < call.arg_size(); ++i)
    fits = type->getParamType(i) == call.getArgOperand(i)->getType();
  // the result of a call may be ignored, but the call has a type
  fits = fits && type->getReturnType() == call.getType();
  if (!fits)
    return unsupported(call, path_,
                       "call of '" + callee.getName().str() + "' with other types than it has");
  call.setCalledFunction(&callee);
  return Ok{};
}

Status Preparation::inline_calls(llvm::Function& function) {
  std::vector<llvm::CallBase*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      llvm::Function* callee = called(*call);
      bool stays = callee && recursive_.count(callee) != 0;
      if (callee && callee_of(*callee) == Callee::Defined && !stays) calls.push_back(call);
    }
  for (llvm::CallBase* call : calls) {
    llvm::Function& callee = *called(*call);
    if (callee.isVarArg())
      return unsupported(*call, path_, "variable arguments of '" + callee.getName().str() + "'");
    if (Status fits = fit_types(*call, callee); !fits) return fits;
    if (function.getInstructionCount() + callee.getInstructionCount() > kMostInstructions)
      return unsupported(*call, path_, "more than 200000 instructions after inlining");
    inline_call(*call);
  }
  return Ok{};
}

/// Clang passes and returns small structs as numbers: reading one is a copy, and what is between
/// the members need not have a value. Such a read is at the place of the call or return.
static void mark_coerced(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (load == nullptr || !load->hasOneUse()) continue;
    auto* user = llvm::cast<llvm::Instruction>(load->user_back());
    bool passes = llvm::isa<llvm::CallBase, llvm::ReturnInst, llvm::InsertValueInst>(user);
    if (passes && load->getDebugLoc() && load->getDebugLoc() == user->getDebugLoc())
      load->setMetadata(kCopyMark, llvm::MDNode::get(function.getContext(), {}));
  }
}

/// Callees first; recursive ones stay calls.
Status Preparation::visit(llvm::Function& function) {
  progress_[&function] = Progress::Visited;
  take_in_checks(function, options_.checks);
  make_defined(function);
  replace_undef(function);
  start_objects(function);
  mark_coerced(function);
  std::vector<llvm::CallBase*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) calls.push_back(call);
  for (llvm::CallBase* call : calls) {
    llvm::Function* callee = called(*call);
    if (callee == nullptr || callee_of(*callee) != Callee::Defined) continue;
    if (progress_[callee] != Progress::New) continue;
    if (Status done = visit(*callee); !done) return done;
  }
  if (Status done = inline_calls(function); !done) return done;
  replace_undef(function);
  return Ok{};
}

void Preparation::promote_pointers(llvm::Function& function) {
  for (;;) {
    std::vector<llvm::AllocaInst*> pointers;
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* object = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        if (object->getAllocatedType()->isPointerTy() && llvm::isAllocaPromotable(object))
          pointers.push_back(object);
    if (pointers.empty()) return;
    promote(pointers, options_.checks.contains(CRule::Uninitialised) ? Given::Look : Given::Ignore);
  }
}

/// Whether the stack is cut back here to where it was before the object was made.
static bool frees(const llvm::Instruction& instruction, const llvm::AllocaInst& object,
                  const llvm::DominatorTree& dominators) {
  auto* restore = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (restore == nullptr || restore->getIntrinsicID() != llvm::Intrinsic::stackrestore)
    return false;
  auto* save = llvm::dyn_cast<llvm::IntrinsicInst>(restore->getArgOperand(0));
  return save != nullptr && save->getIntrinsicID() == llvm::Intrinsic::stacksave &&
         dominators.dominates(save, &object);
}

/// A local object of variable length in a loop must be gone before it is made anew.
Status Preparation::one_of_each(llvm::Function& function) {
  llvm::DominatorTree dominators(function);
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* object = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (object == nullptr || object->getParent() == &function.getEntryBlock()) continue;
    std::set<const llvm::BasicBlock*> seen;
    std::vector<const llvm::Instruction*> waiting = {object->getNextNode()};
    while (!waiting.empty()) {
      const llvm::Instruction* at = waiting.back();
      waiting.pop_back();
      const llvm::Instruction* last = at;
      for (; at != nullptr && at != object && !frees(*at, *object, dominators);
           at = at->getNextNode())
        last = at;
      if (at == object) return unsupported(*object, path_, "memory from the stack in a loop");
      if (at != nullptr) continue;
      for (const llvm::BasicBlock* next : llvm::successors(last->getParent()))
        if (seen.insert(next).second) waiting.push_back(&next->front());
    }
  }
  return Ok{};
}

/// Calls that became direct behind the inlining of their function.
Status Preparation::inline_rest(llvm::Function& main) {
  for (;;) {
    std::vector<llvm::Function*> found;
    bool recursion = false;
    for (llvm::BasicBlock* block : reachable(main))
      for (llvm::Instruction& instruction : *block)
        if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
          if (llvm::Function* callee = called(*call);
              callee && callee_of(*callee) == Callee::Defined)
            found.push_back(callee);
    for (llvm::Function* callee : found) {
      if (progress_[callee] == Progress::New) {
        recursive_.merge(recursive_functions(*callee));
        if (Status done = visit(*callee); !done) return done;
      }
      recursion = recursion || recursive_.count(callee) != 0;
    }
    if (found.empty()) return Ok{};
    if (Status done = inline_calls(main); !done) return done;
    if (recursion)
      if (Status done = unfold_recursion(main, path_); !done) return done;
    replace_undef(main);
  }
}

/// Calls through pointers, and what they call in turn.
Status Preparation::inline_indirect(llvm::Function& main) {
  static constexpr int kMostRounds = 60;
  IndirectCalls indirect(main, path_);
  for (int round = 0;; ++round) {
    promote_pointers(main);
    if (Status done = inline_rest(main); !done) return done;
    promote_pointers(main);
    Result<std::vector<llvm::CallBase*>> found = indirect.resolve();
    if (!found) return found.error();
    if (found->empty()) break;
    if (round == kMostRounds)
      return unsupported(*found->front(), path_, "recursion through pointers to functions");
  }
  indirect.finish();
  return Ok{};
}

/// Numbers that no object has as its address, (void *)1 or (void *)-1: places in one object that
/// begins at the number 0 (addresses.cpp).
static void name_numbers(llvm::Module& module) {
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

Result<llvm::Function*> Preparation::run() {
  std::string broken;
  llvm::raw_string_ostream out(broken);
  if (llvm::verifyModule(module_, &out))
    return Error{{path_}, "not valid LLVM code: " + broken.substr(0, broken.find('\n'))};
  llvm::Function* main = module_.getFunction("main");
  if (main == nullptr || main->isDeclaration()) return Error{{path_}, "no function 'main'"};
  if (Status taken = include_code_outside_main(module_, *main, path_); !taken) return taken.error();
  if (Status lowered = lower_variable_arguments(module_, path_); !lowered) return lowered.error();
  lower_models(module_);
  name_numbers(module_);
  choose_labels(module_);
  separate_literals(module_);
  drop_promises(module_);
  recursive_ = recursive_functions(*main);
  if (Status done = visit(*main); !done) return done.error();
  if (recursive_.count(main) != 0)
    if (Status done = unfold_recursion(*main, path_); !done) return done.error();
  replace_undef(*main);
  if (Status done = inline_indirect(*main); !done) return done.error();
  restore_integer_pointers(*main);
  take_aggregates_apart(*main);
  keep_union_copies(*main);
  lower_copies(*main);
  promote_pointers(*main);
  // The translator joins a block with the only one before it, without moves for its phis.
  for (llvm::BasicBlock* block : reachable(*main))
    if (block->getSinglePredecessor() != nullptr) llvm::FoldSingleEntryPHINodes(block);
  replace_undef(*main);
  split_mixed_memory(*main, path_, options_);
  if (Status done = one_of_each(*main); !done) return done.error();
  if (Status done = know_all_globals(*main, path_); !done) return done.error();
  LEM_CHECKED(!llvm::verifyModule(module_), "preparation keeps the module valid");
  return main;
}

}  // namespace

Result<llvm::Function*> prepare(llvm::Module& module, const std::string& path,
                                const COptions& options) {
  return Preparation(module, path, options).run();
}

}  // namespace lem::c
