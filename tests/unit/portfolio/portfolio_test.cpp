#include "portfolio/portfolio.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <new>
#include <thread>

#include "portfolio/members.h"
#include "portfolio/message.h"
#include "portfolio/selection.h"
#include "support/explicit.h"
#include "support/random_aig.h"
#include "unit/engine/engine_support.h"

namespace lem::portfolio {

namespace {

using test::counter;
using test::explore;
using test::is_certified;
using test::random_problem;
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
class Fake final : public engine::Engine {
 public:
  Verdict check(const Problem&, const Context& ctx) override { return act(ctx); }
};
template <Verdict (*act)(const Context&)>
engine::EngineInfo fake(std::string_view id) {
  return {id, "", "", {}, {}, {Rung::Bits, Rung::Terms}, []() -> std::unique_ptr<engine::Engine> {
            return std::make_unique<Fake<act>>();
          }};
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

const engine::EngineInfo kSafe = fake<say_safe>("safe");
const engine::EngineInfo kUnsafe = fake<say_unsafe>("unsafe");
const engine::EngineInfo kInductive = fake<say_k_inductive>("inductive");
const engine::EngineInfo kGiveUp = fake<give_up>("give-up");
const engine::EngineInfo kCrash = fake<crash>("crash");
const engine::EngineInfo kExhaust = fake<exhaust>("exhaust");
const engine::EngineInfo kSleep = fake<sleep_forever>("sleep");
const engine::EngineInfo kNap = fake<nap_then_safe>("nap");
const engine::EngineInfo kLongNap = fake<long_nap_then_safe>("long-nap");
const engine::EngineInfo kGrow = fake<grow>("grow");
const engine::EngineInfo kDeep = fake<count_depth>("deep");

/// Everything a Context refers to.
struct Bench {
  explicit Bench(std::string_view settings = {}) {
    EXPECT_TRUE(options.set_all(settings).ok()) << settings;
  }
  Context context() { return {options, stats, log, progress, stop.get_token()}; }

  Options options = declared_options();
  Stats stats;
  Log log;
  Progress progress;
  std::stop_source stop;
};

/// A judge by a function.
template <class Accepts>
class JudgeBy final : public Judge {
 public:
  explicit JudgeBy(Accepts accepts) : accepts_(std::move(accepts)) {}
  bool accepts(const Verdict& verdict) override { return accepts_(verdict); }

 private:
  Accepts accepts_;
};

Verdict run_on_counter(Bench& run, const std::vector<Member>& members, Judge* judge = nullptr) {
  static const Problem problem = counter(3, 5);
  return run_members(members, problem, judge, run.context()).verdict;
}

bool has_children() {
  return waitpid(-1, nullptr, WNOHANG) != -1;
}

}  // namespace

TEST(Portfolio, FirstAnswerWinsAndNobodyIsLeft) {
  Bench run("portfolio.workers=3");
  Verdict verdict =
      run_on_counter(run, {{&kSleep, "", 0}, {&kInductive, "", 0}, {&kSleep, "", 100}});
  EXPECT_EQ(verdict, Verdict(Safe{KInductive{7, SimplePath::Yes, {}}}));
  EXPECT_FALSE(has_children());
}

TEST(Portfolio, EvidenceSurvivesThePipe) {
  for (const engine::EngineInfo* engine : {&kSafe, &kUnsafe}) {
    Bench run;
    Verdict verdict = run_on_counter(run, {{engine, "", 0}});
    EXPECT_EQ(verdict, engine == &kSafe ? safe_answer() : unsafe_answer());
  }
}

TEST(Portfolio, ACrashCostsOneWorker) {
  Bench run("portfolio.workers=1");
  Verdict verdict = run_on_counter(run, {{&kCrash, "", 0}, {&kExhaust, "", 0}, {&kSafe, "", 0}});
  EXPECT_EQ(verdict, safe_answer());
  EXPECT_EQ(run.stats.counter("portfolio.crashed").value, 2U);
}

TEST(Portfolio, AllCrashedIsAReason) {
  Bench run;
  EXPECT_EQ(run_on_counter(run, {{&kCrash, "", 0}, {&kCrash, "", 0}}),
            Verdict(Unknown{Reason::Crashed}));
  EXPECT_EQ(run_on_counter(run, {{&kGiveUp, "", 0}, {&kCrash, "", 0}}),
            Verdict(Unknown{Reason::GaveUp}));
}

TEST(Portfolio, RejectedEvidenceIsRememberedAndTheOthersGoOn) {
  Bench run("portfolio.workers=2");
  JudgeBy only_safe([](const Verdict& verdict) { return std::holds_alternative<Safe>(verdict); });
  Verdict verdict = run_on_counter(run, {{&kUnsafe, "", 0}, {&kNap, "", 0}}, &only_safe);
  EXPECT_EQ(verdict, safe_answer());
  EXPECT_EQ(run.stats.counter("portfolio.rejected").value, 1U);
}

TEST(Portfolio, TwoBelievedContradictionsAreNoVerdict) {
  Bench run("portfolio.workers=2");
  // The judge is slow, so that the opposite answer is there when the first is accepted; both
  // processes must have spoken before the others are paused.
  JudgeBy slow([](const Verdict&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return true;
  });
  // A paused worker cannot speak: retry until both answers arrived together.
  for (int attempt = 0; attempt < 50; ++attempt) {
    Verdict verdict = run_on_counter(run, {{&kSafe, "", 0}, {&kUnsafe, "", 0}}, &slow);
    if (run.stats.counter("portfolio.contradiction").value == 0) continue;
    EXPECT_TRUE(std::holds_alternative<Unknown>(verdict));
    return;
  }
  FAIL() << "the opposite answer was never heard";
}

TEST(Portfolio, WaitingMembersGetTheirTurn) {
  Bench run("portfolio.workers=2");
  Clock::time_point start = Clock::now();
  Verdict verdict = run_on_counter(
      run, {{&kSleep, "", 0}, {&kSleep, "", 50}, {&kSleep, "", 50}, {&kNap, "", 50}});
  EXPECT_EQ(verdict, safe_answer());
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(5));
}

TEST(Portfolio, OneCoreIsShared) {
  Bench run("portfolio.workers=1");
  Verdict verdict = run_on_counter(run, {{&kSleep, "", 30}, {&kNap, "", 30}});
  EXPECT_EQ(verdict, safe_answer());
}

TEST(Portfolio, AStopRequestEndsEveryWorkerAtOnce) {
  Bench run("portfolio.workers=4");
  std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    run.stop.request_stop();
  });
  Clock::time_point start = Clock::now();
  Verdict verdict = run_on_counter(run, {{&kSleep, "", 0}, {&kSleep, "", 10}, {&kSleep, "", 10}});
  EXPECT_EQ(verdict, Verdict(Unknown{Reason::Stopped}));
  EXPECT_LT(Clock::now() - start, std::chrono::milliseconds(1000));
  EXPECT_FALSE(has_children());
}

