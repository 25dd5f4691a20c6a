#include "engine/parts/bits/frames.h"

#include "unit/engine/engine_support.h"

namespace lem::engine {

using namespace lem::test;
namespace {

constexpr BitFrames::Config kConfig{Lift::Both};

/// The cube in which the latches have the bits of `value`, the first latch the lowest.
std::vector<Lit> state(const Aig& aig, std::uint32_t value) {
  std::vector<Lit> lits;
  for (std::uint32_t i = 0; i < aig.num_latches(); ++i)
    lits.emplace_back(aig.first_latch() + i, (value >> i & 1) == 0);
  return lits;
}

TEST(BitFrames, ACoreIsAPartOfTheCubeThatIsNotInitial) {
  Problem problem = token_ring(4);
  BitFrames frames(problem, kConfig, {});
  frames.extend();
  std::vector<Lit> cube = state(problem.aig(), 0b0110);
  Induction answer = frames.inductive(Level{1}, cube);
  ASSERT_TRUE(answer.holds());
  EXPECT_LT(answer.core.size(), cube.size());
  EXPECT_FALSE(frames.meets_initial(answer.core));
  EXPECT_TRUE(Cube({answer.core.begin(), answer.core.end()}).subsumes(Cube(cube)));
}

TEST(BitFrames, AFailedQueryHasAPredecessorThatStepsIntoTheCube) {
  Problem problem = counter(3, 5);
  BitFrames frames(problem, kConfig, {});
  frames.extend();
  ASSERT_TRUE(frames.inductive(Level{1}, state(problem.aig(), 2)).holds());
  ASSERT_TRUE(frames.inductive(Level{1}, state(problem.aig(), 1)).fails());
  EXPECT_EQ(Cube(frames.counterexample()), Cube(state(problem.aig(), 0)));
  EXPECT_TRUE(frames.meets_initial(frames.predecessor().state));
  ASSERT_EQ(frames.reach_bad(), sat::SatResult::Sat);
  EXPECT_EQ(Cube(frames.predecessor().state), Cube(state(problem.aig(), 5)));
}

TEST(BitFrames, LemmasHoldInAllFramesBelow) {
  Problem problem = counter(3, 5);
  BitFrames frames(problem, kConfig, {});
  for (int i = 0; i < 3; ++i) frames.extend();
  for (std::uint32_t level = 1; level <= 3; ++level)
    for (std::uint32_t value = level + 1; value <= 5; ++value)  // not reached in so many steps
      ASSERT_TRUE(frames.add(Level{level}, Cube(state(problem.aig(), value))));
  EXPECT_EQ(frames.reach_bad(), sat::SatResult::Unsat);
  EXPECT_FALSE(frames.add(Level{1}, Cube(state(problem.aig(), 5)))) << "subsumed by a higher one";
  EXPECT_TRUE(frames.inductive(Level{2}, state(problem.aig(), 6)).holds());
  EXPECT_EQ(frames.invariant(Level{2}).clauses.size(), 2U);
}

TEST(BitFrames, InfinityIsPartOfLaterFrames) {
  Problem problem = token_ring(3);
  BitFrames frames(problem, kConfig, {});
  frames.extend();
  std::vector<Lit> two = {Lit(problem.aig().first_latch(), false),
                          Lit(problem.aig().first_latch() + 1, false)};
  EXPECT_FALSE(frames.inductive_for_good(two)) << "the third latch may hold a token, too";
  EXPECT_TRUE(frames.inductive_for_good(state(problem.aig(), 0b111)));
  EXPECT_TRUE(frames.add_infinity(Cube(state(problem.aig(), 0b111))));
  frames.extend();
  EXPECT_TRUE(frames.inductive(Level{3}, state(problem.aig(), 0b111)).holds());
  EXPECT_EQ(frames.lemmas().infinity().size(), 1U);
}

TEST(BitFrames, ARebuiltSolverHasTheLemmasThatAreLeft) {
  AigBuilder builder;
  for (int i = 0; i < 10; ++i) {
    AigLit latch = builder.add_latch(Reset::Zero);
    builder.set_next(latch, latch);
  }
  Problem problem{std::move(builder).freeze(), {{"p", kAigFalse}}, {}};
  BitFrames frames(problem, kConfig, {});
  frames.extend();
  for (std::uint32_t value = 1; value <= 300; ++value)
    ASSERT_TRUE(frames.add(Level{1}, Cube(state(problem.aig(), value))));
  EXPECT_FALSE(frames.rebuild_if_stale(Level{1})) << "all of them are in use";
  for (std::uint32_t i = 0; i < 9; ++i)
    ASSERT_TRUE(frames.add(Level{1}, Cube({Lit(problem.aig().first_latch() + i, false)})));
  EXPECT_EQ(frames.lemmas().at(Level{1}).size(), 9U);
  std::uint64_t before = frames.queries();
  EXPECT_TRUE(frames.rebuild_if_stale(Level{1}));
  EXPECT_EQ(frames.queries(), before);
  EXPECT_TRUE(frames.inductive(Level{2}, state(problem.aig(), 7)).holds());
}

}  // namespace
}  // namespace lem::engine
