// Which memory has a value, for the check of uninitialised reads. A cell that may be read before it
// is written has a variable of its own: true once it has a value, with one bit for each byte if it
// is written or read in parts.
#pragma once

#include <map>
#include <optional>

#include "frontend/c/failures.h"
#include "frontend/c/places.h"
#include "frontend/c/workspace.h"

namespace lem::c {

class Initialised {
 public:
  Initialised(Workspace& w, const Places& places, Failures& failures)
      : w_(w), places_(places), failures_(failures) {}

  /// Finds the cells that may be read before they are written; none if it is not checked.
  void find();
  /// Whether there are none.
  bool empty() const { return given_.empty(); }

  /// The cell is of a new object, made or entered.
  void start(CellId cell, const llvm::Instruction& at, const Pointer& made, bool has_value);
  /// All of an object is written, as another one is or, without any, with values.
  void copy(const llvm::Instruction& at, ObjectId target, std::optional<ObjectId> origin);
  void store(const llvm::StoreInst& store, const Place& place, const Pointer& to, Term condition,
             Updates& out);
  /// Checks the load; one that only copies has what its source has.
  void load(const llvm::LoadInst& load, const Access& access, const Pointer& from);

 private:
  Term variable(CellId cell);
  Sort sort(const Cell& cell);
  Term all(const Cell& cell, bool has_value);
  Term ones(std::uint32_t width);
  Term part(const Place& place, std::size_t i, const Pointer& from, std::uint64_t bytes);
  Term is_given(Term part);
  void keep(const llvm::LoadInst& copied, const Access& access, const Pointer& from);

  Workspace& w_;
  TermStore& t_ = w_.terms;
  const Cells& cells_ = w_.cells;
  const Encoding& encoding_ = w_.encoding;
  const Places& places_;
  Failures& failures_;
  std::map<CellId, Term> given_;               // no term: not needed yet
  std::map<const llvm::Value*, Term> copied_;  // of loads that copy
};

}  // namespace lem::c
