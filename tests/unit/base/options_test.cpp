#include "base/options.h"

#include <gtest/gtest.h>

#include <array>

namespace lem {
namespace {

enum class Mode { None, Drop, Core, Deep };
constexpr std::string_view words(Mode) {
  return "none|drop|core|deep";
}

constexpr std::array kRows = {
    OptionRow::number("a.depth", 3, 0, 8, "a number"),
    OptionRow::choice("a.mode", Mode::Drop, "a choice"),
    OptionRow::toggle("a.push", true, "a switch"),
    OptionRow{"a.folder", 0, 0, 0, "a path", "PATH"},
};

Options declared() {
  Options options;
  options.declare(kRows);
  return options;
}

TEST(Options, StartAtTheirDefaults) {
  Options options = declared();
  EXPECT_EQ(options.get("a.depth"), 3);
  EXPECT_EQ(options.get<Mode>("a.mode"), Mode::Drop);
  EXPECT_TRUE(options.on("a.push"));
}

TEST(Options, PathsAreAnyTextAndCopiesHaveTheirOwn) {
  Options options = declared();
  EXPECT_EQ(options.text("a.folder"), "");
  EXPECT_TRUE(options.set("a.folder", "/tmp/x y=z").ok());
  Options copy = options;
  EXPECT_TRUE(copy.set_all("a.folder=/other,a.depth=2").ok());
  EXPECT_EQ(options.text("a.folder"), "/tmp/x y=z");
  EXPECT_EQ(copy.text("a.folder"), "/other");
  EXPECT_TRUE(options.set("a.folder", "").ok());
  EXPECT_EQ(options.text("a.folder"), "");
}

TEST(Options, NumbersAreSetWithinTheirRange) {
  Options options = declared();
  EXPECT_TRUE(options.set("a.depth", "8").ok());
  EXPECT_EQ(options.get("a.depth"), 8);
  for (std::string_view bad : {"9", "-1", "", "4x", "x", "0x4", " 4", "99999999999999999999"})
    EXPECT_FALSE(options.set("a.depth", bad).ok()) << bad;
  EXPECT_EQ(options.get("a.depth"), 8);
}

TEST(Options, ChoicesAreSetByName) {
  Options options = declared();
  EXPECT_TRUE(options.set("a.mode", "core").ok());
  EXPECT_EQ(options.get<Mode>("a.mode"), Mode::Core);
  for (std::string_view bad : {"2", "", "cor", "none|drop"})
    EXPECT_FALSE(options.set("a.mode", bad).ok()) << bad;
}

TEST(Options, AChoiceMayLeaveOutWordsOfItsEnum) {
  constexpr std::array kSome = {
      OptionRow::choice("b.mode", Mode::Deep, "a choice", "none|core|deep")};
  Options options;
  options.declare(kSome);
  EXPECT_EQ(options.get<Mode>("b.mode"), Mode::Deep);
  EXPECT_EQ(options.text("b.mode"), "deep");
  EXPECT_FALSE(options.set("b.mode", "drop").ok());
  EXPECT_TRUE(options.set("b.mode", "core").ok());
  EXPECT_EQ(options.get<Mode>("b.mode"), Mode::Core);
}

TEST(Options, ErrorsAreUsageErrorsThatNameTheOption) {
  Options options = declared();
  Status status = options.set("a.dept", "1");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().kind, ErrorKind::Usage);
  EXPECT_NE(status.error().message.find("'a.dept'"), std::string::npos);
}

TEST(Options, SeveralAreSetAtOnceAndTheFirstErrorCounts) {
  Options options = declared();
  EXPECT_TRUE(options.set_all("").ok());
  EXPECT_TRUE(options.set_all("a.depth=5,a.push=off").ok());
  EXPECT_EQ(options.get("a.depth"), 5);
  EXPECT_FALSE(options.on("a.push"));
  EXPECT_FALSE(options.set_all("a.depth").ok());
  EXPECT_FALSE(options.set_all("a.depth=1,").ok());
}

TEST(Options, RowsComeByNameAndPrintTheirValues) {
  std::vector<OptionRow> rows = declared().rows();
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].name, "a.depth");
  EXPECT_EQ(option_text(rows[0], 7), "7");
  EXPECT_EQ(option_text(rows[1], 0), "");
  EXPECT_EQ(option_text(rows[2], 0), "none");
  EXPECT_EQ(option_text(rows[3], 1), "on");
}

}  // namespace
}  // namespace lem
