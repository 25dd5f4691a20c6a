#include "unit/frontend/st/support.h"

namespace lem::st::test {
namespace {

/// prev(x) is a variable of its own.
struct Memo final : PreviousValues {
  Result<Term> previous(const Expr&) override { return value; }
  Term value{};
};

struct StStandardFunctions : ::testing::Test {
  Parts p{"PROGRAM p VAR i : INT; w : WORD; b : BOOL; END_VAR END_PROGRAM"};
  Memo memo;
  StandardFunctions functions{p.context, p.expressions, memo};
  Result<std::optional<Value>> call(const std::string& text) {
    return functions.call(*p.parse(text), nullptr);
  }
  mpz_class number(const std::string& text) { return p.t.signed_value((*call(text))->term); }
};

TEST_F(StStandardFunctions, ComputesOnConstants) {
  EXPECT_EQ(number("LIMIT(INT#0, INT#70, INT#50)"), 50);
  EXPECT_EQ(number("ABS(INT#-3)"), 3);
  EXPECT_EQ(number("SHL(W#16#00F1, 4)"), 0x0F10);
  EXPECT_EQ(number("ROR(W#16#0001, 1)"), -0x8000);
  EXPECT_EQ(number("TRUNC(2.9)"), 2);
  EXPECT_EQ(number("MUX(INT#1, INT#10, INT#20)"), 20);
  EXPECT_EQ(number("INT_TO_DINT(INT#-7)"), -7);
}

TEST_F(StStandardFunctions, UnknownNamesAreNobodys) {
  Result<std::optional<Value>> out = call("foo(1)");
  ASSERT_TRUE(out.ok());
  EXPECT_FALSE(out->has_value());
  EXPECT_FALSE(call("ADD(1)").ok());
  EXPECT_FALSE(call("SQRT(INT#4)").ok());
}

TEST_F(StStandardFunctions, EdgesCompareWithTheCycleBefore) {
  memo.value = p.cfa.temporary(p.t.bool_sort());
  Term b = p.variable("b");
  EXPECT_EQ((*call("rose(b)"))->term, p.t.make_and(b, p.t.make_not(memo.value)));
  EXPECT_EQ((*call("fell(b)"))->term, p.t.make_and(p.t.make_not(b), memo.value));
  EXPECT_EQ((*call("prev(b)"))->term, memo.value);
}

}  // namespace
}  // namespace lem::st::test
