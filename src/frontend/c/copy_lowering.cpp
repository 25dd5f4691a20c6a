#include "frontend/c/copy_lowering.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "frontend/c/place.h"
#include "frontend/c/undefined_bytes.h"
#include "frontend/c/unions.h"

namespace lem::c {

static constexpr std::size_t kMostScalars = 64;  // more than that are a loop

namespace {

struct Scalar {
  std::uint64_t offset;
  llvm::Type* type;
  bool also = false;  // besides: what a union may have there of the other kind
};
using ScalarList = std::vector<Scalar>;

std::uint64_t size_in_memory(llvm::Type* type, const llvm::DataLayout& layout) {
  return layout.getTypeAllocSize(type).getFixedSize();
}

/// The scalars of a type that overlap [from, to), in order; false when there are too many.
bool add_scalars(llvm::Type* type, std::uint64_t offset, std::uint64_t from, std::uint64_t to,
                 const llvm::DataLayout& layout, ScalarList& out) {
  if (offset >= to || offset + size_in_memory(type, layout) <= from) return true;
  if (type->isIntegerTy() || type->isPointerTy() || type->isFloatingPointTy()) {
    out.push_back({offset, type});
    return out.size() <= kMostScalars;
  }
  if (is_union(*type) && offset >= from && offset + layout.getPointerSize() <= to &&
      layout.getPointerSize() <= size_in_memory(type, layout)) {
    llvm::Type* inside = type;  // what clang has taken for the whole
    while (inside->isStructTy() && inside->getStructNumElements() > 0)
      inside = inside->getStructElementType(0);
    llvm::Type* pointer = llvm::Type::getInt8PtrTy(type->getContext());
    llvm::Type* number = layout.getIntPtrType(type->getContext());
    out.push_back({offset, inside->isPointerTy() ? number : pointer, true});
  }
  if (auto* fields = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* places = layout.getStructLayout(fields);
    for (unsigned i = 0; i < fields->getNumElements(); ++i)
      if (!add_scalars(fields->getElementType(i), offset + places->getElementOffset(i), from, to,
                       layout, out))
        return false;
    return true;
  }
  auto* array = llvm::dyn_cast<llvm::ArrayType>(type);
  if (array == nullptr) return false;
  std::uint64_t size = size_in_memory(array->getElementType(), layout);
  std::uint64_t first = size == 0 || from <= offset ? 0 : (from - offset) / size;
  for (std::uint64_t i = first; i < array->getNumElements() && offset + i * size < to; ++i)
    if (!add_scalars(array->getElementType(), offset + i * size, from, to, layout, out))
      return false;
  return true;
}

/// Each byte of [from, from + size) of a type: scalars that are inside, and single bytes. Nothing
/// if there are too many or the type ends before.
std::optional<ScalarList> scalars_of(llvm::Type* type, std::uint64_t from, std::uint64_t size,
                                     const llvm::DataLayout& layout) {
  ScalarList found, all;
  if (!type->isSized() || from + size > size_in_memory(type, layout) ||
      !add_scalars(type, 0, from, from + size, layout, found))
    return std::nullopt;
  auto* byte = llvm::Type::getInt8Ty(type->getContext());
  std::uint64_t at = from;
  for (const Scalar& scalar : found) {
    std::uint64_t end = scalar.offset + layout.getTypeStoreSize(scalar.type).getFixedSize();
    if (scalar.offset < from || end > from + size) continue;
    if (scalar.also) {
      all.push_back({scalar.offset - from, scalar.type, true});
      continue;
    }
    while (at < scalar.offset) all.push_back({at++ - from, byte});
    all.push_back({scalar.offset - from, scalar.type});
    at = end;
  }
  while (at < from + size && all.size() <= 4 * kMostScalars) all.push_back({at++ - from, byte});
  return all.size() <= 4 * kMostScalars ? std::optional(all) : std::nullopt;
}

/// A type that memory at a pointer has, and where in it the pointer points.
struct Shape {
  llvm::Type* type;
  std::uint64_t offset = 0;
  bool repeats = false;  // there may be more of it behind
};

/// What is known of the memory behind the pointer: from casts, and from the object itself.
std::vector<Shape> shapes_at(llvm::Value* pointer, const llvm::DataLayout& layout) {
  std::vector<Shape> out;
  for (llvm::Value* before = pointer;;) {
    llvm::Type* type = before->getType()->getPointerElementType();
    if (type->isSized() && !type->isIntegerTy(8)) out.push_back({type, 0, true});
    auto* cast = llvm::dyn_cast<llvm::BitCastOperator>(before);
    if (cast == nullptr || !cast->getOperand(0)->getType()->isPointerTy()) break;
    before = cast->getOperand(0);
  }
  if (llvm::isa<llvm::CallBase>(pointer))  // what malloc makes has the type it is used with
    for (const llvm::User* user : pointer->users())
      if (auto* cast = llvm::dyn_cast<llvm::BitCastInst>(user))
        if (llvm::Type* type = cast->getDestTy()->getPointerElementType(); type->isSized())
          out.push_back({type, 0, true});
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  llvm::Value* object = pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
  llvm::Type* type = nullptr;
  if (auto* local = llvm::dyn_cast<llvm::AllocaInst>(object); local && !local->isArrayAllocation())
    type = local->getAllocatedType();
  if (auto* global = llvm::dyn_cast<llvm::GlobalVariable>(object)) type = global->getValueType();
  if (type != nullptr && type->isSized() && !offset.isNegative() &&
      offset.ult(size_in_memory(type, layout)))
    out.push_back({type, offset.getZExtValue(), false});
  return out;
}

bool has_pointer(const ScalarList& scalars) {
  return std::any_of(scalars.begin(), scalars.end(),
                     [](const Scalar& one) { return one.type->isPointerTy() || one.also; });
}

/// Pointers can be copied only as such; else the fewer the better.
void prefer(std::optional<ScalarList>& best, std::optional<ScalarList> other) {
  if (!other) return;
  if (!best || has_pointer(*other) > has_pointer(*best) ||
      (has_pointer(*other) == has_pointer(*best) && other->size() < best->size()))
    best = std::move(other);
}

/// The bytes of a copy of constant size.
std::optional<ScalarList> pieces(llvm::ArrayRef<llvm::Value*> pointers, std::uint64_t size,
                                 const llvm::DataLayout& layout) {
  std::optional<ScalarList> best;
  for (llvm::Value* pointer : pointers)
    for (const Shape& shape : shapes_at(pointer, layout)) {
      llvm::Type* type = shape.type;
      std::uint64_t each = size_in_memory(type, layout);
      if (shape.repeats && each != 0 && each < size)
        type = llvm::ArrayType::get(type, (size + each - 1) / each);
      prefer(best, scalars_of(type, shape.offset, size, layout));
    }
  if (!best) {
    auto* byte = llvm::Type::getInt8Ty(pointers[0]->getContext());
    best = scalars_of(llvm::ArrayType::get(byte, size), 0, size, layout);
  }
  return best;
}

/// The largest known power or factor that divides the number.
bool divides(std::uint64_t size, const llvm::Value& length) {
  if (size == 1) return true;
  if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(&length))
    return known->getValue().urem(size) == 0;
  bool power = (size & (size - 1)) == 0;  // else wrapping around would matter
  auto* op = llvm::dyn_cast<llvm::Instruction>(&length);
  if (op == nullptr || !power) return false;
  if (op->getOpcode() == llvm::Instruction::Mul)
    return divides(size, *op->getOperand(0)) || divides(size, *op->getOperand(1));
  if (op->getOpcode() == llvm::Instruction::Add || op->getOpcode() == llvm::Instruction::Sub)
    return divides(size, *op->getOperand(0)) && divides(size, *op->getOperand(1));
  if (op->getOpcode() == llvm::Instruction::Shl)
    if (auto* by = llvm::dyn_cast<llvm::ConstantInt>(op->getOperand(1)))
      return by->getValue().ult(63) && (std::uint64_t{1} << by->getZExtValue()) % size == 0;
  return false;
}

/// What is copied in each round of a loop: one element of an array.
struct CopyUnit {
  ScalarList scalars;
  std::uint64_t size = 1;
};

CopyUnit unit_of(llvm::ArrayRef<llvm::Value*> pointers, const llvm::Value& length,
                 const llvm::DataLayout& layout) {
  CopyUnit best{{{0, llvm::Type::getInt8Ty(length.getContext())}}, 1};
  bool found = false;
  for (llvm::Value* pointer : pointers)
    for (Shape shape : shapes_at(pointer, layout)) {
      while (shape.type->isArrayTy()) {
        shape.type = shape.type->getArrayElementType();
        std::uint64_t size = size_in_memory(shape.type, layout);
        if (size == 0) break;
        shape.offset %= size;
      }
      std::uint64_t size = size_in_memory(shape.type, layout);
      if (shape.offset != 0 || size == 0 || !divides(size, length)) continue;
      std::optional<ScalarList> scalars = scalars_of(shape.type, 0, size, layout);
      if (!scalars || (found && has_pointer(*scalars) <= has_pointer(best.scalars))) continue;
      best = {*std::move(scalars), size};
      found = true;
    }
  return best;
}

// Making them -----------------------------------------------------------------------------------

llvm::Value* address(llvm::IRBuilder<>& build, llvm::Value* bytes, const Scalar& scalar) {
  llvm::Value* place = build.CreateConstGEP1_64(build.getInt8Ty(), bytes, scalar.offset);
  return build.CreateBitCast(place, scalar.type->getPointerTo());
}

llvm::Value* joined(llvm::IRBuilder<>& build, llvm::Type* type, llvm::Value* byte,
                    std::uint64_t count) {
  if (count == 1) return byte;
  llvm::Module& module = *build.GetInsertBlock()->getModule();
  std::vector<llvm::Type*> types(count, build.getInt8Ty());
  llvm::FunctionCallee join = module.getOrInsertFunction(
      kOwnJoin.str() + std::to_string(8 * count), llvm::FunctionType::get(type, types, false));
  return build.CreateCall(join, std::vector<llvm::Value*>(count, byte));
}

/// What a scalar is if all its bytes are this one; none for addresses.
llvm::Value* splat(llvm::IRBuilder<>& build, llvm::Value* byte, llvm::Type* type,
                   const llvm::DataLayout& layout) {
  auto* known = llvm::dyn_cast<llvm::ConstantInt>(byte);
  if (known != nullptr && known->isZero()) return llvm::Constant::getNullValue(type);
  std::uint64_t size = layout.getTypeStoreSize(type).getFixedSize();
  bool whole = type->isIntegerTy() ? type->getIntegerBitWidth() == 8 * size
                                   : type->isFloatTy() || type->isDoubleTy();
  if (!whole) return nullptr;
  llvm::Type* number = build.getIntNTy(static_cast<unsigned>(8 * size));
  llvm::Value* value =
      known ? llvm::ConstantInt::get(
                  number, llvm::APInt::getSplat(number->getIntegerBitWidth(), known->getValue()))
            : joined(build, number, byte, size);
  return build.CreateBitCast(value, type);
}

class Move {
 public:
  explicit Move(llvm::MemIntrinsic& moves)
      : moves_(moves), layout_(moves.getModule()->getDataLayout()) {}

