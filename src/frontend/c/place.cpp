#include "frontend/c/place.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <filesystem>
#include <set>

#include "ctext/entry_calls.h"

namespace lem::c {

/// The first file has the name that the user gave; others, and headers, the name that the compiler
/// uses. Code without an own file is that of `function`. Where a module has one unit (also one that
/// was compiled elsewhere, as bitcode) that is the first file; of several linked files the unit is
/// compared with it.
static std::string file_of(const llvm::DIScope* scope, const llvm::Function& function,
                           const std::string& path) {
  if (scope == nullptr || scope->getFilename().empty()) return path;
  const llvm::DISubprogram* known = function.getSubprogram();
  const llvm::DICompileUnit* unit = known == nullptr ? nullptr : known->getUnit();
  const llvm::NamedMDNode* units = function.getParent()->getNamedMetadata("llvm.dbg.cu");
  bool only = units == nullptr || units->getNumOperands() == 1;
  llvm::StringRef name = scope->getFilename();
  if (only && unit != nullptr && name == unit->getFilename()) return path;
  namespace fs = std::filesystem;  // clang may shorten the name, from where it ran
  std::error_code unknown;
  fs::path full = fs::path(scope->getDirectory().str()) / name.str();
  auto plain = [&](const fs::path& one) { return fs::weakly_canonical(one, unknown); };
  bool same = full.lexically_normal() == fs::absolute(path, unknown).lexically_normal() ||
              plain(full) == plain(path);
  return same ? path : name.str();
}

/// An instruction without a line gets that of the next one that has one, else of the one before.
static const llvm::DILocation* near(const llvm::Instruction& instruction) {
  const llvm::DILocation* before = nullptr;
  bool passed = false;
  for (const llvm::Instruction& other : *instruction.getParent()) {
    passed = passed || &other == &instruction;
    const llvm::DILocation* at = other.getDebugLoc().get();
    if (at == nullptr || at->getLine() == 0) continue;
    if (passed) return at;
    before = at;
  }
  return before;
}

SourcePos place_of(const llvm::DILocation& at, const llvm::Function& main,
                   const std::string& path) {
  return {file_of(at.getScope(), main, path), at.getLine(), at.getColumn()};
}

SourcePos place_of(const llvm::Instruction& instruction, const std::string& path) {
  if (const llvm::DILocation* at = near(instruction))
    return place_of(*at, *instruction.getFunction(), path);
  if (const llvm::DISubprogram* function = instruction.getFunction()->getSubprogram())
    return {file_of(function, *instruction.getFunction(), path), function->getLine(), 0};
  return {path, 0, 0};
}

SourcePos place_of(const llvm::GlobalObject& global, const std::string& path) {
  if (auto* function = llvm::dyn_cast<llvm::Function>(&global)) {
    const llvm::DISubprogram* found = function->getSubprogram();
    return found ? SourcePos{file_of(found, *function, path), found->getLine(), 0}
                 : SourcePos{path};
  }
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> found;
  if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&global)) variable->getDebugInfo(found);
  const llvm::Function* main = global.getParent()->getFunction("main");  // for its module
  if (found.empty() || main == nullptr) return {path};
  const llvm::DIGlobalVariable* variable = found.front()->getVariable();
  return {file_of(variable->getFile(), *main, path), variable->getLine(), 0};
}

std::uint32_t line_of(const llvm::Instruction& instruction) {
  const llvm::DILocation* at = instruction.getDebugLoc().get();
  return at == nullptr ? 0 : at->getLine();
}

Error unsupported(const llvm::Instruction& instruction, const std::string& path,
                  const std::string& construct) {
  return Error{place_of(instruction, path), "unsupported: " + construct};
}

bool is_error_name(llvm::StringRef name) {
  return name == "reach_error" || name == "__VERIFIER_error";
}

bool is_error_loop(const llvm::CallBase& call) {
  auto* label = llvm::dyn_cast<llvm::DbgLabelInst>(&call);
  if (label == nullptr || label->getLabel()->getName() != "ERROR") return false;
  const llvm::BasicBlock* block = call.getParent();
  return block->getFirstNonPHIOrDbg() == block->getTerminator() &&
         block->getUniqueSuccessor() == block;
}

