#include "app/suggest.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace lem::app {
namespace {

const std::vector<std::string> kNames = {"check", "validate", "convert", "campaign", "engines"};

TEST(Nearest, FindsSwapsChangesAndOmissions) {
  EXPECT_EQ(nearest("chek", kNames), "check");
  EXPECT_EQ(nearest("hceck", kNames), "check");
  EXPECT_EQ(nearest("covnert", kNames), "convert");
  EXPECT_EQ(nearest("engine", kNames), "engines");
}

TEST(Nearest, SaysNothingAboutWordsThatAreFarFromAll) {
  EXPECT_EQ(nearest("unwind", kNames), std::nullopt);
  EXPECT_EQ(nearest("x", kNames), std::nullopt);
  EXPECT_EQ(nearest("unwind", std::vector<std::string>{"engine"}), std::nullopt);
}

struct Suggestion : ::testing::Test {
  Suggestion() {
    CLI::App* check = app.add_subcommand("check", "");
    check->add_option("--engine", text);
    check->add_option("--timeout", text);
    app.add_subcommand("convert", "");
  }
  std::string to(std::vector<std::string> words) { return suggestion(app, words); }
  CLI::App app;
  std::string text;
};

TEST_F(Suggestion, NamesTheNearestCommand) {
  EXPECT_EQ(to({"chek", "a.aag"}), "'chek' is no command; did you mean 'check'?");
  EXPECT_EQ(to({"frobnicate"}), "'frobnicate' is no command; `lemmata --help` lists them");
  EXPECT_EQ(to({}), "no command; `lemmata --help` lists them");
}

TEST_F(Suggestion, NamesTheNearestOption) {
  EXPECT_EQ(to({"check", "--egine", "ic3", "a.aag"}), "did you mean '--engine'?");
  EXPECT_EQ(to({"check", "--timeuot=3", "a.aag"}), "did you mean '--timeout'?");
  EXPECT_EQ(to({"check", "--frobnicate"}), "`lemmata check --help` lists its options");
}

TEST_F(Suggestion, TakesAFileForSomethingToCheck) {
  EXPECT_EQ(to({"/"}), "'/' is a file: lemmata check /");
}

TEST_F(Suggestion, IsSilentWhereAllWordsAreKnown) {
  EXPECT_EQ(to({"check", "--engine"}), "");
}

}  // namespace
}  // namespace lem::app
