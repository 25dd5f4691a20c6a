#include "engine/parts/terms/inequalities.h"

#include <gtest/gtest.h>

namespace lem::engine {
namespace {

TEST(Inequalities, AnEqualityIsTheConjunctionOfItsSides) {
  TermStore t;
  Term x = t.variable("x", t.int_sort()), y = t.variable("y", t.int_sort());
  EXPECT_EQ(sides_of(t, t.make_eq(x, y), {}), (std::vector{t.make_le(x, y), t.make_le(y, x)}));
  EXPECT_TRUE(sides_of(t, t.make_le(x, y), {}).empty());
  Term p = t.variable("p", t.bool_sort()), q = t.variable("q", t.bool_sort());
  EXPECT_TRUE(sides_of(t, t.make_eq(p, q), {}).empty()) << "Bool has no order";
}

TEST(Inequalities, BitVectorsHaveTheOrdersThatAreAskedFor) {
  TermStore t;
  Term v = t.variable("v", t.bv_sort(8)), w = t.variable("w", t.bv_sort(8));
  EXPECT_EQ(sides_of(t, t.make_eq(v, w), {true, false}),
            (std::vector{t.make_bv_sle(v, w), t.make_bv_sle(w, v)}));
  EXPECT_EQ(sides_of(t, t.make_eq(v, w), {true, true}).size(), 4U);
  EXPECT_EQ(less_than(t, v, w, {false, true}), (std::vector{t.make(Op::BvUlt, {v, w})}));
  EXPECT_EQ(less_than(t, v, w, {true, true}).size(), 2U);
}

TEST(Inequalities, SumsAreImpliedAndSayWhatBothSay) {
  TermStore t;
  Term x = t.variable("x", t.int_sort()), y = t.variable("y", t.int_sort());
  EXPECT_EQ(sum_of(t, t.make_le(x, t.integer(3)), t.make_le(t.integer(3), y)), t.make_le(x, y))
      << "the constant goes";
  EXPECT_EQ(sum_of(t, t.make_lt(x, t.integer(3)), t.make_lt(y, t.integer(3))),
            t.make_le(t.make_add(x, y), t.integer(4)));
  EXPECT_FALSE(sum_of(t, t.make_le(x, y), t.make_le(y, x))) << "0 <= 0";
  EXPECT_FALSE(sum_of(t, t.make_le(x, y), t.make_eq(x, y)));
  Term r = t.variable("r", t.real_sort()), s = t.variable("s", t.real_sort());
  EXPECT_EQ(sum_of(t, t.make_lt(r, s), t.make_le(r, s)),
            t.make_lt(t.make_add(r, r), t.make_add(s, s)));
  EXPECT_FALSE(sum_of(t, t.make_le(x, y), t.make_le(r, s))) << "of two sorts";
}

}  // namespace
}  // namespace lem::engine
