// The parts that IC3-style engines share: cubes, frames, obligations, the step's clauses, lifting.
#include <random>

#include "engine/parts/bits/lifter.h"
#include "engine/parts/bits/transition_cnf.h"
#include "engine/parts/common/frames.h"
#include "engine/parts/common/obligations.h"
#include "unit/engine/engine_support.h"

namespace lem::engine {

using namespace lem::test;

static Cube cube(std::initializer_list<int> numbers) {
  std::vector<Lit> lits;
  for (int n : numbers) lits.emplace_back(static_cast<sat::Var>(n < 0 ? -n : n), n < 0);
  return Cube(std::move(lits));
}

/// Values of all signals from those of inputs and latches.
static std::vector<bool> simulate(const Aig& aig, const std::vector<Lit>& leaves) {
  std::vector<bool> values(aig.num_vars(), false);
  for (Lit lit : leaves) values[lit.var()] = !lit.negative();
  auto value = [&](AigLit lit) { return values[lit.var()] != lit.negative(); };
  for (std::uint32_t var = aig.first_and(); var < aig.num_vars(); ++var)
    values[var] = value(aig.gate_of(var).left) && value(aig.gate_of(var).right);
  return values;
}

TEST(Cube, SubsumesExactlySupersets) {
  EXPECT_TRUE(cube({1, -3}).subsumes(cube({-3, 2, 1})));
  EXPECT_FALSE(cube({1, 3}).subsumes(cube({-3, 2, 1})));
  EXPECT_TRUE(Cube().subsumes(cube({1})));
  EXPECT_FALSE(cube({1}).subsumes(Cube()));
  EXPECT_EQ(cube({2, 1, 2}), cube({1, 2}));
}

TEST(Frames, KeepOnlyTheStrongestLemma) {
  Frames frames;
  for (int i = 0; i < 3; ++i) frames.extend();
  EXPECT_TRUE(frames.add(Level{1}, Lemma{cube({1, 2, 3})}));
  EXPECT_TRUE(frames.add(Level{2}, Lemma{cube({1, 2})}));  // removes the one above
  EXPECT_TRUE(frames.at(Level{1}).empty());
  EXPECT_FALSE(frames.add(Level{1}, Lemma{cube({1, 2, 4})}));  // subsumed by a higher frame
  EXPECT_TRUE(frames.add(Level{3}, Lemma{cube({1, 2, 4})}));   // higher than what subsumes it
  EXPECT_EQ(frames.size(), 2U);
}

TEST(Frames, SayHowFarACubeIsBlocked) {
  Frames frames;
  for (int i = 0; i < 3; ++i) frames.extend();
  frames.add(Level{2}, Lemma{cube({1})});
  EXPECT_EQ(frames.blocked_at(Level{1}, cube({1, 5})), Level{2});
  EXPECT_EQ(frames.blocked_at(Level{3}, cube({1, 5})), std::nullopt);
  frames.add_infinity(Lemma{cube({5})});
  EXPECT_EQ(frames.blocked_at(Level{3}, cube({1, 5})), Level{4});
}

// [Suda13]: a lemma is worth pushing again once its witness is excluded from its frame.
TEST(Frames, RearmLemmasWhoseWitnessIsExcluded) {
  Frames frames;
  for (int i = 0; i < 2; ++i) frames.extend();
  frames.add(Level{1}, Lemma{cube({2}), cube({-2, 3, 4})});
  frames.add(Level{1}, Lemma{cube({7})});
  EXPECT_FALSE(frames.at(Level{1})[0].armed);
  frames.add(Level{2}, Lemma{cube({3})});
  EXPECT_TRUE(frames.at(Level{1})[0].armed);
  EXPECT_TRUE(frames.at(Level{1})[0].witness.empty());
  EXPECT_FALSE(frames.at(Level{1})[1].armed);
}

TEST(Frames, AreMonotone) {
  Frames frames;
  for (int i = 0; i < 3; ++i) frames.extend();
  frames.add(Level{1}, Lemma{cube({1, 2})});
  frames.add(Level{3}, Lemma{cube({1, 3})});
  frames.add(Level{2}, Lemma{cube({1})});
  EXPECT_TRUE(frames.is_monotone());
  frames.at(Level{1}).push_back(Lemma{cube({1, 4})});
  EXPECT_FALSE(frames.is_monotone()) << "F_2 says more of it";
}

TEST(ObligationQueue, LowestLevelFirstThenShallowThenOldest) {
  ObligationQueue<> queue;
  auto make = [&](std::uint32_t depth) { return queue.make({{}, ObligationId::None, depth}); };
  auto deep = make(5), shallow = make(1), younger = make(1), low = make(7);
  for (ObligationId id : {deep.id(), shallow.id(), younger.id()}) queue.push(id, Level{2});
  queue.push(low.id(), Level{1});
  queue.push(shallow.id(), Level{4});
  std::vector<ObligationId> order;
  while (auto popped = queue.pop(Level{3})) order.push_back(popped->obligation.id());
  EXPECT_EQ(order, (std::vector<ObligationId>{low.id(), shallow.id(), younger.id(), deep.id()}));
  EXPECT_EQ(queue.size(), 1U) << "the one past the top stays";
}

TEST(ObligationQueue, AnEngineMayRankByItsDetails) {
  using Ranked = Obligation<std::uint32_t>;
  ObligationQueue<std::uint32_t> queue(
      [](const Ranked& each) { return std::uint64_t{each.details}; });
  auto push = [&](std::uint32_t depth, std::uint32_t rank) {
    queue.push(queue.make({{}, ObligationId::None, depth, rank}).id(), Level{1});
  };
  push(1, 9);
  push(5, 2);
  auto popped = queue.pop(Level{1});
  ASSERT_TRUE(popped);
  EXPECT_EQ(queue[popped->obligation.id()].depth, 5U);
}

TEST(ObligationQueue, ReleasesObligationsWithTheLastHandle) {
  ObligationQueue<> queue;
  auto make = [&](ObligationId successor) { return queue.make({cube({1}), successor}); };
  std::optional<ObligationQueue<>::Handle> first = make(ObligationId::None);
  const ObligationId first_id = first->id();
  std::optional<ObligationQueue<>::Handle> second = make(first_id);
  const ObligationId second_id = second->id();
  first.reset();
  EXPECT_EQ(queue[first_id].cube.size(), 1U) << "its predecessor needs it";
  queue.push(second_id, Level{1});
  ObligationQueue<>::Handle kept = std::move(*second);
  second.reset();
  auto popped = queue.pop(Level{1});
  ASSERT_TRUE(popped);
  EXPECT_EQ(popped->obligation.id(), second_id);
  popped.reset();
  EXPECT_EQ(queue[second_id].cube.size(), 1U) << "a handle is left";
  kept = make(ObligationId::None);
  EXPECT_TRUE(queue[second_id].cube.empty());
  EXPECT_TRUE(queue[first_id].cube.empty()) << "nobody needs it either";
  EXPECT_EQ(make(ObligationId::None).id(), first_id) << "its place in the pool is free again";
}

// Under every definition shape (conjunction trees, if-then-else, plain gates) the clauses must mean
// what the circuit means: all signals that have a value agree with simulation.
TEST(TransitionCnf, AgreesWithSimulationAndLiftingIsSound) {
  std::mt19937 random(3);
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Problem problem = random_problem(seed, varied_params(seed));
    const Aig& aig = problem.aig();
    TransitionCnf cnf(problem);
    for (Lift mode : {Lift::None, Lift::Core, Lift::Ternary, Lift::Both, Lift::Model}) {
      std::unique_ptr<sat::Cdcl> solver = cnf.make_solver(TransitionCnf::Track::Latches);
      std::vector<Lit> assumptions;
      for (std::uint32_t var = 1; var < aig.first_and(); ++var)
        assumptions.emplace_back(var, random() % 2 == 0);
      std::vector<bool> values = simulate(aig, assumptions);
      bool legal = true;
      for (AigLit constraint : aig.constraints())
        legal = legal && values[constraint.var()] != constraint.negative();
      ASSERT_EQ(solver->solve(assumptions) == sat::SatResult::Sat, legal) << seed;
      if (!legal) continue;
      std::vector<Lit> targets;
      for (std::uint32_t i = 0; i < aig.num_latches(); i += 2) {
        AigLit next = aig.latches()[i].next;
        targets.push_back(to_lit(next) ^ (values[next.var()] == next.negative()));
      }
      ASSERT_EQ(solver->solve_confined(targets, {}), sat::SatResult::Sat);
      Lifter lifter(cnf, mode, 2);
      std::vector<double> activity(aig.num_vars(), 0);
      Lifted lifted = lifter.lift(*solver, targets, activity);
      for (int trial = 0; trial < 10; ++trial) {  // every extension takes the same step
        std::vector<Lit> leaves;
        for (std::uint32_t var = 1; var < aig.first_and(); ++var)
          leaves.emplace_back(var, random() % 2 == 0);
        for (Lit lit : lifted.state) leaves[lit.var() - 1] = lit;
        for (Lit lit : lifted.inputs) leaves[lit.var() - 1] = lit;
        std::vector<bool> again = simulate(aig, leaves);
        for (Lit target : targets)
          EXPECT_NE(again[target.var()], target.negative())
              << seed << " " << static_cast<int>(mode);
        for (AigLit constraint : aig.constraints())
          EXPECT_NE(again[constraint.var()], constraint.negative()) << seed;
      }
    }
  }
}

}  // namespace lem::engine
