// Congruences in place of equations: low bits of terms, and when a cube is weakened.
#include <gtest/gtest.h>

#include "engine/treeic3/congruences.h"

namespace lem::engine {
namespace {

constexpr LocationId kHere{1}, kThere{2};

class CongruencesTest : public testing::Test {
 protected:
  Term plus(Term a, Term b) { return terms_.make(Op::BvAdd, {a, b}); }
  Term value(std::uint64_t number, std::uint32_t width = 8) { return terms_.bv(number, width); }
  Lit equation(std::uint64_t number) {
    return literals_.of(terms_.make_eq(plus(x_, y_), value(number)));
  }

  TermStore terms_;
  CfaLiterals literals_{terms_};
  Term x_ = terms_.variable("x", terms_.bv_sort(8)), y_ = terms_.variable("y", terms_.bv_sort(8));
};

TEST_F(CongruencesTest, LowBitsOfSumsAreSumsOfLowBits) {
  Congruences congruences(terms_, literals_, 1);
  Term low = congruences.low(plus(x_, plus(y_, value(7))), 2);
  Term x = terms_.make_extract(x_, 1, 0), y = terms_.make_extract(y_, 1, 0);
  EXPECT_EQ(low, plus(x, plus(y, value(3, 2))));
  Term quotient = terms_.make(Op::BvUdiv, {x_, y_});
  EXPECT_EQ(congruences.low(quotient, 2), terms_.make_extract(quotient, 1, 0));
}

TEST_F(CongruencesTest, TheCoarsestCongruenceThatIsBlockedIsTaken) {
  Congruences congruences(terms_, literals_, 1);
  std::vector<Lit> cube{equation(6)};
  std::size_t queries = 0;
  auto is_blocked = [&](const std::vector<Lit>&) { return ++queries == 2; };
  EXPECT_EQ(congruences.weaken(kHere, cube, is_blocked), 1U);
  EXPECT_EQ(queries, 2U);
  EXPECT_EQ(cube,
            std::vector{literals_.of(terms_.make_eq(
                plus(terms_.make_extract(x_, 1, 0), terms_.make_extract(y_, 1, 0)), value(2, 2)))});
}

TEST_F(CongruencesTest, TheCubeStaysIfNoneIsBlocked) {
  Congruences congruences(terms_, literals_, 1);
  std::vector<Lit> cube{equation(6), literals_.of(terms_.make(Op::BvUlt, {x_, y_}))};
  std::vector<Lit> before = cube;
  EXPECT_EQ(congruences.weaken(kHere, cube, [](const auto&) { return false; }), 0U);
  EXPECT_EQ(cube, before);
}

TEST_F(CongruencesTest, EquationsOfTheSameVariablesAreWaitedForAtEachLocation) {
  Congruences congruences(terms_, literals_, 3);
  auto weakened = [&](LocationId at, std::uint64_t number) {
    std::vector<Lit> cube{equation(number)};
    congruences.weaken(at, cube, [](const auto&) { return true; });
    return cube.front() != equation(number);
  };
  EXPECT_FALSE(weakened(kHere, 1));
  EXPECT_FALSE(weakened(kHere, 2));
  EXPECT_FALSE(weakened(kThere, 3));
  EXPECT_TRUE(weakened(kHere, 4));
}

TEST_F(CongruencesTest, NothingIsTriedAfterManyFailures) {
  Congruences congruences(terms_, literals_, 1);
  std::size_t queries = 0;
  for (std::uint64_t i = 0; i < 100; ++i) {
    std::vector<Lit> cube{equation(i)};
    congruences.weaken(kHere, cube, [&](const auto&) { return ++queries == 0; });
  }
  EXPECT_EQ(queries, 15U);  // five times modulo 2, 4 and 16
}

}  // namespace
}  // namespace lem::engine
