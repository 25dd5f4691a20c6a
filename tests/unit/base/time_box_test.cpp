#include "base/time_box.h"

#include <gtest/gtest.h>

namespace lem {
namespace {

using namespace std::chrono_literals;

void wait_for_stop(const TimeBox& box) {
  auto patience = std::chrono::steady_clock::now() + 10s;
  while (!box.token().stop_requested() && std::chrono::steady_clock::now() < patience)
    std::this_thread::sleep_for(1ms);
}

TEST(TimeBox, StopsWhenItsTimeIsOver) {
  TimeBox box({}, 0.01s);
  EXPECT_TRUE(box.limited());
  wait_for_stop(box);
  EXPECT_TRUE(box.token().stop_requested());
}

TEST(TimeBox, StopsWithTheRun) {
  std::stop_source run;
  TimeBox limited(run.get_token(), 1000s);
  TimeBox unlimited(run.get_token(), std::nullopt);
  EXPECT_FALSE(unlimited.limited());
  EXPECT_FALSE(limited.token().stop_requested());
  run.request_stop();
  EXPECT_TRUE(limited.token().stop_requested());
  EXPECT_TRUE(unlimited.token().stop_requested());
}

TEST(TimeBox, EndsWithoutWaiting) {
  auto start = std::chrono::steady_clock::now();
  { TimeBox box({}, 1000s); }
  EXPECT_LT(std::chrono::steady_clock::now() - start, 10s);
}

}  // namespace
}  // namespace lem
