// Floating-point operations of LLVM as terms of IEEE floats: float, double, and long double of x86.
#pragma once

#include <llvm/ADT/APFloat.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/Type.h>

#include <functional>
#include <optional>

#include "term/term_store.h"

namespace lem::c {

/// Functions of <math.h> that are defined to the last bit, and what headers make of them.
enum class FloatFunction : std::uint8_t {
  Absolute,
  SquareRoot,
  RoundEven,     // roundeven
  RoundAway,     // round
  RoundUp,       // ceil
  RoundDown,     // floor
  RoundZero,     // trunc
  RoundCurrent,  // rint, nearbyint
  CopySign,
  Least,
  Most,
  IsNan,
  IsInfinite,
  IsFinite,
  SignBit,
  Classify,
  GetRounding,  // fegetround
  SetRounding,  // fesetround
};
/// By the name of the function or of the intrinsic.
std::optional<FloatFunction> float_function(llvm::StringRef name);

/// The numbers of <fenv.h> on x86.
struct RoundingNumber {
  unsigned number;
  Rounding rounding;
};
inline constexpr RoundingNumber kRoundingNumbers[] = {{0x000, Rounding::NearestEven},
                                                      {0x400, Rounding::Down},
                                                      {0x800, Rounding::Up},
                                                      {0xC00, Rounding::Zero}};

/// The format of a type, if it is one of the three.
std::optional<FloatFormat> float_format(const llvm::Type& type);

/// Integers and floats: what has one value.
bool is_scalar(const llvm::Type& type);
/// Other than moving a float from here to there.
bool is_float_operation(const llvm::Instruction& instruction);
/// Of an integer or a float.
std::uint32_t scalar_bits(const llvm::Type& type);

class Floats {
 public:
  explicit Floats(TermStore& terms) : t_(terms) {}

  Sort sort(const llvm::Type& type) const;  // require: float_format(type)
  Term constant(const llvm::APFloat& value) const;

  /// From now on roundings are as this variable says, one of kRoundingNumbers.
  void round_by(Term variable) { mode_ = variable; }
  /// `make` in the rounding of the moment.
  Term rounded(const std::function<Term(Rounding)>& make) const;

  /// Nothing for remainders, which only fmod would have.
  std::optional<Term> binary(llvm::Instruction::BinaryOps op, Term a, Term b) const;
  Term negated(Term a) const { return t_.make(Op::FpNeg, {a}); }
  Term compare(llvm::CmpInst::Predicate predicate, Term a, Term b) const;
  Term to_format(Term a, const llvm::Type& type) const;
  Term from_integer(Term a, const llvm::Type& type, llvm::Instruction::CastOps op) const;
  Term integral(Term a, FloatFunction how) const;
  Term square_root(Term a) const;
  Term copy_sign(Term a, Term negative) const;
  /// Of -0 and 0 either is the least, as `first` says.
  Term least(Term a, Term b, Term first) const;
  Term most(Term a, Term b, Term first) const;

 private:
  TermStore& t_;
  Term mode_{};
};

}  // namespace lem::c
