#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>

#include "base/try.h"

namespace lem {
namespace {

TEST(Result, HoldsAValueOrAnError) {
  Result<int> good = 4;
  ASSERT_TRUE(good.ok());
  EXPECT_EQ(*good, 4);
  Result<int> bad = Error{{"f", 3, 0}, "no"};
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().message, "no");
}

TEST(Result, MovesItsValueOut) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(5);
  std::unique_ptr<int> taken = *std::move(result);
  EXPECT_EQ(*taken, 5);
}

Result<int> twice(const Result<int>& number, const Status& first) {
  LEM_TRY(first);
  LEM_LET(int value, number);
  LEM_LET(value, Result<int>(value + value));
  return value;
}

TEST(Result, ErrorsArePassedOn) {
  EXPECT_EQ(*twice(3, Ok{}), 6);
  EXPECT_EQ(twice(Error{{}, "no number"}, Ok{}).error().message, "no number");
  EXPECT_EQ(twice(3, Error{{}, "not first"}).error().message, "not first");
}

TEST(Error, TextLeavesOutWhatIsNotKnown) {
  EXPECT_EQ((Error{{"f.aag", 3, 7}, "what"}.text()), "f.aag:3:7: error: what");
  EXPECT_EQ((Error{{"f.aag", 3, 0}, "what"}.text()), "f.aag:3: error: what");
  EXPECT_EQ((Error{{"f.aag", 0, 0}, "what"}.text()), "f.aag: error: what");
  EXPECT_EQ((Error{{}, "what"}.text()), "error: what");
}

}  // namespace
}  // namespace lem
