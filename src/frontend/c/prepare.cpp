#include "frontend/c/prepare.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <map>
#include <set>
#include <variant>
#include <vector>

#include "base/try.h"
#include "frontend/c/aggregates.h"
#include "frontend/c/bytes.h"
#include "frontend/c/checks.h"
#include "frontend/c/copy_lowering.h"
#include "frontend/c/explicit.h"
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
  /// What a pass works on: the module, main, or more than that.
  using OnModule = void (*)(llvm::Module&);
  using OnMain = void (*)(llvm::Function&);
  using Step = Status (Preparation::*)();
  using Pass = std::variant<OnModule, OnMain, Step>;
  static const Pass kPasses[];

  Status find_main();
  Status include_outside();
  Status lower_variable();
  Status inline_all();
  Status inline_indirect();
  Status promote_pointers();
  Status split_mixed();
  Status one_of_each();
  Status know_globals();

  enum class Progress : std::uint8_t { New, Visited };
  Status visit(llvm::Function& function);
  Status inline_calls(llvm::Function& function);
  Status inline_rest();
  Status fit_types(llvm::CallBase& call, llvm::Function& callee);

  llvm::Module& module_;
  const std::string& path_;
  const COptions& options_;
  llvm::Function* main_ = nullptr;
  std::map<const llvm::Function*, Progress> progress_;
  std::set<const llvm::Function*> recursive_;
};

/// The translator joins a block with the only one before it, without moves for its phis.
void fold_single_phis(llvm::Function& main) {
  for (llvm::BasicBlock* block : reachable(main))
    if (block->getSinglePredecessor() != nullptr) llvm::FoldSingleEntryPHINodes(block);
}

/// In this order, each with its reason.
const Preparation::Pass Preparation::kPasses[] = {
    &Preparation::find_main,         // damaged code would make LLVM crash below
    &Preparation::include_outside,   // constructors, destructors and aliases belong to the program
    &Preparation::lower_variable,    // while calls have their arguments; inlining drops the rest
    lower_models,                    // the automaton needs no names for what models call
    name_numbers,                    // the points-to analysis knows objects, not numbers
    choose_labels,                   // the automaton has no computed goto
    separate_literals,               // while each use is one; inlining makes several of one
    drop_promises,                   // attributes may be wrong, and LLVM relies on them
    &Preparation::inline_all,        // the automaton has no calls; makes functions explicit first
    replace_undef,                   // unfolding recursion makes undef where no value is
    &Preparation::inline_indirect,   // calls through pointers become choices
    restore_integer_pointers,        // a pointer that is a number for a while keeps its object
    take_aggregates_apart,           // values are scalars in the automaton
    keep_union_copies,               // before copies are split: they move numbers and addresses
    lower_copies,                    // memory is cells, one for each scalar
    &Preparation::promote_pointers,  // copies of pointers have become loads and stores
    fold_single_phis,                // chains of blocks have no moves inside
    replace_undef,                   // promotion makes undef where a path writes nothing
    &Preparation::split_mixed,       // a cell has one type; others are joined from bytes
    &Preparation::one_of_each,       // refuses locals with several instances
    &Preparation::know_globals,      // refuses symbols that the linker defines
};

Result<llvm::Function*> Preparation::run() {
  for (const Pass& pass : kPasses) {
    if (auto* step = std::get_if<Step>(&pass)) LEM_TRY((this->**step)());
    if (auto* on_module = std::get_if<OnModule>(&pass)) (*on_module)(module_);
    if (auto* on_main = std::get_if<OnMain>(&pass)) (*on_main)(*main_);
  }
  LEM_CHECKED(!llvm::verifyModule(module_), "preparation keeps the module valid");
  return main_;
}

Status Preparation::find_main() {
  std::string broken;
  llvm::raw_string_ostream out(broken);
  if (llvm::verifyModule(module_, &out))
    return Error{{path_}, "not valid LLVM code: " + broken.substr(0, broken.find('\n'))};
  main_ = module_.getFunction("main");
  if (main_ == nullptr || main_->isDeclaration()) return Error{{path_}, "no function 'main'"};
  return Ok{};
}

Status Preparation::include_outside() {
  return include_code_outside_main(module_, *main_, path_);
}

Status Preparation::lower_variable() {
  return lower_variable_arguments(module_, path_);
}

Status Preparation::split_mixed() {
  split_mixed_memory(*main_, path_, options_);
  return Ok{};
}

Status Preparation::know_globals() {
  return know_all_globals(*main_, path_);
}

// Inlining --------------------------------------------------------------------------------------

