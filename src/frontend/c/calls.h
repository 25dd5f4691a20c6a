// Calls. This is the one place that decides what a call means: preparation has replaced calls of
// what the program defines by its bodies, so what is left are functions with a meaning of their own
// (Callee), builtins, and what is refused.
#pragma once

#include "frontend/c/failures.h"
#include "frontend/c/float_operations.h"
#include "frontend/c/integer_operations.h"
#include "frontend/c/memory.h"
#include "frontend/c/objects.h"
#include "frontend/c/operands.h"
#include "frontend/c/pointer_operations.h"
#include "frontend/c/workspace.h"

namespace lem::c {

/// Whether control comes to the next instruction.
enum class Flow : std::uint8_t { On, Ended };

class Calls {
 public:
  Calls(Workspace& w, Operands& operands, Failures& failures, Objects& objects, Memory& memory,
        PointerOperations& pointers, IntegerOperations& integers, FloatOperations& floats)
      : w_(w),
        operands_(operands),
        failures_(failures),
        objects_(objects),
        memory_(memory),
        pointers_(pointers),
        integers_(integers),
        floats_(floats) {}

  Result<Flow> translate(const llvm::CallBase& call);

 private:
  Status effect(const llvm::CallBase& call, const llvm::Function& callee, Callee kind);
  Status builtin(const llvm::CallBase& call, const llvm::Function& callee);
  Status assume(const llvm::CallBase& call, const llvm::Function& callee, Callee kind);
  Result<Flow> failed_check(const llvm::CallBase& call);
  Status nondet(const llvm::CallBase& call, const llvm::Function& callee);
  Status only_prints(const llvm::CallBase& call) const;

  Workspace& w_;
  TermStore& t_ = w_.terms;
  Operands& operands_;
  Failures& failures_;
  Objects& objects_;
  Memory& memory_;
  PointerOperations& pointers_;
  IntegerOperations& integers_;
  FloatOperations& floats_;
};

}  // namespace lem::c
