#include "schedule/schedule.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <map>
#include <string>
#include <thread>

#include "portfolio/selection.h"
#include "schedule/jobs.h"
#include "unit/schedule/small_designs.h"

namespace lem::schedule {
namespace {

using engine::find_engine;
using engine::OnFound;

/// A prover that never answers and counts how often it is asked.
struct Session {
  Hooks hooks() {
    Hooks hooks;
    hooks.prove = [this](const Problem& one, const Context& boxed) -> Result<portfolio::Decision> {
      ++asked[one.property().name];
      while (!boxed.stopped()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return portfolio::Decision{check::trust_unchecked(Unknown{Reason::Stopped}), {}};
    };
    hooks.settle = [this](std::size_t property, check::Certified outcome, std::string_view by) {
      verdicts[property] = verdict_of(outcome.verdict());
      methods[property] = by;
      return settling;
    };
    return hooks;
  }
  static std::string verdict_of(const Verdict& verdict) {
    if (std::holds_alternative<Safe>(verdict)) return "safe";
    return std::holds_alternative<Unsafe>(verdict) ? "unsafe" : "unknown";
  }
  static std::vector<std::size_t> all_of(const Problem& problem) {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < problem.properties.size(); ++i) all.push_back(i);
    return all;
  }
  Status check(const Problem& problem, const EngineInfo* engine, std::stop_token stop) {
    Context ctx{options, stats, log, progress, std::move(stop)};
    return check_all(problem, all_of(problem), engine, hooks(), ctx);
  }
  /// The jobs alone, with members of the test.
  Jobs::End run_jobs(const Problem& problem, std::vector<portfolio::Member> members) {
    Context ctx{options, stats, log, progress, {}};
    Hooks with = hooks();
    Settling board(problem, all_of(problem), with, ctx);
    Cones cones(problem, board.open());
    Result<Jobs::End> end = Jobs(board, cones, std::move(members), ctx).run();
    EXPECT_TRUE(end.ok());
    return end.ok() ? *end : Jobs::End::NoProcess;
  }

  Options options = portfolio::declared_options();
  Stats stats;
  Log log;
  Progress progress;
  Status settling = Ok{};
  std::map<std::string, int> asked;
  std::map<std::size_t, std::string> verdicts, methods;
};

const std::map<std::size_t, std::string> kVerdictsOfRings = {
    {0, "safe"}, {1, "safe"}, {2, "safe"}, {3, "unsafe"}};

TEST(Schedule, WorkersAnswerAndSayWho) {
  Session run;
  ASSERT_TRUE(run.check(test::rings(3, 4), nullptr, {}).ok());
  EXPECT_EQ(run.verdicts, kVerdictsOfRings);
  EXPECT_TRUE(run.asked.empty());
  EXPECT_EQ(run.methods[3], "simulation");
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_TRUE(run.methods[i] == "ic3" || run.methods[i] == "kind" || run.methods[i] == "likeness")
        << run.methods[i];
}

TEST(Schedule, AnEngineForSeveralAnswersInOneRun) {
  Session run;
  ASSERT_TRUE(run.check(test::rings(1, 4), find_engine("ic3"), {}).ok());
  std::map<std::size_t, std::string> expected = {{0, "safe"}, {1, "unsafe"}};
  EXPECT_EQ(run.verdicts, expected);
  EXPECT_TRUE(run.asked.empty());
  EXPECT_EQ(run.methods[0], "ic3");
}

TEST(Schedule, AnEngineForOneIsAskedAgainAndAgain) {
  Session run;
  std::stop_source stop;
  std::jthread timer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    stop.request_stop();
  });
  ASSERT_TRUE(run.check(test::rings(2, 4), find_engine("bmc"), stop.get_token()).ok());
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
  Status done = run.check(test::rings(2, 4), nullptr, {});
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().message, "the disk is full");
  EXPECT_EQ(run.verdicts.size(), 1U);
}

// ------------------------------------------------------------- engines that misbehave in workers

/// What the copies of this process count together.
std::atomic<int>& deaths() {
  static auto* shared =
      static_cast<std::atomic<int>*>(mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE,
                                          MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  return *shared;
}

template <void (*Together)(const Problem&, const OnFound&, const Context&)>
EngineInfo fake(std::string_view id) {
  EngineInfo info = *find_engine("ic3");
  info.id = id;
  info.check_together = Together;
  return info;
}

void die_once(const Problem& problem, const OnFound& found, const Context& ctx) {
  if (deaths()++ == 0) _exit(3);
  find_engine("ic3")->check_together(problem, found, ctx);
}
void die_always(const Problem&, const OnFound&, const Context&) {
  ++deaths();
  _exit(3);
}
void claim_all_safe(const Problem& problem, const OnFound& found, const Context&) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < problem.properties.size(); ++i) all.push_back(i);
  found({all, Safe{InductiveInvariant{}}});
}

TEST(Jobs, AWorkerThatDiesCostsItsPropertiesASecondAttempt) {
  deaths() = 0;
  static const EngineInfo kFragile = fake<die_once>("fragile");
  Session run;
  ASSERT_TRUE(run.options.set_all("portfolio.workers=1").ok());
  EXPECT_EQ(run.run_jobs(test::rings(1, 40), {{&kFragile, "", 0}}), Jobs::End::Settled);
  std::map<std::size_t, std::string> expected = {{0, "safe"}, {1, "unsafe"}};
  EXPECT_EQ(run.verdicts, expected);
  EXPECT_EQ(run.methods[0], "fragile");
  EXPECT_EQ(deaths(), 2);
  EXPECT_EQ(run.stats.counter("portfolio.crashed").value, 1U);
}

TEST(Jobs, OneSecondAttemptAndNoMore) {
  deaths() = 0;
  static const EngineInfo kDead = fake<die_always>("dead");
  Session run;
  ASSERT_TRUE(run.options.set_all("portfolio.workers=1").ok());
  // Together they are given up after the second death; alone the engine itself answers.
  EXPECT_EQ(run.run_jobs(test::rings(1, 40), {{&kDead, "", 0}}), Jobs::End::Settled);
  EXPECT_EQ(deaths(), 2);
  EXPECT_EQ(run.verdicts.size(), 2U);
}

TEST(Jobs, WrongEvidenceSettlesNothing) {
  static const EngineInfo kLiar = fake<claim_all_safe>("liar");
  Session run;
  ASSERT_TRUE(run.options.set_all("portfolio.workers=1").ok());
  EXPECT_EQ(run.run_jobs(test::rings(1, 40), {{&kLiar, "", 0}}), Jobs::End::Settled);
  std::map<std::size_t, std::string> expected = {{0, "safe"}, {1, "unsafe"}};
  EXPECT_EQ(run.verdicts, expected);
  EXPECT_EQ(run.stats.counter("portfolio.rejected").value, 1U);
}

}  // namespace
}  // namespace lem::schedule
