#include "frontend/c/integer_operations.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>

#include "base/try.h"

namespace lem::c {

// Instructions ----------------------------------------------------------------------------------

Result<Term> IntegerOperations::binary(const llvm::BinaryOperator& op) {
  CSign sign = is_unsigned(op) ? CSign::Unsigned : CSign::Signed;
  LEM_LET(Term a, operands_.value(*op.getOperand(0), op, sign));
  LEM_LET(Term b, operands_.value(*op.getOperand(1), op, sign));
  if (op.isShift()) return shift(op, a, b);
  if (encoding_.ideal() && t_.kind(a) == SortKind::Int && wraps(op))
    return *encoding_.arithmetic.wrapping(op.getOpcode(), a, b, op.getType()->getIntegerBitWidth());
  if (std::optional<Term> term = encoding_.arithmetic.binary(op.getOpcode(), a, b)) return *term;
  if (op.isIntDivRem() && t_.kind(a) == SortKind::Int) return division(op, a, b);
  return refuse(op);
}

Error IntegerOperations::refuse(const llvm::BinaryOperator& op) const {
  return w_.refuse(op, std::string("operation '") + op.getOpcodeName() + "' over integers (" +
                           (encoding_.ideal() ? "--arith int" : "one bit") + ")");
}

/// The amount as the program has it: clang cuts off what is beyond the type of the other operand.
static const llvm::Value* whole_amount(const llvm::BinaryOperator& shift) {
  auto* cut = llvm::dyn_cast<llvm::TruncInst>(shift.getOperand(1));
  bool by_clang = cut != nullptr && cut->getDebugLoc() == shift.getDebugLoc();
  return by_clang ? cut->getOperand(0) : shift.getOperand(1);
}

Result<Term> IntegerOperations::shift(const llvm::BinaryOperator& op, Term a, Term b) {
  std::uint32_t width = op.getType()->getIntegerBitWidth();
  bool outside = encoding_.ideal() && t_.is_value(b) &&
                 (t_.integer_value(b) < 0 || t_.integer_value(b) >= width);
  if (outside) return w_.automaton.any(t_.sort(a), op);
  std::optional<Term> term = encoding_.ideal() && wraps(op)
                                 ? encoding_.arithmetic.wrapping(op.getOpcode(), a, b, width)
                                 : encoding_.arithmetic.binary(op.getOpcode(), a, b);
  if (!term) return refuse(op);
  if (encoding_.ideal()) return *term;
  LEM_LET(Term amount, operands_.value(*whole_amount(op), op));
  Term inside = t_.make(Op::BvUlt, {amount, t_.bv(width, t_.width(amount))});
  return t_.is_true(inside) ? *term : t_.make_ite(inside, *term, w_.automaton.any(t_.sort(a), op));
}

Term IntegerOperations::division(const llvm::BinaryOperator& op, Term a, Term b) {
  Term quotient = w_.automaton.internal(t_.int_sort(), op.getType()->getIntegerBitWidth());
  Term remainder = w_.automaton.internal(t_.int_sort(), op.getType()->getIntegerBitWidth());
  w_.automaton.emit(Command::havoc(quotient), op);
  w_.automaton.emit(Command::havoc(remainder), op);
  w_.automaton.emit(Command::assume(encoding_.arithmetic.divides(a, b, quotient, remainder)), op);
  unsigned code = op.getOpcode();
  bool wants_quotient = code == llvm::Instruction::UDiv || code == llvm::Instruction::SDiv;
  return wants_quotient ? quotient : remainder;
}

Result<Term> IntegerOperations::compare(const llvm::ICmpInst& compare) {
  const llvm::Value &left = *compare.getOperand(0), &right = *compare.getOperand(1);
  CSign sign = compare.isUnsigned() ? CSign::Unsigned : CSign::Signed;
  if (compare.isEquality())  // as both read it, if they do
    for (const llvm::Value* side : {&left, &right})
      if (!llvm::isa<llvm::Constant>(side) && operands_.sign_of(*side) == CSign::Unsigned)
        sign = CSign::Unsigned;
  LEM_LET(Term a, operands_.value(left, compare, sign));
  LEM_LET(Term b, operands_.value(right, compare, sign));
  return encoding_.arithmetic.compare(compare.getPredicate(), a, b);
}

Result<Term> IntegerOperations::cast(const llvm::CastInst& cast) {
  const llvm::Value& from = *cast.getOperand(0);
  if (from.getType()->isPointerTy()) return operands_.address(from, *cast.getType(), cast);
  auto narrowing = Arithmetic::Narrowing::Lossy;
  auto* to = llvm::cast<llvm::IntegerType>(cast.getType());
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&from))
    if (load->getMetadata(llvm::LLVMContext::MD_range)) narrowing = Arithmetic::Narrowing::Truth;
  if (llvm::isa<llvm::ZExtInst, llvm::SExtInst>(from)) {
    const llvm::Type* before = llvm::cast<llvm::CastInst>(from).getSrcTy();
    if (before->getIntegerBitWidth() <= to->getBitWidth())
      narrowing = Arithmetic::Narrowing::Undone;
  }
  CSign sign = llvm::isa<llvm::ZExtInst>(cast) ? CSign::Unsigned : CSign::Signed;
  if (llvm::isa<llvm::TruncInst>(cast)) sign = operands_.sign_of(from);
  LEM_LET(Term a, operands_.value(from, cast, sign));
  bool cuts = llvm::isa<llvm::TruncInst>(cast) && encoding_.ideal() && to->getBitWidth() > 1;
  if (cuts && narrowing != Arithmetic::Narrowing::Undone)
    return encoding_.arithmetic.read_as(a, to->getBitWidth(), CSign::Unsigned);
  if (std::optional<Term> term = encoding_.arithmetic.cast(cast.getOpcode(), a, *to, narrowing))
    return *term;
  if (cast.getOpcode() == llvm::Instruction::Trunc)
    return w_.refuse(cast, "conversion to a narrower type over integers (--arith int)");
  return w_.refuse(cast, std::string("conversion '") + cast.getOpcodeName() + "'");
}

