#include "transform/cfa/propagate.h"

#include "cfa_setup.h"

namespace lem::transform {
namespace {

using test::Program;

Command less(Program& p, Term a, int b) {
  return Command::assume(p.t.make_lt(a, p.t.integer(b)));
}

TEST(CfaPropagate, ADefinitionStandsForItsVariableAcrossEdges) {
  Program p;
  Term x = p.integer("x"), y = p.integer("y");
  p.edge("start", Command::assign(x, p.t.make_add(y, p.t.integer(1))), "a");
  p.edge("a", less(p, x, 4), "error");
  Cfa cfa = p.cfa();
  Reduction reduced = propagate(cfa);
  EXPECT_EQ(reduced.cfa.edges()[1].command.guard(), p.t.make_lt(y, p.t.integer(3)));
  EXPECT_EQ(propagate(cfa, 1).cfa.edges()[1].command.guard(), p.t.make_lt(x, p.t.integer(4)))
      << "too large";
}

TEST(CfaPropagate, WhatIsWrittenInBetweenEndsADefinition) {
  Program p;
  Term x = p.integer("x"), y = p.integer("y");
  p.edge("start", Command::assign(x, y), "a").edge("a", Command::havoc(y), "b");
  p.edge("b", less(p, x, 4), "error");
  Cfa cfa = p.cfa();
  EXPECT_EQ(propagate(cfa).cfa.edges()[2].command.guard(), p.t.make_lt(x, p.t.integer(4)));
}

TEST(CfaPropagate, OneOfTwoDefinitionsIsNone) {
  Program p;
  Term x = p.integer("x");
  p.edge("start", Command::assign(x, p.t.integer(1)), "a");
  p.edge("start", Command::assign(x, p.t.integer(2)), "a");
  p.edge("a", less(p, x, 2), "error");
  Cfa cfa = p.cfa();
  EXPECT_EQ(propagate(cfa).cfa.edges().size(), 3U);
}

/// The second definition is only on a way that the first excludes.
TEST(CfaPropagate, ConstantsAreConditional) {
  Program p;
  Term x = p.integer("x"), y = p.integer("y");
  p.edge(
      "start",
      Command::sequence({Command::assign(x, p.t.integer(1)), Command::assign(y, p.t.integer(0))}),
      "head");
  p.edge("head", Command::assume(p.t.make_eq(y, p.t.integer(0))), "body");
  p.edge("body", Command::assign(y, p.t.make_sub(x, p.t.integer(1))), "head");
  p.edge("head", Command::assume(p.t.make_not(p.t.make_eq(y, p.t.integer(0)))), "other");
  p.edge("other", Command::assign(x, p.t.integer(5)), "head");
  p.edge("head", less(p, x, 1), "error");
  Cfa cfa = p.cfa();
  Reduction reduced = propagate(cfa);
  EXPECT_TRUE(reduced.cfa.in(reduced.cfa.error()).empty());
  EXPECT_EQ(test::names(reduced.cfa), (std::vector<std::string>{"start", "error", "head", "body"}));
  LocationInvariants back = test::carried(cfa, reduced, test::nothing_but_safe(reduced.cfa));
  EXPECT_TRUE(p.t.is_false(back.at[index(p.at("other"))]));
}

TEST(CfaPropagate, GuardsDefineConstants) {
  Program p;
  Term x = p.integer("x");
  Term b = p.bits("b", 1);
  p.edge("start", Command::assume(p.t.make_eq(x, p.t.integer(7))), "a");
  p.edge("a", Command::assume(p.t.make_eq(b, p.t.bv(1, 1))), "b");
  p.edge("b", Command::choice({less(p, x, 7), Command::assume(p.t.make_eq(b, p.t.bv(0, 1)))}),
         "error");
  Cfa cfa = p.cfa();
  Reduction reduced = propagate(cfa);
  EXPECT_TRUE(reduced.cfa.in(reduced.cfa.error()).empty());
  test::carried(cfa, reduced, test::nothing_but_safe(reduced.cfa));
}

/// No fact is claimed that no simplification needs.
TEST(CfaPropagate, InvariantsGetTheFactsThatWereUsed) {
  Program p;
  Term x = p.integer("x"), y = p.integer("y"), z = p.integer("z");
  p.edge("start",
         Command::sequence({Command::assign(x, p.t.integer(1)), Command::assign(y, p.t.integer(2)),
                            Command::assign(z, y)}),
         "a");
  p.edge("a", Command::assign(z, p.t.make_mul(z, z)), "b");
  p.edge("b", Command::choice({less(p, z, 4), less(p, x, 1)}), "error");
  Cfa cfa = p.cfa();
  Reduction reduced = propagate(cfa);
  LocationInvariants back = test::carried(cfa, reduced, test::nothing_but_safe(reduced.cfa));
  Term one = p.t.make_eq(x, p.t.integer(1));
  EXPECT_EQ(back.at[index(p.at("a"))], p.t.make_and(one, p.t.make_eq(z, p.t.integer(2))));
  EXPECT_EQ(back.at[index(p.at("b"))], p.t.make_and(one, p.t.make_eq(z, p.t.integer(4))));
}

TEST(CfaPropagate, RunsStayTheSame) {
  Program p;
  Term x = p.integer("x"), y = p.integer("y");
  p.edge("start", Command::assign(x, y), "a").edge("a", less(p, x, 4), "error");
  Cfa cfa = p.cfa();
  Reduction reduced = propagate(cfa);
  Term nine = p.t.integer(9), two = p.t.integer(2);
  test::carried(cfa, reduced,
                CfaTrace{{EdgeId{0}, EdgeId{1}}, {{nine, two}, {two, two}, {two, two}}});
}

}  // namespace
}  // namespace lem::transform
