#include "frontend/c/copies.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <optional>
#include <vector>

namespace lem::c {

static constexpr std::size_t kMostScalars = 32;

namespace {

struct Scalar {
  std::uint64_t offset;
  llvm::Type* type;
};

/// The scalars of a type from an offset on, in order; false when there are too many.
bool add_scalars(llvm::Type* type, std::uint64_t offset, const llvm::DataLayout& layout,
                 std::vector<Scalar>& out) {
  if (type->isIntegerTy() || type->isPointerTy() || type->isFloatingPointTy()) {
    out.push_back({offset, type});
    return out.size() <= kMostScalars;
  }
  if (auto* fields = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* places = layout.getStructLayout(fields);
    for (unsigned i = 0; i < fields->getNumElements(); ++i)
      if (!add_scalars(fields->getElementType(i), offset + places->getElementOffset(i), layout,
                       out))
        return false;
    return true;
  }
  auto* array = llvm::dyn_cast<llvm::ArrayType>(type);
  if (array == nullptr || array->getNumElements() > kMostScalars) return false;
  std::uint64_t size = layout.getTypeAllocSize(array->getElementType()).getFixedSize();
  for (std::uint64_t i = 0; i < array->getNumElements(); ++i)
    if (!add_scalars(array->getElementType(), offset + i * size, layout, out)) return false;
  return true;
}

/// All bytes of the type: scalars, and single bytes between them.
std::optional<std::vector<Scalar>> scalars_of(llvm::Type* type, std::uint64_t size,
                                              const llvm::DataLayout& layout) {
  std::vector<Scalar> found, all;
  if (!type->isSized() || layout.getTypeAllocSize(type).getFixedSize() != size ||
      !add_scalars(type, 0, layout, found))
    return std::nullopt;
  auto* byte = llvm::Type::getInt8Ty(type->getContext());
  std::uint64_t at = 0;
  for (const Scalar& scalar : found) {
    while (at < scalar.offset) all.push_back({at++, byte});
    all.push_back(scalar);
    at = scalar.offset + layout.getTypeStoreSize(scalar.type).getFixedSize();
  }
  while (at < size) all.push_back({at++, byte});
  return all.size() <= 2 * kMostScalars ? std::optional(all) : std::nullopt;
}

/// The type that one of the pointers had before it was cast to bytes.
std::optional<std::vector<Scalar>> scalars_behind(llvm::ArrayRef<llvm::Value*> pointers,
                                                  llvm::Value* length,
                                                  const llvm::DataLayout& layout) {
  auto* size = llvm::dyn_cast<llvm::ConstantInt>(length);
  if (size == nullptr || size->getValue().getActiveBits() > 32) return std::nullopt;
  for (llvm::Value* pointer : pointers)
    for (llvm::Value* before = pointer;;) {
      llvm::Type* type = before->getType()->getPointerElementType();
      if (auto found = scalars_of(type, size->getZExtValue(), layout)) return found;
      auto* cast = llvm::dyn_cast<llvm::BitCastOperator>(before);
      if (cast == nullptr || !cast->getOperand(0)->getType()->isPointerTy()) break;
      before = cast->getOperand(0);
    }
  return std::nullopt;
}

llvm::Value* address(llvm::IRBuilder<>& build, llvm::Value* bytes, const Scalar& scalar) {
  llvm::Value* place = build.CreateConstGEP1_64(build.getInt8Ty(), bytes, scalar.offset);
  return build.CreateBitCast(place, scalar.type->getPointerTo());
}

bool take_apart(llvm::MemTransferInst& copy, const llvm::DataLayout& layout) {
  auto scalars = scalars_behind({copy.getRawDest(), copy.getRawSource()}, copy.getLength(), layout);
  if (!scalars) return false;
  llvm::IRBuilder<> build(&copy);
  std::vector<llvm::Value*> values;
  for (const Scalar& scalar : *scalars) {
    llvm::Value* from = address(build, copy.getRawSource(), scalar);
    llvm::Value* value = nullptr;
    if (auto* known = llvm::dyn_cast<llvm::Constant>(from))
      value = llvm::ConstantFoldLoadFromConstPtr(known, scalar.type, layout);
    if (value == nullptr || llvm::isa<llvm::UndefValue>(value))
      value = build.CreateLoad(scalar.type, from);
    values.push_back(value);
  }
  for (std::size_t i = 0; i < values.size(); ++i)
    build.CreateStore(values[i], address(build, copy.getRawDest(), (*scalars)[i]));
  return true;
}

bool take_apart(llvm::MemSetInst& fill, const llvm::DataLayout& layout) {
  auto* byte = llvm::dyn_cast<llvm::ConstantInt>(fill.getValue());
  auto scalars = scalars_behind({fill.getRawDest()}, fill.getLength(), layout);
  if (!scalars || byte == nullptr) return false;
  for (const Scalar& scalar : *scalars)
    if (!byte->isZero() && !scalar.type->isIntegerTy()) return false;
  llvm::IRBuilder<> build(&fill);
  for (const Scalar& scalar : *scalars) {
    llvm::Constant* value = llvm::Constant::getNullValue(scalar.type);
    if (!byte->isZero())
      value = llvm::ConstantInt::get(
          scalar.type, llvm::APInt::getSplat(scalar.type->getIntegerBitWidth(), byte->getValue()));
    build.CreateStore(value, address(build, fill.getRawDest(), scalar));
  }
  return true;
}

}  // namespace

void take_copies_apart(llvm::Function& function) {
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  std::vector<llvm::MemIntrinsic*> all;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* moves = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) all.push_back(moves);
  for (llvm::MemIntrinsic* moves : all) {
    if (moves->isVolatile()) continue;
    auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(moves);
    auto* fill = llvm::dyn_cast<llvm::MemSetInst>(moves);
    if ((copy && take_apart(*copy, layout)) || (fill && take_apart(*fill, layout)))
      moves->eraseFromParent();
  }
}

}  // namespace lem::c
