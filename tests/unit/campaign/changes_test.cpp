#include "campaign/changes.h"

#include <gtest/gtest.h>

namespace lem::campaign {
namespace {

RunRow row(const std::string& file, const std::string& verdict, double seconds,
           std::int64_t seed = -1) {
  RunRow out;
  out.file = file;
  out.configuration = "auto";
  out.seed = seed;
  out.record.verdict = verdict;
  out.record.seconds = seconds;
  return out;
}

TEST(CampaignChanges, NewLostAndContradictedComeInOrder) {
  std::vector<RunRow> before = {row("a", "safe", 1), row("b", "unknown", 9), row("c", "safe", 1),
                                row("gone", "safe", 1)};
  std::vector<RunRow> after = {row("a", "unknown", 9), row("b", "safe", 1), row("c", "unsafe", 1),
                               row("fresh", "safe", 1)};
  Comparison out = compare(before, after);
  ASSERT_EQ(out.changes.size(), 3U);
  EXPECT_EQ(name(out.changes[0].kind), "contradicted");
  EXPECT_EQ(name(out.changes[1].kind), "lost");
  EXPECT_EQ(name(out.changes[2].kind), "new");
  EXPECT_EQ(out.common, 3U);
  EXPECT_EQ(out.added, 1U);
  EXPECT_EQ(out.removed, 1U);
}

TEST(CampaignChanges, ASlowerMachineIsNoChange) {
  std::vector<RunRow> before, after;
  for (int i = 0; i < 30; ++i) {
    before.push_back(row(std::to_string(i), "safe", 1 + i));
    after.push_back(row(std::to_string(i), "safe", 1.5 * (1 + i) * (i % 2 == 0 ? 1.02 : 0.98)));
  }
  EXPECT_TRUE(compare(before, after).changes.empty());
  after[7].record.seconds *= 3;
  Comparison out = compare(before, after);
  ASSERT_EQ(out.changes.size(), 1U);
  EXPECT_EQ(name(out.changes[0].kind), "slower");
  EXPECT_EQ(out.changes[0].file, "7");
  EXPECT_NEAR(out.ratio, 1.5, 0.1);
}

TEST(CampaignChanges, NoisyCampaignsNeedLargerChanges) {
  std::vector<RunRow> before, after;
  for (int i = 0; i < 30; ++i) {
    before.push_back(row(std::to_string(i), "safe", 4));
    after.push_back(row(std::to_string(i), "safe", i % 3 == 0 ? 2 : i % 3 == 1 ? 4 : 8));
  }
  EXPECT_TRUE(compare(before, after).changes.empty());
}

TEST(CampaignChanges, SeedsAreComparedByTheirMedians) {
  std::vector<RunRow> before, after;
  for (int seed = 1; seed <= 3; ++seed) {
    before.push_back(row("a", "safe", seed, seed));
    after.push_back(row("a", "safe", seed == 3 ? 60 : seed, seed));
    before.push_back(row("b", "safe", 1, seed));
    after.push_back(row("b", seed == 1 ? "safe" : "unknown", 1, seed));
  }
  Comparison out = compare(before, after);
  ASSERT_EQ(out.changes.size(), 1U);
  EXPECT_EQ(name(out.changes[0].kind), "lost");
  EXPECT_EQ(out.changes[0].file, "b");
}

}  // namespace
}  // namespace lem::campaign
