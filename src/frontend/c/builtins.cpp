// Functions of the compiler on integers: __builtin_popcount and its like, and our own.
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>

#include "frontend/c/place.h"
#include "frontend/c/translate.h"

namespace lem::c {

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

Result<Term> Translator::call_integer(const llvm::CallBase& call) {
  const llvm::Function& callee = *called(call);
  std::vector<Term> args;
  for (const llvm::Use& use : call.args()) {
    Result<Term> arg = value(*use, call);
    if (!arg) return arg;
    args.push_back(*arg);
  }
  if (t_.kind(args[0]) != SortKind::BitVec)
    return refuse(call, "call of '" + callee.getName().str() + "' over integers (--arith int)");
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
      Term none = open ? any(t_.sort(args[0]), call) : t_.bv(width, width);
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