TEST(Portfolio, AGrowingWorkerIsEnded) {
  Bench run("portfolio.workers=2,portfolio.memory=200");
  Verdict verdict = run_on_counter(run, {{&kGrow, "", 0}, {&kGiveUp, "", 0}});
  EXPECT_EQ(verdict, Verdict(Unknown{Reason::OutOfMemory}));
  EXPECT_EQ(run.stats.counter("portfolio.crashed").value, 1U);
}

TEST(Portfolio, MemoryThatWorkersShareCountsOnce) {
  // Four workers that hold 100 MB of their parent each, and write none of it.
  std::vector<char> shared(std::size_t{100} << 20, 'x');
#ifdef LEM_CHECKED_BUILD
  constexpr std::string_view kLimit = "4000";  // sanitizers keep shadow memory of their own
#else
  constexpr std::string_view kLimit = "250";
#endif
  Bench run("portfolio.workers=4,portfolio.memory=" + std::string(kLimit));
  Verdict verdict = run_on_counter(
      run, {{&kSleep, "", 0}, {&kSleep, "", 0}, {&kSleep, "", 0}, {&kLongNap, "", 0}});
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

TEST(Portfolio, WithoutWorkersTheFirstMemberRunsHere) {
  FewDescriptors none(0);
  Bench run("portfolio.workers=2");
  EXPECT_EQ(run_on_counter(run, {{&kSafe, "", 0}, {&kCrash, "", 0}}), safe_answer());
  EXPECT_EQ(run.stats.counter("portfolio.started").value, 0U);
}

TEST(Portfolio, MembersThatCannotBeStartedWaitForThoseWhoRun) {
  FewDescriptors one(2);  // the pipe of one worker
  Bench run("portfolio.workers=3");
  EXPECT_EQ(run_on_counter(run, {{&kGiveUp, "", 0}, {&kGiveUp, "", 0}, {&kNap, "", 0}}),
            safe_answer());
  EXPECT_EQ(run.stats.counter("portfolio.started").value, 3U);
  EXPECT_EQ(run.stats.counter("portfolio.crashed").value, 0U);
}

TEST(Portfolio, TheWinnersStatisticsAreTheRuns) {
  Bench run;
  run_on_counter(run, {{&kDeep, "", 0}});
  EXPECT_EQ(run.stats.counter("deep.depth").value, 41U);
  EXPECT_EQ(run.stats.counter("auto.depth").value, 41U);
  EXPECT_EQ(run.stats.timer("deep.time").seconds, 1.5);
}

TEST(Portfolio, EveryRowNamesAnEngineAndItsOptions) {
  for (std::span<const MemberRow> rows :
       {std::span<const MemberRow>(kSequentialMembers), std::span<const MemberRow>(kTermMembers),
        std::span<const MemberRow>(kBitVectorMembers),
        std::span<const MemberRow>(kWordProgramMembers),
        std::span<const MemberRow>(kProgramMembers),
        std::span<const MemberRow>(kCombinationalMembers)}) {
    for (const MemberRow& row : rows) {
      const engine::EngineInfo* engine = engine::find_engine(row.engine);
      ASSERT_NE(engine, nullptr) << row.engine;
      Options options;
      options.declare(transform::transform_options());
      options.declare(engine->options);
      EXPECT_TRUE(options.set_all(row.settings).ok()) << row.engine << " " << row.settings;
    }
  }
}

TEST(Portfolio, AutoAgreesWithSearch) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Problem problem = random_problem(seed, varied_params(seed));
    Bench run;
    JudgeBy judge([&](const Verdict& verdict) { return is_certified(problem, verdict); });
    Verdict verdict = run_portfolio(problem, &judge, run.context()).verdict;
    EXPECT_EQ(std::holds_alternative<Safe>(verdict), explore(problem).safe()) << seed;
    // Another member would make it good: that an answer was rejected is a failure all the same.
    EXPECT_EQ(run.stats.counter("portfolio.rejected").value, 0U) << seed;
    EXPECT_EQ(run.stats.counter("portfolio.crashed").value, 0U) << seed;
  }
}

