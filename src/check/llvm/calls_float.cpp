// Functions of <math.h> and <fenv.h>, and LLVM's intrinsics of the same meaning.
#include <llvm/ADT/StringSwitch.h>

#include "check/llvm/machine.h"
#include "check/llvm/operations.h"

namespace lem::check {

using llvm::APFloat;
using llvm::RoundingMode;

namespace {

enum class Math : std::uint8_t {
  None,
  Absolute,
  Root,
  RoundEven,
  RoundAway,
  Ceil,
  Floor,
  Truncate,
  RoundCurrent,
  CopySign,
  Least,
  Most,
  IsNan,
  IsInfinite,
  IsFinite,
  SignBit,
  Classify,
  GetRounding,
  SetRounding,
};

}  // namespace

static Math plain_name(llvm::StringRef name) {
  return llvm::StringSwitch<Math>(name)
      .Case("fabs", Math::Absolute)
      .Case("sqrt", Math::Root)
      .Case("roundeven", Math::RoundEven)
      .Case("round", Math::RoundAway)
      .Case("ceil", Math::Ceil)
      .Case("floor", Math::Floor)
      .Case("trunc", Math::Truncate)
      .Cases("rint", "nearbyint", Math::RoundCurrent)
      .Case("copysign", Math::CopySign)
      .Cases("fmin", "minnum", Math::Least)
      .Cases("fmax", "maxnum", Math::Most)
      .Cases("isnan", "__isnan", Math::IsNan)
      .Cases("isinf", "__isinf", Math::IsInfinite)
      .Cases("finite", "__finite", "isfinite", Math::IsFinite)
      .Cases("signbit", "__signbit", Math::SignBit)
      .Case("__fpclassify", Math::Classify)
      .Case("fegetround", Math::GetRounding)
      .Case("fesetround", Math::SetRounding)
      .Default(Math::None);
}

/// fabs, fabsf, fabsl and llvm.fabs.f64 are one.
static Math math_function(llvm::StringRef name) {
  if (name.consume_front("llvm.")) return plain_name(name.split('.').first);
  Math found = plain_name(name);
  if (found == Math::None && (name.endswith("f") || name.endswith("l")))
    found = plain_name(name.drop_back());
  return found;
}

static APFloat rounded(APFloat number, RoundingMode how) {
  number.roundToIntegral(how);
  return number;
}

static APFloat magnitude(APFloat number) {
  number.clearSign();
  return number;
}

/// Of two zeros either may be the least or the most.
static APFloat extreme(const APFloat& a, const APFloat& b, Math function) {
  if (a.isNaN()) return b;
  if (b.isNaN()) return a;
  APFloat::cmpResult wanted =
      function == Math::Least ? APFloat::cmpLessThan : APFloat::cmpGreaterThan;
  return b.compare(a) == wanted ? b : a;
}

static std::optional<APFloat> number_from(Math function, const APFloat& a, const APFloat& b,
                                          RoundingMode current) {
  switch (function) {
    case Math::Absolute:
      return magnitude(a);
    case Math::Root:
      return square_root(a, current);
    case Math::RoundEven:
      return rounded(a, RoundingMode::NearestTiesToEven);
    case Math::RoundAway:
      return rounded(a, RoundingMode::NearestTiesToAway);
    case Math::Ceil:
      return rounded(a, RoundingMode::TowardPositive);
    case Math::Floor:
      return rounded(a, RoundingMode::TowardNegative);
    case Math::Truncate:
      return rounded(a, RoundingMode::TowardZero);
    case Math::RoundCurrent:
      return rounded(a, current);
    case Math::CopySign:
      return APFloat::copySign(a, b);
    case Math::Least:
    case Math::Most:
      return extreme(a, b, function);
    default:
      return {};
  }
}

/// As an int; where C asks for any number but 0, it is 1.
static std::optional<std::uint64_t> class_from(Math function, const APFloat& a) {
  switch (function) {
    case Math::IsNan:
      return a.isNaN() ? 1 : 0;
    case Math::IsInfinite:
      return a.isInfinity() ? 1 : 0;
    case Math::IsFinite:
      return a.isFinite() ? 1 : 0;
    case Math::SignBit:
      return a.isNegative() ? 1 : 0;
    case Math::Classify:  // FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL, FP_NORMAL
      return a.isNaN() ? 0 : a.isInfinity() ? 1 : a.isZero() ? 2 : a.isDenormal() ? 3 : 4;
    default:
      return {};
  }
}

namespace {

struct RoundingCode {
  std::uint64_t code;  // of <fenv.h> on x86
  RoundingMode mode;
};
constexpr RoundingCode kRoundingCodes[] = {{0x000, RoundingMode::NearestTiesToEven},
                                           {0x400, RoundingMode::TowardNegative},
                                           {0x800, RoundingMode::TowardPositive},
                                           {0xC00, RoundingMode::TowardZero}};

}  // namespace

bool Machine::call_float(const llvm::CallBase& call, llvm::StringRef name) {
  Math function = math_function(name);
  if (function == Math::None) return false;
  llvm::Type& type = *call.getType();
  std::vector<Value> args;
  for (const llvm::Use& use : call.args()) args.push_back(operand(*use));
  if (end_) return true;
  if (function == Math::GetRounding && args.empty() && type.isIntegerTy()) {
    for (const RoundingCode& one : kRoundingCodes)
      if (one.mode == rounding_) set(call, Value::number(one.code, type.getIntegerBitWidth()));
    return true;
  }
  if (args.empty()) return false;
  if (function == Math::SetRounding) {
    if (!type.isIntegerTy()) return false;
    std::optional<llvm::APInt> code = decided(args[0], "the rounding");
    if (!code) return true;
    bool valid = false;
    for (const RoundingCode& one : kRoundingCodes)
      if (*code == one.code) {
        rounding_ = one.mode;
        valid = true;
      }
    set(call, Value::number(valid ? 0 : 1, type.getIntegerBitWidth()));
    return true;
  }
  llvm::Type& floats = *call.getArgOperand(0)->getType();
  bool known = floats.isFloatTy() || floats.isDoubleTy() || floats.isX86_FP80Ty();
  bool two = function == Math::CopySign || function == Math::Least || function == Math::Most;
  if (!known || args.size() != (two ? 2U : 1U)) return false;
  if (two && call.getArgOperand(1)->getType() != &floats) return false;
  for (const Value& arg : args)
    if (!arg.is_known()) {
      set(call, undefined(type));
      return true;
    }
  APFloat a = float_of(args[0], floats), b = float_of(args.back(), floats);
  if (auto number = number_from(function, a, b, rounding_); number && &type == &floats) {
    set(call, float_value(*number));
    return true;
  }
  if (auto number = class_from(function, a); number && type.isIntegerTy()) {
    set(call, Value::number(*number, type.getIntegerBitWidth()));
    return true;
  }
  return false;
}

}  // namespace lem::check
