#include "run/jobs.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <map>
#include <new>
#include <string>
#include <thread>

#include "support/explicit.h"
#include "support/random_aig.h"
#include "support/session.h"
#include "transform/transform.h"
#include "unit/engine/engine_support.h"
#include "unit/run/small_designs.h"

namespace lem::run {

namespace {

using engine::EngineInfo;
using engine::find_engine;
using test::counter;
using test::explore;
using test::random_problem;
using test::Session;
using test::varied_params;
using Clock = std::chrono::steady_clock;

Verdict unsafe_answer() {
  return Unsafe{Trace{{true, false, true}, {{false}, {true}}}};
}
Verdict safe_answer() {
  return Safe{InductiveInvariant{{{AigLit(3, true), AigLit(200000, false)}, {}}}};
}

// Fake engines: what a worker may do to its parent.
template <Verdict (*act)(const Context&)>
Reason check_by(const Problem&, const OnFound& found, const Context& ctx) {
  return engine::conclude(act(ctx), found);
}
template <Verdict (*act)(const Context&)>
EngineInfo fake(std::string_view id) {
  return {id, "", "", {}, {}, {Rung::Bits, Rung::Terms}, check_by<act>};
}

Verdict say_safe(const Context&) {
  return safe_answer();
}
Verdict say_unsafe(const Context&) {
  return unsafe_answer();
}
Verdict say_k_inductive(const Context&) {
  return Safe{KInductive{7, SimplePath::Yes, {}}};
}
Verdict give_up(const Context&) {
  return Unknown{Reason::GaveUp};
}
Verdict crash(const Context&) {
  _exit(3);
}
Verdict exhaust(const Context&) {
  throw std::bad_alloc();
}
Verdict sleep_forever(const Context&) {
  while (true) std::this_thread::sleep_for(std::chrono::seconds(1));
}
Verdict nap_then_safe(const Context&) {
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  return safe_answer();
}
Verdict long_nap_then_safe(const Context&) {
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  return safe_answer();
}
Verdict grow(const Context&) {
  std::vector<std::vector<char>> hoard;
  while (true) {
    hoard.emplace_back(8 << 20, 'x');
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}
Verdict count_depth(const Context& ctx) {
  ctx.stats.counter("deep.depth") += 41;
  ctx.stats.timer("deep.time").seconds = 1.5;
  return safe_answer();
}

const EngineInfo kSafe = fake<say_safe>("safe");
const EngineInfo kUnsafe = fake<say_unsafe>("unsafe");
const EngineInfo kInductive = fake<say_k_inductive>("inductive");
const EngineInfo kGiveUp = fake<give_up>("give-up");
const EngineInfo kCrash = fake<crash>("crash");
const EngineInfo kExhaust = fake<exhaust>("exhaust");
const EngineInfo kSleep = fake<sleep_forever>("sleep");
const EngineInfo kNap = fake<nap_then_safe>("nap");
const EngineInfo kLongNap = fake<long_nap_then_safe>("long-nap");
const EngineInfo kGrow = fake<grow>("grow");
const EngineInfo kDeep = fake<count_depth>("deep");

/// Evidence that is taken as it is: the fakes speak of no problem.
struct Unchecked : Session {
  explicit Unchecked(std::string_view settings = {}) : Session(settings) {
    how.certify = Certify::No;
  }
  Verdict run_on_counter(const std::vector<Member>& members) {
    without_transforms();
    static const Problem problem = counter(3, 5);
    verdicts.clear();
    Status done = run(problem, members);
    if (!done) return Unknown{Reason::Undecided};
    return verdicts.at(0);
  }
};

bool has_children() {
  return waitpid(-1, nullptr, WNOHANG) != -1;
}

}  // namespace

TEST(LastProperty, FirstAnswerWinsAndNobodyIsLeft) {
  Unchecked run("portfolio.workers=3");
  Verdict verdict = run.run_on_counter({{&kSleep}, {&kInductive}, {&kSleep, "", 100}});
  EXPECT_EQ(verdict, Verdict(Safe{KInductive{7, SimplePath::Yes, {}}}));
  EXPECT_FALSE(has_children());
}

TEST(LastProperty, EvidenceSurvivesThePipe) {
  for (const engine::EngineInfo* engine : {&kSafe, &kUnsafe}) {
    Unchecked run;
    Verdict verdict = run.run_on_counter({{engine, "", 0}});
    EXPECT_EQ(verdict, engine == &kSafe ? safe_answer() : unsafe_answer());
  }
}

TEST(LastProperty, ACrashCostsOneWorker) {
  Unchecked run("portfolio.workers=1");
  Verdict verdict = run.run_on_counter({{&kCrash}, {&kExhaust}, {&kSafe}});
  EXPECT_EQ(verdict, safe_answer());
  EXPECT_EQ(run.stats.counter("portfolio.crashed").value, 2U);
}

TEST(LastProperty, AllCrashedIsAReason) {
  Unchecked run;
  EXPECT_EQ(run.run_on_counter({{&kCrash}, {&kCrash}}), Verdict(Unknown{Reason::Crashed}));
  EXPECT_EQ(run.run_on_counter({{&kGiveUp}, {&kCrash}}), Verdict(Unknown{Reason::GaveUp}));
}

TEST(LastProperty, RejectedEvidenceIsRememberedAndTheOthersGoOn) {
  Session run("portfolio.workers=2");
  run.without_transforms();
  ASSERT_TRUE(run.run(test::token_ring(3), {{&kUnsafe}, {find_engine("ic3")}}).ok());
  EXPECT_EQ(run.words().at(0), "safe");
  EXPECT_EQ(run.stats.counter("portfolio.rejected").value, 1U);
}

TEST(LastProperty, RejectedEvidenceWithoutAnotherAnswerIsAnError) {
  Session run;
  run.without_transforms();
  Status done = run.run(test::token_ring(3), {{&kUnsafe}, {&kGiveUp}});
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().kind, ErrorKind::Internal);
}

TEST(LastProperty, TwoBelievedContradictionsAreNoVerdict) {
  // Both must have spoken before the first is heard: the parent waits while they do.
  for (int attempt = 0; attempt < 50; ++attempt) {
    Unchecked run("portfolio.workers=2");
    run.run_on_counter({{&kSafe}, {&kUnsafe}});
    if (run.stats.counter("portfolio.contradiction").value == 0) continue;
    EXPECT_TRUE(run.verdicts.empty());
    return;
  }
  FAIL() << "the opposite answer was never heard";
}

TEST(LastProperty, WaitingMembersGetTheirTurn) {
  Unchecked run("portfolio.workers=2");
  Clock::time_point start = Clock::now();
  Verdict verdict =
      run.run_on_counter({{&kSleep}, {&kSleep, "", 50}, {&kSleep, "", 50}, {&kNap, "", 50}});
  EXPECT_EQ(verdict, safe_answer());
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(5));
}

