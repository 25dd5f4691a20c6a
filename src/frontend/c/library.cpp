// Tests: tests/unit/frontend/c/library_test.cpp, tests/cli/c_library_test.py
#include "frontend/c/library.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <set>

#include "base/try.h"
#include "frontend/c/environment.h"
#include "frontend/c/floats.h"
#include "frontend/c/output.h"
#include "frontend/c/place.h"

namespace lem::c {

static constexpr llvm::StringLiteral kOneResult = "lemmata_one_";  // see libc/any.c
static constexpr llvm::StringLiteral kRunHandlers = "lemmata_run_handlers";

// Calls -----------------------------------------------------------------------------------------

std::vector<llvm::CallBase*> calls_of(llvm::Module& module, llvm::StringRef name) {
  std::vector<llvm::CallBase*> out;
  llvm::Function* function = module.getFunction(name);
  if (function == nullptr || !function->isDeclaration()) return out;
  for (llvm::User* user : function->users())
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(user))
      if (call->getCalledOperand() == function) out.push_back(call);
  return out;
}

static bool is_used(const llvm::Module& module, llvm::StringRef name) {
  const llvm::Function* function = module.getFunction(name);
  return function != nullptr && function->isDeclaration() && !function->use_empty();
}

void call_instead(llvm::CallBase& call, const std::string& name) {
  llvm::Module& module = *call.getModule();
  call.setCalledFunction(module.getOrInsertFunction(name, call.getFunctionType()));
}

bool take_address_of_model(llvm::Module& module, llvm::StringRef name) {
  llvm::Function* function = module.getFunction(name);
  if (function == nullptr || !function->isDeclaration()) return false;
  auto is_pointer = [](const llvm::Use& use) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    return call == nullptr || !call->isCallee(&use);
  };
  if (llvm::none_of(function->uses(), is_pointer)) return false;
  llvm::FunctionCallee model =
      module.getOrInsertFunction((kModel + name).str(), function->getFunctionType());
  function->replaceUsesWithIf(model.getCallee(), [&](llvm::Use& use) { return is_pointer(use); });
  return true;
}

std::vector<llvm::Function*> undefined_functions(llvm::Module& module) {
  std::vector<llvm::Function*> out;
  for (llvm::Function& function : module)
    if (function.isDeclaration() && !function.isIntrinsic() && !function.use_empty() &&
        callee_of(function) == Callee::Undefined && !float_function(function.getName()))
      out.push_back(&function);
  return out;
}

// Results of which one stands for all -----------------------------------------------------------

/// Whether the program sees no more of the result than whether it is 0, or its sign where that is
/// defined.
static bool asks_for_defined(const llvm::CallBase& call, llvm::StringRef name) {
  bool has_sign = name != "bcmp" && !name.startswith("is");
  return llvm::all_of(call.users(), [&](const llvm::User* user) {
    auto* compare = llvm::dyn_cast<llvm::ICmpInst>(user);
    auto* other = compare ? llvm::dyn_cast<llvm::Constant>(compare->getOperand(1)) : nullptr;
    return other != nullptr && other->isNullValue() &&
           (compare->isEquality() || (has_sign && compare->isSigned()));
  });
}

/// A function that writes to its own variables alone and calls nothing that could do more: how
/// often it is called, and in which order, cannot be seen.
static bool has_no_effects(const llvm::Function& function,
                           std::set<const llvm::Function*>& visited) {
  if (!visited.insert(&function).second) return true;
  if (function.isDeclaration()) return function.isIntrinsic();
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      bool own =
          llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(store->getPointerOperand(), 0));
      if (!own || store->isVolatile()) return false;
    } else if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      const llvm::Function* callee = called(*call);
      bool marks = llvm::isa<llvm::DbgInfoIntrinsic>(instruction) ||
                   (callee != nullptr && callee->isIntrinsic() && call->getType()->isVoidTy() &&
                    !llvm::isa<llvm::MemIntrinsic>(instruction));
      if (marks) continue;
      if (callee == nullptr || callee->isIntrinsic() || !has_no_effects(*callee, visited))
        return false;
    } else if (instruction.isVolatile() || instruction.isAtomic()) {
      return false;
    }
  }
  return true;
}