  std::vector<llvm::Value*> pointers() const {
    std::vector<llvm::Value*> out = {moves_.getRawDest()};
    if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&moves_))
      out.push_back(copy->getRawSource());
    return out;
  }
  bool can_make(const ScalarList& scalars) const;
  void make(llvm::IRBuilder<>& build, const ScalarList& scalars, llvm::Value* to,
            llvm::Value* from);
  void make_loop(const CopyUnit& unit);
  const llvm::DataLayout& layout() const { return layout_; }

 private:
  bool all_defined(const llvm::Constant& source, const Scalar& scalar) const;

  llvm::MemIntrinsic& moves_;
  const llvm::DataLayout& layout_;
};

/// Bytes other than 0 make no pointer, and no long double.
bool Move::can_make(const ScalarList& scalars) const {
  auto* fill = llvm::dyn_cast<llvm::MemSetInst>(&moves_);
  if (fill == nullptr) return true;
  auto* known = llvm::dyn_cast<llvm::ConstantInt>(fill->getValue());
  if (known != nullptr && known->isZero()) return true;
  return std::all_of(scalars.begin(), scalars.end(), [&](const Scalar& one) {
    return one.also || one.type->isFloatTy() || one.type->isDoubleTy() ||
           (one.type->isIntegerTy() && one.type->getIntegerBitWidth() % 8 == 0);
  });
}

