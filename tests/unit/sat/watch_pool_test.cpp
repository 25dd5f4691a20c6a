#include "sat/watch_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "sat_support.h"

namespace lem::sat::test {
namespace {

TEST(WatchPool, TellsBinaryClausesApart) {
  Watch watch(neg(3), 0x7fffffff, true);
  EXPECT_EQ(watch.clause(), 0x7fffffffU);
  EXPECT_TRUE(watch.binary());
  EXPECT_FALSE(Watch(neg(3), 12, false).binary());
}

TEST(WatchPool, KeepsListsApartWhileTheyGrowShrinkAndMove) {
  constexpr std::uint32_t kLists = 12;
  Random random(1);
  WatchPool pool;
  pool.resize(kLists);
  std::vector<std::vector<std::uint32_t>> expected(kLists);  // clauses by literal code
  std::uint32_t next = 0;
  std::uint32_t compactions = 0;
  for (int step = 0; step < 20000; ++step) {
    Lit lit = random.lit(kLists / 2);
    std::vector<std::uint32_t>& list = expected[lit.code()];
    std::uint32_t action = random.below(100);
    if (action < 60) {
      pool.push(lit, Watch(pos(0), next, false));
      list.push_back(next++);
    } else if (action < 95 && !list.empty()) {
      std::uint32_t at = random.below(static_cast<std::uint32_t>(list.size()));
      pool.remove(lit, list[at]);
      list.erase(list.begin() + at);
    } else if (action == 95) {
      pool.shrink(lit, 0);
      list.clear();
    } else if (action == 96 && pool.wasteful()) {
      pool.compact();
      ++compactions;
      EXPECT_FALSE(pool.wasteful());
    }
    std::vector<std::uint32_t> found;
    for (const Watch& watch : pool[lit]) found.push_back(watch.clause());
    std::ranges::sort(found);
    ASSERT_EQ(found, list);
  }
  EXPECT_GT(compactions, 0U);
  pool.clear();
  for (std::uint32_t code = 0; code < kLists; ++code) {
    EXPECT_TRUE(pool[Lit::from_code(code)].empty());
  }
}

}  // namespace
}  // namespace lem::sat::test
