#include "base/context.h"

#include <gtest/gtest.h>

#include <vector>

namespace lem {
namespace {

TEST(Log, BuildsOnlyWantedMessages) {
  std::vector<std::string> lines;
  Log log(LogLevel::Info, [&](LogLevel, const std::string& line) { lines.push_back(line); });
  log.info([] { return std::string("yes"); });
  log.debug([]() -> std::string {
    ADD_FAILURE() << "built a message nobody wants";
    return {};
  });
  EXPECT_EQ(lines, std::vector<std::string>{"yes"});
  EXPECT_FALSE(Log().wants(LogLevel::Info));
}

TEST(Progress, IsDueAtMostFiveTimesASecond) {
  int shown = 0;
  Progress progress([&](const std::string&) { ++shown; });
  for (int i = 0; i < 1000; ++i)
    if (progress.due()) progress.publish("x");
  EXPECT_GE(shown, 1);
  EXPECT_LE(shown, 2);
  EXPECT_FALSE(Progress().due());
}

TEST(Stats, CountersKeepTheirPlace) {
  Stats stats;
  Counter& first = stats.counter("a");
  for (int i = 0; i < 100; ++i) stats.counter("b" + std::to_string(i)) += 1;
  ++first;
  EXPECT_EQ(stats.counters().at("a").value, 1U);
  { TimerScope scope(stats.timer("t")); }
  EXPECT_GE(stats.timers().at("t").seconds, 0.0);
}

}  // namespace
}  // namespace lem
