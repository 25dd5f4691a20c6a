// Operators over bit-vector values, against the definitions of SMT-LIB's FixedSizeBitVectors and
// QF_BV.
#include <gtest/gtest.h>

#include <array>

#include "unit/term/rule_support.h"

namespace lem {
namespace {

TEST(BvValues, DivisionByZero) {
  expect_rules(std::to_array<Rule>({
      {"udiv", "(bvudiv #x05 #x00)", "#xff"},
      {"udiv of 0", "(bvudiv #x00 #x00)", "#xff"},
      {"urem", "(bvurem #x85 #x00)", "#x85"},
      {"sdiv of a positive", "(bvsdiv #x05 #x00)", "#xff"},
      {"sdiv of 0", "(bvsdiv #x00 #x00)", "#xff"},
      {"sdiv of a negative", "(bvsdiv #x85 #x00)", "#x01"},
      {"srem of a positive", "(bvsrem #x05 #x00)", "#x05"},
      {"srem of a negative", "(bvsrem #x85 #x00)", "#x85"},
      {"smod of a positive", "(bvsmod #x05 #x00)", "#x05"},
      {"smod of a negative", "(bvsmod #x85 #x00)", "#x85"},
      {"one bit", "(bvudiv #b0 #b0)", "#b1"},
      {"one bit", "(bvsdiv #b1 #b0)", "#b1"},
  }));
}

TEST(BvValues, SignsOfDivision) {
  expect_rules(std::to_array<Rule>({
      {"overflow", "(bvsdiv #x80 #xff)", "#x80"},
      {"overflow", "(bvsrem #x80 #xff)", "#x00"},
      {"overflow", "(bvneg #x80)", "#x80"},
      {"sdiv - +", "(bvsdiv #xf9 #x02)", "#xfd"},
      {"sdiv + -", "(bvsdiv #x07 #xfe)", "#xfd"},
      {"sdiv - -", "(bvsdiv #xf9 #xfe)", "#x03"},
      {"srem - +", "(bvsrem #xf9 #x02)", "#xff"},
      {"srem + -", "(bvsrem #x07 #xfe)", "#x01"},
      {"smod - +", "(bvsmod #xf9 #x02)", "#x01"},
      {"smod + -", "(bvsmod #x07 #xfe)", "#xff"},
      {"smod - -", "(bvsmod #xf9 #xfe)", "#xff"},
      {"smod exact", "(bvsmod #xf8 #x02)", "#x00"},
  }));
}

TEST(BvValues, BeyondMachineWords) {
  expect_rules(std::to_array<Rule>({
      {"add", "(bvadd #xffffffffffffffffffffffffffffffff #x00000000000000000000000000000002)",
       "#x00000000000000000000000000000001"},
      {"mul", "(bvmul #x00000000000000010000000000000000 #x00000000000000000000000000000003)",
       "#x00000000000000030000000000000000"},
      {"shift by more than a word holds",
       "(bvshl #x00000000000000000000000000000001 #x00000000000000010000000000000000)",
       "#x00000000000000000000000000000000"},
      {"ashr by more than a word holds",
       "(bvashr #x80000000000000000000000000000000 #x00000000000000010000000000000000)",
       "#xffffffffffffffffffffffffffffffff"},
      {"concat", "(concat #xffffffffffffffff #x0000000000000000)",
       "#xffffffffffffffff0000000000000000"},
      {"extract", "((_ extract 79 64) #x00000000000abcde0000000000000000)", "#xbcde"},
      {"slt", "(bvslt #x80000000000000000000000000000000 #x00000000000000000000000000000000)",
       "true"},
  }));
}

constexpr unsigned kWidth = 4;
constexpr unsigned kAll = (1U << kWidth) - 1;

bool negative(unsigned a) {
  return (a >> (kWidth - 1)) != 0;
}
unsigned neg(unsigned a) {
  return -a & kAll;
}
unsigned udiv(unsigned a, unsigned b) {
  return b == 0 ? kAll : a / b;
}
unsigned urem(unsigned a, unsigned b) {
  return b == 0 ? a : a % b;
}
unsigned size_of(unsigned a) {
  return negative(a) ? neg(a) : a;
}
/// The definition by cases of SMT-LIB.
unsigned sdiv(unsigned a, unsigned b) {
  unsigned size = udiv(size_of(a), size_of(b));
  return negative(a) != negative(b) ? neg(size) : size;
}
unsigned srem(unsigned a, unsigned b) {
  unsigned size = urem(size_of(a), size_of(b));
  return negative(a) ? neg(size) : size;
}
unsigned smod(unsigned a, unsigned b) {
  unsigned size = urem(size_of(a), size_of(b));
  if (size == 0) return 0;
  if (!negative(a) && !negative(b)) return size;
  if (negative(a) && !negative(b)) return (neg(size) + b) & kAll;
  return (negative(a) ? neg(size) : size + b) & kAll;
}
unsigned ashr(unsigned a, unsigned b) {
  unsigned filled = negative(a) ? a | ~kAll : a;
  return b >= kWidth ? (negative(a) ? kAll : 0)
                     : static_cast<unsigned>(static_cast<int>(filled) >> b) & kAll;
}

unsigned reference(Op op, unsigned a, unsigned b) {
  switch (op) {
    case Op::BvAnd:
      return a & b;
    case Op::BvOr:
      return a | b;
    case Op::BvXor:
      return a ^ b;
    case Op::BvAdd:
      return (a + b) & kAll;
    case Op::BvMul:
      return (a * b) & kAll;
    case Op::BvUdiv:
      return udiv(a, b);
    case Op::BvUrem:
      return urem(a, b);
    case Op::BvSdiv:
      return sdiv(a, b);
    case Op::BvSrem:
      return srem(a, b);
    case Op::BvSmod:
      return smod(a, b);
    case Op::BvShl:
      return b >= kWidth ? 0 : (a << b) & kAll;
    case Op::BvLshr:
      return b >= kWidth ? 0 : a >> b;
    case Op::BvAshr:
      return ashr(a, b);
    default:
      ADD_FAILURE();
      return 0;
  }
}

TEST(BvValues, BinaryOperatorsOnAllPairsOfFourBits) {
  TermStore t;
  for (Op op : {Op::BvAnd, Op::BvOr, Op::BvXor, Op::BvAdd, Op::BvMul, Op::BvUdiv, Op::BvUrem,
                Op::BvSdiv, Op::BvSrem, Op::BvSmod, Op::BvShl, Op::BvLshr, Op::BvAshr})
    for (unsigned a = 0; a <= kAll; ++a)
      for (unsigned b = 0; b <= kAll; ++b)
        EXPECT_EQ(t.make(op, {t.bv(a, kWidth), t.bv(b, kWidth)}), t.bv(reference(op, a, b), kWidth))
            << static_cast<int>(op) << ": " << a << ", " << b;
}

TEST(BvValues, OtherOperatorsOnAllFourBits) {
  TermStore t;
  for (unsigned a = 0; a <= kAll; ++a) {
    Term term = t.bv(a, kWidth);
    int as_signed = negative(a) ? static_cast<int>(a) - 16 : static_cast<int>(a);
    EXPECT_EQ(t.make(Op::BvNot, {term}), t.bv(~a & kAll, kWidth));
    EXPECT_EQ(t.make(Op::BvNeg, {term}), t.bv(neg(a), kWidth));
    EXPECT_EQ(t.make(Op::BvZeroExtend, {term}, 3), t.bv(a, 7));
    EXPECT_EQ(t.make(Op::BvSignExtend, {term}, 3), t.bv(as_signed, 7));
    EXPECT_EQ(t.make_extract(term, 2, 1), t.bv((a >> 1) & 3, 2));
    EXPECT_EQ(t.make_rotate_left(term, 1), t.bv((a << 1 | a >> 3) & kAll, kWidth));
    EXPECT_EQ(t.make_rotate_right(term, 5), t.bv((a >> 1 | a << 3) & kAll, kWidth));
    for (unsigned b = 0; b <= kAll; ++b) {
      Term other = t.bv(b, kWidth);
      int other_signed = negative(b) ? static_cast<int>(b) - 16 : static_cast<int>(b);
      EXPECT_EQ(t.make(Op::BvUlt, {term, other}), t.boolean(a < b));
      EXPECT_EQ(t.make(Op::BvSlt, {term, other}), t.boolean(as_signed < other_signed));
      EXPECT_EQ(t.make_bv_ule(term, other), t.boolean(a <= b));
      EXPECT_EQ(t.make_bv_sle(term, other), t.boolean(as_signed <= other_signed));
      EXPECT_EQ(t.make_bv_sub(term, other), t.bv((a - b) & kAll, kWidth));
      EXPECT_EQ(t.make_concat(term, other), t.bv(a << 4 | b, 8));
    }
  }
}

}  // namespace
}  // namespace lem