// Functions -------------------------------------------------------------------------------------

using llvm::Intrinsic::ID;

/// The number of the highest or lowest bit that is set, counted from that end; `none` without any.
static Term first_bit(TermStore& t, Term a, bool from_low, Term none) {
  std::uint32_t width = t.width(a);
  Term out = none;
  for (std::uint32_t i = width; i-- > 0;) {
    std::uint32_t at = from_low ? i : width - 1 - i;
    Term set = t.make_eq(t.make_extract(a, at, at), t.bv(1, 1));
    out = t.make_ite(set, t.bv(i, width), out);
  }
  return out;
}

/// As a tree: the sums stay narrow for long.
static Term bits_set(TermStore& t, Term a) {
  std::uint32_t width = t.width(a), enough = 1;
  while ((1U << enough) <= width) ++enough;
  std::vector<Term> sums;
  for (std::uint32_t i = 0; i < width; ++i)
    sums.push_back(t.make(Op::BvZeroExtend, {t.make_extract(a, i, i)}, enough - 1));
  while (sums.size() > 1) {
    std::vector<Term> next;
    for (std::size_t i = 0; i + 1 < sums.size(); i += 2)
      next.push_back(t.make(Op::BvAdd, {sums[i], sums[i + 1]}));
    if (sums.size() % 2 != 0) next.push_back(sums.back());
    sums = std::move(next);
  }
  return enough < width ? t.make(Op::BvZeroExtend, {sums[0]}, width - enough)
                        : t.make_extract(sums[0], width - 1, 0);
}

