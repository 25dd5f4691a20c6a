#include "frontend/c/arithmetic.h"

#include <llvm/ADT/SmallString.h>

#include "base/assert.h"

namespace lem::c {

using llvm::CmpInst;
using llvm::Instruction;

Sort Arithmetic::sort(const llvm::IntegerType& type) const {
  if (type.getBitWidth() == 1) return t_.bool_sort();
  return ideal() ? t_.int_sort() : t_.bv_sort(type.getBitWidth());
}

Term Arithmetic::constant(const llvm::APInt& value, CSign sign) const {
  if (value.getBitWidth() == 1) return t_.boolean(!value.isZero());
  llvm::SmallString<40> digits;
  value.toString(digits, 10, ideal() && sign == CSign::Signed);
  mpz_class number(digits.c_str());
  return ideal() ? t_.integer(number) : t_.bv(number, value.getBitWidth());
}

std::optional<Term> Arithmetic::binary(Instruction::BinaryOps op, Term a, Term b) const {
  if (t_.kind(a) == SortKind::Bool) return binary_bool(op, a, b);
  if (ideal()) return binary_int(op, a, b);
  return binary_bits(op, a, b);
}

/// Arithmetic modulo 2; shifts and divisions of one bit come from no C program.
std::optional<Term> Arithmetic::binary_bool(Instruction::BinaryOps op, Term a, Term b) const {
  switch (op) {
    case Instruction::And:
    case Instruction::Mul:
      return t_.make_and(a, b);
    case Instruction::Or:
      return t_.make_or(a, b);
    case Instruction::Xor:
    case Instruction::Add:
    case Instruction::Sub:
      return t_.make_xor(a, b);
    default:
      return std::nullopt;
  }
}

static Op bits_op(Instruction::BinaryOps op) {
  switch (op) {
    case Instruction::Add:
      return Op::BvAdd;
    case Instruction::Mul:
      return Op::BvMul;
    case Instruction::UDiv:
      return Op::BvUdiv;
    case Instruction::SDiv:
      return Op::BvSdiv;
    case Instruction::URem:
      return Op::BvUrem;
    case Instruction::SRem:
      return Op::BvSrem;
    case Instruction::Shl:
      return Op::BvShl;
    case Instruction::LShr:
      return Op::BvLshr;
    case Instruction::AShr:
      return Op::BvAshr;
    case Instruction::And:
      return Op::BvAnd;
    case Instruction::Or:
      return Op::BvOr;
    case Instruction::Xor:
      return Op::BvXor;
    default:
      unreachable();
  }
}

Term Arithmetic::binary_bits(Instruction::BinaryOps op, Term a, Term b) const {
  return op == Instruction::Sub ? t_.make_bv_sub(a, b) : t_.make(bits_op(op), {a, b});
}

/// C rounds towards zero, SMT-LIB so that the remainder is not negative.
///   require: the divisor is a value other than 0
Term Arithmetic::truncated(Term a, Term divisor) const {
  Term up = t_.make(Op::IntDiv, {a, divisor});
  Term down = t_.make_neg(t_.make(Op::IntDiv, {t_.make_neg(a), divisor}));
  return t_.make_ite(t_.make_ge(a, zero()), up, down);
}

/// x & 00..011..1 is x modulo a power of two, for negative x too.
std::optional<Term> Arithmetic::mask(Term a, const mpz_class& bits) const {
  if (bits == 0) return zero();
  if (bits == -1) return a;
  mpz_class power = bits + 1;
  if (bits < 0 || mpz_popcount(power.get_mpz_t()) != 1) return std::nullopt;
  return t_.make(Op::IntMod, {a, t_.integer(power)});
}

std::optional<Term> Arithmetic::binary_int(Instruction::BinaryOps op, Term a, Term b) const {
  bool known = t_.is_value(b);
  mpz_class value = known ? t_.integer_value(b) : mpz_class(0);
  bool shift = known && value >= 0 && value < 128;
  auto power = [&] { return t_.integer(mpz_class(1) << value.get_ui()); };
  switch (op) {
    case Instruction::Add:
      return t_.make_add(a, b);
    case Instruction::Sub:
      return t_.make_sub(a, b);
    case Instruction::Mul:
      return t_.make_mul(a, b);
    case Instruction::UDiv:
    case Instruction::SDiv:
      if (!known || value == 0) return std::nullopt;
      return truncated(a, b);
    case Instruction::URem:
    case Instruction::SRem:
      if (!known || value == 0) return std::nullopt;
      return t_.make_sub(a, t_.make_mul(b, truncated(a, b)));
    case Instruction::Shl:
      if (!shift) return std::nullopt;
      return t_.make_mul(power(), a);
    case Instruction::LShr:
    case Instruction::AShr:
      if (!shift) return std::nullopt;
      return t_.make(Op::IntDiv, {a, power()});
    case Instruction::And:
      if (known) return mask(a, value);
      if (t_.is_value(a)) return mask(b, t_.integer_value(a));
      return std::nullopt;
    case Instruction::Xor:
      if (known && value == -1) return t_.make_sub(t_.integer(-1), a);
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

Term Arithmetic::compare(CmpInst::Predicate predicate, Term a, Term b) const {
  switch (predicate) {
    case CmpInst::ICMP_EQ:
      return t_.make_eq(a, b);
    case CmpInst::ICMP_NE:
      return t_.make_not(t_.make_eq(a, b));
    case CmpInst::ICMP_UGT:
    case CmpInst::ICMP_SGT:
    case CmpInst::ICMP_UGE:
    case CmpInst::ICMP_SGE:
      return compare(CmpInst::getSwappedPredicate(predicate), b, a);
    case CmpInst::ICMP_ULE:
    case CmpInst::ICMP_SLE:
      return t_.make_not(compare(CmpInst::getStrictPredicate(predicate), b, a));
    case CmpInst::ICMP_ULT:
    case CmpInst::ICMP_SLT:
      break;
    default:
      unreachable();
  }
  if (t_.kind(a) == SortKind::Bool)  // true is 1, or -1 when signed
    return predicate == CmpInst::ICMP_ULT ? t_.make_and(t_.make_not(a), b)
                                          : t_.make_and(a, t_.make_not(b));
  if (ideal()) return t_.make_lt(a, b);
  return t_.make(predicate == CmpInst::ICMP_ULT ? Op::BvUlt : Op::BvSlt, {a, b});
}

std::optional<Term> Arithmetic::cast(Instruction::CastOps op, Term a, const llvm::IntegerType& to,
                                     Narrowing narrowing) const {
  std::uint32_t width = to.getBitWidth();
  bool truth = t_.kind(a) == SortKind::Bool;
  switch (op) {
    case Instruction::ZExt:
      if (truth)
        return t_.make_ite(a, constant(llvm::APInt(width, 1), CSign::Signed),
                           constant(llvm::APInt(width, 0), CSign::Signed));
      if (ideal()) return a;
      return t_.make(Op::BvZeroExtend, {a}, width - t_.width(a));
    case Instruction::SExt:
      if (truth)
        return t_.make_ite(a, constant(llvm::APInt::getAllOnes(width), CSign::Signed),
                           constant(llvm::APInt(width, 0), CSign::Signed));
      if (ideal()) return a;
      return t_.make(Op::BvSignExtend, {a}, width - t_.width(a));
    case Instruction::Trunc:
      if (!ideal()) {
        Term low = t_.make_extract(a, width - 1, 0);
        return width > 1 ? low : t_.make_eq(low, t_.bv(1, 1));
      }
      if (width == 1 && narrowing == Narrowing::Truth) return t_.make_not(t_.make_eq(a, zero()));
      if (width == 1) return t_.make_eq(t_.make(Op::IntMod, {a, t_.integer(2)}), t_.integer(1));
      if (narrowing == Narrowing::Undone || t_.is_value(a)) return a;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

Term Arithmetic::in_range(Term input, std::uint32_t bits, CSign sign) const {
  if (t_.kind(input) != SortKind::Int || bits == 0) return t_.boolean(true);
  mpz_class size = mpz_class(1) << bits, half = size / 2;
  bool all = sign == CSign::Unsigned;
  return t_.make_and(t_.make_ge(input, t_.integer(all ? mpz_class(0) : mpz_class(-half))),
                     t_.make_lt(input, t_.integer(all ? size : half)));
}

Term Arithmetic::read_as(Term number, std::uint32_t bits, CSign sign) const {
  mpz_class size = mpz_class(1) << bits, half = size / 2;
  if (sign == CSign::Unsigned) return t_.make(Op::IntMod, {number, t_.integer(size)});
  return t_.make_ite(t_.make_lt(number, t_.integer(half)), number,
                     t_.make_sub(number, t_.integer(size)));
}

std::optional<Term> Arithmetic::wrapping(Instruction::BinaryOps op, Term a, Term b,
                                         std::uint32_t bits) const {
  mpz_class size = mpz_class(1) << bits, half = size / 2;
  auto less = [&](Term x, Term by) {  // x - by
    return t_.make_ite(t_.make_lt(x, by), t_.make_add(t_.make_sub(x, by), t_.integer(size)),
                       t_.make_sub(x, by));
  };
  switch (op) {
    case Instruction::Add: {
      if (t_.is_value(b) && t_.integer_value(b) >= half)
        return less(a, t_.integer(size - t_.integer_value(b)));
      Term sum = t_.make_add(a, b);
      return t_.make_ite(t_.make_lt(sum, t_.integer(size)), sum,
                         t_.make_sub(sum, t_.integer(size)));
    }
    case Instruction::Sub:
      return less(a, b);
    case Instruction::Mul:
      return read_as(t_.make_mul(a, b), bits, CSign::Unsigned);
    case Instruction::Shl:
      if (!t_.is_value(b) || t_.integer_value(b) < 0 || t_.integer_value(b) >= bits)
        return std::nullopt;
      return read_as(t_.make_mul(t_.integer(mpz_class(1) << t_.integer_value(b).get_ui()), a), bits,
                     CSign::Unsigned);
    default:
      return std::nullopt;
  }
}

Term Arithmetic::divides(Term a, Term b, Term quotient, Term remainder) const {
  auto absolute = [&](Term x) { return t_.make_ite(t_.make_ge(x, zero()), x, t_.make_neg(x)); };
  Term sum = t_.make_add(t_.make_mul(b, quotient), remainder);
  Term sign = t_.make_ite(t_.make_ge(a, zero()), t_.make_ge(remainder, zero()),
                          t_.make_le(remainder, zero()));
  std::vector<Term> all = {t_.make_eq(a, sum), sign, t_.make_lt(absolute(remainder), absolute(b))};
  return t_.make_and(all);
}

}  // namespace lem::c
