// Operands of instructions as terms: constants, values of other instructions, and pointers with
// what is added to them.
//
// Over Int a term is a number as its value reads the bits, signed or unsigned; where an operation
// reads them otherwise the number is converted.
#pragma once

#include <optional>

#include "frontend/c/addresses.h"
#include "frontend/c/workspace.h"

namespace lem::c {

class Operands {
 public:
  explicit Operands(Workspace& w) : w_(w), addresses_(w) {}

  Addresses& addresses() { return addresses_; }

  /// require: an integer or a float; others are refused at the user
  Result<Term> value(const llvm::Value& value, const llvm::Instruction& user,
                     CSign sign = CSign::Signed);
  /// All arguments of a call, or all operands of another instruction.
  Result<std::vector<Term>> values(const llvm::Instruction& user);
  /// require: a pointer
  Result<Pointer> pointer(const llvm::Value& value, const llvm::Instruction& user);
  /// The pointer as a number of this type.
  Result<Term> address(const llvm::Value& pointer, const llvm::Type& type,
                       const llvm::Instruction& user);
  /// Any object will do: reading through the pointer would be undefined.
  Pointer any_pointer(const llvm::Instruction& at);

  /// The variables of a phi. What is known without a variable has none.
  Term phi(const llvm::PHINode& phi) { return variable(phi); }
  Pointer phi_pointer(const llvm::PHINode& phi);

  /// Over Int, how the term of this value reads its bits.
  CSign sign_of(const llvm::Value& value) const;

 private:
  Result<Pointer> element(const llvm::GEPOperator& element, const llvm::Instruction& user);
  Term variable(const llvm::Value& value);
  Term read_as(Term term, const llvm::Value& value, CSign sign) const;

  Workspace& w_;
  TermStore& t_ = w_.terms;
  const PointsTo& points_to_ = w_.points_to;
  const Encoding& encoding_ = w_.encoding;
  Addresses addresses_;
};

/// Operations on unsigned numbers, and those that are neither: shifts to the left.
bool wraps(const llvm::BinaryOperator& op);
/// Operations whose operands and result are unsigned.
bool is_unsigned(const llvm::BinaryOperator& op);
/// The words for what is no scalar.
std::string kind_of(const llvm::Type& type);

}  // namespace lem::c
