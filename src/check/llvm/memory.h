// The objects of an interpreted program. Every access is checked against its object; nothing here
// is an address of this process.
#pragma once

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Type.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "check/llvm/value.h"

namespace lem::check {

class Memory {
 public:
  enum class Fill : std::uint8_t { Undefined, Zero };

  Memory(const llvm::DataLayout& layout, std::uint64_t limit) : layout_(layout), limit_(limit) {}

  /// Nothing when all objects together would be larger than the limit.
  std::optional<Pointer> allocate(std::uint64_t size, Fill fill);
  /// Of a function; nothing can be read or written there.
  Pointer place(const llvm::Function& function);
  void release(const Pointer& object);
  /// The same for a new size of it; what is new has no value.
  ///   require: the object is live
  [[nodiscard]] bool resize(const Pointer& object, std::uint64_t size);
  void make_constant(const Pointer& object) { slots_[object.slot].constant = true; }
  const llvm::Function* function_at(const Pointer& pointer) const;

  enum class Access : std::uint8_t { Read, Write };
  /// Why `size` bytes cannot be accessed there.
  std::optional<std::string> fault(const Pointer& at, std::uint64_t size, Access access) const;
  std::uint64_t size_of(const Pointer& object) const;
  bool is_live(const Pointer& object) const { return find(object) != nullptr; }
  /// Addresses in memory cost more than the bytes that they are in.
  bool is_full() const { return used_ + pieces_ * kPieceCost > limit_; }

  // require for all below: no fault ---------------------------------------------------------------
  /// Nothing for parts of addresses, which are no numbers.
  std::optional<Value> load(const Pointer& at, llvm::Type& type) const;
  void store(const Pointer& at, const Value& value, llvm::Type& type);
  void copy(const Pointer& to, const Pointer& from, std::uint64_t size);
  void fill(const Pointer& to, std::uint64_t size, const Value& byte);
  void write(const Pointer& at, const char* bytes, std::uint64_t size);
  void forget(const Pointer& at, std::uint64_t size);

 private:
  static constexpr std::uint64_t kPieceCost = 80;
  struct Piece {  // one byte of an address in memory
    Pointer pointer;
    std::uint32_t index = 0;
  };
  struct Slot {
    bool live = false;
    bool constant = false;
    std::uint32_t generation = 0;
    const llvm::Function* function = nullptr;
    std::vector<std::uint8_t> bytes{};
    std::vector<std::uint8_t> open{};  // by bit, as in values
    std::map<std::uint64_t, Piece> pieces{};
  };
  std::uint32_t new_slot();
  const Slot* find(const Pointer& pointer) const;
  void drop_pieces(Slot& slot, std::uint64_t from, std::uint64_t size);
  void put_piece(Slot& slot, std::uint64_t at, const Piece& piece);
  std::optional<Value> load_scalar(const Slot& slot, std::uint64_t from, llvm::Type& type) const;
  void store_number(Slot& slot, std::uint64_t from, std::uint64_t size, const Value& value) const;

  const llvm::DataLayout& layout_;  // borrowed from the module
  std::uint64_t limit_;
  std::uint64_t used_ = 0;
  std::uint64_t pieces_ = 0;                        // of all objects
  std::vector<Slot> slots_ = std::vector<Slot>(1);  // 0: null
  std::vector<std::uint32_t> free_;
};

}  // namespace lem::check
