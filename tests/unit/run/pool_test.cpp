#include "run/pool.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <deque>
#include <thread>

#include "run/selection.h"
#include "unit/run/small_designs.h"

namespace lem::run {
namespace {

using Kind = Pool::Kind;

constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

Reason spin(const OnFound&, const Context&) {
  while (true) {
  }
}

struct Bench {
  explicit Bench(std::uint64_t memory = kNoLimit) : pool(problem, 2, memory) {}
  JobId start(const Work& work, double seconds = 60) {
    std::optional<JobId> id =
        pool.start(work, options, {Pool::Budget::Of::Processor, Pool::Seconds(seconds)});
    EXPECT_TRUE(id);
    return *id;
  }
  /// News until a job is over; what came with them waits for the next call.
  std::vector<Pool::News> until_over() {
    std::vector<Pool::News> all;
    for (int ticks = 0; ticks < 3000; ++ticks) {
      while (!waiting.empty()) {
        all.push_back(std::move(waiting.front()));
        waiting.pop_front();
        if (all.back().kind != Kind::Found && all.back().kind != Kind::Status) return all;
      }
      for (Pool::News& news : pool.listen(std::chrono::milliseconds(10)))
        waiting.push_back(std::move(news));
    }
    ADD_FAILURE() << "no job ends";
    return all;
  }

  std::deque<Pool::News> waiting;
  Problem problem = test::rings(2, 3);
  Options options = declared_options();
  Pool pool;
};

TEST(Pool, FindingsArriveOneByOne) {
  Bench bench;
  bench.start([](const OnFound& found, const Context& ctx) {
    found({{0}, Safe{InductiveInvariant{}}});
    found({{1, 2}, Unsafe{Trace{{true}, {{false}}}}});
    ++ctx.stats.counter("some.queries");
    return Reason::GaveUp;
  });
  std::vector<Pool::News> news = bench.until_over();
  ASSERT_EQ(news.size(), 3U);
  EXPECT_EQ(std::get<Claim>(news[0].message).found.properties, std::vector<std::size_t>{0});
  EXPECT_EQ(std::get<Claim>(news[1].message).found.properties, (std::vector<std::size_t>{1, 2}));
  EXPECT_TRUE(std::holds_alternative<Unsafe>(std::get<Claim>(news[1].message).found.verdict));
  ASSERT_EQ(news[2].kind, Kind::Ended);
  const auto& last = std::get<FinalWord>(news[2].message);
  EXPECT_EQ(last.reason, Reason::GaveUp);
  EXPECT_EQ(last.stats.counters().at("some.queries").value, 1U);
  EXPECT_EQ(bench.pool.running(), 0U);
}

TEST(Pool, ALateJobGoesOnWhereItWas) {
  Bench bench;
  JobId id = bench.start(
      [](const OnFound& found, const Context&) {
        auto start = std::chrono::steady_clock::now();
        while (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(300)) {
        }
        found({{1}, Safe{InductiveInvariant{}}});
        return Reason::GaveUp;
      },
      0.02);
  EXPECT_EQ(bench.until_over().back().kind, Kind::Late);
  EXPECT_EQ(bench.pool.running(), 0U);
  bench.pool.resume(id, Pool::kEndless);
  std::vector<Pool::News> news = bench.until_over();
  EXPECT_EQ(news.front().kind, Kind::Found);
  EXPECT_EQ(news.back().kind, Kind::Ended);
}

TEST(Pool, AWorkerThatDiesIsTold) {
  Bench bench;
  bench.start([](const OnFound& found, const Context&) -> Reason {
    found({{0}, Safe{InductiveInvariant{}}});
    _exit(3);
  });
  std::vector<Pool::News> news = bench.until_over();
  ASSERT_EQ(news.size(), 2U);
  EXPECT_EQ(news[0].kind, Kind::Found);
  EXPECT_EQ(news[1].kind, Kind::Died);
}

TEST(Pool, BudgetsAreProcessorTime) {
  Bench bench;
  JobId late = bench.start(spin, 0.05);
  bench.start(
      [](const OnFound&, const Context&) {
        std::this_thread::sleep_for(std::chrono::milliseconds(150));  // longer than its budget
        return Reason::GaveUp;
      },
      0.1);
  EXPECT_FALSE(bench.pool.has_room());
  std::vector<Pool::News> first = bench.until_over();
  std::vector<Pool::News> second = bench.until_over();
  if (first.back().from != late) std::swap(first, second);
  EXPECT_EQ(first.back().kind, Kind::Late);
  EXPECT_EQ(second.back().kind, Kind::Ended);
}

TEST(Pool, AWorkerThatTakesAllMemoryDies) {
  Bench bench(200 << 20);
  bench.start([](const OnFound&, const Context&) -> Reason {
    std::vector<std::vector<char>> hoard;
    while (true) {
      hoard.emplace_back(8 << 20, 'x');
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  });
  EXPECT_EQ(bench.until_over().back().kind, Kind::Shed);
}

TEST(Pool, TurnsAreTimeByTheClock) {
  Bench bench;
  auto nap = [](const OnFound&, const Context&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    return Reason::GaveUp;
  };
  ASSERT_TRUE(bench.pool.start(nap, bench.options, {Pool::Budget::Of::Clock, Pool::Seconds(0.02)}));
  EXPECT_EQ(bench.until_over().back().kind, Kind::Late);
}

TEST(Pool, NobodyIsLeft) {
  {
    Bench bench;
    bench.start(spin);
    bench.start(spin);
  }
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
}

}  // namespace
}  // namespace lem::run
