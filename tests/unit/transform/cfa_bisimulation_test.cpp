#include "transform/cfa/bisimulation.h"

#include "cfa_setup.h"

namespace lem::transform {
namespace {

using test::Program;

TEST(CfaBisimulation, LocationsThatDoTheSameAreOne) {
  Program p;
  Term x = p.integer("x");
  Command up = Command::assign(x, p.t.make_add(x, p.t.integer(1)));
  Command fail = Command::assume(p.t.make_lt(p.t.integer(9), x));
  p.edge("start", Command::assume(p.t.make_lt(x, p.t.integer(0))), "l1");
  p.edge("start", Command::assume(p.t.make_le(p.t.integer(0), x)), "r1");
  // Two loops of different length that do the same.
  p.edge("l1", up, "l1").edge("l1", fail, "error");
  p.edge("r1", up, "r2").edge("r1", fail, "error");
  p.edge("r2", up, "r1").edge("r2", fail, "error");
  Cfa cfa = p.cfa();
  Reduction reduced = bisimulation(cfa);
  EXPECT_EQ(test::names(reduced.cfa), (std::vector<std::string>{"start", "error", "l1"}));
  EXPECT_EQ(reduced.cfa.edges().size(), 4U);
  auto n = [&](int value) { return std::vector{p.t.integer(value)}; };
  CfaTrace back = test::carried(
      cfa, reduced,
      CfaTrace{{EdgeId{1}, EdgeId{2}, EdgeId{2}, EdgeId{3}}, {n(8), n(8), n(9), n(10), n(10)}});
  EXPECT_EQ(back.edges, (std::vector{EdgeId{1}, EdgeId{4}, EdgeId{6}, EdgeId{5}}));
}

TEST(CfaBisimulation, OneDifferentEdgeFarAwayKeepsLocationsApart) {
  Program p;
  Term x = p.integer("x");
  Command fail = Command::assume(p.t.make_lt(x, p.t.integer(0)));
  for (std::string side : {"l", "r"}) {
    p.edge("start", Command::skip(), side + "1");
    p.edge(side + "1", Command::havoc(x), side + "2")
        .edge(side + "2", Command::havoc(x), side + "3");
    p.edge(side + "3", side == "l" ? fail : Command::skip(), "error");
  }
  Cfa cfa = p.cfa();
  Reduction reduced = bisimulation(cfa);
  EXPECT_EQ(reduced.cfa.locations().size(), cfa.locations().size());
}

TEST(CfaBisimulation, InvariantsHoldAtAllThatWereOne) {
  Program p;
  Term x = p.integer("x");
  Command fail = Command::assume(p.t.make_lt(x, p.t.integer(0)));
  p.edge("start", Command::assign(x, p.t.integer(1)), "a");
  p.edge("start", Command::assign(x, p.t.integer(2)), "b");
  p.edge("a", fail, "error").edge("b", fail, "error");
  Cfa cfa = p.cfa();
  Reduction reduced = bisimulation(cfa);
  ASSERT_EQ(reduced.cfa.locations().size(), 3U);
  Term positive = p.t.make_lt(p.t.integer(0), x);
  LocationInvariants back =
      test::carried(cfa, reduced, {{p.t.boolean(true), p.t.boolean(false), positive}});
  EXPECT_EQ(back.at[index(p.at("b"))], positive);
}

}  // namespace
}  // namespace lem::transform
