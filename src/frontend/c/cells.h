// Cells: the division of memory into variables of the automaton. A cell is a scalar at a known
// place of an object, or all scalars that lie a multiple of its stride further on: an array.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "frontend/c/c.h"
#include "frontend/c/names.h"
#include "frontend/c/points_to.h"

namespace lem::c {

enum class CellId : std::uint32_t {};
constexpr std::uint32_t index(CellId id) {
  return static_cast<std::uint32_t>(id);
}

struct Cell {
  ObjectId object;
  std::uint64_t offset;  // in bytes; below the stride when indexed
  llvm::Type* type;      // an integer, a float or a pointer
  bool indexed = false;  // an array; neighbours are a stride apart
  CVariable variable;    // without its term
  bool read = false;
  bool index_read = false;  // of pointers: whether their index is used
  bool in_parts = false;    // some access is of a part of it

  /// Of a pointer, the object and, if it is wanted, the index.
  unsigned parts() const { return index_read ? 2 : 1; }
};

/// The cells that an access touches if its pointer points to this object.
struct Place {
  ObjectId object;
  std::vector<std::uint64_t> offsets;  // several: by the index of the pointer
  std::vector<CellId> cells;           // one for each
  /// Where numbers and addresses share memory: cells of the other kind, which have any value when
  /// this is written; with the number of the offset they are at.
  std::vector<std::pair<std::size_t, CellId>> spoiled;
  std::vector<std::uint32_t> shifts;  // for each, in bits: the cell may be wider than the access
};

struct Access {
  std::vector<Place> places;  // objects of many instances last
  bool null = false;          // the pointer may be null
  bool elsewhere = false;     // the pointer may point to none of these objects
  /// Whether there is one cell, which is read or written as it is.
  bool plain = false;
};

class Cells {
 public:
  Cells(const llvm::Function& main, const std::string& path, const COptions& options,
        const PointsTo& points_to);
  /// Finds the cells of all loads and stores in these blocks. An error may be that some objects are
  /// mixed: accessed with types that do not fit each other.
  Status collect(const std::vector<const llvm::BasicBlock*>& blocks);

  const std::set<ObjectId>& mixed() const { return mixed_; }
  /// Copies and fills of objects whose cells differ, which cannot be done array by array.
  const std::vector<const llvm::MemIntrinsic*>& unlike() const { return unlike_; }

  std::size_t size() const { return cells_.size(); }
  const Names& names() const { return names_; }
  const Cell& operator[](CellId id) const { return cells_[index(id)]; }
  /// require: an instruction that was collected
  const Access& of(const llvm::Instruction& access) const;
  /// Of one object, by offset.
  std::vector<CellId> in(ObjectId object) const;
  /// How the first cell that it may touch is read.
  CSign sign_of(const Access& access) const {
    return access.places.empty() ? CSign::Signed : (*this)[access.places[0].cells[0]].variable.sign;
  }
  /// A copy of what memory has no cells for, see kAlso.
  bool drops(const llvm::Instruction& access) const { return dropped_.count(&access) != 0; }
  /// The cell at exactly this offset; none when there is none of that type.
  std::optional<CellId> at(ObjectId object, std::uint64_t offset, const llvm::Type* type) const;

 private:
  using ByOffset = std::map<std::uint64_t, CellId>;
  struct Slot {  // a scalar that is accessed
    ObjectId object;
    std::uint64_t offset;
    llvm::Type* type;
    const llvm::Instruction* access;
  };
  Status look_at(const llvm::Instruction& access, const llvm::Value* pointer, llvm::Type* type);
  Status target(const llvm::Instruction& access, ObjectId object, Offset offset, llvm::Type* type,
                Access& out);
  void add_slot(const llvm::Instruction& access, ObjectId object, std::uint64_t offset,
                llvm::Type* type);
  void spoil(Place& place, std::uint64_t size, bool pointer) const;
  Status look_at(const llvm::Instruction& access);
  Status revive(const std::vector<const llvm::BasicBlock*>& blocks);
  bool has_slot(const llvm::StoreInst& store) const;
  std::map<ObjectId, ByOffset>& among(const llvm::Type& type) {
    return type.isPointerTy() ? pointers_ : numbers_;
  }
  const std::map<ObjectId, ByOffset>& among(const llvm::Type& type) const {
    return type.isPointerTy() ? pointers_ : numbers_;
  }
  void mix(ObjectId object, const llvm::Instruction& access);
  void find_unlike(const std::vector<const llvm::BasicBlock*>& blocks);
  bool alike(const llvm::MemIntrinsic& moves) const;
  void copy_slots(const std::vector<const llvm::BasicBlock*>& blocks);
  void make_cells();
  void make_cell(const Slot& slot);
  void find_cells(const llvm::Instruction& access, Access& out);
  /// Whether all places have cells of their own; else there is an array of them.
  bool apart(ObjectId object) const;
  std::uint64_t bytes(llvm::Type* type) const;

  const llvm::DataLayout& layout_;
  const std::string& path_;
  const COptions& options_;
  const PointsTo& points_to_;
  Names names_;
  std::vector<Slot> slots_;
  std::vector<Cell> cells_;
  std::map<ObjectId, ByOffset> numbers_, pointers_;  // both may be at the same place
  llvm::DenseMap<const llvm::Instruction*, Access> accesses_;
  std::set<const llvm::Instruction*> dropped_;
  std::set<ObjectId> mixed_;
  const llvm::Instruction* mixing_ = nullptr;  // the first access that does not fit
  std::string how_mixed_;
  std::vector<const llvm::MemIntrinsic*> unlike_;
};

}  // namespace lem::c