TEST(LastProperty, OneCoreIsShared) {
  Unchecked run("portfolio.workers=1");
  Verdict verdict = run.run_on_counter({{&kSleep, "", 30}, {&kNap, "", 30}});
  EXPECT_EQ(verdict, safe_answer());
}

TEST(LastProperty, AStopRequestEndsEveryWorkerAtOnce) {
  Unchecked run("portfolio.workers=4");
  std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    run.stop.request_stop();
  });
  Clock::time_point start = Clock::now();
  Verdict verdict = run.run_on_counter({{&kSleep}, {&kSleep, "", 10}, {&kSleep, "", 10}});
  EXPECT_EQ(verdict, Verdict(Unknown{Reason::Stopped}));
  EXPECT_LT(Clock::now() - start, std::chrono::milliseconds(1000));
  EXPECT_FALSE(has_children());
}

TEST(LastProperty, AGrowingWorkerIsEnded) {
  Unchecked run("portfolio.workers=2,portfolio.memory=200");
  Verdict verdict = run.run_on_counter({{&kGrow}, {&kGiveUp}});
  EXPECT_EQ(verdict, Verdict(Unknown{Reason::OutOfMemory}));
  EXPECT_EQ(run.stats.counter("portfolio.crashed").value, 1U);
}

TEST(LastProperty, MemoryThatWorkersShareCountsOnce) {
  // Four workers that hold 100 MB of their parent each, and write none of it.
  std::vector<char> shared(std::size_t{100} << 20, 'x');
#ifdef LEM_CHECKED_BUILD
  constexpr std::string_view kLimit = "4000";  // sanitizers keep shadow memory of their own
#else
  constexpr std::string_view kLimit = "250";
#endif
  Unchecked run("portfolio.workers=4,portfolio.memory=" + std::string(kLimit));
  Verdict verdict = run.run_on_counter({{&kSleep}, {&kSleep}, {&kSleep}, {&kLongNap}});
  EXPECT_EQ(verdict, safe_answer());
  EXPECT_EQ(run.stats.counter("portfolio.crashed").value, 0U);
  EXPECT_EQ(shared.back(), 'x');
}

