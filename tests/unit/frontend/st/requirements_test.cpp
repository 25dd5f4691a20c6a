#include "unit/frontend/st/support.h"

namespace lem::st::test {
namespace {

constexpr const char* kProgram = "PROGRAM p VAR a, b : BOOL; i : INT; END_VAR END_PROGRAM";

StOptions with(const std::string& pattern, std::vector<std::string> parameters) {
  StOptions out;
  out.requirements.push_back({"", pattern, std::move(parameters), {"--require", 1, 1}});
  return out;
}

TEST(StRequirements, EveryPatternIsAProperty) {
  Parts p(kProgram, with("implication", {"a", "b"}));
  Requirements all(p.context, p.expressions);
  ASSERT_TRUE(all.read().ok());
  const StProperty& made = p.expressions.properties.all().front();
  EXPECT_EQ(made.name, "R1");
  EXPECT_EQ(made.text, "if (a) at the end of a cycle, then (b) at the end of the same cycle");
  ASSERT_TRUE(all.at_end_of_cycle().ok());
  EXPECT_TRUE(made.premise.has_value());
}

TEST(StRequirements, PastRemembers) {
  Parts p(kProgram, with("past", {"a", "b"}));
  Requirements all(p.context, p.expressions);
  ASSERT_TRUE(all.read().ok());
  ASSERT_TRUE(all.at_start().ok());
  ASSERT_EQ(p.cfa.take_pending().size(), 1U);
  ASSERT_TRUE(all.at_end_of_cycle().ok());
  std::vector<Command> last = p.cfa.take_pending();
  ASSERT_EQ(last.size(), 1U);
  EXPECT_EQ(last[0].value(), p.t.make_or(last[0].variable(), p.variable("b")));
}

TEST(StRequirements, PrevIsOneVariableForEachExpression) {
  Parts p(kProgram);
  Requirements all(p.context, p.expressions);
  ExprPtr call = p.parse("prev(i)");
  Result<Term> first = all.previous(*call), again = all.previous(*call);
  ASSERT_TRUE(first.ok() && again.ok());
  EXPECT_EQ(*first, *again);
  EXPECT_FALSE(all.previous(*p.parse("prev(ABS(i))")).ok());
  EXPECT_FALSE(all.previous(*p.parse("prev(3)")).ok());
}

TEST(StRequirements, UnknownPatternsAreRefusedByName) {
  EXPECT_NE(translation_error(kProgram, with("often", {"a"})).find("there is no pattern 'often'"),
            std::string::npos);
  EXPECT_NE(translation_error(kProgram, with("past", {"a"})).find("has 2 parameters"),
            std::string::npos);
}

}  // namespace
}  // namespace lem::st::test