TEST(PortfolioMessage, SurvivesBeingCutAnywhere) {
  Stats stats;
  stats.counter("a.b") += 300;
  std::string bytes = frame_status("frame 3") + frame_final(unsafe_answer(), stats);
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    MessageReader reader;
    std::vector<Message> got;
    for (std::string_view part :
         {std::string_view(bytes).substr(0, cut), std::string_view(bytes).substr(cut)}) {
      reader.feed(part);
      while (auto message = reader.take()) got.push_back(std::move(*message));
    }
    ASSERT_EQ(got.size(), 2U) << cut;
    EXPECT_EQ(std::get<StatusLine>(got[0]).text, "frame 3");
    EXPECT_EQ(std::get<FinalWord>(got[1]).verdict, unsafe_answer());
    EXPECT_EQ(std::get<FinalWord>(got[1]).stats.counter("a.b").value, 300U);
  }
}

TEST(PortfolioMessage, ATruncatedMessageIsNone) {
  std::string bytes = frame_final(safe_answer(), {});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    MessageReader reader;
    reader.feed(std::string_view(bytes).substr(0, size));
    EXPECT_FALSE(reader.take().has_value());
  }
}

TEST(PortfolioMessage, ADamagedMessageIsNoticed) {
  std::string bytes = frame_final(safe_answer(), {});
  for (std::size_t at = 9; at < bytes.size(); ++at) {  // past the length: checksum and payload
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    MessageReader reader;
    reader.feed(damaged);
    EXPECT_FALSE(reader.take().has_value());
    EXPECT_TRUE(reader.damaged());
  }
}

}  // namespace lem::portfolio
