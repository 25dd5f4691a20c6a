#include "unit/frontend/st/support.h"

namespace lem::st::test {
namespace {

constexpr const char* kProgram =
    "TYPE Color : (red, blue); Mood : (sad, blue2, red2); END_TYPE "
    "PROGRAM p VAR CONSTANT n : INT := 5; END_VAR VAR i : INT; c : Color; a : ARRAY [0..3] OF "
    "BOOL; "
    "END_VAR END_PROGRAM";

TEST(StExpressions, LiteralsHaveTheTypeBeforeThem) {
  Parts p(kProgram);
  EXPECT_EQ(p.eval("W#16#8000")->type->name, "WORD");
  EXPECT_EQ(p.eval("T#1s500ms")->term, p.t.bv(1500, 32));
  EXPECT_EQ(p.eval("n")->term, p.t.bv(5, 16));
  EXPECT_EQ(p.error_of("T#10us"), "TIME counts milliseconds: this time is between two of them");
  EXPECT_EQ(p.error_of("XYZ#3"), "there is no type 'xyz'");
}

TEST(StExpressions, ALiteralTakesItsTypeFromTheOtherSide) {
  Parts p(kProgram);
  Result<Value> left = p.eval("red = c"), right = p.eval("c = red");
  ASSERT_TRUE(left.ok() && right.ok());
  EXPECT_EQ(left->term, right->term);
  EXPECT_EQ(p.error_of("nothing"), "'nothing' is not declared");
}

TEST(StExpressions, TheRightSideOfAndThenIsBehindABranch) {
  Parts p(kProgram);
  p.context.frame().runs = true;
  LocationId before = p.cfa.at();
  ASSERT_TRUE(p.eval("i >= 0 AND_THEN a[i]").ok());
  EXPECT_NE(p.cfa.at(), before);
  EXPECT_GE(p.cfa.edges(), 4U);
  std::size_t edges = p.cfa.edges();
  ASSERT_TRUE(p.eval("i >= 0 AND a[i]").ok());
  EXPECT_EQ(p.cfa.edges(), edges);
}

TEST(StExpressions, ConditionsAreBool) {
  Parts p(kProgram);
  EXPECT_TRUE(p.expressions.boolean(*p.parse("i > 3")).ok());
  EXPECT_FALSE(p.expressions.boolean(*p.parse("i")).ok());
}

}  // namespace
}  // namespace lem::st::test