/// LLVM takes bytes without a value for 0.
bool Move::all_defined(const llvm::Constant& source, const Scalar& scalar) const {
  llvm::APInt offset(layout_.getIndexTypeSizeInBits(source.getType()), 0);
  const llvm::Value* base = source.stripAndAccumulateConstantOffsets(layout_, offset, true);
  auto* constant = llvm::dyn_cast<llvm::GlobalVariable>(base);
  std::uint64_t size = layout_.getTypeStoreSize(scalar.type).getFixedSize();
  return constant == nullptr || offset.isNegative() ||
         undefined_bits(*constant, offset.getZExtValue(), size, layout_).isZero();
}

void Move::make(llvm::IRBuilder<>& build, const ScalarList& scalars, llvm::Value* to,
                llvm::Value* from) {
  std::vector<llvm::Value*> values;
  llvm::MDNode* mark = llvm::MDNode::get(moves_.getContext(), {});
  for (const Scalar& scalar : scalars) {
    llvm::Value* value = nullptr;
    if (from == nullptr && scalar.also) {
      // a fill says what all bytes are
    } else if (from == nullptr) {
      value = splat(build, llvm::cast<llvm::MemSetInst>(moves_).getValue(), scalar.type, layout_);
    } else {
      llvm::Value* source = address(build, from, scalar);
      if (auto* known = llvm::dyn_cast<llvm::Constant>(source);
          known && all_defined(*known, scalar))
        value = llvm::ConstantFoldLoadFromConstPtr(known, scalar.type, layout_);
      auto* made = llvm::dyn_cast_or_null<llvm::ConstantExpr>(value);  // a number in a union
      bool number = made && made->getOpcode() == llvm::Instruction::IntToPtr;
      if (value == nullptr || number || llvm::isa<llvm::UndefValue>(value)) {
        llvm::LoadInst* load = build.CreateLoad(scalar.type, source);
        load->setMetadata(kCopyMark, mark);
        value = load;
      }
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(value); load && scalar.also)
        load->setMetadata(kAlso, mark);
    }
    values.push_back(value);
  }
  for (bool also : {false, true})  // other stores spoil what these keep
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (scalars[i].also != also || values[i] == nullptr) continue;
      llvm::StoreInst* store = build.CreateStore(values[i], address(build, to, scalars[i]));
      if (also) store->setMetadata(kAlso, mark);
    }
}

