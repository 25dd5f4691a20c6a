#include "term/term_store.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace lem {
namespace {

TEST(TermStore, EqualSortsAreOneSort) {
  TermStore t;
  EXPECT_EQ(t.bv_sort(8), t.bv_sort(8));
  EXPECT_NE(t.bv_sort(8), t.bv_sort(9));
  Sort array = t.array_sort(t.bv_sort(8), t.int_sort());
  EXPECT_EQ(array, t.array_sort(t.bv_sort(8), t.int_sort()));
  EXPECT_NE(array, t.array_sort(t.int_sort(), t.bv_sort(8)));
  EXPECT_NE(array, t.array_sort(t.bv_sort(8), t.real_sort()));
  std::set<Sort> all{t.bool_sort(), t.int_sort(), t.real_sort(), t.bv_sort(8), array};
  EXPECT_EQ(all.size(), 5U);
}

TEST(TermStore, SortsTellTheirParts) {
  TermStore t;
  Sort inner = t.array_sort(t.int_sort(), t.bool_sort());
  Sort array = t.array_sort(t.bv_sort(3), inner);
  EXPECT_EQ(t.kind(array), SortKind::Array);
  EXPECT_EQ(t.index_sort(array), t.bv_sort(3));
  EXPECT_EQ(t.element_sort(array), inner);
  EXPECT_EQ(t.kind(t.bv_sort(3)), SortKind::BitVec);
  EXPECT_EQ(t.width(t.bv_sort(3)), 3U);
  EXPECT_EQ(t.kind(t.bool_sort()), SortKind::Bool);
  EXPECT_TRUE(t.is_numeric(t.int_sort()));
  EXPECT_TRUE(t.is_numeric(t.real_sort()));
  EXPECT_FALSE(t.is_numeric(t.bool_sort()));
  EXPECT_FALSE(t.is_numeric(t.bv_sort(3)));
}

TEST(TermStore, EqualTermsAreOneTerm) {
  TermStore t;
  Term a = t.variable("a", t.bv_sort(8));
  Term b = t.variable("b", t.bv_sort(8));
  std::size_t before = t.size();
  Term first = t.make(Op::BvUdiv, {a, b});
  EXPECT_EQ(t.size(), before + 1);
  EXPECT_EQ(t.make(Op::BvUdiv, {a, b}), first);
  EXPECT_EQ(t.size(), before + 1);
  EXPECT_NE(t.make(Op::BvUdiv, {b, a}), first);
  EXPECT_NE(t.make(Op::BvUrem, {a, b}), first);
  EXPECT_NE(t.make_extract(a, 3, 0), t.make_extract(a, 4, 1));
  EXPECT_NE(t.make(Op::BvZeroExtend, {a}, 1), t.make(Op::BvSignExtend, {a}, 1));
}

TEST(TermStore, HashConsingSurvivesGrowth) {
  TermStore t;
  std::vector<Term> made;
  Sort sort = t.bv_sort(32);
  Term base = t.variable("x", sort);
  for (int i = 2; i < 20'000; ++i) made.push_back(t.make(Op::BvAdd, {base, t.bv(i, 32)}));
  std::size_t size = t.size();
  for (int i = 2; i < 20'000; ++i)
    ASSERT_EQ(t.make(Op::BvAdd, {base, t.bv(i, 32)}), made[static_cast<std::size_t>(i) - 2]);
  EXPECT_EQ(t.size(), size);
}

TEST(TermStore, ArgumentsStayWhereTheyAre) {
  TermStore t;
  std::vector<Term> flags;
  for (int i = 0; i < 6000; ++i)  // more than a block of arguments
    flags.push_back(t.variable("p" + std::to_string(i), t.bool_sort()));
  Term pair = t.make_and(flags[0], flags[1]);
  std::span<const Term> args = t.args(pair);
  Term wide = t.make_or(flags);
  for (int i = 0; i < 5000; ++i) t.make_or(flags[5], flags[static_cast<std::size_t>(i) + 6]);
  EXPECT_EQ(args.data(), t.args(pair).data());
  EXPECT_EQ(args[1], flags[1]);
  ASSERT_EQ(t.args(wide).size(), flags.size());
  EXPECT_TRUE(std::equal(flags.begin(), flags.end(), t.args(wide).begin()));
}

TEST(TermStore, VariablesAreNamedPerSort) {
  TermStore t;
  Term x = t.variable("x", t.int_sort());
  EXPECT_EQ(t.variable("x", t.int_sort()), x);
  EXPECT_NE(t.variable("x", t.real_sort()), x);
  EXPECT_NE(t.variable("y", t.int_sort()), x);
  EXPECT_NE(t.variable("", t.int_sort()), x);
  EXPECT_EQ(t.name(x), "x");
  EXPECT_EQ(t.sort(x), t.int_sort());
  EXPECT_TRUE(t.is_variable(x));
  EXPECT_FALSE(t.is_value(x));
  EXPECT_TRUE(t.args(x).empty());
}

TEST(TermStore, NamesAreNoKeysOfValues) {
  TermStore t;
  Term one = t.integer(1);
  EXPECT_NE(t.variable("i1", t.int_sort()), one);
  EXPECT_NE(t.variable("1", t.int_sort()), one);
  EXPECT_NE(t.variable("2:x", t.int_sort()), t.variable("x", t.int_sort()));
}

TEST(TermStore, FreshVariablesAreNew) {
  TermStore t;
  Term taken = t.variable("x!0", t.int_sort());
  Term first = t.fresh("x", t.int_sort());
  Term second = t.fresh("x", t.int_sort());
  EXPECT_EQ((std::set<Term>{taken, first, second}.size()), 3U);
  EXPECT_NE(t.name(first), t.name(second));
  EXPECT_TRUE(t.name(first).starts_with("x"));
  EXPECT_EQ(t.sort(first), t.int_sort());
}

TEST(TermStore, IntegersAreExact) {
  TermStore t;
  mpz_class big("123456789012345678901234567890");
  EXPECT_EQ(t.integer(big), t.integer(big));
  EXPECT_NE(t.integer(big), t.integer(mpz_class(big + 1)));
  EXPECT_NE(t.integer(big), t.integer(mpz_class(-big)));
  EXPECT_EQ(t.integer_value(t.integer(mpz_class(-big))), -big);
  EXPECT_EQ(t.make_sub(t.integer(mpz_class(big + 1)), t.integer(big)), t.integer(1));
  EXPECT_EQ(t.integer_value(t.make_mul(t.integer(big), t.integer(big))), big * big);
  EXPECT_EQ(t.number_value(t.integer(-3)), -3);
}

TEST(TermStore, RealsAreExactAndReduced) {
  TermStore t;
  EXPECT_EQ(t.real(mpq_class(2, 6)), t.real(mpq_class(1, 3)));
  EXPECT_EQ(t.real(mpq_class(-2, 4)), t.real(mpq_class(1, -2)));
  EXPECT_NE(t.real(mpq_class(1, 3)), t.real(mpq_class("333333333333/1000000000000")));
  EXPECT_NE(t.real(1), t.integer(1));
  Term third = t.real(mpq_class(1, 3));
  EXPECT_EQ(t.make_add(t.make_add(third, third), third), t.real(1));
  EXPECT_EQ(t.real_value(third), mpq_class(1, 3));
}

TEST(TermStore, BitVectorsAreTakenModulo) {
  TermStore t;
  EXPECT_EQ(t.bv(256, 8), t.bv(0, 8));
  EXPECT_EQ(t.bv(-1, 8), t.bv(255, 8));
  EXPECT_EQ(t.bv(-129, 8), t.bv(127, 8));
  EXPECT_NE(t.bv(1, 8), t.bv(1, 9));
  mpz_class top = mpz_class(1) << 199;
  Term wide = t.bv(top, 200);
  EXPECT_EQ(t.width(wide), 200U);
  EXPECT_EQ(t.integer_value(wide), top);
  EXPECT_EQ(t.signed_value(wide), -top);
  EXPECT_EQ(t.bv(mpz_class(top * 2), 200), t.bv(0, 200));
  EXPECT_EQ(t.signed_value(t.bv(127, 8)), 127);
  EXPECT_EQ(t.signed_value(t.bv(128, 8)), -128);
  EXPECT_EQ(t.signed_value(t.bv(1, 1)), -1);
}

TEST(TermStore, NumbersTakeTheirSort) {
  TermStore t;
  EXPECT_EQ(t.number(5, t.int_sort()), t.integer(5));
  EXPECT_EQ(t.number(mpq_class(1, 2), t.real_sort()), t.real(mpq_class(1, 2)));
  EXPECT_EQ(t.number(-1, t.bv_sort(4)), t.bv(15, 4));
}

TEST(TermStore, DefaultsAreZero) {
  TermStore t;
  EXPECT_EQ(t.default_value(t.bool_sort()), t.boolean(false));
  EXPECT_EQ(t.default_value(t.int_sort()), t.integer(0));
  EXPECT_EQ(t.default_value(t.real_sort()), t.real(0));
  EXPECT_EQ(t.default_value(t.bv_sort(7)), t.bv(0, 7));
  Sort inner = t.array_sort(t.int_sort(), t.bool_sort());
  Sort array = t.array_sort(t.int_sort(), inner);
  Term value = t.default_value(array);
  EXPECT_TRUE(t.is_value(value));
  EXPECT_EQ(t.make_select(t.make_select(value, t.integer(3)), t.integer(4)), t.boolean(false));
}

TEST(TermStore, ValuesAreLeavesAndArraysOfThem) {
  TermStore t;
  Sort array = t.array_sort(t.int_sort(), t.int_sort());
  Term x = t.variable("x", t.int_sort());
  Term zeros = t.make_const_array(array, t.integer(0));
  EXPECT_TRUE(t.is_value(t.boolean(true)));
  EXPECT_TRUE(t.is_value(zeros));
  EXPECT_TRUE(t.is_value(t.make_store(zeros, t.integer(1), t.integer(2))));
  EXPECT_FALSE(t.is_value(t.make_store(zeros, x, t.integer(2))));
  EXPECT_FALSE(t.is_value(t.make_store(zeros, t.integer(1), x)));
  EXPECT_FALSE(t.is_value(t.make_const_array(array, x)));
  EXPECT_NE(zeros, t.make_const_array(t.array_sort(t.real_sort(), t.int_sort()), t.integer(0)));
}

TEST(TermStore, ShortJunctions) {
  TermStore t;
  Term p = t.variable("p", t.bool_sort());
  EXPECT_EQ(t.make_and(std::span<const Term>()), t.boolean(true));
  EXPECT_EQ(t.make_or(std::span<const Term>()), t.boolean(false));
  EXPECT_EQ(t.make_and(std::array{p}), p);
  EXPECT_EQ(t.make_or(std::array{p}), p);
}

TEST(TermStore, DistinctIsPairwise) {
  TermStore t;
  Term x = t.variable("x", t.int_sort());
  Term y = t.variable("y", t.int_sort());
  EXPECT_EQ(t.make_distinct(std::array{x}), t.boolean(true));
  EXPECT_EQ(t.make_distinct(std::array{x, y}), t.make_not(t.make_eq(x, y)));
  EXPECT_EQ(t.make_distinct(std::array{x, y, x}), t.boolean(false));
  EXPECT_EQ(t.args(t.make_distinct(std::array{x, y, t.integer(1)})).size(), 3U);
}

TEST(TermStore, SpellingsOfOneAtomDifferInSignOnly) {
  TermStore t;
  Term x = t.variable("x", t.int_sort());
  Term above = t.make_gt(x, t.integer(5));
  EXPECT_EQ(t.make_le(t.integer(6), x), above);
  EXPECT_EQ(t.make_not(t.make_le(x, t.integer(5))), above);
  EXPECT_EQ(t.atom_of(above), t.make_le(x, t.integer(5)));
  EXPECT_EQ(t.atom_of(t.atom_of(above)), t.atom_of(above));
}

TEST(TermStore, CommutativeOperatorsHaveOneOrder) {
  TermStore t;
  auto both = [&](Op op, Sort sort) {
    Term a = t.variable("a", sort);
    Term b = t.variable("b", sort);
    return t.make(op, {a, b}) == t.make(op, {b, a});
  };
  for (Op op : {Op::And, Op::Or, Op::Eq}) EXPECT_TRUE(both(op, t.bool_sort()));
  for (Op op : {Op::Add, Op::Mul, Op::Eq}) EXPECT_TRUE(both(op, t.int_sort()));
  for (Op op : {Op::Add, Op::Mul, Op::Eq}) EXPECT_TRUE(both(op, t.real_sort()));
  for (Op op : {Op::BvAnd, Op::BvOr, Op::BvXor, Op::BvAdd, Op::BvMul, Op::Eq})
    EXPECT_TRUE(both(op, t.bv_sort(8)));
  EXPECT_TRUE(both(Op::Eq, t.array_sort(t.int_sort(), t.int_sort())));
  for (Op op : {Op::BvUdiv, Op::BvUrem, Op::BvSdiv, Op::BvSrem, Op::BvSmod, Op::BvShl, Op::BvLshr,
                Op::BvAshr, Op::BvUlt, Op::BvSlt, Op::BvConcat})
    EXPECT_FALSE(both(op, t.bv_sort(8)));
  EXPECT_FALSE(both(Op::Le, t.int_sort()));
}

TEST(TermStore, Rotations) {
  TermStore t;
  Term a = t.variable("a", t.bv_sort(8));
  EXPECT_EQ(t.make_rotate_left(a, 0), a);
  EXPECT_EQ(t.make_rotate_left(a, 16), a);
  EXPECT_EQ(t.make_rotate_right(a, 8), a);
  Term low_first = t.make_concat(t.make_extract(a, 4, 0), t.make_extract(a, 7, 5));
  EXPECT_EQ(t.make_rotate_left(a, 3), low_first);
  EXPECT_EQ(t.make_rotate_left(a, 11), low_first);
  EXPECT_EQ(t.make_rotate_right(a, 5), low_first);
}

TEST(TermStore, RealsAreNotConvertedAgain) {
  TermStore t;
  Term f = t.variable("f", t.real_sort());
  EXPECT_EQ(t.make_to_real(f), f);
  EXPECT_EQ(t.make_to_real(t.integer(2)), t.real(2));
}

TEST(TermStore, IdsAreDense) {
  TermStore t;
  Term x = t.variable("x", t.int_sort());
  EXPECT_EQ(x.id() + 1, t.size());
  EXPECT_EQ(t.term_of_id(x.id()), x);
  EXPECT_FALSE(Term());
  EXPECT_TRUE(x);
  EXPECT_LT(x, t.variable("a", t.int_sort()));
}

}  // namespace
}  // namespace lem
