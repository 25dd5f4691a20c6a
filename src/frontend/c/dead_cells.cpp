#include "frontend/c/dead_cells.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <set>

#include "frontend/c/copy_lowering.h"

namespace lem::c {

enum class CellUse : std::uint8_t { None, Read, Overwritten };

std::optional<ObjectId> started(const PointsTo& points_to, const llvm::Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function* callee = call == nullptr ? nullptr : called(*call);
  if (callee == nullptr || callee_of(*callee) != Callee::Fresh) return std::nullopt;
  return points_to.object_of(call->getArgOperand(call->arg_size() - 1)->stripPointerCasts());
}

static CellUse use_of(const Workspace& w, CellId cell, const llvm::Instruction& instruction,
                      Copies copies) {
  if (llvm::isa<llvm::MemIntrinsic>(instruction)) return CellUse::Read;  // perhaps
  if (started(w.points_to, instruction) == w.cells[cell].object) return CellUse::Overwritten;
  if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) return CellUse::None;
  if (w.cells.drops(instruction)) return CellUse::None;
  const Access& access = w.cells.of(instruction);
  bool touches = std::any_of(access.places.begin(), access.places.end(), [&](const Place& at) {
    return std::find(at.cells.begin(), at.cells.end(), cell) != at.cells.end();
  });
  if (!touches) return CellUse::None;
  auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  if (store == nullptr) return CellUse::Read;
  auto* copied = llvm::dyn_cast<llvm::LoadInst>(store->getValueOperand());
  if (copied && copied->hasMetadata(kCopyMark) && copies == Copies::Keep) return CellUse::None;
  return access.plain ? CellUse::Overwritten : CellUse::None;
}

bool overwritten_unread(const Workspace& w, CellId cell, const llvm::Instruction& from,
                        Copies copies) {
  static constexpr std::size_t kMostBlocks = 100;
  std::set<const llvm::BasicBlock*> seen;
  std::vector<const llvm::Instruction*> waiting = {from.getNextNode()};
  while (!waiting.empty()) {
    const llvm::Instruction* at = waiting.back();
    waiting.pop_back();
    const llvm::BasicBlock* block = at->getParent();
    CellUse use = CellUse::None;
    for (; at != nullptr && use == CellUse::None; at = at->getNextNode())
      use = use_of(w, cell, *at, copies);
    if (use == CellUse::Read || seen.size() > kMostBlocks) return false;
    if (use == CellUse::Overwritten) continue;
    for (const llvm::BasicBlock* next : llvm::successors(block))
      if (seen.insert(next).second) waiting.push_back(&next->front());
  }
  return true;
}

}  // namespace lem::c
