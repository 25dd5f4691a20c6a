#include "transform/cfa/values.h"

#include "cfa_setup.h"

namespace lem::transform {
namespace {

using test::Program;

/// A mode is set to 4432 or 4560 and asked for: three kinds of values, two bits.
struct Modes : testing::Test {
  Modes() {
    Term low = p.t.bv(4432, 32), high = p.t.bv(4560, 32);
    p.edge("start", Command::assign(mode, low), "head");
    p.edge("head",
           Command::sequence({Command::assume(p.t.make_eq(mode, low)), Command::assign(old, mode),
                              Command::assign(mode, high)}),
           "head");
    p.edge("head", Command::assume(p.t.make(Op::BvUlt, {high, mode})), "error");
  }
  Program p;
  Term mode = p.bits("mode", 32), old = p.bits("old", 32);
};

TEST_F(Modes, AreNumbersOfIntervals) {
  Cfa cfa = p.cfa();
  Reduction reduced = values(cfa);
  // below 4432, 4432, up to 4560, above
  EXPECT_EQ(p.t.width(reduced.cfa.variables()[0]), 2U);
  EXPECT_EQ(p.t.width(reduced.cfa.variables()[1]), 2U) << "copies have the same numbers";
}

TEST_F(Modes, InvariantsSpeakOfValuesAgain) {
  Cfa cfa = p.cfa();
  Reduction reduced = values(cfa);
  Term number = reduced.cfa.variables()[0];
  Term bit = p.t.make_eq(p.t.make_extract(number, 1, 1), p.t.bv(0, 1));
  Term other = p.t.make_eq(p.t.make_extract(number, 0, 0), p.t.bv(0, 1));
  Term yes = p.t.boolean(true), no = p.t.boolean(false);
  LocationInvariants back = test::carried(cfa, reduced, {{yes, no, p.t.make_or(bit, other)}});
  EXPECT_EQ(back.at[2], p.t.make_bv_ule(mode, p.t.bv(4560, 32))) << "two bits, one comparison";
}

TEST_F(Modes, RunsHaveTheConstantsThatAreAssigned) {
  p.edge("head", Command::assume(p.t.make_eq(mode, p.t.bv(4560, 32))), "error");
  Cfa cfa = p.cfa();
  Reduction reduced = values(cfa);
  auto n = [&](int i) { return p.t.bv(i, 3); };
  ASSERT_EQ(p.t.width(reduced.cfa.variables()[0]), 3U);
  CfaTrace run{{EdgeId{0}, EdgeId{1}, EdgeId{3}},
               {{n(0), n(7)}, {n(1), n(7)}, {n(3), n(1)}, {n(3), n(1)}}};
  CfaTrace back = test::carried(cfa, reduced, run);
  EXPECT_EQ(back.values[2][0], p.t.bv(4560, 32));
}

TEST(CfaValues, WhatIsComputedOrComparedWithOthersStays) {
  Program p;
  Term x = p.bits("x"), y = p.bits("y"), z = p.bits("z"), flag = p.bits("flag");
  p.edge("start", Command::assign(x, p.t.make(Op::BvAdd, {y, p.t.bv(1, 8)})), "head");
  p.edge("head", Command::sequence({Command::assume(p.t.make_eq(x, z)), Command::assign(flag, z)}),
         "head");
  p.edge("head", Command::assume(p.t.make_eq(flag, p.t.bv(1, 8))), "error");
  Cfa cfa = p.cfa();
  Reduction reduced = values(cfa);
  EXPECT_TRUE(std::ranges::equal(cfa.variables(), reduced.cfa.variables()));
}

/// Arrays keep the sort of their elements: what is stored is computed with.
TEST(CfaValues, ArraysStay) {
  Program p;
  Term x = p.bits("x"), i = p.bits("i"), flag = p.bits("flag");
  Sort sort = p.t.array_sort(p.t.bv_sort(8), p.t.bv_sort(8));
  Term filled = p.t.make_const_array(sort, x);
  p.edge("start", Command::assign(flag, p.t.bv(3, 8)), "head");
  p.edge("head",
         Command::assume(p.t.make_eq(p.t.make_select(p.t.make_store(filled, i, flag), i), x)),
         "error");
  p.edge("start", Command::assume(p.t.make_eq(filled, p.t.make_const_array(sort, i))), "head");
  Cfa cfa = p.cfa();
  EXPECT_TRUE(std::ranges::equal(cfa.variables(), values(cfa).cfa.variables()));
}

TEST(CfaValues, SignedComparisonsKeepTheirOrder) {
  Program p;
  Term x = p.bits("x");
  p.edge("start", Command::havoc(x), "head");
  p.edge("head", Command::assume(p.t.make(Op::BvSlt, {x, p.t.bv(-3, 8)})), "error");
  Cfa cfa = p.cfa();
  Reduction reduced = values(cfa);
  Term number = reduced.cfa.variables()[0];
  ASSERT_EQ(p.t.width(number), 1U);
  EXPECT_EQ(reduced.cfa.edges()[1].command.guard(), p.t.make_eq(number, p.t.bv(0, 1)));
  CfaTrace run{{EdgeId{0}, EdgeId{1}}, {{p.t.bv(1, 1)}, {p.t.bv(0, 1)}, {p.t.bv(0, 1)}}};
  test::carried(cfa, reduced, run);
}

TEST(CfaValues, IntegersBecomeBitsIfAllOfThemDo) {
  auto reduced_sort = [](bool computed) {
    Program p;
    Term x = p.integer("x"), y = p.integer("y");
    p.edge("start", Command::assign(x, p.t.integer(-7)), "head");
    if (computed) p.edge("head", Command::assign(y, p.t.make_add(y, p.t.integer(1))), "head");
    p.edge("head", Command::assume(p.t.make_lt(p.t.integer(3), x)), "error");
    Cfa cfa = p.cfa();
    return p.t.kind(values(cfa).cfa.variables()[0]);
  };
  EXPECT_EQ(reduced_sort(false), SortKind::BitVec);
  EXPECT_EQ(reduced_sort(true), SortKind::Int);
}

}  // namespace
}  // namespace lem::transform
