#include "unit/frontend/st/support.h"

namespace lem::st::test {
namespace {

std::size_t havocs(const std::vector<Command>& commands) {
  std::size_t out = 0;
  for (const Command& one : commands) out += one.kind() == Command::Kind::Havoc ? 1U : 0U;
  return out;
}

constexpr const char* kProgram =
    "TYPE Color : (red, blue, green); END_TYPE "
    "PROGRAM p VAR_INPUT a : BOOL; c : Color; END_VAR VAR x : INT := 3; t : TON; END_VAR "
    "VAR RETAIN r : INT; END_VAR END_PROGRAM";

TEST(StEnvironment, SetsInputsWithinTheirTypes) {
  Parts p(kProgram);
  ASSERT_TRUE(p.environment.begin_cycle().ok());
  std::vector<Command> done = p.cfa.take_pending();
  EXPECT_EQ(havocs(done), 3U) << "a, c and the age of the timer";
  EXPECT_EQ(done.size(), 5U) << "c is one of three literals, the age is not negative";
}

TEST(StEnvironment, ParametersAreSetOnce) {
  StOptions options;
  options.parameters = {"A"};
  Parts p(kProgram, options);
  ASSERT_TRUE(p.environment.set_initial_values().ok());
  EXPECT_EQ(havocs(p.cfa.take_pending()), 1U);
  ASSERT_TRUE(p.environment.begin_cycle().ok());
  EXPECT_EQ(havocs(p.cfa.take_pending()), 2U);
  options.parameters = {"x"};
  EXPECT_EQ(translation_error(kProgram, options), "--parameter: 'x' is no input of p");
}

TEST(StEnvironment, RetainedVariablesAreOpenOnRequest) {
  StOptions options;
  options.any_retained = true;
  Parts p(kProgram, options);
  ASSERT_TRUE(p.environment.set_initial_values().ok());
  EXPECT_EQ(havocs(p.cfa.take_pending()), 1U);
}

TEST(StEnvironment, TimersAgeByTheLengthOfTheCycle) {
  StOptions options;
  options.time = StOptions::Time::Range;
  options.least_ms = options.most_ms = 10;
  Parts p(kProgram, options);
  ASSERT_TRUE(p.environment.begin_cycle().ok());
  EXPECT_EQ(havocs(p.cfa.take_pending()), 2U) << "the age is computed";
}

TEST(StEnvironment, TheOnlyCandidateIsTheEntry) {
  std::vector<Warning> warnings;
  auto two = program_of(
      "FUNCTION_BLOCK A END_FUNCTION_BLOCK FUNCTION_BLOCK B VAR a : A; END_VAR "
      "END_FUNCTION_BLOCK",
      warnings);
  Result<const PouInfo*> chosen = choose_entry(*two, "");
  ASSERT_TRUE(chosen.ok());
  EXPECT_EQ((*chosen)->pou->name.text, "B");
  EXPECT_FALSE(choose_entry(*two, "C").ok());
}

TEST(StEnvironment, TwoVariablesAtOneAddressAreRefused) {
  EXPECT_NE(translation_error("PROGRAM p VAR a AT %QX0.0 : BOOL; b AT %QX0.0 : BOOL; END_VAR "
                              "END_PROGRAM")
                .find("are both at %qx0.0"),
            std::string::npos);
}

TEST(StEnvironment, InitialValuesOfGlobalVariablesMayWarn) {  // had no frame, and ended the program
  EXPECT_EQ(translation_error("VAR_GLOBAL x : INT := TRUE + 1; END_VAR PROGRAM p END_PROGRAM"), "");
}

}  // namespace
}  // namespace lem::st::test
