#include "transform/cfa/slice.h"

#include "cfa_setup.h"

namespace lem::transform {
namespace {

using test::Program;

TEST(CfaSlice, VariablesThatNoGuardDependsOnGo) {
  Program p;
  Term x = p.integer("x"), y = p.integer("y"), idle = p.integer("idle"), log = p.integer("log");
  p.edge("start", Command::sequence({Command::assign(y, p.t.integer(3)), Command::havoc(idle)}),
         "head");
  p.edge("head",
         Command::sequence({Command::assign(x, y), Command::assign(log, p.t.make_add(idle, x))}),
         "head");
  p.edge("head", Command::assume(p.t.make_lt(p.t.integer(2), x)), "error");
  Cfa cfa = p.cfa();
  Reduction reduced = slice(cfa);
  EXPECT_EQ(std::vector<Term>(reduced.cfa.variables().begin(), reduced.cfa.variables().end()),
            (std::vector{x, y}));
  auto state = [&](int a, int b) { return std::vector<Term>{p.t.integer(a), p.t.integer(b)}; };
  CfaTrace run{{EdgeId{0}, EdgeId{1}, EdgeId{2}},
               {state(7, 0), state(7, 3), state(3, 3), state(3, 3)}};
  CfaTrace back = test::carried(cfa, reduced, run);
  EXPECT_EQ(back.values[2][3], p.t.make_add(back.values[2][2], p.t.integer(3))) << "log = idle + x";
}

/// x := y is not read before x is written again: y need not be known.
TEST(CfaSlice, AssignmentsThatAreNotReadNeedNoValue) {
  Program p;
  Term x = p.integer("x"), y = p.integer("y");
  p.edge("start", Command::assign(x, y), "a");
  p.edge("a", Command::assign(x, p.t.integer(1)), "b");
  p.edge("b", Command::assume(p.t.make_lt(x, p.t.integer(1))), "error");
  Cfa cfa = p.cfa();
  Reduction reduced = slice(cfa);
  ASSERT_EQ(reduced.cfa.variables().size(), 1U);
  EXPECT_EQ(reduced.cfa.edges()[0].command.kind(), Command::Kind::Havoc);
  Term one = p.t.make_eq(x, p.t.integer(1)), yes = p.t.boolean(true);
  test::carried(cfa, reduced, {{yes, p.t.boolean(false), yes, one}});
}

/// The reduced run gives the forgotten x whatever; the old one has what is assigned.
TEST(CfaSlice, RunsKeepOnlyWhatIsLive) {
  Program p;
  Term x = p.bits("x"), y = p.bits("y");
  p.edge("start", Command::assign(x, y), "a");
  p.edge("a", Command::havoc(x), "b");
  p.edge("b", Command::assume(p.t.make_eq(x, p.t.bv(9, 8))), "error");
  Cfa cfa = p.cfa();
  Reduction reduced = slice(cfa);
  ASSERT_EQ(reduced.cfa.variables().size(), 1U);
  Term nine = p.t.bv(9, 8), any = p.t.bv(77, 8);
  CfaTrace run{{EdgeId{0}, EdgeId{1}, EdgeId{2}}, {{any}, {any}, {nine}, {nine}}};
  CfaTrace back = test::carried(cfa, reduced, run);
  EXPECT_EQ(back.values[1][0], back.values[1][1]);
}

}  // namespace
}  // namespace lem::transform
