// What instructions do with pointers: they choose, compare and subtract them.
#pragma once

#include <optional>

#include "frontend/c/memory.h"
#include "frontend/c/objects.h"
#include "frontend/c/operands.h"
#include "frontend/c/workspace.h"

namespace lem::c {

class PointerOperations {
 public:
  PointerOperations(Workspace& w, Operands& operands, Objects& objects, Memory& memory)
      : w_(w), operands_(operands), objects_(objects), memory_(memory) {}

  /// Gives an instruction its pointer.
  Status define(const llvm::Instruction& instruction);
  /// Pointers to different objects may be equal where C lets them, and either may be less.
  Result<Term> compare(const llvm::ICmpInst& compare);
  /// p - q, which is an instruction on addresses and perhaps a division behind it; nothing for
  /// other operations.
  std::optional<Result<Term>> difference(const llvm::BinaryOperator& op);

 private:
  Result<Pointer> result(const llvm::Instruction& instruction);
  Term may_touch(const Targets& left, const Targets& right, const Pointer& a, const Pointer& b);
  Term ends(ObjectId object, const Offset& offset, const Pointer& pointer);
  Term may_be_one_literal(const Targets& left, const Targets& right, const Pointer& a,
                          const Pointer& b);
  Term equal(const llvm::ICmpInst& compare, const Pointer& a, const Pointer& b);
  Result<Term> less(const llvm::ICmpInst& compare, const Pointer& a, const Pointer& b);
  /// The common step and the rests of two pointers that can be compared by index.
  struct Apart {
    Term same_object;
    std::uint64_t step;
    std::int64_t left, right;
  };
  Result<Apart> apart(const llvm::Instruction& at, const llvm::Value& left,
                      const llvm::Value& right, const Pointer& a, const Pointer& b);

  Workspace& w_;
  TermStore& t_ = w_.terms;
  const PointsTo& points_to_ = w_.points_to;
  const Encoding& encoding_ = w_.encoding;
  Operands& operands_;
  Objects& objects_;
  Memory& memory_;
};

}  // namespace lem::c
