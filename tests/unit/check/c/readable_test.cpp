#include "check/c/readable.h"

#include <gtest/gtest.h>

namespace lem::check {
namespace {

class Readable : public testing::Test {
 protected:
  Term number(long value, std::uint32_t width) {
    return t.number(mpq_class(value), t.bv_sort(width));
  }
  Term below(Term word, long limit) {
    return t.make(Op::BvUlt, {word, number(limit, t.width(word))});
  }
  Term bit(Term word, std::uint32_t at, long value) {
    return t.make_eq(t.make_extract(word, at, at), number(value, 1));
  }
  TermStore t;
  Term x = t.fresh("x", t.bv_sort(32));
  Term y = t.fresh("y", t.bv_sort(8));
  Term z = t.fresh("z", t.bv_sort(8));
};

TEST_F(Readable, HighBitsAreAComparison) {
  EXPECT_EQ(readable(t, t.make_eq(t.make_extract(x, 31, 8), number(0, 24)), {}), below(x, 256));
  EXPECT_EQ(readable(t, bit(x, 31, 1), {}), t.make(Op::BvSlt, {x, number(0, 32)}));
}

TEST_F(Readable, SingleBitsComeTogether) {
  std::vector<Term> zero, some;
  for (std::uint32_t i = 3; i < 8; ++i) {
    zero.push_back(bit(y, i, 0));
    some.push_back(bit(y, i, 1));
  }
  EXPECT_EQ(readable(t, t.make_and(zero), {}), below(y, 8));
  EXPECT_EQ(readable(t, t.make_or(some), {}), t.make_not(below(y, 8)));
}

TEST_F(Readable, ExtensionsSayNothing) {
  Term wide_y = t.make(Op::BvZeroExtend, {y}, 24), wide_z = t.make(Op::BvZeroExtend, {z}, 24);
  EXPECT_EQ(readable(t, t.make(Op::BvSlt, {wide_y, wide_z}), {}), t.make(Op::BvUlt, {y, z}));
  EXPECT_EQ(readable(t, t.make(Op::BvSlt, {wide_y, number(9, 32)}), {}), below(y, 9));
  Term with_sign = t.make(Op::BvSignExtend, {y}, 24);
  EXPECT_EQ(readable(t, t.make(Op::BvSlt, {with_sign, number(-3, 32)}), {}),
            t.make(Op::BvSlt, {y, number(-3, 8)}));
}

TEST_F(Readable, OtherFactsStay) {
  Term fact = t.make_eq(t.make_extract(x, 7, 4), number(3, 4));
  EXPECT_EQ(readable(t, fact, {}), fact);
}

}  // namespace
}  // namespace lem::check
