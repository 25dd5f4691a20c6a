#include "frontend/c/lifetimes.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <map>
#include <vector>

namespace lem::c {

static bool has_start(const llvm::Value& pointer) {
  for (const llvm::User* user : pointer.users()) {
    auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(user);
    if (call && call->getIntrinsicID() == llvm::Intrinsic::lifetime_start) return true;
    if (llvm::isa<llvm::BitCastInst>(user) && has_start(*user)) return true;
  }
  return false;
}

static std::vector<const llvm::DIScope*> around(const llvm::DIScope* scope) {
  std::vector<const llvm::DIScope*> out;
  for (; scope != nullptr && !llvm::isa<llvm::DIFile>(scope); scope = scope->getScope())
    out.push_back(scope);
  return out;
}

static bool is_inside(const llvm::DILocation& at, const llvm::DIScope& block) {
  for (const llvm::DIScope* scope : around(at.getScope()))
    if (scope == &block) return true;
  return false;
}

/// The innermost block that contains both; the file, null, if none does.
static const llvm::DIScope* common(const llvm::DIScope* a, const llvm::DIScope* b) {
  std::vector<const llvm::DIScope*> other = around(b);
  for (const llvm::DIScope* scope : around(a))
    if (std::find(other.begin(), other.end(), scope) != other.end()) return scope;
  return nullptr;
}

/// The block of a local: as it is declared, or, of a declaration that control never comes to and
/// that clang does not describe, the smallest one with all uses. That may be too small; then there
/// are more ways into it than there should be, and the variable has any value more often.
static const llvm::DIScope* block_of(llvm::AllocaInst& local) {
  llvm::TinyPtrVector<llvm::DbgVariableIntrinsic*> declared = llvm::FindDbgAddrUses(&local);
  if (!declared.empty()) return declared.front()->getVariable()->getScope();
  const llvm::DIScope* out = nullptr;
  for (const llvm::User* user : local.users()) {
    const llvm::DILocation* at = llvm::cast<llvm::Instruction>(user)->getDebugLoc().get();
    if (at == nullptr) return nullptr;
    out = out == nullptr ? at->getScope() : common(out, at->getScope());
    if (out == nullptr) return nullptr;
  }
  return out;
}

namespace {

/// The ways into one block of the program.
class Entries {
 public:
  Entries(llvm::Function& function, const llvm::DIScope& block)
      : function_(function), block_(block) {}
  /// The first instructions inside.
  std::vector<llvm::Instruction*> find();

 private:
  struct Before {
    bool inside = false, outside = false;  // where control may come from
    friend bool operator==(const Before&, const Before&) = default;
  };
  Before through(llvm::BasicBlock& part, Before before, std::vector<llvm::Instruction*>* found);

  llvm::Function& function_;
  const llvm::DIScope& block_;
};

/// Instructions without a place are where the one before them is.
Entries::Before Entries::through(llvm::BasicBlock& part, Before before,
                                 std::vector<llvm::Instruction*>* found) {
  for (llvm::Instruction& instruction : part) {
    const llvm::DILocation* at = instruction.getDebugLoc().get();
    if (at == nullptr || llvm::isa<llvm::PHINode>(instruction)) continue;
    bool inside = is_inside(*at, block_);
    if (inside && before.outside && found != nullptr) found->push_back(&instruction);
    before = {inside, !inside};
  }
  return before;
}

std::vector<llvm::Instruction*> Entries::find() {
  std::map<llvm::BasicBlock*, Before> starts;
  starts[&function_.getEntryBlock()].outside = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::BasicBlock& part : function_) {
      Before end = through(part, starts[&part], nullptr);
      for (llvm::BasicBlock* next : llvm::successors(&part)) {
        Before& there = starts[next];
        Before both{there.inside || end.inside, there.outside || end.outside};
        changed = changed || !(both == there);
        there = both;
      }
    }
  }
  std::vector<llvm::Instruction*> found;
  for (llvm::BasicBlock& part : function_) through(part, starts[&part], &found);
  return found;
}

}  // namespace

static void mark(llvm::AllocaInst& local, llvm::Instruction& before) {
  const llvm::DataLayout& layout = local.getModule()->getDataLayout();
  llvm::IRBuilder<> build(&before);
  build.CreateLifetimeStart(
      &local, build.getInt64(layout.getTypeAllocSize(local.getAllocatedType()).getFixedSize()));
}

/// Whether there are jumps that may go past a declaration.
static bool has_jumps(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (llvm::isa<llvm::DbgLabelInst, llvm::SwitchInst>(instruction)) return true;
  return false;
}

static bool mark_lifetimes(llvm::Function& function) {
  if (!has_jumps(function)) return false;
  std::vector<llvm::AllocaInst*> locals;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* local = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      if (local->isStaticAlloca() && !local->use_empty() && !has_start(*local))
        locals.push_back(local);
  bool any = false;
  for (llvm::AllocaInst* local : locals) {
    const llvm::DIScope* block = block_of(*local);
    if (block == nullptr) continue;
    std::vector<llvm::Instruction*> places;
    if (!llvm::isa<llvm::DISubprogram>(block)) places = Entries(function, *block).find();
    for (llvm::DbgVariableIntrinsic* declared : llvm::FindDbgAddrUses(local))
      if (!declared->getVariable()->isParameter()) places.push_back(declared->getNextNode());
    for (llvm::Instruction* at : places) mark(*local, *at);
    any = any || !places.empty();
  }
  return any;
}

bool mark_lifetimes(llvm::Module& module) {
  bool any = false;
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && function.getSubprogram() != nullptr)
      any = mark_lifetimes(function) || any;
  return any;
}

}  // namespace lem::c
