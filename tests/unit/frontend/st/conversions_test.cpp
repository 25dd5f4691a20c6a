#include "unit/frontend/st/support.h"

namespace lem::st::test {
namespace {

constexpr const char* kProgram =
    "TYPE Color : (red, green := 5); END_TYPE PROGRAM p VAR i : INT; s : SINT; u : UINT; w : WORD; "
    "d : DINT; r : REAL; c : Color; l : LINT; m : ULINT; END_VAR END_PROGRAM";

struct StConversions : ::testing::Test {
  Parts p{kProgram};
  Conversions& types = p.expressions.types;
  Value value(const std::string& text) { return *p.eval(text); }
};

TEST_F(StConversions, NumbersHaveTheRangeOfTheirType) {
  EXPECT_TRUE(fits(127, p.type("sint")) && !fits(128, p.type("sint")) &&
              fits(-128, p.type("sint")));
  EXPECT_TRUE(fits(255, p.type("byte")) && !fits(-1, p.type("byte")));
}

TEST_F(StConversions, ConstantsOutsideOfTheTypeAreErrors) {
  EXPECT_TRUE(types.coerce({nullptr, {}, mpz_class(200)}, p.type("int"), kHere).ok());
  Result<Term> out = types.coerce({nullptr, {}, mpz_class(40'000)}, p.type("int"), kHere);
  ASSERT_FALSE(out.ok());
  EXPECT_EQ(out.error().message, "40000 is no value of INT");
  EXPECT_FALSE(types.coerce({nullptr, {}, {}, mpq_class(1, 2)}, p.type("int"), kHere).ok());
  EXPECT_FALSE(types.coerce({nullptr, {}, mpz_class(2)}, *value("c").type, kHere).ok());
}

TEST_F(StConversions, NarrowingKeepsTheLowBitsAndWarns) {
  Result<Term> out = types.coerce(value("d"), p.type("int"), kHere);
  ASSERT_TRUE(out.ok());
  EXPECT_EQ(*out, p.t.make_extract(p.variable("d"), 15, 0));
  ASSERT_EQ(p.warnings.size(), 1U);
  EXPECT_NE(p.warnings[0].message.find("may lose bits"), std::string::npos);
}

TEST_F(StConversions, OperandsMeetInTheSmallestTypeWithBoth) {
  auto meet = [&](const char* a, const char* b) {
    Value left = value(a), right = value(b);
    Result<const Type*> type = types.unify(left, right, kHere);
    return type ? (*type)->name : type.error().message;
  };
  EXPECT_EQ(meet("s", "i"), "INT");
  EXPECT_EQ(meet("u", "i"), "DINT");
  EXPECT_EQ(meet("i", "r"), "REAL");
  EXPECT_EQ(meet("i", "40000"), "DINT");
  EXPECT_EQ(meet("l", "m"), "no type has all values of LINT and ULINT");
}

TEST_F(StConversions, RealsOutOfRangeGiveAnyInteger) {
  ASSERT_TRUE(types.convert(value("r"), p.type("int"), kHere, Rounding::Zero).ok());
  EXPECT_EQ(p.cfa.source().choices.size(), 1U);
}

}  // namespace
}  // namespace lem::st::test