/// From the first unit to the last; memmove goes the other way if the target is behind the source.
void Move::make_loop(const CopyUnit& unit) {
  llvm::BasicBlock* before = moves_.getParent();
  llvm::BasicBlock* after = llvm::SplitBlock(before, &moves_);
  auto* head = llvm::BasicBlock::Create(moves_.getContext(), "", before->getParent(), after);
  auto* body = llvm::BasicBlock::Create(moves_.getContext(), "", before->getParent(), after);
  before->getTerminator()->replaceSuccessorWith(after, head);
  llvm::Type* number = moves_.getLength()->getType();
  llvm::IRBuilder<> build(before->getTerminator());
  build.SetCurrentDebugLocation(moves_.getDebugLoc());
  llvm::Value* count =
      build.CreateUDiv(moves_.getLength(), llvm::ConstantInt::get(number, unit.size));
  auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&moves_);
  llvm::Value* down = nullptr;
  if (llvm::isa<llvm::MemMoveInst>(moves_))
    down = build.CreateICmpUGT(copy->getRawDest(), copy->getRawSource());
  build.SetInsertPoint(head);
  llvm::PHINode* round = build.CreatePHI(number, 2);
  round->addIncoming(llvm::ConstantInt::get(number, 0), before);
  build.CreateCondBr(build.CreateICmpULT(round, count), body, after);
  build.SetInsertPoint(body);
  llvm::Value* next = build.CreateAdd(round, llvm::ConstantInt::get(number, 1));
  llvm::Value* at = down ? build.CreateSelect(down, build.CreateSub(count, next), round) : round;
  auto element = [&](llvm::Value* pointer) {
    llvm::Type* type = llvm::ArrayType::get(build.getInt8Ty(), unit.size);
    llvm::Value* base = build.CreateBitCast(pointer, type->getPointerTo());
    return build.CreateBitCast(build.CreateGEP(type, base, at), build.getInt8PtrTy());
  };
  llvm::Value* to = element(moves_.getRawDest());
  make(build, unit.scalars, to, copy ? element(copy->getRawSource()) : nullptr);
  build.CreateBr(head);
  round->addIncoming(next, body);
}

