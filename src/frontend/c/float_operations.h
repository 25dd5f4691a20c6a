// Floating-point instructions and functions of <math.h> and <fenv.h>. Conversions to integers that
// do not fit give any number, and so does what C leaves open: the sign of NaN, and which zero is
// the least of two. Programs that set the rounding have a variable for it.
#pragma once

#include "frontend/c/floats.h"
#include "frontend/c/operands.h"
#include "frontend/c/workspace.h"

namespace lem::c {

class FloatOperations {
 public:
  FloatOperations(Workspace& w, Operands& operands) : w_(w), operands_(operands) {}

  /// Declares the rounding, if the program sets it. Refuses arithmetic whose results a compiler may
  /// change.
  Status start();
  /// require: is_float_operation(instruction)
  Result<Term> compute(const llvm::Instruction& instruction);
  Result<Term> call(const llvm::CallBase& call, FloatFunction function);

 private:
  Result<Term> cast(const llvm::CastInst& cast, Term a);
  Result<Term> classify(const llvm::CallBase& call, FloatFunction function,
                        const std::vector<Term>& args);
  Term set_rounding(const llvm::CallBase& call, Term wanted);
  Term truth_number(Term formula, const llvm::CallBase& call);
  Term sign_bit(Term a, const llvm::CallBase& call);
  Error refuse(const llvm::CallBase& call) const;

  Workspace& w_;
  TermStore& t_ = w_.terms;
  Encoding& encoding_ = w_.encoding;
  Operands& operands_;
  Term rounding_{};  // of programs that set it
};

}  // namespace lem::c