/// A check inside of the comparison fails for the elements that it is called with.
static bool compares_unseen(const llvm::CallBase& call, const COptions& options) {
  if (!options.checks.empty() || call.arg_empty()) return false;
  const llvm::Value* last = call.getArgOperand(call.arg_size() - 1)->stripPointerCasts();
  auto* compare = llvm::dyn_cast<llvm::Function>(last);
  std::set<const llvm::Function*> visited;
  return compare != nullptr && has_no_effects(*compare, visited);
}

static void take_one_result(llvm::Module& module, const llvm::Module& models,
                            const COptions& options) {
  for (llvm::Function* function : undefined_functions(module)) {
    std::string name = (kOneResult + function->getName()).str();
    if (models.getFunction(name) == nullptr) continue;
    bool sorts = function->getName() == "qsort" || function->getName() == "bsearch";
    for (llvm::CallBase* call : calls_of(module, function->getName()))
      if (sorts ? compares_unseen(*call, options) : asks_for_defined(*call, function->getName()))
        call_instead(*call, name);
  }
}

// Functions that the front end knows itself -----------------------------------------------------

/// Sizes of 0 and sizes that no object has, where they may occur.
static bool open_sizes(llvm::Module& module) {
  bool changed = false;
  for (const char* name : {"malloc", "calloc"}) {
    changed = take_address_of_model(module, name) || changed;
    for (llvm::CallBase* call : calls_of(module, name)) {
      bool plain = true;
      unsigned bits = 0;
      for (const llvm::Use& use : call->args()) {
        auto* size = llvm::dyn_cast<llvm::ConstantInt>(use);
        plain = plain && size != nullptr && !size->isZero();
        if (size != nullptr) bits += size->getValue().getActiveBits();
      }
      if (plain && bits < module.getDataLayout().getPointerSizeInBits()) continue;
      call_instead(*call, (kModel + name).str());
      changed = true;
    }
  }
  return changed;
}

/// What calls of <math.h> do to errno (libc/math.c).
static bool watch_mathematics(llvm::Module& module, bool errno_read) {
  bool changed = false;
  for (const char* name : {"sqrt", "sqrtf", "sqrtl"}) {
    if (!errno_read) continue;
    changed = take_address_of_model(module, name) || changed;
    for (llvm::CallBase* call : calls_of(module, name)) {
      call_instead(*call, (kModel + name).str());
      changed = true;
    }
  }
  return changed;
}

/// Handlers run as a destructor that is the first of all.
static void run_handlers_at_exit(llvm::Module& module) {
  if (!is_used(module, "atexit")) return;
  llvm::Type* none = llvm::Type::getVoidTy(module.getContext());
  auto* run =
      llvm::cast<llvm::Function>(module.getOrInsertFunction(kRunHandlers, none).getCallee());
  llvm::appendToGlobalDtors(module, run, 65535);
}

// Models ----------------------------------------------------------------------------------------

/// Whether a run may see a sequence of pseudo-random numbers twice.
static bool seeds_repeat(llvm::Module& module) {
  std::vector<llvm::User*> users;
  for (const char* name : {"srand", "srandom"})
    if (is_used(module, name)) llvm::append_range(users, module.getFunction(name)->users());
  if (users.empty()) return false;
  auto* call = llvm::dyn_cast<llvm::CallBase>(users[0]);
  if (users.size() > 1 || call == nullptr || call->arg_size() != 1) return true;
  if (auto* seed = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0)); seed && seed->isOne())
    return true;  // the seed that programs start with
  if (call->getFunction()->getName() != "main") return true;
  for (auto it = llvm::scc_begin(call->getFunction()); !it.isAtEnd(); ++it)
    if (it.hasCycle() && llvm::is_contained(*it, call->getParent())) return true;
  return false;
}

static std::vector<std::string> macros(llvm::Module& module, const COptions& options,
                                       bool errno_read) {
  std::vector<std::string> out;
  if (errno_read) out.emplace_back("LEMMATA_ERRNO");
  if (seeds_repeat(module)) out.emplace_back("LEMMATA_SEEDS");
  if (looks_at_memory(options.checks)) out.emplace_back("LEMMATA_CHECK_MEMORY");
  if (options.checks.contains(CRule::Bounds)) out.emplace_back("LEMMATA_CHECK_BOUNDS");
  if (options.checks.contains(CRule::Division)) out.emplace_back("LEMMATA_CHECK_DIVISION");
  if (options.checks.contains(CRule::Overflow)) out.emplace_back("LEMMATA_CHECK_OVERFLOW");
  return out;
}

