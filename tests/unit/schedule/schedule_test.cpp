#include "schedule/schedule.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <string>
#include <thread>

#include "unit/schedule/small_designs.h"

namespace lem::schedule {
namespace {

/// An engine that never answers about some properties and counts how often it is asked.
struct Session {
  Hooks hooks() {
    Hooks hooks;
    hooks.prove = [this](const Problem& one, const Context& boxed) -> Result<check::Certified> {
      ++asked[one.property().name];
      while (!boxed.stopped()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return check::trust_unchecked(Unknown{Reason::Stopped});
    };
    hooks.settle = [this](std::size_t property, check::Certified outcome, std::string_view method) {
      verdicts[property] = verdict_of(outcome.verdict());
      methods[property] = method;
      return settling;
    };
    return hooks;
  }
  static std::string verdict_of(const Verdict& verdict) {
    if (std::holds_alternative<Safe>(verdict)) return "safe";
    return std::holds_alternative<Unsafe>(verdict) ? "unsafe" : "unknown";
  }
  Status check(const Problem& problem, Shortcuts shortcuts, std::stop_token stop) {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < problem.properties.size(); ++i) all.push_back(i);
    Context ctx{options, stats, log, progress, std::move(stop)};
    return check_all(problem, all, shortcuts, hooks(), ctx);
  }

  Options options;
  Stats stats;
  Log log;
  Progress progress;
  Status settling = Ok{};
  std::map<std::string, int> asked;
  std::map<std::size_t, std::string> verdicts, methods;
};

TEST(Schedule, ShortcutsAnswerWithoutTheEngine) {
  Session run;
  ASSERT_TRUE(run.check(test::rings(3, 4), Shortcuts::Yes, {}).ok());
  std::map<std::size_t, std::string> expected = {
      {0, "safe"}, {1, "safe"}, {2, "safe"}, {3, "unsafe"}};
  EXPECT_EQ(run.verdicts, expected);
  EXPECT_TRUE(run.asked.empty());
  EXPECT_EQ(run.methods[0], "kind");
  EXPECT_EQ(run.methods[3], "simulation");
}

TEST(Schedule, WithoutShortcutsTheEngineIsAskedAgainAndAgain) {
  Session run;
  std::stop_source stop;
  std::jthread timer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    stop.request_stop();
  });
  ASSERT_TRUE(run.check(test::rings(2, 4), Shortcuts::No, stop.get_token()).ok());
  // Nobody waits for another: all were asked alone, more than once, before the time was over.
  EXPECT_GT(run.asked["exclusive0"], 1);
  EXPECT_GT(run.asked["exclusive1"], 1);
  EXPECT_GT(run.asked["round"], 1);
  EXPECT_GT(run.asked["2 properties"], 0);  // ring 0 has two
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(run.verdicts[i], "unknown");
}

TEST(Schedule, AnErrorEndsTheRun) {
  Session run;
  run.settling = Error{{}, "the disk is full", ErrorKind::Internal};
  Status done = run.check(test::rings(2, 4), Shortcuts::Yes, {});
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().message, "the disk is full");
  EXPECT_EQ(run.verdicts.size(), 1U);
}

}  // namespace
}  // namespace lem::schedule
