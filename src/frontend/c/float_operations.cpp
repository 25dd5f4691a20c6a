#include "frontend/c/float_operations.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Operator.h>

#include "base/try.h"
#include "term/floats.h"

namespace lem::c {

/// Flags that let a compiler change results leave open what the program does.
static bool is_loose(const llvm::Instruction& instruction) {
  auto* op = llvm::dyn_cast<llvm::FPMathOperator>(&instruction);
  return op != nullptr && op->getFastMathFlags().any();
}

static bool sets_rounding(const llvm::Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function* callee = call ? called(*call) : nullptr;
  return callee != nullptr && callee->isDeclaration() &&
         float_function(callee->getName()) == FloatFunction::SetRounding;
}

Status FloatOperations::start() {
  bool sets = false;
  for (const llvm::Instruction* instruction : w_.chains.instructions()) {
    if (is_loose(*instruction)) return w_.refuse(*instruction, "fast floating-point arithmetic");
    sets = sets || sets_rounding(*instruction);
  }
  if (!sets) return Ok{};
  Sort sort = encoding_.arithmetic.sort(*llvm::Type::getInt32Ty(w_.main.getContext()));
  rounding_ = w_.automaton.internal(sort, 32);
  w_.automaton.emit_first(Command::assign(rounding_, t_.number(0, sort)));
  encoding_.floats.round_by(rounding_);
  return Ok{};
}

Result<Term> FloatOperations::compute(const llvm::Instruction& instruction) {
  LEM_LET(std::vector<Term> args, operands_.values(instruction));
  if (auto* test = llvm::dyn_cast<llvm::FCmpInst>(&instruction))
    return encoding_.floats.compare(test->getPredicate(), args[0], args[1]);
  if (auto* op = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
    if (std::optional<Term> term = encoding_.floats.binary(op->getOpcode(), args[0], args[1]))
      return *term;
  if (instruction.getOpcode() == llvm::Instruction::FNeg) return encoding_.floats.negated(args[0]);
  if (auto* change = llvm::dyn_cast<llvm::CastInst>(&instruction)) return cast(*change, args[0]);
  return w_.refuse(instruction,
                   std::string("floating-point operation '") + instruction.getOpcodeName() + "'");
}

Result<Term> FloatOperations::cast(const llvm::CastInst& cast, Term a) {
  const llvm::Type& to = *cast.getType();
  bool between_floats = cast.getSrcTy()->isFloatingPointTy() && to.isFloatingPointTy();
  bool truth = t_.kind(a) == SortKind::Bool;
  if (encoding_.ideal() && !between_floats && !truth)
    return w_.refuse(cast, "conversion between floats and integers (--arith int)");
  switch (cast.getOpcode()) {
    case llvm::Instruction::FPExt:
    case llvm::Instruction::FPTrunc:
      return encoding_.floats.to_format(a, to);
    case llvm::Instruction::SIToFP:
    case llvm::Instruction::UIToFP:
      return encoding_.floats.from_integer(a, to, cast.getOpcode());
    case llvm::Instruction::FPToSI:
    case llvm::Instruction::FPToUI: {
      bool is_signed = cast.getOpcode() == llvm::Instruction::FPToSI;
      std::uint32_t width = to.getIntegerBitWidth();
      if (width == 1) break;
      Term fits = make_fp_fits(t_, a, width, is_signed ? FloatSign::Signed : FloatSign::Unsigned);
      Term number = t_.make(is_signed ? Op::FpToSigned : Op::FpToUnsigned, {a}, width);
      if (t_.is_true(fits)) return number;
      return t_.make_ite(fits, number, w_.automaton.any(t_.bv_sort(width), cast));
    }
    case llvm::Instruction::BitCast: {
      if (to.isX86_FP80Ty() || cast.getSrcTy()->isX86_FP80Ty()) break;
      if (to.isFloatingPointTy()) return t_.make(Op::FpFromBits, {a}, float_format(to)->packed());
      std::uint32_t width = to.getIntegerBitWidth();  // NaN has many encodings
      Term bits = w_.automaton.any(t_.bv_sort(width), cast);
      std::uint32_t format = t_.format(t_.sort(a)).packed();
      w_.automaton.emit(Command::assume(t_.make_eq(t_.make(Op::FpFromBits, {bits}, format), a)),
                        cast);
      return bits;
    }
    default:
      break;
  }
  return w_.refuse(cast, std::string("conversion '") + cast.getOpcodeName() + "'");
}

/// An int that is not 0 if and only if the formula holds; C does not say which.
Term FloatOperations::truth_number(Term formula, const llvm::CallBase& call) {
  Sort sort = encoding_.arithmetic.sort(*llvm::cast<llvm::IntegerType>(call.getType()));
  Term zero = t_.number(0, sort);
  Term number = w_.automaton.any(sort, call);
  w_.automaton.emit(Command::assume(t_.make_not(t_.make_eq(number, zero))), call);
  return t_.make_ite(formula, number, zero);
}

/// The sign bit; that of NaN is any.
Term FloatOperations::sign_bit(Term a, const llvm::CallBase& call) {
  Term of_nan = w_.automaton.any(t_.bool_sort(), call);
  return t_.make_ite(make_fp_is_nan(t_, a), of_nan, make_fp_is_negative(t_, a));
}

Result<Term> FloatOperations::call(const llvm::CallBase& call, FloatFunction function) {
  LEM_LET(std::vector<Term> args, operands_.values(call));
  bool two = function == FloatFunction::CopySign || function == FloatFunction::Least ||
             function == FloatFunction::Most;
  std::size_t wanted = function == FloatFunction::GetRounding ? 0 : two ? 2 : 1;
  bool floats = function != FloatFunction::SetRounding;
  for (Term arg : args) floats = floats && t_.kind(arg) == SortKind::Float;
  bool fits = args.size() == wanted && (floats || function == FloatFunction::SetRounding);
  if (!fits) return refuse(call);
  switch (function) {
    case FloatFunction::Absolute:
      return t_.make(Op::FpAbs, {args[0]});
    case FloatFunction::SquareRoot:
      return encoding_.floats.square_root(args[0]);
    case FloatFunction::RoundEven:
    case FloatFunction::RoundAway:
    case FloatFunction::RoundUp:
    case FloatFunction::RoundDown:
    case FloatFunction::RoundZero:
    case FloatFunction::RoundCurrent:
      return encoding_.floats.integral(args[0], function);
    case FloatFunction::CopySign:
      return encoding_.floats.copy_sign(args[0], sign_bit(args[1], call));
    case FloatFunction::Least:
      return encoding_.floats.least(args[0], args[1], w_.automaton.any(t_.bool_sort(), call));
    case FloatFunction::Most:
      return encoding_.floats.most(args[0], args[1], w_.automaton.any(t_.bool_sort(), call));
    default:
      return classify(call, function, args);
  }
}

Result<Term> FloatOperations::classify(const llvm::CallBase& call, FloatFunction function,
                                       const std::vector<Term>& args) {
  auto* type = llvm::dyn_cast<llvm::IntegerType>(call.getType());
  if (type == nullptr) return refuse(call);
  Sort sort = encoding_.arithmetic.sort(*type);
  auto number = [&](int n) { return t_.number(n, sort); };
  switch (function) {
    case FloatFunction::IsNan:
      return truth_number(make_fp_is_nan(t_, args[0]), call);
    case FloatFunction::IsInfinite:
      return truth_number(make_fp_is_infinite(t_, args[0]), call);
    case FloatFunction::IsFinite: {
      Term open = t_.make_or(make_fp_is_nan(t_, args[0]), make_fp_is_infinite(t_, args[0]));
      return truth_number(t_.make_not(open), call);
    }
    case FloatFunction::SignBit:
      return truth_number(sign_bit(args[0], call), call);
    case FloatFunction::Classify: {  // FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL, FP_NORMAL
      Term rest = t_.make_ite(make_fp_is_subnormal(t_, args[0]), number(3), number(4));
      rest = t_.make_ite(make_fp_is_zero(t_, args[0]), number(2), rest);
      rest = t_.make_ite(make_fp_is_infinite(t_, args[0]), number(1), rest);
      return t_.make_ite(make_fp_is_nan(t_, args[0]), number(0), rest);
    }
    case FloatFunction::GetRounding:
      return rounding_ ? rounding_ : number(0);
    default:
      break;
  }
  assert(function == FloatFunction::SetRounding && "all others are above");
  return set_rounding(call, args[0]);
}

/// Anything but 0 if there is no such rounding.
Term FloatOperations::set_rounding(const llvm::CallBase& call, Term number) {
  Sort sort = t_.sort(number);
  Term wanted = w_.automaton.internal(sort, scalar_bits(*call.getType()));
  w_.automaton.emit(Command::assign(wanted, number), call);  // a write may change the argument
  std::vector<Term> known;
  for (const auto& [code, rounding] : kRoundingNumbers)
    known.push_back(t_.make_eq(wanted, t_.number(code, sort)));
  Term valid = t_.make_or(known);
  w_.values.write({{rounding_, t_.make_ite(valid, wanted, rounding_)}}, call);
  return truth_number(t_.make_not(valid), call);
}

Error FloatOperations::refuse(const llvm::CallBase& call) const {
  return w_.refuse(call, "call of '" + called(call)->getName().str() + "'");
}

}  // namespace lem::c
