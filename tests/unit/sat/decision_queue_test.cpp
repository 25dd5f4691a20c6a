#include "sat/decision_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "sat_support.h"

namespace lem::sat::test {
namespace {

std::vector<Var> pop_all(DecisionQueue& queue) {
  std::vector<Var> order;
  for (Var var = 0; queue.pop(var);) order.push_back(var);
  return order;
}

TEST(DecisionQueue, GivesBackWhatWasOfferedOnce) {
  DecisionQueue queue;
  for (int i = 0; i < 10; ++i) queue.add_var();
  EXPECT_TRUE(pop_all(queue).empty());
  for (Var var : {7U, 3U, 7U, 9U}) queue.push(var);
  std::vector<Var> order = pop_all(queue);
  std::ranges::sort(order);
  EXPECT_EQ(order, (std::vector<Var>{3, 7, 9}));
}

TEST(DecisionQueue, OffersTheMostActiveFirst) {
  DecisionQueue queue;
  for (int i = 0; i < 100; ++i) queue.add_var();
  for (Var var = 0; var < 100; ++var) queue.push(var);
  queue.bump(77);
  queue.decay();
  queue.bump(55);
  std::vector<Var> order = pop_all(queue);
  EXPECT_EQ(order.size(), 100U);
  EXPECT_EQ(order[0], 55U);
  EXPECT_LT(std::ranges::find(order, 77) - order.begin(), 3) << "the root's children come next";
}

TEST(DecisionQueue, IsEmptyAfterClear) {
  DecisionQueue queue;
  for (int i = 0; i < 20; ++i) queue.add_var();
  for (Var var = 0; var < 20; ++var) queue.push(var);
  queue.bump(19);
  queue.clear();
  EXPECT_TRUE(pop_all(queue).empty());
  queue.push(4);
  EXPECT_EQ(pop_all(queue), (std::vector<Var>{4}));
}

TEST(DecisionQueue, SurvivesRescaledActivities) {
  DecisionQueue queue;
  for (int i = 0; i < 8; ++i) queue.add_var();
  for (int i = 0; i < 20000; ++i) {
    queue.bump(static_cast<Var>(i % 3));
    queue.decay();
  }
  for (int i = 0; i < 50; ++i) queue.bump(5);
  for (Var var = 0; var < 8; ++var) queue.push(var);
  EXPECT_EQ(pop_all(queue)[0], 5U);
}

TEST(DecisionQueue, LosesNothingInRandomUse) {
  Random random(1);
  DecisionQueue queue;
  std::vector<bool> offered;
  for (int step = 0; step < 100000; ++step) {
    auto vars = static_cast<std::uint32_t>(offered.size());
    std::uint32_t action = random.below(100);
    if (vars == 0 || (action == 0 && vars < 200)) {
      queue.add_var();
      offered.push_back(false);
    } else if (action < 40) {
      Var var = random.below(vars);
      queue.push(var);
      offered[var] = true;
    } else if (action < 70) {
      queue.bump(random.below(vars));
      if (random.percent(30)) queue.decay();
    } else if (Var var = 0; queue.pop(var)) {
      ASSERT_TRUE(offered[var]);
      offered[var] = false;
    } else {
      ASSERT_TRUE(std::ranges::none_of(offered, [](bool is) { return is; }));
    }
  }
}

}  // namespace
}  // namespace lem::sat::test
