#include "frontend/c/bytes.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <set>
#include <vector>

#include "frontend/c/cells.h"
#include "frontend/c/copy_lowering.h"
#include "frontend/c/floats.h"
#include "frontend/c/place.h"
#include "frontend/c/points_to.h"

namespace lem::c {

namespace {

/// Whole bytes that make a number: not addresses, and not the ten bytes of a long double.
bool has_bytes(const llvm::Type& type, const llvm::DataLayout& layout) {
  if (type.isFloatTy() || type.isDoubleTy()) return true;
  return type.isIntegerTy() && type.getIntegerBitWidth() % 8 == 0 &&
         type.getIntegerBitWidth() > 8 && !layout.isBigEndian();
}

llvm::Value* byte_at(llvm::IRBuilder<>& build, llvm::Value* pointer, unsigned i) {
  llvm::Value* bytes = build.CreatePointerCast(pointer, build.getInt8PtrTy());
  return build.CreateConstGEP1_64(build.getInt8Ty(), bytes, i);
}

void split(llvm::LoadInst& load) {
  llvm::IRBuilder<> build(&load);
  unsigned bits = static_cast<unsigned>(load.getType()->getPrimitiveSizeInBits().getFixedSize());
  std::vector<llvm::Value*> bytes;
  for (unsigned i = 0; i < bits / 8; ++i) {
    auto* byte = build.CreateLoad(build.getInt8Ty(), byte_at(build, load.getPointerOperand(), i));
    for (llvm::StringRef mark : {kAlso, kCopyMark}) byte->setMetadata(mark, load.getMetadata(mark));
    bytes.push_back(byte);
  }
  std::vector<llvm::Type*> types(bytes.size(), build.getInt8Ty());
  llvm::Type* number = build.getIntNTy(bits);
  llvm::FunctionCallee join = load.getModule()->getOrInsertFunction(
      kOwnJoin.str() + std::to_string(bits), llvm::FunctionType::get(number, types, false));
  load.replaceAllUsesWith(build.CreateBitCast(build.CreateCall(join, bytes), load.getType()));
  load.eraseFromParent();
}

void split(llvm::StoreInst& store) {
  llvm::IRBuilder<> build(&store);
  llvm::Value* value = store.getValueOperand();
  unsigned bits = static_cast<unsigned>(value->getType()->getPrimitiveSizeInBits().getFixedSize());
  value = build.CreateBitCast(value, build.getIntNTy(bits));
  for (unsigned i = 0; i < bits / 8; ++i) {
    llvm::Value* byte = build.CreateTrunc(build.CreateLShr(value, 8 * i), build.getInt8Ty());
    build.CreateStore(byte, byte_at(build, store.getPointerOperand(), i))
        ->setMetadata(kAlso, store.getMetadata(kAlso));
  }
  store.eraseFromParent();
}

bool touches(const PointsTo& points_to, const llvm::Value& pointer,
             const std::set<ObjectId>& objects) {
  for (const auto& [object, offset] : points_to(pointer).objects)
    if (objects.count(object) != 0) return true;
  return false;
}

/// Whether anything changed.
bool split_once(llvm::Function& main, const std::string& path, const COptions& options) {
  std::vector<const llvm::BasicBlock*> blocks;
  for (const llvm::BasicBlock* block : reachable(main)) blocks.push_back(block);
  PointsTo points_to(main);
  points_to.analyse(blocks);
  Cells cells(main, path, options, points_to);
  if (cells.collect(blocks) || (cells.mixed().empty() && cells.unlike().empty())) return false;
  const llvm::DataLayout& layout = main.getParent()->getDataLayout();
  std::vector<llvm::LoadInst*> loads;
  std::vector<llvm::StoreInst*> stores;
  for (llvm::BasicBlock* block : reachable(main))
    for (llvm::Instruction& instruction : *block) {
      auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      if (load && has_bytes(*load->getType(), layout) &&
          touches(points_to, *load->getPointerOperand(), cells.mixed()))
        loads.push_back(load);
      if (store && has_bytes(*store->getValueOperand()->getType(), layout) &&
          touches(points_to, *store->getPointerOperand(), cells.mixed()))
        stores.push_back(store);
    }
  for (llvm::LoadInst* load : loads) split(*load);
  for (llvm::StoreInst* store : stores) split(*store);
  for (const llvm::MemIntrinsic* moves : cells.unlike())
    lower_copy(*const_cast<llvm::MemIntrinsic*>(moves));
  return !loads.empty() || !stores.empty() || !cells.unlike().empty();
}

}  // namespace

void split_mixed_memory(llvm::Function& main, const std::string& path, const COptions& options) {
  if (options.arith == COptions::Arith::Int) return;  // numbers have no bytes
  while (split_once(main, path, options)) {
  }
}

}  // namespace lem::c