Status Preparation::inline_all() {
  recursive_ = recursive_functions(*main_);
  LEM_TRY(visit(*main_));
  return recursive_.count(main_) != 0 ? unfold_recursion(*main_, path_) : Status(Ok{});
}

/// Callees first; recursive ones stay calls.
Status Preparation::visit(llvm::Function& function) {
  progress_[&function] = Progress::Visited;
  take_in_checks(function, options_.checks);  // first: the others would change clang's checks
  make_defined(function);
  replace_undef(function);
  start_objects(function);
  mark_coerced(function);
  for (llvm::CallBase* call : defined_calls(function))
    if (llvm::Function& callee = *called(*call); progress_[&callee] == Progress::New)
      LEM_TRY(visit(callee));
  LEM_TRY(inline_calls(function));
  replace_undef(function);  // inlining makes undef of results that do not return
  return Ok{};
}

Status Preparation::inline_calls(llvm::Function& function) {
  for (llvm::CallBase* call : defined_calls(function)) {
    llvm::Function& callee = *called(*call);
    if (recursive_.count(&callee) != 0) continue;
    if (callee.isVarArg())
      return unsupported(*call, path_, "variable arguments of '" + callee.getName().str() + "'");
    LEM_TRY(fit_types(*call, callee));
    if (function.getInstructionCount() + callee.getInstructionCount() > kMostInstructions)
      return unsupported(*call, path_, "more than 200000 instructions after inlining");
    inline_call(*call);
  }
  return Ok{};
}

Status Preparation::fit_types(llvm::CallBase& call, llvm::Function& callee) {
  if (call.getFunctionType() == callee.getFunctionType()) {
    call.setCalledFunction(&callee);  // not through a cast
    return Ok{};
  }
  llvm::FunctionType* type = callee.getFunctionType();
  bool fits = !type->isVarArg() && type->getNumParams() == call.arg_size() &&
              type->getReturnType() == call.getType();  // also of a result that is ignored
  for (unsigned i = 0; fits && i < call.arg_size(); ++i)
    fits = type->getParamType(i) == call.getArgOperand(i)->getType();
  if (!fits)
    return unsupported(call, path_,
                       "call of '" + callee.getName().str() + "' with other types than it has");
  call.setCalledFunction(&callee);
  return Ok{};
}

/// Calls that became direct behind the inlining of their function.
Status Preparation::inline_rest() {
  for (;;) {
    std::vector<llvm::Function*> found;
    bool recursion = false;
    for (llvm::BasicBlock* block : reachable(*main_))
      for (llvm::Instruction& instruction : *block)
        if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
          if (llvm::Function* callee = called(*call);
              callee && callee_of(*callee) == Callee::Defined)
            found.push_back(callee);
    for (llvm::Function* callee : found) {
      if (progress_[callee] == Progress::New) {
        recursive_.merge(recursive_functions(*callee));
        LEM_TRY(visit(*callee));
      }
      recursion = recursion || recursive_.count(callee) != 0;
    }
    if (found.empty()) return Ok{};
    LEM_TRY(inline_calls(*main_));
    if (recursion) LEM_TRY(unfold_recursion(*main_, path_));
    replace_undef(*main_);
  }
}

/// Calls through pointers, and what they call in turn.
Status Preparation::inline_indirect() {
  static constexpr int kMostRounds = 60;
  IndirectCalls indirect(*main_, path_);
  for (int round = 0;; ++round) {
    LEM_TRY(promote_pointers());
    LEM_TRY(inline_rest());
    LEM_TRY(promote_pointers());
    LEM_LET(std::vector<llvm::CallBase*> found, indirect.resolve());
    if (found.empty()) break;
    if (round == kMostRounds)
      return unsupported(*found.front(), path_, "recursion through pointers to functions");
  }
  indirect.finish();
  return Ok{};
}

// Memory ----------------------------------------------------------------------------------------

Status Preparation::promote_pointers() {
  for (;;) {
    std::vector<llvm::AllocaInst*> pointers;
    for (llvm::Instruction& instruction : llvm::instructions(*main_))
      if (auto* object = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        if (object->getAllocatedType()->isPointerTy() && llvm::isAllocaPromotable(object))
          pointers.push_back(object);
    if (pointers.empty()) return Ok{};
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
Status Preparation::one_of_each() {
  llvm::DominatorTree dominators(*main_);
  for (llvm::Instruction& instruction : llvm::instructions(*main_)) {
    auto* object = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (object == nullptr || object->getParent() == &main_->getEntryBlock()) continue;
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

}  // namespace

Result<llvm::Function*> prepare(llvm::Module& module, const std::string& path,
                                const COptions& options) {
  return Preparation(module, path, options).run();
}

}  // namespace lem::c
