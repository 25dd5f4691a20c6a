#include "unit/frontend/st/support.h"

namespace lem::st::test {
namespace {

constexpr const char* kProgram =
    "TYPE Level : INT (3..9); Color : (red := 4, blue); S : STRUCT a : INT := 2; b : BOOL; "
    "END_STRUCT; END_TYPE "
    "PROGRAM p VAR CONSTANT n : INT := 5; END_VAR VAR i : INT; l : Level; c : Color; s : S; "
    "a : ARRAY [0..3] OF INT; END_VAR END_PROGRAM";

struct StInitialValues : ::testing::Test {
  Parts p{kProgram};
  InitialValues& initial = p.expressions.initial;
  Result<Term> scalar(const std::string& variable, const std::string& value) {
    return initial.scalar(*p.place(variable).type, p.parse(value), p.context.entry);
  }
  std::string first(const std::string& variable) {
    Result<Term> out = initial.scalar(*p.place(variable).type, {}, nullptr);
    return out ? p.t.integer_value(*out).get_str() : out.error().message;
  }
};

TEST_F(StInitialValues, DefaultsAreValuesOfTheType) {
  EXPECT_EQ(first("i"), "0");
  EXPECT_EQ(first("l"), "3");
  EXPECT_EQ(first("c"), "4");
}

TEST_F(StInitialValues, ConstantsOfTheScopeMayStandInThem) {
  Result<Term> out = scalar("i", "n + 1");
  ASSERT_TRUE(out.ok());
  EXPECT_EQ(*out, p.t.bv(6, 16));
  Result<Term> variable = scalar("i", "i");
  ASSERT_FALSE(variable.ok());
}

TEST_F(StInitialValues, PartsHaveTheirOwn) {
  ASSERT_TRUE(initial.initialise(*p.place("s").known(), {}, p.context.entry).ok());
  std::vector<Command> done = p.cfa.take_pending();
  ASSERT_EQ(done.size(), 2U);
  EXPECT_EQ(done[0].value(), p.t.bv(2, 16));
  EXPECT_EQ(done[1].value(), p.t.boolean(false));
}

}  // namespace
}  // namespace lem::st::test
