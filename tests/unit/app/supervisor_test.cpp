#include "app/supervisor.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "base/process.h"

namespace lem::app {
namespace {

using namespace std::chrono_literals;

Supervisor::Hooks silent() {
  return {[] {}, [](StopCause) {}};
}

bool stops_within(const Supervisor& supervisor, std::chrono::milliseconds patience) {
  auto end = std::chrono::steady_clock::now() + patience;
  while (!supervisor.token().stop_requested() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(1ms);
  return supervisor.token().stop_requested();
}

TEST(Supervisor, LeavesAnUnlimitedRunAlone) {
  Supervisor supervisor({}, silent());
  EXPECT_FALSE(stops_within(supervisor, 120ms));
  EXPECT_EQ(supervisor.cause(), StopCause::None);
}

TEST(Supervisor, DeadlineRequestsAStop) {
  Supervisor supervisor({0.05, {}}, silent());
  EXPECT_TRUE(stops_within(supervisor, 2s));
  EXPECT_GE(supervisor.elapsed(), 0.05);
  EXPECT_EQ(supervisor.cause(), StopCause::Timeout);
}

TEST(Supervisor, MemoryLimitRequestsAStop) {
  Supervisor supervisor({{}, 1}, silent());
  EXPECT_TRUE(stops_within(supervisor, 2s));
  EXPECT_EQ(supervisor.cause(), StopCause::Memory);
}

TEST(Supervisor, SignalsRequestAStop) {
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    Supervisor supervisor({}, silent());
    kill(getpid(), signal);
    EXPECT_TRUE(stops_within(supervisor, 2s));
    EXPECT_EQ(supervisor.cause(), StopCause::Interrupted);
  }
}

TEST(Supervisor, FirstCauseCounts) {
  Supervisor supervisor({}, silent());
  supervisor.request(StopCause::Memory);
  supervisor.request(StopCause::Timeout);
  EXPECT_EQ(supervisor.cause(), StopCause::Memory);
}

TEST(Supervisor, GivesUpOnARunThatDoesNotStop) {
  std::atomic<bool> gave_up{false};
  Supervisor supervisor({0.01, {}}, {[] {},
                                     [&](StopCause cause) {
                                       EXPECT_EQ(cause, StopCause::Timeout);
                                       gave_up = true;
                                     }});
  std::this_thread::sleep_for(Supervisor::kGrace / 2);
  EXPECT_FALSE(gave_up) << "the run gets its grace";
  std::this_thread::sleep_for(Supervisor::kGrace);
  EXPECT_TRUE(gave_up);
}

TEST(Supervisor, ASecondSignalEndsTheGrace) {
  std::atomic<bool> gave_up{false};
  Supervisor supervisor({}, {[] {}, [&](StopCause) { gave_up = true; }});
  kill(getpid(), SIGINT);
  ASSERT_TRUE(stops_within(supervisor, 2s));
  EXPECT_FALSE(gave_up);
  kill(getpid(), SIGINT);
  std::this_thread::sleep_for(Supervisor::kGrace / 2);
  EXPECT_TRUE(gave_up);
}

TEST(Supervisor, GrowingOnEndsTheGrace) {
  std::atomic<bool> gave_up{false};
  std::uint64_t now = resident_bytes_of_tree() >> 20;
  Supervisor supervisor({{}, now + 50}, {[] {},
                                         [&](StopCause cause) {
                                           EXPECT_EQ(cause, StopCause::Memory);
                                           gave_up = true;
                                         }});
  std::vector<char> much((2 * (now + 50) + 300) << 20, 'x');
  std::this_thread::sleep_for(Supervisor::kGrace / 2);
  EXPECT_TRUE(gave_up);
  EXPECT_EQ(much.back(), 'x');
}

TEST(Supervisor, WithoutAThreadNothingIsWatched) {
  if (geteuid() == 0) {  // root has no limit
    pid_t child = fork();
    if (child == 0) {
      if (setuid(65534) != 0) _exit(3);
      rlimit none{0, 0};
      setrlimit(RLIMIT_NPROC, &none);
      Supervisor supervisor({}, silent());
      _exit(supervisor.watching().ok() ? 1 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    return;
  }
  rlimit before{};
  getrlimit(RLIMIT_NPROC, &before);
  rlimit none{0, before.rlim_max};
  setrlimit(RLIMIT_NPROC, &none);
  Supervisor supervisor({}, silent());
  EXPECT_FALSE(supervisor.watching().ok());
  setrlimit(RLIMIT_NPROC, &before);
}

TEST(Supervisor, StandingDownEndsTheWatch) {
  Supervisor supervisor({0.05, {}}, silent());
  supervisor.stand_down();
  EXPECT_FALSE(stops_within(supervisor, 120ms));
}

TEST(Supervisor, ResidentMemoryGrowsWithUse) {
  std::uint64_t before = resident_bytes_of_tree();
  std::vector<char> block(std::size_t{64} << 20, 1);
  EXPECT_GT(resident_bytes_of_tree(), before + (std::uint64_t{32} << 20));
  EXPECT_EQ(block.back(), 1);
}

}  // namespace
}  // namespace lem::app
