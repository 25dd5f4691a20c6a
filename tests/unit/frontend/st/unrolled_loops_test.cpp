#include "unit/frontend/st/support.h"

namespace lem::st::test {
namespace {

/// How many values the variable of the only loop in the body has; none: the loop stays a loop.
std::optional<std::size_t> turns(const std::string& loop, int from, int last, int step) {
  Parts p("PROGRAM p VAR i, k : SINT; a : ARRAY [0..9] OF INT; END_VAR " + loop + " END_PROGRAM");
  auto found = loop_turns(p.t, p.context.frame(), p.context.entry->pou->body[0], p.type("sint"),
                          p.t.bv(from, 8), p.t.bv(last, 66), p.t.bv(step, 66));
  return found ? std::optional(found->size()) : std::nullopt;
}

TEST(StUnrolledLoops, KnowsTheTurnsBetweenConstants) {
  const char* loop = "FOR i := 0 TO 3 DO a[i] := k; END_FOR;";
  EXPECT_EQ(turns(loop, 0, 3, 1), 5U) << "four turns, and the value behind the last";
  EXPECT_EQ(turns(loop, 3, 0, -1), 5U);
  EXPECT_EQ(turns(loop, 4, 3, 1), 1U);
}

TEST(StUnrolledLoops, LeavesLoopsThatChangeTheirVariableOrLeaveItsType) {
  EXPECT_EQ(turns("FOR i := 0 TO 3 DO i := i + k; END_FOR;", 0, 3, 1), std::nullopt);
  EXPECT_EQ(turns("FOR i := 0 TO 3 DO k := i; END_FOR;", 120, 127, 5), std::nullopt);
}

TEST(StUnrolledLoops, ValuesAreKnownUntilForgotten) {
  Parts p("PROGRAM p VAR i : INT; END_VAR END_PROGRAM");
  LoopValues loops;
  Term i = p.variable("i"), three = p.t.bv(3, 16);
  loops.set(i, three);
  loops.begin_expression();
  EXPECT_TRUE(loops.none_read());
  EXPECT_EQ(loops.read(i), three);
  EXPECT_FALSE(loops.none_read());
  loops.forget(i);
  EXPECT_EQ(loops.read(i), i);
}

}  // namespace
}  // namespace lem::st::test