Callee callee_of(const llvm::Function& function) {
  llvm::StringRef name = function.getName();
  if (is_error_name(name)) return Callee::Error;
  if (!function.isDeclaration()) return Callee::Defined;
  if (name.startswith("lemmata.fails.")) return Callee::Fails;
  if (name.startswith(kOwnNondet) || is_input(function)) return Callee::Nondet;
  switch (function.getIntrinsicID()) {
    case llvm::Intrinsic::lifetime_start:
      return Callee::Fresh;
    case llvm::Intrinsic::expect:
      return Callee::First;
    case llvm::Intrinsic::lifetime_end:
    case llvm::Intrinsic::dbg_declare:
    case llvm::Intrinsic::dbg_value:
    case llvm::Intrinsic::dbg_label:
    case llvm::Intrinsic::assume:  // weaker is sound
    case llvm::Intrinsic::experimental_noalias_scope_decl:
    case llvm::Intrinsic::stacksave:
    case llvm::Intrinsic::stackrestore:
      return Callee::Nothing;
    default:
      break;
  }
  return llvm::StringSwitch<Callee>(name)
      .Cases("__assert_fail", "__assert", "__assert_perror_fail", "__assert_rtn", Callee::Error)
      .Cases("abort", "exit", "_exit", "_Exit", Callee::Exit)
      .Cases("__builtin_trap", "llvm.trap", Callee::Exit)
      .Cases("__VERIFIER_assume", kOwnAssume, Callee::Assume)
      .Case(kOwnFresh, Callee::Fresh)
      .Cases("__VERIFIER_assert", "assert", Callee::Assert)
      .Case("sassert", Callee::Assert)  // this and below: Dagger, InvGen and code2inv
      .Case("assume", Callee::Assume)
      .Cases("__CPROVER_assert", "__ESBMC_assert", Callee::Assert)  // CBMC and ESBMC
      .Cases("__CPROVER_assume", "__ESBMC_assume", Callee::Assume)
      .Case("tmpl", Callee::Printing)  // a hint for InvGen
      .Cases("printf", "puts", "putchar", Callee::Printing)
      .Cases("vprintf", "vfprintf", Callee::Printing)
      .Cases("fprintf", "fputs", "fputc", "putc", "fflush", "perror", Callee::Printing)
      .Case("malloc", Callee::Allocate)
      .Case(ctext::kEntryObject, Callee::Object)
      .Case(ctext::kEntryShrink, Callee::Shrink)
      .Case("calloc", Callee::AllocateZero)
      .Case("free", Callee::Nothing)
      .Case("lemmata_resize", Callee::Resize)
      .Default(Callee::Undefined);
}

llvm::Function* called(const llvm::CallBase& call) {
  return llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
}

std::vector<llvm::BasicBlock*> reachable(llvm::Function& function) {
  std::vector<llvm::BasicBlock*> out = {&function.getEntryBlock()};
  std::set<const llvm::BasicBlock*> seen = {out[0]};
  for (std::size_t i = 0; i < out.size(); ++i)
    for (llvm::BasicBlock* next : llvm::successors(out[i]))
      if (seen.insert(next).second) out.push_back(next);
  return out;
}

std::string origin(const llvm::Value& pointer) {
  if (llvm::isa<llvm::Argument>(pointer)) return "arguments of main";
  if (llvm::isa<llvm::GlobalVariable>(pointer)) return "pointer that is defined elsewhere";
  if (llvm::isa<llvm::MemIntrinsic>(pointer)) return "pointer made from bytes";
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(&pointer)) {
    const llvm::Function* callee = called(*call);
    if (callee == nullptr) return "indirect call";
    return "call of '" + callee->getName().str() + "'";
  }
  return "pointer made from a number";
}

bool is_input(const llvm::Function& function) {
  llvm::StringRef name = function.getName();
  if (!function.isDeclaration()) return false;
  return name.startswith(kNondet) || name.startswith("nondet_") ||
         (name.consume_front("unknown") &&
          name.find_first_not_of("0123456789") == llvm::StringRef::npos);
}

bool in_assumption(const llvm::Instruction& instruction) {
  for (const llvm::DILocation* at = instruction.getDebugLoc().get(); at != nullptr;
       at = at->getInlinedAt())
    if (at->getScope()->getFilename() == kAssumeFile) return true;
  return false;
}

CSign nondet_sign(llvm::StringRef name) {
  if (!name.consume_front(kNondet) && !name.consume_front("nondet_")) return CSign::Signed;
  bool is_unsigned = name.startswith("u") || name == "size_t" || name == "bool" || name == "_Bool";
  return is_unsigned ? CSign::Unsigned : CSign::Signed;
}

}  // namespace lem::c
