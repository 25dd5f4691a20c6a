#include "base/growth.h"

#include <gtest/gtest.h>

namespace lem {
namespace {

TEST(Growth, AddsCountersOfOneKindAndLeavesOutTheRest) {
  Stats stats;
  stats.counter("ipdr.suffix-queries") += 3;
  stats.counter("ipdr.step-queries") += 4;
  stats.counter("ipdr.lemmas") += 5;
  stats.counter("transform.lemmas") += 100;
  stats.counter("ic3.ctgs") += 9;
  auto counts = growth_counts(stats);
  EXPECT_EQ(counts.at("queries"), 7U);
  EXPECT_EQ(counts.at("lemmas"), 5U);
  EXPECT_EQ(counts.size(), 2U);
  EXPECT_EQ(growth_stats(stats).counters().size(), 3U);
}

TEST(Growth, TakesFramesFromTheProgressLine) {
  Growth growth;
  growth.add("ic3", Stats{}, 1000,
             "ic3: frame 12, obligations 4, 10 queries/s, lemmas 3 0 7, inf 2");
  const GrowthSample& sample = growth.engines().at("ic3").front();
  EXPECT_EQ(sample.counts.at("depth"), 12U);
  EXPECT_EQ(sample.counts.at("open obligations"), 4U);
  EXPECT_EQ(sample.lemmas, (std::vector<std::uint64_t>{3, 0, 7}));
  EXPECT_EQ(sample.first_frame, 10U);  // the last three of twelve
}

TEST(Growth, ASampleWithoutMemoryKeepsTheOneBefore) {
  Growth growth;
  growth.add("bmc", Stats{}, 1000, "bmc: step 3");
  growth.add("bmc", Stats{}, 0, {});
  EXPECT_EQ(growth.engines().at("bmc").back().memory_bytes, 1000U);
}

TEST(Growth, LongRunsStaySmallAndKeepTheirFirstAndLastSamples) {
  Growth growth;
  Growth::Clock::time_point start = Growth::Clock::now();
  for (int i = 0; i < 5000; ++i)
    growth.add("ic3", Stats{}, 1, "", start + std::chrono::milliseconds(i));
  const std::vector<GrowthSample>& series = growth.engines().at("ic3");
  EXPECT_LE(series.size(), 600U);
  EXPECT_GT(series.size(), 200U);
  for (std::size_t i = 1; i < series.size(); ++i)
    EXPECT_LT(series[i - 1].seconds, series[i].seconds);
  EXPECT_LT(series.front().seconds, 0.1);
  EXPECT_GT(series.back().seconds, 4.9);
}

TEST(Growth, CurvesThatCannotBeToldApartAreLeftOut) {
  Growth growth;
  for (int i = 0; i < 40; ++i) growth.add("job " + std::to_string(i), Stats{}, 1, "");
  EXPECT_EQ(growth.engines().size(), 16U);
}

}  // namespace
}  // namespace lem
