// Cells: the division of memory into variables of the automaton. A cell is a scalar at a known
// place of an object, or all scalars that lie a multiple of the object's step further on: an array.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <optional>
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
  std::uint64_t offset;  // in bytes; below the step when indexed
  llvm::Type* type;      // an integer, a float or a pointer
  bool indexed = false;  // an array over the index of pointers
  CVariable variable;    // without its term
  bool read = false;
  bool index_read = false;  // of pointers: whether their index is used

  /// Of a pointer, the object and, if it is wanted, the index.
  unsigned parts() const { return index_read ? 2 : 1; }
};

/// The cells that an access touches if its pointer points to this object.
struct Place {
  ObjectId object;
  std::vector<std::uint64_t> offsets;  // several: by the index of the pointer
  std::vector<CellId> cells;           // one for each
  std::uint32_t shift = 0;             // in bits, when the cells are wider than the access
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
  /// Finds the cells of all loads and stores in these blocks.
  Status collect(const std::vector<const llvm::BasicBlock*>& blocks);

  std::size_t size() const { return cells_.size(); }
  const Names& names() const { return names_; }
  const Cell& operator[](CellId id) const { return cells_[index(id)]; }
  /// require: an instruction that was collected
  const Access& of(const llvm::Instruction& access) const;
  /// Of one object, by offset.
  std::vector<CellId> in(ObjectId object) const;
  /// The cell at exactly this offset; none when there is none of that type.
  std::optional<CellId> at(ObjectId object, std::uint64_t offset, const llvm::Type* type) const;

 private:
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
  void copy_slots(const std::vector<const llvm::BasicBlock*>& blocks);
  Status make_cells();
  Status make_cell(const Slot& slot);
  void find_cells(const llvm::Instruction& access, Access& out);
  /// How many elements the object has when each is a cell of its own; 0: one array.
  std::uint64_t elements_apart(ObjectId object) const;
  std::uint64_t bytes(llvm::Type* type) const;
  std::string why_not(const llvm::Value* base) const;

  const llvm::DataLayout& layout_;
  const std::string& path_;
  const COptions& options_;
  const PointsTo& points_to_;
  Names names_;
  std::vector<Slot> slots_;
  std::vector<Cell> cells_;
  std::map<ObjectId, std::map<std::uint64_t, CellId>> by_object_;
  llvm::DenseMap<const llvm::Instruction*, Access> accesses_;
};

}  // namespace lem::c
