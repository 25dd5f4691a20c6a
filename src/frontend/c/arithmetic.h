// Integer operations of LLVM as terms: over bit-vectors, or over mathematical integers. i1 is Bool.
#pragma once

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instruction.h>

#include <optional>

#include "frontend/c/c.h"
#include "term/term_store.h"

namespace lem::c {

class Arithmetic {
 public:
  Arithmetic(TermStore& terms, COptions::Arith arith) : t_(terms), arith_(arith) {}

  bool ideal() const { return arith_ == COptions::Arith::Int; }
  Sort sort(const llvm::IntegerType& type) const;
  /// Over Int the use of a constant determines its sign.
  Term constant(const llvm::APInt& value, CSign sign) const;
  /// nullopt if Int has no such operation. Divisions over Int are by constants only.
  std::optional<Term> binary(llvm::Instruction::BinaryOps op, Term a, Term b) const;
  Term compare(llvm::CmpInst::Predicate predicate, Term a, Term b) const;
  /// `undone`: the operand is the extension of something that was not wider than the result.
  enum class Narrowing : std::uint8_t { Lossy, Undone, Truth };
  std::optional<Term> cast(llvm::Instruction::CastOps op, Term a, const llvm::IntegerType& to,
                           Narrowing narrowing) const;
  /// The constraint on inputs of that type; true for most types.
  /// Over Int, the number that has these bits, as this sign reads them.
  Term read_as(Term number, std::uint32_t bits, CSign sign) const;
  /// Over Int: unsigned addition, subtraction, multiplication and shift, which wrap around.
  ///   require: both are in the range of their type
  std::optional<Term> wrapping(llvm::Instruction::BinaryOps op, Term a, Term b,
                               std::uint32_t bits) const;
  Term in_range(Term input, std::uint32_t bits, CSign sign) const;
  /// a = b * quotient + remainder as C rounds, for b != 0.
  Term divides(Term a, Term b, Term quotient, Term remainder) const;

 private:
  std::optional<Term> binary_bool(llvm::Instruction::BinaryOps op, Term a, Term b) const;
  Term binary_bits(llvm::Instruction::BinaryOps op, Term a, Term b) const;
  std::optional<Term> binary_int(llvm::Instruction::BinaryOps op, Term a, Term b) const;
  std::optional<Term> mask(Term a, const mpz_class& bits) const;
  Term truncated(Term a, Term divisor) const;
  Term zero() const { return t_.integer(0); }

  TermStore& t_;
  COptions::Arith arith_;
};

}  // namespace lem::c
