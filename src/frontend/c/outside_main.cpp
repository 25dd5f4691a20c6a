#include "frontend/c/outside_main.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/ADT/Triple.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "base/try.h"
#include "frontend/c/place.h"

namespace lem::c {

// Refusals --------------------------------------------------------------------------------------

static Error refuse(SourcePos at, const std::string& construct) {
  return Error{std::move(at), "unsupported: " + construct};
}

static std::string quoted(const llvm::GlobalValue& global) {
  return "'" + global.getName().str() + "'";
}

/// Assembly outside of functions has no place in the module: the line that looks like it.
static SourcePos place_of_assembly(const std::string& path) {
  std::ifstream in(path);
  std::uint32_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    std::size_t at = line.find("asm");
    if (at != std::string::npos && line.find('(', at) != std::string::npos)
      return {path, number, static_cast<std::uint32_t>(at) + 1};
  }
  return {path, 0, 0};
}

static bool has_pointers(const llvm::Type& type) {
  if (type.isPointerTy()) return true;
  return llvm::any_of(type.subtypes(), [](const llvm::Type* part) { return has_pointers(*part); });
}

/// Sections whose contents the system runs or reads when it starts or ends a program.
static bool is_startup(llvm::StringRef section) {
  for (llvm::StringRef start : {".init", ".fini", ".preinit_array", ".ctors", ".dtors", ".text",
                                ".plt", ".got", ".dynamic", ".interp", ".rel", ".jcr"})
    if (section.startswith(start)) {
      llvm::StringRef rest = section.drop_front(start.size());
      bool kernel = rest.startswith(".text") || rest.startswith(".data");  // Linux' .init.text
      if (!kernel) return true;
    }
  return false;
}

static Status refuse_sections(const llvm::Module& module, const std::string& path) {
  for (const llvm::GlobalObject& global : module.global_objects()) {
    if (!global.hasSection() || global.getName().startswith("llvm.")) continue;
    bool pointers = llvm::isa<llvm::GlobalVariable>(global) && has_pointers(*global.getValueType());
    std::string section = global.getSection().str();
    if (is_startup(section) || pointers)
      return refuse(place_of(global, path), quoted(global) + " in section '" + section + "'");
  }
  return Ok{};
}

static Status refuse_unseen(const llvm::Module& module, const std::string& path) {
  if (!module.getModuleInlineAsm().empty())
    return refuse(place_of_assembly(path), "assembly outside of functions");
  for (const llvm::GlobalIFunc& chosen : module.ifuncs()) {
    auto* resolver = llvm::dyn_cast<llvm::GlobalObject>(chosen.getResolver()->stripPointerCasts());
    return refuse(resolver ? place_of(*resolver, path) : SourcePos{path},
                  "function " + quoted(chosen) + " that is chosen when the program starts (ifunc)");
  }
  for (const llvm::GlobalValue& global : module.global_values())
    if (global.getName().startswith("lemmata.") || global.getName().startswith("\01"))
      return refuse({path}, "the name " + quoted(global));
  return refuse_sections(module, path);
}

// Names -----------------------------------------------------------------------------------------

/// Replaces aliases by what they stand for. A call of reach_error stays one, whatever that is.
static void resolve_aliases(llvm::Module& module) {
  for (llvm::GlobalAlias& alias : llvm::make_early_inc_range(module.aliases())) {
    auto* type = llvm::dyn_cast<llvm::FunctionType>(alias.getValueType());
    llvm::Constant* meant = alias.getAliasee();
    if (type != nullptr && is_error_name(alias.getName())) {
      auto* error = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "", module);
      error->takeName(&alias);
      meant = error;
    }
    alias.replaceAllUsesWith(meant);
    alias.eraseFromParent();
  }
}

/// The linker makes them, and they lie in what others have another name for.
static bool is_of_linker(llvm::StringRef name) {
  if (name.startswith("__start_") || name.startswith("__stop_")) return true;
  return llvm::StringSwitch<bool>(name)
      .Cases("end", "_end", "edata", "_edata", "etext", "_etext", "__etext", true)
      .Cases("__bss_start", "__data_start", "data_start", "__executable_start", true)
      .Cases("__ehdr_start", "__dso_handle", "_DYNAMIC", "_GLOBAL_OFFSET_TABLE_", true)
      .Default(false);
}

