#include "writer/infix.h"

#include <gtest/gtest.h>

namespace lem::writer {
namespace {

class InfixText : public testing::Test {
 protected:
  std::string text(Term term) { return infix_text(t, term); }
  TermStore t;
  Term x = t.variable("x", t.int_sort()), y = t.variable("y", t.int_sort());
  Term a = t.variable("a", t.bv_sort(8)), b = t.variable("b", t.bv_sort(8));
  Term p = t.variable("p", t.bool_sort()), q = t.variable("q", t.bool_sort());
};

TEST_F(InfixText, SumsAndComparisons) {
  EXPECT_EQ(text(t.make_le(t.make_add(x, y), t.integer(3))), "x + y <= 3");
  EXPECT_EQ(text(t.make_sub(x, y)), "x - y");
  EXPECT_EQ(text(t.make_mul(t.integer(2), t.make_mul(x, y))), "2 * (x * y)");
  EXPECT_EQ(text(t.make_not(t.make_le(x, t.integer(3)))), "x > 3");
  EXPECT_EQ(text(t.make_not(t.make_eq(a, b))), "a != b");
}

TEST_F(InfixText, SignsOfBitVectors) {
  EXPECT_EQ(text(t.make(Op::BvSlt, {a, b})), "a < b");
  EXPECT_EQ(text(t.make(Op::BvUlt, {a, b})), "a <u b");
  EXPECT_EQ(text(t.make_not(t.make(Op::BvSlt, {a, b}))), "a >= b");
  EXPECT_EQ(text(t.make(Op::BvSrem, {a, b})), "a % b");
  EXPECT_EQ(text(t.make_eq(a, t.bv(255, 8))), "a == -1");
}

TEST_F(InfixText, ParenthesesWhereNeeded) {
  Term not_p = t.make_not(p);  // terms are ordered by their making
  EXPECT_EQ(text(t.make_or(t.make_and(p, q), not_p)), "!p || p && q");
  EXPECT_EQ(
      text(t.make_and(t.make_or(p, q), t.make_le(x, y))).find("(p || q)") != std::string::npos,
      true);
  EXPECT_EQ(
      text(t.make(Op::BvMul, {t.make(Op::BvAdd, {a, b}), a})).find("(a + b)") != std::string::npos,
      true);
  EXPECT_EQ(text(t.make_ite(p, x, y)), "p ? x : y");
}

/// A doubling of 60 rounds is written once each, not 2^60 times.
TEST_F(InfixText, SharedSubtermsDoNotMultiply) {
  Term sum = x;
  for (int i = 0; i < 60; ++i) sum = t.make_ite(t.make_le(sum, y), t.make_mul(sum, sum), sum);
  EXPECT_LT(text(sum).size(), 20'000U);
}

TEST_F(InfixText, Arrays) {
  Term m = t.variable("m", t.array_sort(t.int_sort(), t.int_sort()));
  EXPECT_EQ(text(t.make_select(m, x)), "m[x]");
  EXPECT_EQ(text(t.make_store(m, x, y)), "m[x := y]");
}

}  // namespace
}  // namespace lem::writer
