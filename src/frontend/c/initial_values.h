// Initial values of globals, and of what is copied from a constant.
#pragma once

#include <llvm/IR/GlobalVariable.h>

#include "frontend/c/operands.h"
#include "frontend/c/workspace.h"

namespace lem::c {

class InitialValues {
 public:
  InitialValues(Workspace& w, Operands& operands) : w_(w), operands_(operands) {}

  /// The value that the initialiser of the global gives this part of a cell. The cell may be of
  /// another object, which the global is copied to. Bytes without a value have any.
  ///   require: the global has an initialiser
  Result<Term> of(const Cell& cell, unsigned part, const llvm::GlobalVariable& global);

 private:
  Result<Term> scalar(const Cell& cell, unsigned part, const llvm::GlobalVariable& global,
                      std::uint64_t offset);
  Result<Term> array(const Cell& cell, unsigned part, const llvm::GlobalVariable& global);
  Term partly_known(Term number, const llvm::APInt& open);

  Workspace& w_;
  TermStore& t_ = w_.terms;
  const PointsTo& points_to_ = w_.points_to;
  const Encoding& encoding_ = w_.encoding;
  Operands& operands_;
};

}  // namespace lem::c