namespace {

/// Looks for globals in operands, in what they are made of and in initial values.
class Globals {
 public:
  explicit Globals(const std::string& path) : path_(path) {}
  Status look(const llvm::User& user, const llvm::Instruction& at);

 private:
  const std::string& path_;
  std::set<const llvm::Value*> seen_;
};

Status Globals::look(const llvm::User& user, const llvm::Instruction& at) {
  for (const llvm::Value* operand : user.operands()) {
    auto* constant = llvm::dyn_cast<llvm::Constant>(operand);
    if (constant == nullptr || llvm::isa<llvm::ConstantData>(constant)) continue;
    if (!seen_.insert(constant).second) continue;
    if (auto* global = llvm::dyn_cast<llvm::GlobalValue>(constant)) {
      if (global->hasExternalWeakLinkage())
        return unsupported(at, path_, "weak symbol " + quoted(*global) + ", which is not defined");
      if (llvm::isa<llvm::GlobalVariable>(global) && global->isDeclaration() &&
          is_of_linker(global->getName()))
        return unsupported(at, path_, quoted(*global) + ", which the linker defines");
    }
    if (llvm::isa<llvm::Function>(constant)) continue;
    LEM_TRY(look(*constant, at));
  }
  return Ok{};
}

}  // namespace

Status know_all_globals(const llvm::Function& main, const std::string& path) {
  Globals globals(path);
  for (const llvm::Instruction& instruction : llvm::instructions(main))
    LEM_TRY(globals.look(instruction, instruction));
  return Ok{};
}

// Before and after main -------------------------------------------------------------------------

namespace {

struct Structor {
  std::uint64_t priority;
  llvm::Function* function;
};

/// Of llvm.global_ctors or llvm.global_dtors, in the order in which constructors run.
Result<std::vector<Structor>> structors(const llvm::Module& module, llvm::StringRef name,
                                        const std::string& path) {
  std::vector<Structor> out;
  const llvm::GlobalVariable* list = module.getNamedGlobal(name);
  if (list == nullptr || !list->hasInitializer() || list->getInitializer()->isNullValue())
    return out;
  for (const llvm::Use& entry : list->getInitializer()->operands()) {
    auto* fields = llvm::dyn_cast<llvm::ConstantStruct>(entry.get());
    auto* priority = fields ? llvm::dyn_cast<llvm::ConstantInt>(fields->getOperand(0)) : nullptr;
    auto* function =
        fields ? llvm::dyn_cast<llvm::Function>(fields->getOperand(1)->stripPointerCasts())
               : nullptr;
    if (priority == nullptr || function == nullptr)
      return refuse({path}, "entry of '" + name.str() + "' that is no function");
    bool plain = !function->isDeclaration() && function->arg_empty() && !function->isVarArg();
    if (!plain)
      return refuse(
          place_of(*function, path),
          "function " + quoted(*function) + " with arguments or without a body, " +
              (name.endswith("ctors") ? "which runs before main" : "which runs after main"));
    out.push_back({priority->getZExtValue(), function});
  }
  llvm::stable_sort(out,
                    [](const Structor& a, const Structor& b) { return a.priority < b.priority; });
  return out;
}

void call_all(const std::vector<Structor>& all, llvm::Instruction& before,
              const llvm::DebugLoc& at) {
  for (const Structor& one : all)
    llvm::CallInst::Create(one.function->getFunctionType(), one.function, "", &before)
        ->setDebugLoc(at);
}

}  // namespace

/// exit with destructors, in the place of the function that ends the run: also where it is called
/// through a pointer.
static void end_with(llvm::Module& module, const std::vector<Structor>& destructors) {
  llvm::Function* exit = module.getFunction("exit");
  if (exit == nullptr || !exit->isDeclaration() || exit->use_empty() || destructors.empty()) return;
  auto* whole = llvm::Function::Create(exit->getFunctionType(), llvm::GlobalValue::InternalLinkage,
                                       kOwnExit, module);
  exit->replaceAllUsesWith(whole);
  llvm::IRBuilder<> build(llvm::BasicBlock::Create(module.getContext(), "", whole));
  std::vector<llvm::Value*> arguments;
  for (llvm::Argument& argument : whole->args()) arguments.push_back(&argument);
  llvm::CallInst* last = build.CreateCall(exit, arguments);
  build.CreateUnreachable();
  call_all(destructors, *last, {});
}

