// Cells: the scalars in memory that the program reads and writes at a fixed place of a local or
// global object. Each becomes one variable of the automaton.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "frontend/c/c.h"

namespace lem::c {

enum class CellId : std::uint32_t {};
constexpr std::uint32_t index(CellId id) {
  return static_cast<std::uint32_t>(id);
}

struct Cell {
  const llvm::Value* object;  // an alloca or a global variable
  std::uint64_t offset;       // in bytes
  llvm::IntegerType* type;
  CVariable variable;  // without its term
  bool read = false;
};

class Cells {
 public:
  Cells(const llvm::Function& main, const std::string& path);
  /// Finds the cells of all loads and stores in these blocks.
  Status collect(const std::vector<const llvm::BasicBlock*>& blocks);

  std::size_t size() const { return cells_.size(); }
  const Cell& operator[](CellId id) const { return cells_[index(id)]; }
  /// require: an instruction that was collected
  CellId of(const llvm::Instruction& access) const { return accesses_.lookup(&access); }
  /// Of one object, by offset.
  std::vector<CellId> in(const llvm::Value* object) const;

 private:
  struct Address {
    const llvm::Value* object;
    std::uint64_t offset;
  };
  Result<Address> resolve(const llvm::Instruction& access, const llvm::Value* pointer) const;
  std::string why_not(const llvm::Value* base) const;
  Status add(const llvm::Instruction& access, const llvm::Value* pointer, llvm::Type* type);
  Status disjoint(const llvm::Instruction& access, const Cell& cell) const;
  CVariable describe(const Cell& cell) const;

  const llvm::DataLayout& layout_;
  const std::string& path_;
  std::vector<Cell> cells_;
  std::map<const llvm::Value*, std::map<std::uint64_t, CellId>> by_object_;  // never walked over
  llvm::DenseMap<const llvm::Instruction*, CellId> accesses_;
  llvm::DenseMap<const llvm::Value*, const llvm::DIVariable*> declared_;
};

}  // namespace lem::c
