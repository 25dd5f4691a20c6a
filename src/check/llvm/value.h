// What a register of the interpreted program holds.
#pragma once

#include <llvm/ADT/APInt.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace lem::check {

/// A place in an object. Slots are reused, generations are not: a pointer to an object that is gone
/// points to nothing. Slot 0 is null, and null with an offset is a number made a pointer.
struct Pointer {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;
  std::int64_t offset = 0;
  bool is_number() const { return slot == 0; }
  bool same_object(const Pointer& other) const {
    return slot == other.slot && generation == other.generation;
  }
  friend bool operator==(const Pointer&, const Pointer&) = default;
};

/// Integers and floats are numbers: floats by their encoding. An address may also be in a register
/// of an integer type of its width. A pointer that was never given a value is an open number.
struct Value {
  enum class Kind : std::uint8_t { Number, Pointer, Aggregate };
  Kind kind = Kind::Number;
  llvm::APInt bits{};
  llvm::APInt open{};  // one for each bit that was never given a value
  Pointer pointer{};
  std::vector<Value> parts{};

  static Value number(llvm::APInt bits) {
    Value out;
    out.open = llvm::APInt(bits.getBitWidth(), 0);
    out.bits = std::move(bits);
    return out;
  }
  static Value number(std::uint64_t bits, unsigned width) {
    return number(llvm::APInt(width, bits));
  }
  static Value undefined(unsigned width) {
    Value out;
    out.bits = llvm::APInt(width, 0);
    out.open = llvm::APInt::getAllOnes(width);
    return out;
  }
  static Value address(Pointer pointer) {
    Value out;
    out.kind = Kind::Pointer;
    out.pointer = pointer;
    return out;
  }
  static Value aggregate(std::vector<Value> parts) {
    Value out;
    out.kind = Kind::Aggregate;
    out.parts = std::move(parts);
    return out;
  }

  bool is_number() const { return kind == Kind::Number; }
  bool is_address() const { return kind == Kind::Pointer; }
  /// A number all of whose bits are known.
  bool is_known() const { return is_number() && open.isZero(); }
};

}  // namespace lem::check