static Result<std::unique_ptr<llvm::Module>> models_for(llvm::Module& module,
                                                        const COptions& options,
                                                        const std::vector<std::string>& defines,
                                                        const std::stop_token& stop) {
  COptions same = options;
  same.pointer_bits = module.getDataLayout().getPointerSizeInBits();
  Result<std::string> bitcode = compile_models(same, defines, stop);
  if (!bitcode) return bitcode.error();
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> models =
      llvm::parseIR(llvm::MemoryBufferRef(*bitcode, "libc"), problem, module.getContext());
  if (models == nullptr) return Error{{}, "the models of the C library are no code"};
  models->setDataLayout(module.getDataLayout());
  models->setTargetTriple(module.getTargetTriple());
  return models;
}

/// See libc/stdlib.c.
static bool has_model(const llvm::Function& function, const COptions& options) {
  return function.getName() != "realloc" || !looks_at_memory(options.checks);
}

/// Only what the program calls keeps its name. Whatever else the program defines under the name of
/// a library function is none to the models; what they need of it is refused where it is reached.
static Status separate(const llvm::Module& program, llvm::Module& models,
                       const std::set<std::string>& wanted) {
  for (llvm::Function& model : models) {
    const llvm::Function* own = program.getFunction(model.getName());
    bool defined = own != nullptr && !own->isDeclaration() && !own->hasLocalLinkage();
    if (defined && model.getName().startswith(kModel))
      return Error{{}, "unsupported: the name '" + model.getName().str() + "'"};
    if (!model.isDeclaration() && wanted.count(model.getName().str()) == 0)
      model.setLinkage(llvm::GlobalValue::InternalLinkage);
    if (model.isDeclaration() && defined && !model.isIntrinsic())
      model.setName(model.getName() + " of the library");
  }
  return Ok{};
}

static std::set<std::string> models_wanted(llvm::Module& module, llvm::Module& models,
                                           const COptions& options) {
  std::set<std::string> out;
  for (const llvm::Function* function : undefined_functions(module)) {
    llvm::Function* model = models.getFunction(function->getName());
    if (model == nullptr || model->isDeclaration()) continue;
    if (!has_model(*function, options)) {
      model->deleteBody();
      continue;
    }
    // Declared otherwise than by the library's header: it is another function.
    if (model->getFunctionType() != function->getFunctionType() &&
        model->arg_size() != function->arg_size())
      continue;
    out.insert(function->getName().str());
  }
  return out;
}

void lower_models(llvm::Module& module) {
  for (llvm::CallBase* call : calls_of(module, (kModel + "copy").str())) {
    llvm::IRBuilder<> build(call);
    build.CreateMemCpy(call->getArgOperand(0), {}, call->getArgOperand(1), {},
                       call->getArgOperand(2));
    call->eraseFromParent();
  }
}

Result<bool> link_models(llvm::Module& module, const COptions& options,
                         const std::stop_token& stop) {
  bool errno_read = is_used(module, "__errno_location");
  bool changed = open_sizes(module);
  changed = watch_output(module, options, errno_read) || changed;
  changed = watch_mathematics(module, errno_read) || changed;
  run_handlers_at_exit(module);
  if (undefined_functions(module).empty()) return changed;
  Result<std::unique_ptr<llvm::Module>> models =
      models_for(module, options, macros(module, options, errno_read), stop);
  if (!models) return models.error();
  take_one_result(module, **models, options);
  std::set<std::string> wanted = models_wanted(module, **models, options);
  if (wanted.empty()) return changed;
  LEM_TRY(separate(module, **models, wanted));
  std::set<const llvm::Function*> before;
  for (const llvm::Function& function : module)
    if (!function.isDeclaration()) before.insert(&function);
  if (llvm::Linker::linkModules(module, *std::move(models), llvm::Linker::LinkOnlyNeeded))
    return Error{{}, "the models of the C library do not fit the program"};
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && before.count(&function) == 0)
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  return true;
}

}  // namespace lem::c
