#include "unit/frontend/st/support.h"

namespace lem::st::test {
namespace {

constexpr const char* kProgram =
    "PROGRAM p VAR i, k : INT; b : BOOL; w : WORD; t : TIME; END_VAR END_PROGRAM";

TEST(StOperators, NumbersWithoutATypeAreExact) {
  Parts p(kProgram);
  EXPECT_EQ(*p.eval("2 ** 16 - 70000 / 7")->integer, 65536 - 10000);
  EXPECT_EQ(*p.eval("1 / 2.0")->real, mpq_class(1, 2));
  EXPECT_EQ(p.error_of("1 / 0"), "division by zero");
}

TEST(StOperators, DividingByAVariableLeavesTheQuotientByZeroOpen) {
  Parts p(kProgram);
  ASSERT_TRUE(p.eval("i / k").ok());
  EXPECT_EQ(p.cfa.source().choices.size(), 1U);
  ASSERT_TRUE(p.eval("i / 2").ok());
  EXPECT_EQ(p.cfa.source().choices.size(), 1U);
}

TEST(StOperators, OverflowIsAPropertyOnRequest) {
  StOptions options;
  options.checks.overflow = true;
  Parts p(kProgram, options);
  ASSERT_TRUE(p.eval("i + k").ok());
  EXPECT_EQ(p.expressions.properties.all().size(), 1U);
  ASSERT_TRUE(p.eval("w XOR 16#FF").ok());
  EXPECT_EQ(p.expressions.properties.all().size(), 1U) << "bit strings do not overflow";
}

TEST(StOperators, RefuseOperandsOfOtherKinds) {
  Parts p(kProgram);
  EXPECT_NE(p.error_of("NOT i").find("NOT needs BOOL"), std::string::npos);
  EXPECT_EQ(p.error_of("t * 1.5"), "TIME is multiplied and divided by integers only");
  EXPECT_EQ(p.error_of("i ** k"), "'**' is supported for exponents from 0 to 16");
  EXPECT_NE(p.error_of("b < t"), "");
}

}  // namespace
}  // namespace lem::st::test
