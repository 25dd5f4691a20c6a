#include "engine/ic3ia/seen_steps.h"

#include <gtest/gtest.h>

#include <random>

namespace lem::engine {
namespace {

/// n: variable n is true, -n: it is false.
std::vector<Lit> cube(std::initializer_list<int> literals) {
  std::vector<Lit> lits;
  for (int each : literals) lits.push_back(Lit(static_cast<sat::Var>(std::abs(each)), each < 0));
  return lits;
}

TEST(SeenSteps, AnswerOnlyFromFramesThatHaveTheState) {
  SeenSteps seen;
  seen.reset(3);
  seen.add(Level{2}, {true, true, false}, {true, false, true});
  EXPECT_EQ(seen.find(Level{2}, cube({2})), cube({0, 1, -2})) << "variable 0 is there, and true";
  EXPECT_TRUE(seen.find(Level{3}, cube({-1, 2})));
  EXPECT_FALSE(seen.find(Level{1}, cube({2}))) << "not known to be in F_1";
  EXPECT_FALSE(seen.find(Level{2}, cube({1}))) << "the step leads elsewhere";
  EXPECT_FALSE(seen.find(Level{2}, {})) << "starts in the cube";
}

TEST(SeenSteps, LemmasTakeStatesOutOfFrames) {
  SeenSteps seen;
  seen.reset(2);
  seen.add(Level{1}, {true, true}, {true, false});
  seen.exclude(Level{3}, cube({-1}));
  EXPECT_TRUE(seen.find(Level{1}, cube({-1}))) << "another state";
  seen.exclude(Level{3}, cube({1}));
  EXPECT_FALSE(seen.find(Level{3}, cube({-1})));
  EXPECT_TRUE(seen.find(Level{4}, cube({-1})));
}

TEST(SeenSteps, InitialStatesStay) {
  SeenSteps seen;
  seen.reset(1);
  seen.add(Level{0}, {false}, {true});
  EXPECT_TRUE(seen.find(Level{0}, std::array{Lit(0, false)}));
  EXPECT_TRUE(seen.find(Level{5}, std::array{Lit(0, false)}));
}

TEST(SeenSteps, NewPredicatesForgetThem) {
  SeenSteps seen;
  seen.reset(1);
  seen.add(Level{1}, {false}, {true});
  seen.reset(2);
  EXPECT_FALSE(seen.find(Level{1}, std::array{Lit(0, false)}));
}

/// Against the plain definition, with more than one word of predicates and more steps than fit.
TEST(SeenSteps, AgreeWithTheDefinition) {
  constexpr std::size_t kPredicates = 70;
  std::mt19937 random(7);
  auto state = [&] {
    std::vector<bool> values;
    for (std::size_t i = 0; i < kPredicates; ++i) values.push_back(random() % 2 == 0);
    return values;
  };
  auto in = [](const std::vector<bool>& values, const std::vector<Lit>& lits) {
    return std::all_of(lits.begin(), lits.end(),
                       [&](Lit lit) { return values[lit.var()] != lit.negative(); });
  };
  SeenSteps seen;
  seen.reset(kPredicates);
  std::vector<bool> last_from, last_to;
  for (int i = 0; i < 3000; ++i) {
    last_from = state();
    last_to = state();
    seen.add(Level{1}, last_from, last_to);
  }
  for (int i = 0; i < 200; ++i) {
    std::vector<Lit> lits;
    for (int n = 0; n < 3; ++n)
      lits.push_back(Lit(static_cast<sat::Var>(random() % kPredicates), random() % 2 == 0));
    auto found = seen.find(Level{1}, lits);
    if (in(last_to, lits) && !in(last_from, lits)) {
      EXPECT_TRUE(found);
    }
    if (found) {
      EXPECT_EQ(found->size(), kPredicates);
      EXPECT_TRUE(std::any_of(lits.begin(), lits.end(), [&](Lit lit) {
        return std::find(found->begin(), found->end(), !lit) != found->end();
      })) << "starts outside";
    }
  }
}

}  // namespace
}  // namespace lem::engine
