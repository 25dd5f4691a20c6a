// Memory: cells as variables of the automaton, and what reads, writes and makes them. A pointer in
// a cell is two parts, object and index.
//
// An object that is given values as a whole (static ones, of calloc, what is copied or filled at
// once) has arrays with values at every index. What is read behind its end is any value, the same
// one in the whole run.
#pragma once

#include <llvm/IR/IntrinsicInst.h>

#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "frontend/c/initial_values.h"
#include "frontend/c/initialised.h"
#include "frontend/c/objects.h"
#include "frontend/c/operands.h"
#include "frontend/c/places.h"
#include "frontend/c/workspace.h"

namespace lem::c {

class Memory {
 public:
  Memory(Workspace& w, Operands& operands, Objects& objects, Failures& failures);

  /// The initial values of all globals.
  Status start();

  /// What is in memory there, with the checks of the access.
  Result<Term> load(const llvm::LoadInst& load, unsigned part = 0);
  Result<Pointer> load_pointer(const llvm::LoadInst& load);
  Status store(const llvm::StoreInst& store);
  /// The variable that the store writes and nothing else, if that is known and it can be any number
  /// of this sign.
  std::optional<Term> sole_target(const llvm::StoreInst& store, CSign sign);

  /// A local begins to exist: it has any value.
  void enter(const llvm::CallBase& call);
  /// malloc and calloc, which never fail.
  Status allocate(const llvm::CallBase& call);
  /// Large objects as a whole, or from a constant; small ones were taken apart before.
  Status copy(const llvm::MemTransferInst& copy);
  Status fill(const llvm::MemSetInst& fill);

 private:
  void find_filled();
  Term variable(CellId cell, unsigned part = 0);
  bool is_unseen(const Cell& cell) const;
  Term in_range(const Cell& cell, Term variable) const;
  Term read(const llvm::LoadInst& load, const Place& place, unsigned part, const Pointer& from,
            Sort sort);
  Term scalar(const llvm::LoadInst& load, const Place& place, std::size_t i, unsigned part,
              const Pointer& from, Sort sort);
  Term within(const Place& place, unsigned part, const Offset& offset, const Pointer& from,
              Term element);
  void write(const Place& place, unsigned part, const Pointer& to, Term condition, Term value,
             CSign sign, Updates& out);
  void spoil(const llvm::StoreInst& store, const Place& place, const Pointer& to, Term condition,
             Updates& out);
  void only_real(const llvm::Instruction& at, const Access& access, const Pointer& pointer);
  void havoc(CellId cell, const llvm::Instruction& at);
  bool is_made_whole(const Cell& cell) const;
  void zero(CellId cell, const Pointer& made, const llvm::Instruction& at);
  void zero_first(CellId cell, const llvm::Instruction& at);
  std::optional<ObjectId> whole(const llvm::Value& pointer, const llvm::MemIntrinsic& moves) const;

  Workspace& w_;
  TermStore& t_ = w_.terms;
  const PointsTo& points_to_ = w_.points_to;
  const Cells& cells_ = w_.cells;
  const Encoding& encoding_ = w_.encoding;
  Operands& operands_;
  Objects& objects_;
  Places places_;
  Initialised initialised_;
  InitialValues initial_values_;
  std::vector<std::array<Term, 2>> variables_;            // by cell; no term: not needed yet
  std::set<ObjectId> filled_;                             // as a whole
  std::map<std::pair<CellId, unsigned>, Term> beyond_{};  // arrays behind the ends of these
};

}  // namespace lem::c
