#include "transform/cfa/prune.h"

#include "cfa_setup.h"

namespace lem::transform {
namespace {

using test::Program;

TEST(CfaPrune, OnlyLocationsBetweenStartAndErrorStay) {
  Program p;
  Term x = p.integer("x");
  Command set = Command::assign(x, p.t.integer(1));
  Command fail = Command::assume(p.t.make_lt(x, p.t.integer(0)));
  p.edge("start", set, "middle").edge("middle", fail, "error");
  p.edge("middle", set, "sink").edge("sink", set, "sink");
  p.edge("island", set, "middle").edge("island", fail, "error");
  Cfa cfa = p.cfa();
  Reduction reduced = prune(cfa);
  EXPECT_EQ(test::names(reduced.cfa), (std::vector<std::string>{"start", "error", "middle"}));
  EXPECT_EQ(reduced.cfa.edges().size(), 2U);
  Term one = p.t.make_eq(x, p.t.integer(1));
  LocationInvariants back =
      test::carried(cfa, reduced, {{p.t.boolean(true), p.t.boolean(false), one}});
  EXPECT_TRUE(p.t.is_false(back.at[index(p.at("island"))]));
  EXPECT_TRUE(p.t.is_true(back.at[index(p.at("sink"))]));
}

TEST(CfaPrune, RunsTakeTheEdgesTheyTook) {
  Program p;
  Term x = p.integer("x");
  p.edge("start", Command::skip(), "sink").edge("start", Command::havoc(x), "error");
  Cfa cfa = p.cfa();
  Reduction reduced = prune(cfa);
  Term zero = p.t.integer(0);
  CfaTrace back = test::carried(cfa, reduced, CfaTrace{{EdgeId{0}}, {{zero}, {zero}}});
  EXPECT_EQ(back.edges, std::vector{EdgeId{1}});
}

TEST(CfaPrune, AnErrorThatNothingLeadsToLeavesNoEdge) {
  Program p;
  p.edge("start", Command::skip(), "end").edge("end", Command::skip(), "start");
  Cfa cfa = p.cfa();
  Reduction reduced = prune(cfa);
  EXPECT_EQ(reduced.cfa.locations().size(), 2U);
  EXPECT_TRUE(reduced.cfa.edges().empty());
  test::carried(cfa, reduced, test::nothing_but_safe(reduced.cfa));
}

}  // namespace
}  // namespace lem::transform
