#include "frontend/c/floats.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

#include "base/assert.h"
#include "term/floats.h"

namespace lem::c {

using llvm::CmpInst;
using llvm::Instruction;

std::optional<FloatFunction> float_function(llvm::StringRef name) {
  bool intrinsic = name.consume_front("llvm.");
  if (intrinsic) name = name.take_until([](char c) { return c == '.'; });
  auto find = [](llvm::StringRef plain) {
    using F = FloatFunction;
    return llvm::StringSwitch<std::optional<F>>(plain)
        .Case("fabs", F::Absolute)
        .Case("sqrt", F::SquareRoot)
        .Case("roundeven", F::RoundEven)
        .Case("round", F::RoundAway)
        .Case("ceil", F::RoundUp)
        .Case("floor", F::RoundDown)
        .Case("trunc", F::RoundZero)
        .Cases("rint", "nearbyint", F::RoundCurrent)
        .Case("copysign", F::CopySign)
        .Cases("fmin", "minnum", F::Least)
        .Cases("fmax", "maxnum", F::Most)
        .Cases("isnan", "__isnan", F::IsNan)
        .Cases("isinf", "__isinf", F::IsInfinite)
        .Cases("finite", "__finite", "isfinite", F::IsFinite)
        .Cases("signbit", "__signbit", F::SignBit)
        .Case("__fpclassify", F::Classify)
        .Case("fegetround", F::GetRounding)
        .Case("fesetround", F::SetRounding)
        .Default(std::nullopt);
  };
  if (auto found = find(name); found || intrinsic) return found;
  return name.endswith("f") || name.endswith("l") ? find(name.drop_back()) : std::nullopt;
}

std::optional<FloatFormat> float_format(const llvm::Type& type) {
  if (type.isFloatTy()) return kFloat32;
  if (type.isDoubleTy()) return kFloat64;
  if (type.isX86_FP80Ty()) return kFloat80;
  return std::nullopt;
}

bool is_scalar(const llvm::Type& type) {
  return type.isIntegerTy() || float_format(type);
}

bool is_float_operation(const llvm::Instruction& instruction) {
  bool reads = std::any_of(instruction.op_begin(), instruction.op_end(), [](const llvm::Use& use) {
    return use->getType()->isFloatingPointTy();
  });
  bool moves = llvm::isa<llvm::LoadInst, llvm::SelectInst, llvm::FreezeInst>(instruction);
  return !moves && (reads || instruction.getType()->isFloatingPointTy());
}

std::uint32_t scalar_bits(const llvm::Type& type) {
  return static_cast<std::uint32_t>(type.getPrimitiveSizeInBits().getFixedSize());
}

Sort Floats::sort(const llvm::Type& type) const {
  return t_.float_sort(*float_format(type));
}

static mpz_class number(const llvm::APInt& bits) {
  llvm::SmallString<80> digits;
  bits.toStringUnsigned(digits, 10);
  return mpz_class(digits.c_str());
}

/// x87 writes the leading bit of the significand, which the other formats hide.
Term Floats::constant(const llvm::APFloat& value) const {
  llvm::APInt bits = value.bitcastToAPInt();
  switch (bits.getBitWidth()) {
    case 32:
      return t_.floating({kFloat32, number(bits)});
    case 64:
      return t_.floating({kFloat64, number(bits)});
    default: {
      assert(bits.getBitWidth() == 80 && "only float, double and long double");
      llvm::APInt top = bits.lshr(64).trunc(16), fraction = bits.trunc(63);
      return t_.floating({kFloat80, (number(top) << 63) + number(fraction)});
    }
  }
}

Term Floats::rounded(const std::function<Term(Rounding)>& make) const {
  Term result = make(Rounding::NearestEven);
  if (!mode_) return result;
  for (const auto& [code, rounding] : kRoundingNumbers)
    if (rounding != Rounding::NearestEven)
      result =
          t_.make_ite(t_.make_eq(mode_, t_.number(code, t_.sort(mode_))), make(rounding), result);
  return result;
}

std::optional<Term> Floats::binary(Instruction::BinaryOps op, Term a, Term b) const {
  auto apply = [&](Op ours) {
    return rounded([&](Rounding mode) {
      return t_.make(ours, {a, b}, static_cast<std::uint32_t>(mode));
    });
  };
  switch (op) {
    case Instruction::FAdd:
      return apply(Op::FpAdd);
    case Instruction::FSub:
      return rounded([&](Rounding mode) { return make_fp_sub(t_, a, b, mode); });
    case Instruction::FMul:
      return apply(Op::FpMul);
    case Instruction::FDiv:
      return apply(Op::FpDiv);
    default:
      return std::nullopt;
  }
}

/// Ordered: both are numbers, and so they compare. Unordered: they do, or one is NaN.
Term Floats::compare(CmpInst::Predicate predicate, Term a, Term b) const {
  Term nan = t_.make_or(make_fp_is_nan(t_, a), make_fp_is_nan(t_, b));
  auto less = [&](Term x, Term y) { return t_.make(Op::FpLt, {x, y}); };
  auto at_most = [&](Term x, Term y) { return t_.make(Op::FpLe, {x, y}); };
  Term equal = t_.make(Op::FpEq, {a, b});
  switch (predicate) {
    case CmpInst::FCMP_FALSE:
      return t_.boolean(false);
    case CmpInst::FCMP_TRUE:
      return t_.boolean(true);
    case CmpInst::FCMP_OEQ:
      return equal;
    case CmpInst::FCMP_UNE:
      return t_.make_not(equal);
    case CmpInst::FCMP_ONE:
      return t_.make_and(t_.make_not(equal), t_.make_not(nan));
    case CmpInst::FCMP_UEQ:
      return t_.make_or(equal, nan);
    case CmpInst::FCMP_ORD:
      return t_.make_not(nan);
    case CmpInst::FCMP_UNO:
      return nan;
    case CmpInst::FCMP_OLT:
      return less(a, b);
    case CmpInst::FCMP_OGT:
      return less(b, a);
    case CmpInst::FCMP_OLE:
      return at_most(a, b);
    case CmpInst::FCMP_OGE:
      return at_most(b, a);
    case CmpInst::FCMP_ULT:
      return t_.make_not(at_most(b, a));
    case CmpInst::FCMP_UGT:
      return t_.make_not(at_most(a, b));
    case CmpInst::FCMP_ULE:
      return t_.make_not(less(b, a));
    case CmpInst::FCMP_UGE:
      return t_.make_not(less(a, b));
    default:
      unreachable();
  }
}

Term Floats::to_format(Term a, const llvm::Type& type) const {
  std::uint32_t format = float_format(type)->packed();
  return rounded([&](Rounding mode) {
    return t_.make(Op::FpToFp, {a}, format, static_cast<std::uint32_t>(mode));
  });
}

/// A truth value is 1, or -1 when signed, or 0.
Term Floats::from_integer(Term a, const llvm::Type& type, Instruction::CastOps op) const {
  bool is_signed = op == Instruction::SIToFP;
  if (t_.kind(a) == SortKind::Bool)
    return t_.make_ite(a, t_.number(is_signed ? -1 : 1, sort(type)), t_.number(0, sort(type)));
  std::uint32_t format = float_format(type)->packed();
  return rounded([&](Rounding mode) {
    return t_.make(is_signed ? Op::FpFromSigned : Op::FpFromUnsigned, {a}, format,
                   static_cast<std::uint32_t>(mode));
  });
}

Term Floats::integral(Term a, FloatFunction how) const {
  auto round = [&](Rounding mode) {
    return t_.make(Op::FpRound, {a}, static_cast<std::uint32_t>(mode));
  };
  switch (how) {
    case FloatFunction::RoundEven:
      return round(Rounding::NearestEven);
    case FloatFunction::RoundAway:
      return round(Rounding::NearestAway);
    case FloatFunction::RoundUp:
      return round(Rounding::Up);
    case FloatFunction::RoundDown:
      return round(Rounding::Down);
    case FloatFunction::RoundZero:
      return round(Rounding::Zero);
    default:
      return rounded(round);
  }
}

Term Floats::square_root(Term a) const {
  return rounded(
      [&](Rounding mode) { return t_.make(Op::FpSqrt, {a}, static_cast<std::uint32_t>(mode)); });
}

Term Floats::copy_sign(Term a, Term negative) const {
  Term size = t_.make(Op::FpAbs, {a});
  return t_.make_ite(negative, negated(size), size);
}

Term Floats::least(Term a, Term b, Term first) const {
  Term between = t_.make_ite(t_.make(Op::FpLt, {a, b}), a,
                             t_.make_ite(t_.make(Op::FpLt, {b, a}), b, t_.make_ite(first, a, b)));
  return t_.make_ite(make_fp_is_nan(t_, a), b, t_.make_ite(make_fp_is_nan(t_, b), a, between));
}

Term Floats::most(Term a, Term b, Term first) const {
  return negated(least(negated(a), negated(b), first));
}

}  // namespace lem::c
