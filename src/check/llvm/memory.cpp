#include "check/llvm/memory.h"

#include <fmt/format.h>
#include <llvm/IR/DerivedTypes.h>

#include <algorithm>
#include <cassert>

namespace lem::check {

std::uint32_t Memory::new_slot() {
  std::uint32_t slot = 0;
  if (free_.empty()) {
    slot = static_cast<std::uint32_t>(slots_.size());
    slots_.emplace_back();
  } else {
    slot = free_.back();
    free_.pop_back();
  }
  slots_[slot].live = true;
  ++slots_[slot].generation;
  return slot;
}

static constexpr std::uint64_t kOverhead = 64;  // of an object, so that empty ones cost, too

std::optional<Pointer> Memory::allocate(std::uint64_t size, Fill fill) {
  if (size > limit_ || is_full() || used_ + size + kOverhead > limit_) return {};
  used_ += size + kOverhead;
  std::uint32_t id = new_slot();
  Slot& slot = slots_[id];
  slot.bytes.assign(size, 0);
  slot.open.assign(size, fill == Fill::Undefined ? 0xFF : 0);
  return Pointer{id, slot.generation, 0};
}

Pointer Memory::place(const llvm::Function& function) {
  std::uint32_t id = new_slot();
  slots_[id].function = &function;
  return Pointer{id, slots_[id].generation, 0};
}

void Memory::release(const Pointer& object) {
  if (find(object) == nullptr) return;
  Slot& slot = slots_[object.slot];
  used_ -= slot.bytes.size() + kOverhead;
  pieces_ -= slot.pieces.size();
  std::uint32_t generation = slot.generation;
  slot = Slot{};
  slot.generation = generation;
  if (generation != UINT32_MAX) free_.push_back(object.slot);
}

bool Memory::resize(const Pointer& object, std::uint64_t size) {
  assert(find(object) != nullptr && "the object is live");
  Slot& slot = slots_[object.slot];
  std::uint64_t before = slot.bytes.size();
  if (size > limit_ || used_ - before + size > limit_) return false;
  if (size < before) drop_pieces(slot, size, before - size);
  slot.bytes.resize(size, 0);
  slot.open.resize(size, 0xFF);
  used_ = used_ - before + size;
  return true;
}

const Memory::Slot* Memory::find(const Pointer& pointer) const {
  if (pointer.slot == 0 || pointer.slot >= slots_.size()) return nullptr;
  const Slot& slot = slots_[pointer.slot];
  return slot.live && slot.generation == pointer.generation ? &slot : nullptr;
}

const llvm::Function* Memory::function_at(const Pointer& pointer) const {
  const Slot* slot = find(pointer);
  return slot == nullptr || pointer.offset != 0 ? nullptr : slot->function;
}

std::uint64_t Memory::size_of(const Pointer& object) const {
  const Slot* slot = find(object);
  return slot == nullptr ? 0 : slot->bytes.size();
}

std::optional<std::string> Memory::fault(const Pointer& at, std::uint64_t size,
                                         Access access) const {
  if (at.is_number())
    return at.offset == 0 ? "an access through null"
                          : "an access through a number or an offset of null";
  const Slot* slot = find(at);
  if (slot == nullptr) return "an access to an object that is gone";
  if (slot->function != nullptr) return "an access to the code of a function";
  std::uint64_t end = slot->bytes.size();
  if (at.offset < 0 || static_cast<std::uint64_t>(at.offset) > end ||
      size > end - static_cast<std::uint64_t>(at.offset))
    return fmt::format("an access out of bounds: {} bytes at offset {} of {}", size, at.offset,
                       end);
  if (access == Access::Write && slot->constant && size != 0) return "a write to a constant";
  return {};
}

void Memory::drop_pieces(Slot& slot, std::uint64_t from, std::uint64_t size) {
  if (slot.pieces.empty()) return;
  pieces_ -= slot.pieces.size();
  slot.pieces.erase(slot.pieces.lower_bound(from), slot.pieces.lower_bound(from + size));
  pieces_ += slot.pieces.size();
}

void Memory::put_piece(Slot& slot, std::uint64_t at, const Piece& piece) {
  if (slot.pieces.insert_or_assign(at, piece).second) ++pieces_;
}

// Loads -------------------------------------------------------------------------------------------

static llvm::APInt number_of(const std::uint8_t* bytes, std::uint64_t size, unsigned width) {
  llvm::SmallVector<std::uint64_t, 4> words((size + 7) / 8, 0);
  for (std::uint64_t i = 0; i < size; ++i)
    words[i / 8] |= static_cast<std::uint64_t>(bytes[i]) << (8 * (i % 8));
  return llvm::APInt(static_cast<unsigned>(8 * size), words).zextOrTrunc(width);
}

/// One address if all its bytes are there in their order; otherwise a number without any.
std::optional<Value> Memory::load_scalar(const Slot& slot, std::uint64_t from,
                                         llvm::Type& type) const {
  std::uint64_t size = layout_.getTypeStoreSize(&type).getFixedSize();
  auto piece = slot.pieces.lower_bound(from);
  if (piece != slot.pieces.end() && piece->first < from + size) {
    Pointer pointer = piece->second.pointer;
    if (type.isFloatingPointTy() || size != layout_.getPointerSize()) return {};
    for (std::uint32_t i = 0; i < size; ++i, ++piece)
      if (piece == slot.pieces.end() || piece->first != from + i || piece->second.index != i ||
          !(piece->second.pointer == pointer))
        return {};
    return Value::address(pointer);
  }
  unsigned width = static_cast<unsigned>(layout_.getTypeSizeInBits(&type).getFixedSize());
  Value out = Value::number(number_of(slot.bytes.data() + from, size, width));
  out.open = number_of(slot.open.data() + from, size, width);
  out.bits &= ~out.open;
  // Bytes of another member of a union are copied as they are, also where some of them are open.
  if (!type.isPointerTy() || !out.open.isZero()) return out;
  return Value::address({0, 0, out.bits.getSExtValue()});
}

std::optional<Value> Memory::load(const Pointer& at, llvm::Type& type) const {
  const Slot* slot = find(at);
  assert(slot != nullptr && "the access was checked before");
  auto from = static_cast<std::uint64_t>(at.offset);
  std::vector<Value> parts;
  auto part = [&](std::uint64_t offset, llvm::Type& element) {
    std::optional<Value> value =
        load({at.slot, at.generation, static_cast<std::int64_t>(from + offset)}, element);
    if (value) parts.push_back(*std::move(value));
    return value.has_value();
  };
  if (auto* fields = llvm::dyn_cast<llvm::StructType>(&type)) {
    const llvm::StructLayout* places = layout_.getStructLayout(fields);
    for (unsigned i = 0; i < fields->getNumElements(); ++i)
      if (!part(places->getElementOffset(i), *fields->getElementType(i))) return {};
    return Value::aggregate(std::move(parts));
  }
  if (type.isArrayTy() || type.isVectorTy()) {
    bool is_array = type.isArrayTy();
    llvm::Type& element = is_array ? *type.getArrayElementType()
                                   : *llvm::cast<llvm::VectorType>(type).getElementType();
    std::uint64_t count = is_array ? type.getArrayNumElements()
                                   : llvm::cast<llvm::FixedVectorType>(type).getNumElements();
    std::uint64_t step = is_array ? layout_.getTypeAllocSize(&element).getFixedSize()
                                  : layout_.getTypeStoreSize(&element).getFixedSize();
    for (std::uint64_t i = 0; i < count; ++i)
      if (!part(i * step, element)) return {};
    return Value::aggregate(std::move(parts));
  }
  return load_scalar(*slot, from, type);
}

// Stores ------------------------------------------------------------------------------------------

void Memory::store_number(Slot& slot, std::uint64_t from, std::uint64_t size,
                          const Value& value) const {
  auto width = static_cast<unsigned>(8 * size);
  llvm::APInt bits = value.bits.zextOrTrunc(width), open = value.open.zextOrTrunc(width);
  for (std::uint64_t i = 0; i < size; ++i) {
    auto byte = [&](const llvm::APInt& from_here) {
      return static_cast<std::uint8_t>(from_here.getRawData()[i / 8] >> (8 * (i % 8)));
    };
    slot.bytes[from + i] = byte(bits);
    slot.open[from + i] = byte(open);
  }
}

void Memory::store(const Pointer& at, const Value& value, llvm::Type& type) {
  assert(find(at) != nullptr && "the access was checked before");
  Slot& slot = slots_[at.slot];
  auto from = static_cast<std::uint64_t>(at.offset);
  std::uint64_t size = layout_.getTypeStoreSize(&type).getFixedSize();
  auto part = [&](std::size_t i, std::uint64_t offset, llvm::Type& element) {
    store({at.slot, at.generation, static_cast<std::int64_t>(from + offset)}, value.parts[i],
          element);
  };
  if (value.kind == Value::Kind::Aggregate) {
    if (auto* fields = llvm::dyn_cast<llvm::StructType>(&type)) {
      const llvm::StructLayout* places = layout_.getStructLayout(fields);
      for (unsigned i = 0; i < fields->getNumElements(); ++i)
        part(i, places->getElementOffset(i), *fields->getElementType(i));
      return;
    }
    bool is_array = type.isArrayTy();
    llvm::Type& element = is_array ? *type.getArrayElementType()
                                   : *llvm::cast<llvm::VectorType>(type).getElementType();
    std::uint64_t step = is_array ? layout_.getTypeAllocSize(&element).getFixedSize()
                                  : layout_.getTypeStoreSize(&element).getFixedSize();
    for (std::size_t i = 0; i < value.parts.size(); ++i) part(i, i * step, element);
    return;
  }
  drop_pieces(slot, from, size);
  if (value.is_number()) return store_number(slot, from, size, value);
  if (value.pointer.is_number()) {
    llvm::APInt bits(64, static_cast<std::uint64_t>(value.pointer.offset));
    return store_number(slot, from, size, Value::number(bits));
  }
  store_number(slot, from, size, Value::number(0, 64));
  for (std::uint32_t i = 0; i < size; ++i) put_piece(slot, from + i, {value.pointer, i});
}

void Memory::copy(const Pointer& to, const Pointer& from, std::uint64_t size) {
  if (size == 0) return;
  const Slot& source = slots_[from.slot];
  auto start = static_cast<std::uint64_t>(from.offset), end = start + size;
  auto at = static_cast<std::uint64_t>(to.offset);
  std::vector<std::uint8_t> bytes(source.bytes.begin() + from.offset,
                                  source.bytes.begin() + static_cast<std::int64_t>(end));
  std::vector<std::uint8_t> open(source.open.begin() + from.offset,
                                 source.open.begin() + static_cast<std::int64_t>(end));
  std::vector<std::pair<std::uint64_t, Piece>> pieces(source.pieces.lower_bound(start),
                                                      source.pieces.lower_bound(end));
  Slot& target = slots_[to.slot];
  drop_pieces(target, at, size);
  std::copy(bytes.begin(), bytes.end(), target.bytes.begin() + to.offset);
  std::copy(open.begin(), open.end(), target.open.begin() + to.offset);
  for (const auto& [place, piece] : pieces) put_piece(target, at + (place - start), piece);
}

void Memory::fill(const Pointer& to, std::uint64_t size, const Value& byte) {
  if (size == 0) return;
  Slot& slot = slots_[to.slot];
  drop_pieces(slot, static_cast<std::uint64_t>(to.offset), size);
  auto low = [](const llvm::APInt& bits) {
    return static_cast<std::uint8_t>(bits.zextOrTrunc(8).getZExtValue());
  };
  std::fill_n(slot.bytes.begin() + to.offset, size, low(byte.bits));
  std::fill_n(slot.open.begin() + to.offset, size, low(byte.open));
}

void Memory::write(const Pointer& at, const char* bytes, std::uint64_t size) {
  Slot& slot = slots_[at.slot];
  drop_pieces(slot, static_cast<std::uint64_t>(at.offset), size);
  std::copy_n(bytes, size, slot.bytes.begin() + at.offset);
  std::fill_n(slot.open.begin() + at.offset, size, std::uint8_t{0});
}

void Memory::forget(const Pointer& at, std::uint64_t size) {
  fill(at, size, Value::undefined(8));
}

}  // namespace lem::check
