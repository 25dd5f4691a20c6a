#include "cfa_setup.h"
#include "support/cfa_pipeline.h"
#include "transform/cfa/large_blocks.h"

namespace lem::transform {
namespace {

using test::Program;

Reduction blocks(const Cfa& cfa, std::size_t limit) {
  LargeBlocks made = large_blocks(cfa, limit);
  return {std::move(made.cfa), std::move(made.back)};
}

/// x := 0; loop { havoc y; if (y > 0) x += y; else if (y < 0) x -= y; } error if x < 0.
struct Growing : Program {
  Growing() {
    Term zero = t.integer(0);
    edge("start", Command::assign(x, zero), "head");
    edge("head", Command::havoc(y), "read");
    edge("read", Command::assume(t.make_lt(zero, y)), "up");
    edge("up", Command::assign(x, t.make_add(x, y)), "head");
    edge("read", Command::assume(t.make_lt(y, zero)), "down");
    edge("down", Command::assign(x, t.make_sub(x, y)), "head");
    edge("head", Command::assume(t.make_lt(x, bound)), "error");
  }
  Term x = integer("x"), y = integer("y");
  Term bound = t.integer(0);
};

TEST(CfaBlocks, NothingIsClaimedAtLocationsThatWent) {
  Growing p;
  Cfa cfa = p.cfa();
  Reduction reduced = blocks(cfa, 100);
  EXPECT_EQ(test::names(reduced.cfa), (std::vector<std::string>{"start", "error", "head"}));
  Term good = p.t.make_le(p.t.integer(0), p.x);
  LocationInvariants back =
      test::carried(cfa, reduced, {{p.t.boolean(true), p.t.boolean(false), good}});
  EXPECT_FALSE(back.at[index(p.at("read"))]);
  EXPECT_FALSE(back.at[index(p.at("up"))]);
}

TEST(CfaBlocks, RunsFindTheirWayThroughBlocks) {
  Growing p;
  p.edge("head", Command::assume(p.t.make_eq(p.x, p.t.integer(7))), "error");
  Cfa cfa = p.cfa();
  Reduction reduced = blocks(cfa, 100);
  auto state = [&](int x, int y) { return std::vector{p.t.integer(x), p.t.integer(y)}; };
  // Edges: start to head, head to error, head to head.
  EdgeId enter = reduced.cfa.out(reduced.cfa.initial())[0];
  EdgeId fail = reduced.cfa.in(reduced.cfa.error())[0];
  EdgeId around{3 - index(enter) - index(fail)};
  CfaTrace back =
      test::carried(cfa, reduced,
                    CfaTrace{{enter, around, around, fail},
                             {state(1, 1), state(0, 1), state(3, -3), state(7, 4), state(7, 4)}});
  EXPECT_EQ(back.edges.size(), 1 + 3 + 3 + 1U);
  EXPECT_EQ(back.edges[2], EdgeId{4}) << "y < 0 first";
  EXPECT_EQ(back.edges[5], EdgeId{2});
}

/// What is read in the block and overwritten before its end is for the solver to find.
TEST(CfaBlocks, ValuesInsideABlockAreFound) {
  Program p;
  Term x = p.bits("x"), y = p.bits("y");
  p.edge("start", Command::havoc(y), "a");
  p.edge("a", Command::assume(p.t.make_eq(p.t.make(Op::BvMul, {y, y}), p.t.bv(49, 8))), "b");
  p.edge("b", Command::assume(p.t.make(Op::BvUlt, {y, p.t.bv(10, 8)})), "c");
  p.edge("c", Command::choice({Command::assign(x, y), Command::assign(x, p.t.bv(3, 8))}), "d");
  p.edge("d", Command::assign(y, p.t.bv(0, 8)), "error");
  Cfa cfa = p.cfa();
  Reduction reduced = blocks(cfa, 100);
  ASSERT_EQ(reduced.cfa.edges().size(), 1U);
  Term seven = p.t.bv(7, 8), zero = p.t.bv(0, 8);
  CfaTrace back = test::carried(cfa, reduced, CfaTrace{{EdgeId{0}}, {{zero, zero}, {seven, zero}}});
  EXPECT_EQ(back.values[2][1], seven);
}

TEST(CfaBlocks, AWayThatIsNoneGivesNoRun) {
  Growing p;
  Cfa cfa = p.cfa();
  Reduction reduced = blocks(cfa, 100);
  std::vector<Term> zero{p.t.integer(0), p.t.integer(0)};
  EdgeId fail = reduced.cfa.in(reduced.cfa.error())[0];
  EXPECT_FALSE(reduced.back->trace(CfaTrace{{fail}, {zero, zero}})) << "0 is not below 0";
}

/// The constant decides a branch, so that x is 0; then y, which only counts in it, is not needed,
/// and what is left is one block.
TEST(CfaPreprocess, StepsTakeTurns) {
  Program p;
  Term mode = p.integer("mode"), x = p.integer("x"), y = p.integer("y"), one = p.t.integer(1);
  p.edge("start", Command::assign(mode, p.t.integer(0)), "init");
  p.edge("init", Command::assign(x, mode), "head");
  p.edge("head", Command::assign(y, p.t.make_add(y, one)), "body");
  p.edge("body", Command::assume(p.t.make_eq(mode, one)), "odd");
  p.edge("odd", Command::assign(x, y), "head");
  p.edge("body", Command::assume(p.t.make_lt(mode, one)), "head");
  p.edge("head", Command::assume(p.t.make_lt(x, one)), "error");
  Cfa cfa = p.cfa();
  Reduction reduced = test::preprocessed(cfa);
  EXPECT_TRUE(reduced.cfa.variables().empty());
  EXPECT_EQ(test::names(reduced.cfa), (std::vector<std::string>{"start", "error", "init"}))
      << "init and body do nothing but lead to the head";
  EdgeId enter = reduced.cfa.out(reduced.cfa.initial())[0];
  EdgeId fail = reduced.cfa.in(reduced.cfa.error())[0];
  EdgeId around{3 - index(enter) - index(fail)};
  CfaTrace back = test::carried(cfa, reduced, CfaTrace{{enter, around, fail}, {{}, {}, {}, {}}});
  EXPECT_EQ(back.edges.size(), 1 + 2 + 2U);
}

TEST(CfaPreprocess, WhatIsDecidedLeavesNothing) {
  Growing p;
  p.edge("up", Command::assume(p.t.make_le(p.y, p.t.integer(0))), "error");
  Cfa cfa = p.cfa();
  Reduction reduced = test::preprocessed(cfa);
  EXPECT_TRUE(reduced.cfa.edges().empty()) << "x and y say it as intervals";
  test::carried(cfa, reduced, test::nothing_but_safe(reduced.cfa));
}

}  // namespace
}  // namespace lem::transform