// Room for that many descriptors more, as long as it lives.
class FewDescriptors {
 public:
  explicit FewDescriptors(rlim_t more) {
    getrlimit(RLIMIT_NOFILE, &before_);
    int next = dup(STDIN_FILENO);
    close(next);
    rlimit few{static_cast<rlim_t>(next) + more, before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &few);
  }
  ~FewDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;

 private:
  rlimit before_{};
};

TEST(LastProperty, WithoutWorkersTheFirstMemberRunsHere) {
  FewDescriptors none(0);
  Unchecked run("portfolio.workers=2");
  EXPECT_EQ(run.run_on_counter({{&kSafe}, {&kCrash}}), safe_answer());
  EXPECT_EQ(run.stats.counter("portfolio.started").value, 0U);
}

TEST(Schedule, WithoutWorkersTheFirstMemberAnswersHere) {
  FewDescriptors none(0);
  Session run("portfolio.workers=2");
  ASSERT_TRUE(run.prove(test::rings(2, 4), "auto").ok());
  std::map<std::size_t, std::string> expected = {{0, "safe"}, {1, "safe"}, {2, "unsafe"}};
  EXPECT_EQ(run.words(), expected);
  EXPECT_EQ(run.stats.counter("portfolio.started").value, 0U);
}

TEST(LastProperty, MembersThatCannotBeStartedWaitForThoseWhoRun) {
  FewDescriptors one(2);  // the pipe of one worker
  Unchecked run("portfolio.workers=3");
  EXPECT_EQ(run.run_on_counter({{&kGiveUp}, {&kGiveUp}, {&kNap}}), safe_answer());
  EXPECT_EQ(run.stats.counter("portfolio.started").value, 3U);
  EXPECT_EQ(run.stats.counter("portfolio.crashed").value, 0U);
}

TEST(LastProperty, TheWinnersStatisticsAreTheRuns) {
  Unchecked run;
  run.run_on_counter({{&kDeep}});
  EXPECT_EQ(run.stats.counter("deep.depth").value, 41U);
  EXPECT_EQ(run.stats.counter("auto.depth").value, 41U);
  EXPECT_EQ(run.stats.timer("deep.time").seconds, 1.5);
}

TEST(Members, EveryRowNamesAnEngineAndItsOptions) {
  for (std::span<const MemberRow> rows :
       {std::span<const MemberRow>(kSequentialMembers), std::span<const MemberRow>(kTermMembers),
        std::span<const MemberRow>(kBitVectorMembers),
        std::span<const MemberRow>(kWordProgramMembers),
        std::span<const MemberRow>(kProgramMembers),
        std::span<const MemberRow>(kCombinationalMembers)}) {
    for (const MemberRow& row : rows) {
      const EngineInfo* engine = find_engine(row.engine);
      ASSERT_NE(engine, nullptr) << row.engine;
      Options options;
      options.declare(transform::transform_options());
      options.declare(engine->options);
      EXPECT_TRUE(options.set_all(row.settings).ok()) << row.engine << " " << row.settings;
    }
  }
}

TEST(LastProperty, AutoAgreesWithSearch) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Problem problem = random_problem(seed, varied_params(seed));
    Session run;
    ASSERT_TRUE(run.prove(problem, "auto").ok()) << seed;
    EXPECT_EQ(run.words().at(0), explore(problem).safe() ? "safe" : "unsafe") << seed;
    // Another member would make it good: that an answer was rejected is a failure all the same.
    EXPECT_EQ(run.stats.counter("portfolio.rejected").value, 0U) << seed;
    EXPECT_EQ(run.stats.counter("portfolio.crashed").value, 0U) << seed;
  }
}

// ------------------------------------------------------------------------- several properties

