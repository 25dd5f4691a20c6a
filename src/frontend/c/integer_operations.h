// Integer instructions, and functions of the compiler on integers: __builtin_popcount and its like.
#pragma once

#include "frontend/c/operands.h"
#include "frontend/c/workspace.h"

namespace lem::c {

class IntegerOperations {
 public:
  IntegerOperations(Workspace& w, Operands& operands) : w_(w), operands_(operands) {}

  /// Over Int, a division by what is not constant gives two new variables and what is true of them.
  /// A shift by a negative amount, by the width or more gives any value, for processors differ.
  Result<Term> binary(const llvm::BinaryOperator& op);
  /// require: the operands are no pointers
  Result<Term> compare(const llvm::ICmpInst& compare);
  Result<Term> cast(const llvm::CastInst& cast);
  /// require: is_integer_function(callee)
  Result<Term> call(const llvm::CallBase& call);

 private:
  Term division(const llvm::BinaryOperator& op, Term a, Term b);
  Result<Term> shift(const llvm::BinaryOperator& op, Term a, Term b);
  Error refuse(const llvm::BinaryOperator& op) const;

  Workspace& w_;
  TermStore& t_ = w_.terms;
  const Encoding& encoding_ = w_.encoding;
  Operands& operands_;
};

}  // namespace lem::c
