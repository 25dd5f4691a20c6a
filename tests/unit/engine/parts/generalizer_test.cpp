// Generalization against an oracle that enumerates: an answer must be inductive, and what a method
// is for must show in it.
#include "engine/parts/common/generalizer.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace lem::engine {
namespace {

/// States are bit masks over few variables; variable v of a cube is bit v - 1. The frame is
/// everything but what was blocked on the way.
class Enumerator {
 public:
  using State = std::uint32_t;
  struct Move {
    State from, to;
  };
  Enumerator(std::uint32_t bits, State initial, std::vector<Move> moves)
      : bits_(bits), initial_(initial), moves_(std::move(moves)) {}

  static bool holds(std::span<const Lit> cube, State state) {
    return std::all_of(cube.begin(), cube.end(), [&](Lit lit) {
      return ((state >> (lit.var() - 1) & 1) != 0) != lit.negative();
    });
  }
  bool is_inductive(std::span<const Lit> cube) const { return !find(cube); }

  // What Generalizer asks for.
  Induction inductive(Level, std::span<const Lit> cube) {
    if (asked.size() == stop_after) return {Induction::Stopped};
    asked.emplace_back(cube.begin(), cube.end());
    last_ = find(cube);
    if (last_) return {Induction::Fails};
    return {Induction::Holds, asked.back()};
  }
  std::vector<Lit> counterexample() const {
    std::vector<Lit> state;
    for (std::uint32_t v = 1; v <= bits_; ++v) state.emplace_back(v, (*last_ >> (v - 1) & 1) == 0);
    return state;
  }
  bool meets_initial(std::span<const Lit> cube) const { return holds(cube, initial_); }
  void order(std::vector<Lit>&) const {}
  bool block_ctg(Level, const Effort&, std::uint32_t) {
    if (*last_ == initial_ || !may_block) return false;
    if (find(counterexample())) return false;
    blocked.push_back(*last_);
    return true;
  }

  std::vector<std::vector<Lit>> asked;
  std::size_t stop_after = SIZE_MAX;  // queries
  std::vector<State> blocked;
  bool may_block = false;

 private:
  /// A state of the frame outside the cube that steps into it.
  std::optional<State> find(std::span<const Lit> cube) const {
    for (auto [from, to] : moves_) {
      bool in_frame = std::find(blocked.begin(), blocked.end(), from) == blocked.end();
      if (in_frame && !holds(cube, from) && holds(cube, to)) return from;
    }
    return {};
  }