/// Whether this is all of an object that has no other address.
bool is_whole(llvm::Value* pointer, std::uint64_t size, const llvm::DataLayout& layout) {
  llvm::Value* object = pointer->stripPointerCasts();
  llvm::Type* type = nullptr;
  if (auto* local = llvm::dyn_cast<llvm::AllocaInst>(object); local && !local->isArrayAllocation())
    type = local->getAllocatedType();
  if (auto* global = llvm::dyn_cast<llvm::GlobalVariable>(object)) type = global->getValueType();
  return type != nullptr && type->isSized() && size_in_memory(type, layout) == size;
}

std::optional<std::uint64_t> known_length(const llvm::MemIntrinsic& moves) {
  auto* size = llvm::dyn_cast<llvm::ConstantInt>(moves.getLength());
  if (size == nullptr || size->getValue().getActiveBits() > 32) return std::nullopt;
  return size->getZExtValue();
}

}  // namespace

void lower_copy(llvm::MemIntrinsic& moves) {
  Move move(moves);
  std::optional<std::uint64_t> size = known_length(moves);
  std::optional<ScalarList> all =
      size ? pieces(move.pointers(), *size, move.layout()) : std::nullopt;
  if (all && move.can_make(*all)) {
    llvm::IRBuilder<> build(&moves);
    auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&moves);
    move.make(build, *all, moves.getRawDest(), copy ? copy->getRawSource() : nullptr);
  } else {
    CopyUnit unit = unit_of(move.pointers(), *moves.getLength(), move.layout());
    if (!move.can_make(unit.scalars)) unit = {{{0, llvm::Type::getInt8Ty(moves.getContext())}}, 1};
    move.make_loop(unit);
  }
  moves.eraseFromParent();
}

void lower_copies(llvm::Function& function) {
  std::vector<llvm::MemIntrinsic*> all;
  for (llvm::BasicBlock* block : reachable(function))
    for (llvm::Instruction& instruction : *block)
      if (auto* moves = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) all.push_back(moves);
  for (llvm::MemIntrinsic* moves : all) {
    if (moves->isVolatile()) continue;
    Move move(*moves);
    std::vector<llvm::Value*> pointers = move.pointers();
    std::optional<std::uint64_t> size = known_length(*moves);
    bool whole = size && std::all_of(pointers.begin(), pointers.end(), [&](llvm::Value* pointer) {
                   return is_whole(pointer, *size, move.layout());
                 });
    if (auto* fill = llvm::dyn_cast<llvm::MemSetInst>(moves))
      whole = whole && llvm::isa<llvm::ConstantInt>(fill->getValue());
    bool small = size && pieces(pointers, *size, move.layout());
    if (!whole || small) lower_copy(*moves);
  }
}

}  // namespace lem::c