/// A run ends by return of main or by exit; abort, _exit and a failure call no destructor.
static void call_destructors(llvm::Module& module, llvm::Function& main,
                             const std::vector<Structor>& destructors) {
  end_with(module, destructors);
  for (llvm::Instruction& end : llvm::instructions(main)) {
    if (!llvm::isa<llvm::ReturnInst>(end)) continue;
    llvm::DebugLoc at = end.getDebugLoc();
    if (!at && main.getSubprogram())
      at = llvm::DILocation::get(module.getContext(), main.getSubprogram()->getLine(), 0,
                                 main.getSubprogram());
    call_all(destructors, end, at);
  }
}

Status include_code_outside_main(llvm::Module& module, llvm::Function& main,
                                 const std::string& path) {
  LEM_TRY(refuse_unseen(module, path));
  resolve_aliases(module);
  Result<std::vector<Structor>> constructors = structors(module, "llvm.global_ctors", path);
  if (!constructors) return constructors.error();
  Result<std::vector<Structor>> destructors = structors(module, "llvm.global_dtors", path);
  if (!destructors) return destructors.error();
  std::reverse(destructors->begin(), destructors->end());
  call_destructors(module, main, *destructors);
  llvm::Instruction* first = &main.getEntryBlock().front();
  while (llvm::isa<llvm::AllocaInst>(first)) first = first->getNextNode();
  llvm::DebugLoc at;
  if (llvm::DISubprogram* function = main.getSubprogram())
    at = llvm::DILocation::get(module.getContext(), function->getLine(), 0, function);
  call_all(*constructors, *first, at);
  return Ok{};
}

// What there is ---------------------------------------------------------------------------------

std::vector<std::string> own_library_functions(const llvm::Module& module) {
  llvm::TargetLibraryInfoImpl library{llvm::Triple(module.getTargetTriple())};
  auto is_known = [&](llvm::StringRef name) {
    llvm::LibFunc known;
    if (library.getLibFunc(name, known)) return true;
    return llvm::StringSwitch<bool>(name)  // clang knows them and LLVM does not
        .Cases("abort", "exit", "_exit", "_Exit", "alloca", "index", "rindex", true)
        .Cases("longjmp", "_longjmp", "siglongjmp", "setjmp", "_setjmp", "sigsetjmp", true)
        .Cases("isalnum", "isalpha", "isblank", "iscntrl", "isgraph", "islower", "isprint", true)
        .Cases("ispunct", "isspace", "isupper", "isxdigit", "tolower", "toupper", true)
        .Cases("nan", "nanf", "nanl", "finite", "finitef", "finitel", true)
        .Cases("__finite", "__finitef", "__finitel", "vfork", "strerror", true)
        .Cases("fdim", "fma", "hypot", "ilogb", "logb", "nextafter", "remainder", true)
        .Cases("lrint", "llrint", "lround", "llround", "scalbn", "scalbln", true)
        .Default(false);
  };
  std::vector<std::string> out;
  for (const llvm::GlobalValue& global : module.global_values()) {
    bool function = llvm::isa<llvm::Function, llvm::GlobalAlias>(global);
    if (function && !global.isDeclaration() && !global.hasLocalLinkage() &&
        is_known(global.getName()))
      out.push_back(global.getName().str());
  }
  return out;
}

bool has_shift(const llvm::Module& module, const SourcePos& at) {
  for (const llvm::Function& function : module)
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const llvm::DILocation* here = instruction.getDebugLoc().get();
      if (instruction.isShift() && here != nullptr && here->getLine() == at.line &&
          here->getColumn() == at.column)
        return true;
    }
  return false;
}

bool asserts_anything(const llvm::Module& module) {
  for (const llvm::Function& function : module)
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call == nullptr) continue;
      if (is_error_loop(*call)) return true;
      const llvm::Value* callee = call->getCalledOperand()->stripPointerCastsAndAliases();
      if (llvm::isa<llvm::GlobalAlias>(call->getCalledOperand()->stripPointerCasts()) &&
          is_error_name(call->getCalledOperand()->stripPointerCasts()->getName()))
        return true;
      auto* meant = llvm::dyn_cast<llvm::Function>(callee);
      if (meant == nullptr) continue;
      Callee kind = callee_of(*meant);
      if (kind == Callee::Error || kind == Callee::Assert) return true;
    }
  return false;
}

}  // namespace lem::c