  std::uint32_t bits_;
  State initial_;
  std::vector<Move> moves_;
  std::optional<State> last_;
};

constexpr Level kLevel{2};

std::vector<Lit> lits(std::initializer_list<int> numbers) {
  std::vector<Lit> all;
  for (int n : numbers) all.emplace_back(static_cast<sat::Var>(n < 0 ? -n : n), n < 0);
  return all;
}

Effort effort(Generalize method) {
  Effort made;
  made.method = method;
  return made;
}

/// No step enters {2}, and steps enter every pair of {1, 2, 3}: dropping literals one by one leads
/// nowhere. The first failure, {2, 3} entered from 010, has 2 in common with the cube, and that is
/// it.
TEST(Generalizer, DownKeepsWhatTheCounterexampleSharesWithTheCube) {
  Enumerator oracle(3, 0b000, {{0b010, 0b110}, {0b001, 0b101}, {0b010, 0b011}});
  ASSERT_TRUE(oracle.is_inductive(lits({1, 2, 3})));
  EXPECT_EQ(Generalizer(oracle).generalize(kLevel, lits({1, 2, 3}), effort(Generalize::Drop)),
            lits({1, 2, 3}));
  oracle.asked.clear();
  EXPECT_EQ(Generalizer(oracle).generalize(kLevel, lits({1, 2, 3}), effort(Generalize::Down)),
            lits({2}));
  EXPECT_EQ(oracle.asked, (std::vector{lits({2, 3}), lits({2})}));
}

/// A state that only itself keeps from generalizing is blocked, and the literal goes.
TEST(Generalizer, CtgDownBlocksWhatIsInTheWay) {
  Enumerator oracle(3, 0b000, {{0b100, 0b011}});
  oracle.may_block = true;
  ASSERT_TRUE(oracle.is_inductive(lits({1, 2, 3})));
  Effort ctg = effort(Generalize::Ctg);
  std::vector<Lit> found = Generalizer(oracle).generalize(kLevel, lits({3, 2, 1}), ctg);
  EXPECT_EQ(oracle.blocked, std::vector<Enumerator::State>{0b100});
  EXPECT_EQ(found.size(), 1U);
  EXPECT_TRUE(oracle.is_inductive(found));
  ctg.ctg_count = 0;
  Enumerator other(3, 0b000, {{0b100, 0b011}});
  other.may_block = true;
  Generalizer(other).generalize(kLevel, lits({3, 2, 1}), ctg);
  EXPECT_TRUE(other.blocked.empty());
}

TEST(Generalizer, GivesUpAfterSoManyFailures) {
  Enumerator oracle(3, 0b000, {{0b010, 0b110}, {0b001, 0b101}, {0b010, 0b011}});
  Effort few = effort(Generalize::Drop);
  few.failures = 1;
  Generalizer(oracle).generalize(kLevel, lits({1, 2, 3}), few);
  EXPECT_EQ(oracle.asked.size(), 1U);
}

/// A stop leaves the cube as far as it got, which is inductive, and asks nothing more.
TEST(Generalizer, AsksNothingAfterAStop) {
  for (Generalize method : {Generalize::Drop, Generalize::Binary, Generalize::Down}) {
    Enumerator oracle(4, 0b0000, {});
    oracle.stop_after = 1;
    std::vector<Lit> found =
        Generalizer(oracle).generalize(kLevel, lits({1, 2, 3, 4}), effort(method));
    EXPECT_EQ(oracle.asked.size(), 1U);
    EXPECT_EQ(found, oracle.asked[0]);
  }
}

/// On random systems: a part of the cube, inductive, without the initial state.
TEST(Generalizer, AnswersAreInductiveAndSmall) {
  std::mt19937 random(11);
  constexpr std::array kMethods = {Generalize::None,   Generalize::Core, Generalize::Drop,
                                   Generalize::Binary, Generalize::Down, Generalize::Ctg};
  std::size_t tried = 0, smaller = 0;
  for (int round = 0; round < 4000; ++round) {
    auto below = [&](std::uint32_t bound) { return static_cast<std::uint32_t>(random() % bound); };
    std::vector<Enumerator::Move> moves;
    for (std::uint32_t n = below(12); n > 0; --n) moves.push_back({below(32), below(32)});
    std::uint32_t initial = below(32);
    std::vector<Lit> cube;
    for (std::uint32_t v = 1; v <= 5; ++v)
      if (random() % 5 != 0) cube.emplace_back(v, random() % 2 == 0);
    Enumerator oracle(5, initial, moves);
    oracle.may_block = round % 2 == 0;
    if (cube.empty() || !oracle.is_inductive(cube) || oracle.meets_initial(cube)) continue;
    ++tried;
    for (Generalize method : kMethods) {
      Enumerator each = oracle;
      std::vector<Lit> found = Generalizer(each).generalize(kLevel, cube, effort(method));
      SCOPED_TRACE("round " + std::to_string(round) + ", method " +
                   std::to_string(static_cast<int>(method)));
      for (Lit lit : found) ASSERT_NE(std::find(cube.begin(), cube.end(), lit), cube.end());
      ASSERT_TRUE(each.is_inductive(found));
      ASSERT_FALSE(each.meets_initial(found));
      smaller += found.size() < cube.size();
    }
  }
  EXPECT_GT(tried, 300U);
  EXPECT_GT(smaller, tried);
}

}  // namespace
}  // namespace lem::engine