/// The pieces of this many bits in the opposite order.
static Term reversed(TermStore& t, Term a, std::uint32_t bits) {
  Term out = t.make_extract(a, bits - 1, 0);
  for (std::uint32_t at = bits; at < t.width(a); at += bits)
    out = t.make_concat(out, t.make_extract(a, at + bits - 1, at));
  return out;
}

/// Two numbers side by side, shifted left by an amount that is taken modulo the width.
static Term funnel(TermStore& t, ID id, const std::vector<Term>& args) {
  std::uint32_t width = t.width(args[0]);
  Term by = t.make(Op::BvUrem, {args[2], t.bv(width, width)});
  if (id == llvm::Intrinsic::fshr) by = t.make_bv_sub(t.bv(width, width), by);
  Term both = t.make_concat(args[0], args[1]);
  Term wide = t.make(Op::BvZeroExtend, {by}, width);
  return t.make_extract(t.make(Op::BvShl, {both, wide}), 2 * width - 1, width);
}

bool is_integer_function(const llvm::Function& function) {
  switch (function.getIntrinsicID()) {
    case llvm::Intrinsic::abs:
    case llvm::Intrinsic::bswap:
    case llvm::Intrinsic::bitreverse:
    case llvm::Intrinsic::ctpop:
    case llvm::Intrinsic::ctlz:
    case llvm::Intrinsic::cttz:
    case llvm::Intrinsic::smax:
    case llvm::Intrinsic::smin:
    case llvm::Intrinsic::umax:
    case llvm::Intrinsic::umin:
    case llvm::Intrinsic::fshl:
    case llvm::Intrinsic::fshr:
      return true;
    default:
      return function.getName().startswith(kOwnJoin);
  }
}

Result<Term> IntegerOperations::call(const llvm::CallBase& call) {
  const llvm::Function& callee = *called(call);
  LEM_LET(std::vector<Term> args, operands_.values(call));
  if (t_.kind(args[0]) != SortKind::BitVec)
    return w_.refuse(call, "call of '" + callee.getName().str() + "' over integers (--arith int)");
  std::uint32_t width = t_.width(args[0]);
  ID id = callee.getIntrinsicID();
  switch (id) {
    case llvm::Intrinsic::abs:
      return t_.make_ite(t_.make(Op::BvSlt, {args[0], t_.bv(0, width)}),
                         t_.make_bv_sub(t_.bv(0, width), args[0]), args[0]);
    case llvm::Intrinsic::bswap:
      return reversed(t_, args[0], 8);
    case llvm::Intrinsic::bitreverse:
      return reversed(t_, args[0], 1);
    case llvm::Intrinsic::ctpop:
      return bits_set(t_, args[0]);
    case llvm::Intrinsic::ctlz:
    case llvm::Intrinsic::cttz: {  // of 0, C does not say
      bool open = !t_.is_false(args[1]);
      Term none = open ? w_.automaton.any(t_.sort(args[0]), call) : t_.bv(width, width);
      return first_bit(t_, args[0], id == llvm::Intrinsic::cttz, none);
    }
    case llvm::Intrinsic::smax:
      return t_.make_ite(t_.make(Op::BvSlt, {args[0], args[1]}), args[1], args[0]);
    case llvm::Intrinsic::smin:
      return t_.make_ite(t_.make(Op::BvSlt, {args[0], args[1]}), args[0], args[1]);
    case llvm::Intrinsic::umax:
      return t_.make_ite(t_.make(Op::BvUlt, {args[0], args[1]}), args[1], args[0]);
    case llvm::Intrinsic::umin:
      return t_.make_ite(t_.make(Op::BvUlt, {args[0], args[1]}), args[0], args[1]);
    case llvm::Intrinsic::fshl:
    case llvm::Intrinsic::fshr:
      return funnel(t_, id, args);
    default: {  // bytes, the lowest first
      Term out = args[0];
      for (std::size_t i = 1; i < args.size(); ++i) out = t_.make_concat(args[i], out);
      return out;
    }
  }
}

}  // namespace lem::c