namespace {

const std::map<std::size_t, std::string> kVerdictsOfRings = {
    {0, "safe"}, {1, "safe"}, {2, "safe"}, {3, "unsafe"}};

TEST(Schedule, WorkersAnswerAndSayWho) {
  Session run;
  ASSERT_TRUE(run.prove(test::rings(3, 4), "auto").ok());
  EXPECT_EQ(run.words(), kVerdictsOfRings);
  EXPECT_EQ(run.methods[3], "simulation");
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_TRUE(run.methods[i] == "ic3" || run.methods[i] == "kind" || run.methods[i] == "likeness")
        << run.methods[i];
}

TEST(Schedule, AnEngineForSeveralAnswersInOneRun) {
  Session run;
  ASSERT_TRUE(run.prove(test::rings(1, 4), "ic3").ok());
  std::map<std::size_t, std::string> expected = {{0, "safe"}, {1, "unsafe"}};
  EXPECT_EQ(run.words(), expected);
  EXPECT_EQ(run.methods[0], "ic3");
}

/// How often an engine that never answers was asked, by what it was asked.
std::map<std::string, int> asked;
Reason never_answer(const Problem& problem, const OnFound&, const Context& ctx) {
  ++asked[problem.property().name];
  while (!ctx.stopped()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return Reason::Stopped;
}

TEST(Schedule, AnEngineForOneIsAskedAgainAndAgain) {
  static const EngineInfo kSilent{"silent", "", "", {}, {}, Rung::Bits, never_answer};
  asked.clear();
  Session run;
  std::jthread timer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1000));
    run.stop.request_stop();
  });
  ASSERT_TRUE(run.run(test::rings(2, 4), {Member{.engine = &kSilent, .chosen = true}}).ok());
  // Nobody waits for another: all were asked alone, more than once, before the time was over.
  EXPECT_GT(asked["exclusive0"], 1);
  EXPECT_GT(asked["exclusive1"], 1);
  EXPECT_GT(asked["round"], 1);
  EXPECT_GT(asked["2 properties"], 0);  // ring 0 has two
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(run.words().at(i), "unknown");
}

TEST(Schedule, AnEngineThatGivesUpSaysWhyForEach) {
  Session run("bmc.max-depth=2");
  ASSERT_TRUE(run.prove(test::rings(2, 4), "bmc").ok());
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_EQ(run.verdicts.at(i), Verdict(Unknown{Reason::BoundReached})) << i;
}

TEST(Schedule, AnErrorEndsTheRun) {
  Session run;
  run.settling = Error{{}, "the disk is full", ErrorKind::Internal};
  Status done = run.prove(test::rings(2, 4), "auto");
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

EngineInfo like_ic3(std::string_view id,
                    Reason (*check)(const Problem&, const OnFound&, const Context&)) {
  EngineInfo info = *find_engine("ic3");
  info.id = id;
  info.check = check;
  return info;
}

Reason die_once(const Problem& problem, const OnFound& found, const Context& ctx) {
  if (deaths()++ == 0) _exit(3);
  return find_engine("ic3")->check(problem, found, ctx);
}
Reason die_if_several(const Problem& problem, const OnFound& found, const Context& ctx) {
  if (problem.properties.size() == 1) return find_engine("ic3")->check(problem, found, ctx);
  ++deaths();
  _exit(3);
}
Reason claim_all_safe(const Problem& problem, const OnFound& found, const Context& ctx) {
  if (problem.properties.size() == 1) return find_engine("ic3")->check(problem, found, ctx);
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < problem.properties.size(); ++i) all.push_back(i);
  found({all, Safe{InductiveInvariant{}}});
  return Reason::GaveUp;
}

constexpr std::uint32_t kBeyondSimulation = 150;  // steps to where the second property fails

TEST(Jobs, AWorkerThatDiesCostsItsPropertiesASecondAttempt) {
  deaths() = 0;
  static const EngineInfo kFragile = like_ic3("fragile", die_once);
  Session run("portfolio.workers=1");
  ASSERT_TRUE(run.run(test::rings(1, kBeyondSimulation), {{&kFragile}}).ok());
  std::map<std::size_t, std::string> expected = {{0, "safe"}, {1, "unsafe"}};
  EXPECT_EQ(run.words(), expected);
  EXPECT_EQ(run.methods[0], "fragile");
  EXPECT_GE(deaths(), 2);  // how often it was asked
  EXPECT_EQ(run.stats.counter("portfolio.crashed").value, 1U);
}

TEST(Jobs, OneSecondAttemptAndNoMore) {
  deaths() = 0;
  static const EngineInfo kDead = like_ic3("dead", die_if_several);
  Session run("portfolio.workers=1");
  // Together they are given up after the second death; alone the engine itself answers.
  ASSERT_TRUE(run.run(test::rings(1, kBeyondSimulation), {{&kDead}}).ok());
  EXPECT_EQ(deaths(), 2);
  EXPECT_EQ(run.verdicts.size(), 2U);
}

TEST(Jobs, WrongEvidenceSettlesNothing) {
  static const EngineInfo kLiar = like_ic3("liar", claim_all_safe);
  Session run("portfolio.workers=1");
  ASSERT_TRUE(run.run(test::rings(1, kBeyondSimulation), {{&kLiar}}).ok());
  std::map<std::size_t, std::string> expected = {{0, "safe"}, {1, "unsafe"}};
  EXPECT_EQ(run.words(), expected);
  EXPECT_EQ(run.stats.counter("portfolio.rejected").value, 1U);
}

}  // namespace
}  // namespace lem::run
