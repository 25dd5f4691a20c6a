#include "check/llvm/operations.h"

#include <llvm/ADT/APSInt.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <cassert>

#include "base/assert.h"
#include "term/float_value.h"

namespace lem::check {

using llvm::APFloat;
using llvm::APInt;
using llvm::CmpInst;
using llvm::Instruction;
using llvm::RoundingMode;

// Integers ----------------------------------------------------------------------------------------

static Value with_open(APInt bits, APInt open) {
  Value out;
  out.bits = std::move(bits);
  out.open = std::move(open);
  out.bits &= ~out.open;
  return out;
}

static Value bitwise(unsigned opcode, const Value& a, const Value& b) {
  switch (opcode) {
    case Instruction::And: {
      APInt zero = (~a.bits & ~a.open) | (~b.bits & ~b.open);  // known to be 0
      return with_open(a.bits & b.bits, (a.open | b.open) & ~zero);
    }
    case Instruction::Or: {
      APInt one = (a.bits & ~a.open) | (b.bits & ~b.open);
      return with_open(a.bits | b.bits, (a.open | b.open) & ~one);
    }
    default:
      return with_open(a.bits ^ b.bits, a.open | b.open);
  }
}

static Value shifted(unsigned opcode, const Value& a, const Value& by, unsigned width) {
  if (!by.is_known() || by.bits.uge(width)) return Value::undefined(width);
  auto steps = static_cast<unsigned>(by.bits.getZExtValue());
  if (opcode == Instruction::Shl) return with_open(a.bits.shl(steps), a.open.shl(steps));
  if (opcode == Instruction::LShr) return with_open(a.bits.lshr(steps), a.open.lshr(steps));
  return with_open(a.bits.ashr(steps), a.open.ashr(steps));
}

/// A bit of a sum or product depends on no higher bit of its operands.
static Value low_bits_known(APInt bits, const Value& a, const Value& b) {
  unsigned width = bits.getBitWidth();
  unsigned known = std::min(a.open.countTrailingZeros(), b.open.countTrailingZeros());
  return with_open(std::move(bits), APInt::getHighBitsSet(width, width - std::min(known, width)));
}

static Value moved(Pointer pointer, const APInt& by) {
  auto offset = static_cast<std::uint64_t>(pointer.offset) +
                static_cast<std::uint64_t>(by.sextOrTrunc(64).getSExtValue());
  pointer.offset = static_cast<std::int64_t>(offset);
  return Value::address(pointer);
}

/// Objects begin at multiples of 16, so the lowest bits of an address are those of its offset.
static Value address_binary(unsigned opcode, const Value& a, const Value& b, unsigned width) {
  if (opcode == Instruction::Add && a.is_address() && b.is_known()) return moved(a.pointer, b.bits);
  if (opcode == Instruction::Add && b.is_address() && a.is_known()) return moved(b.pointer, a.bits);
  if (opcode == Instruction::Sub && a.is_address() && b.is_known())
    return moved(a.pointer, -b.bits);
  if (opcode == Instruction::Sub && a.is_address() && b.is_address() &&
      a.pointer.same_object(b.pointer))
    return Value::number(APInt(64, static_cast<std::uint64_t>(a.pointer.offset) -
                                       static_cast<std::uint64_t>(b.pointer.offset))
                             .zextOrTrunc(width));
  const Value& mask = a.is_address() ? b : a;
  if (opcode == Instruction::And && mask.is_known() && mask.bits.ult(16)) {
    const Pointer& pointer = a.is_address() ? a.pointer : b.pointer;
    return Value::number(APInt(64, static_cast<std::uint64_t>(pointer.offset)).zextOrTrunc(width) &
                         mask.bits);
  }
  return Value::undefined(width);
}

static std::optional<Value> divided(unsigned opcode, const Value& a, const Value& b,
                                    unsigned width) {
  if (b.is_known() && b.bits.isZero()) return {};
  if (!a.is_known() || !b.is_known()) return Value::undefined(width);
  switch (opcode) {
    case Instruction::UDiv:
      return Value::number(a.bits.udiv(b.bits));
    case Instruction::SDiv:
      return Value::number(a.bits.sdiv(b.bits));
    case Instruction::URem:
      return Value::number(a.bits.urem(b.bits));
    default:
      return Value::number(a.bits.srem(b.bits));
  }
}

std::optional<Value> integer_binary(unsigned opcode, const Value& a, const Value& b,
                                    unsigned width) {
  if (a.is_address() || b.is_address()) return address_binary(opcode, a, b, width);
  switch (opcode) {
    case Instruction::Add:
      return low_bits_known(a.bits + b.bits, a, b);
    case Instruction::Sub:
      return low_bits_known(a.bits - b.bits, a, b);
    case Instruction::Mul:
      return low_bits_known(a.bits * b.bits, a, b);
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem:
      return divided(opcode, a, b, width);
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
      return shifted(opcode, a, b, width);
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
      return bitwise(opcode, a, b);
    default:
      return Value::undefined(width);
  }
}

static Value truth(bool holds) {
  return Value::number(holds ? 1 : 0, 1);
}

/// Which of two objects comes first is open, and so is whether a number is an address.
static Value address_compare(CmpInst::Predicate predicate, const Value& a, const Value& b) {
  bool equality = predicate == CmpInst::ICMP_EQ || predicate == CmpInst::ICMP_NE;
  Value open = Value::undefined(1), differ = truth(predicate == CmpInst::ICMP_NE);
  if (a.is_address() && b.is_address()) {
    const Pointer &p = a.pointer, &q = b.pointer;
    if (p.same_object(q))
      return truth(llvm::ICmpInst::compare(APInt(64, static_cast<std::uint64_t>(p.offset), true),
                                           APInt(64, static_cast<std::uint64_t>(q.offset), true),
                                           predicate));
    bool number = (p.is_number() && p.offset != 0) || (q.is_number() && q.offset != 0);
    return equality && !number ? differ : open;
  }
  const Value& number = a.is_address() ? b : a;
  return equality && number.is_known() && number.bits.isZero() ? differ : open;
}

static CmpInst::Predicate signed_if_ordered(CmpInst::Predicate predicate) {
  return CmpInst::isEquality(predicate) || CmpInst::isSigned(predicate)
             ? predicate
             : CmpInst::getSignedPredicate(predicate);
}

Value integer_compare(CmpInst::Predicate predicate, const Value& a, const Value& b) {
  if (a.is_address() || b.is_address()) return address_compare(signed_if_ordered(predicate), a, b);
  if (a.is_known() && b.is_known())
    return truth(llvm::ICmpInst::compare(a.bits, b.bits, predicate));
  bool equality = predicate == CmpInst::ICMP_EQ || predicate == CmpInst::ICMP_NE;
  APInt known = ~a.open & ~b.open;
  if (equality && (a.bits & known) != (b.bits & known)) return truth(predicate == CmpInst::ICMP_NE);
  return Value::undefined(1);
}

// Floats ------------------------------------------------------------------------------------------

APFloat float_of(const Value& value, const llvm::Type& type) {
  return APFloat(type.getFltSemantics(), value.bits);
}

Value float_value(const APFloat& number) {
  return Value::number(number.bitcastToAPInt());
}

Value float_binary(unsigned opcode, const Value& a, const Value& b, const llvm::Type& type,
                   RoundingMode rounding) {
  APFloat result = float_of(a, type), other = float_of(b, type);
  switch (opcode) {
    case Instruction::FAdd:
      result.add(other, rounding);
      break;
    case Instruction::FSub:
      result.subtract(other, rounding);
      break;
    case Instruction::FMul:
      result.multiply(other, rounding);
      break;
    case Instruction::FDiv:
      result.divide(other, rounding);
      break;
    default:
      result.mod(other);
      break;
  }
  return float_value(result);
}

Value float_compare(CmpInst::Predicate predicate, const Value& a, const Value& b,
                    const llvm::Type& type) {
  return truth(llvm::FCmpInst::compare(float_of(a, type), float_of(b, type), predicate));
}

/// By exact arithmetic, which is rounded once: LLVM has no square root.
APFloat square_root(const APFloat& number, RoundingMode rounding) {
  const llvm::fltSemantics& semantics = number.getSemantics();
  if (number.isNaN() || number.isZero()) return number;
  if (number.isNegative()) return APFloat::getNaN(semantics);
  if (number.isInfinity()) return number;
  bool wide = &semantics == &APFloat::x87DoubleExtended();
  FloatFormat format = wide ? kFloat80 : &semantics == &APFloat::IEEEsingle() ? kFloat32 : kFloat64;
  APInt bits = number.bitcastToAPInt();
  if (wide)  // without the leading bit of the significand, which is written out
    bits = bits.lshr(64).shl(63) | (bits & APInt::getLowBitsSet(80, 63));
  llvm::SmallString<80> digits;
  bits.toStringUnsigned(digits, 10);
  Rounding ours = Rounding::NearestEven;
  if (rounding == RoundingMode::TowardPositive) ours = Rounding::Up;
  if (rounding == RoundingMode::TowardNegative) ours = Rounding::Down;
  if (rounding == RoundingMode::TowardZero) ours = Rounding::Zero;
  mpz_class root = FloatValue(format, mpz_class(digits.c_str())).square_root(ours).bits();
  APInt out(bits.getBitWidth(), root.get_str(), 10);
  if (wide) {  // the root of a positive number is never subnormal
    APInt fraction = out & APInt::getLowBitsSet(80, 63);
    out = out.lshr(63).shl(64) | APInt::getOneBitSet(80, 63) | fraction;
  }
  return APFloat(semantics, out);
}

// Conversions -------------------------------------------------------------------------------------

/// What does not fit is any number.
static Value to_integer(const APFloat& number, unsigned width, bool is_signed) {
  llvm::APSInt result(width, !is_signed);
  bool exact = false;
  APFloat::opStatus status = number.convertToInteger(result, RoundingMode::TowardZero, &exact);
  return status == APFloat::opInvalidOp ? Value::undefined(width) : Value::number(result);
}

static Value from_integer(const APInt& number, const llvm::Type& type, bool is_signed,
                          RoundingMode rounding) {
  APFloat result(type.getFltSemantics());
  result.convertFromAPInt(number, is_signed, rounding);
  return float_value(result);
}

static Value to_number(const Value& value, unsigned width) {
  if (!value.is_address())
    return with_open(value.bits.zextOrTrunc(width), value.open.zextOrTrunc(width));
  const Pointer& pointer = value.pointer;
  if (!pointer.is_number()) return Value::address(pointer);
  return Value::number(APInt(64, static_cast<std::uint64_t>(pointer.offset)).zextOrTrunc(width));
}

static Value float_to_float(const Value& value, const llvm::Type& from, const llvm::Type& to,
                            RoundingMode rounding) {
  APFloat number = float_of(value, from);
  bool lost = false;
  number.convert(to.getFltSemantics(), rounding, &lost);
  return float_value(number);
}

std::optional<Value> convert(unsigned opcode, const Value& value, const llvm::Type& from,
                             llvm::Type& to, const llvm::DataLayout& layout,
                             RoundingMode rounding) {
  auto width = static_cast<unsigned>(layout.getTypeSizeInBits(&to).getFixedSize());
  switch (opcode) {
    case Instruction::BitCast:
      return value;
    case Instruction::PtrToInt:
      if (value.is_address() && !value.pointer.is_number() &&
          width != layout.getPointerSizeInBits())
        return Value::undefined(width);
      return to_number(value, width);
    case Instruction::IntToPtr:
      if (value.is_address()) return value;
      if (!value.is_known()) return Value::undefined(width);
      return Value::address({0, 0, value.bits.zextOrTrunc(width).sextOrTrunc(64).getSExtValue()});
    default:
      break;
  }
  if (value.is_address()) return Value::undefined(width);  // a part of an address
  switch (opcode) {
    case Instruction::Trunc:
      return with_open(value.bits.trunc(width), value.open.trunc(width));
    case Instruction::ZExt:
      return with_open(value.bits.zext(width), value.open.zext(width));
    case Instruction::SExt:
      return with_open(value.bits.sext(width), value.open.sext(width));
    default:
      break;
  }
  if (!value.is_known()) return Value::undefined(width);
  switch (opcode) {
    case Instruction::FPTrunc:
    case Instruction::FPExt:
      return float_to_float(value, from, to, rounding);
    case Instruction::SIToFP:
    case Instruction::UIToFP:
      return from_integer(value.bits, to, opcode == Instruction::SIToFP, rounding);
    case Instruction::FPToSI:
    case Instruction::FPToUI:
      return to_integer(float_of(value, from), width, opcode == Instruction::FPToSI);
    default:
      return {};
  }
}

}  // namespace lem::check
