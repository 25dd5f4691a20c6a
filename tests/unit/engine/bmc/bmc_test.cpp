#include "engine/registry.h"

#include "engine/parts/bits/unroller.h"
#include "sat/cadical.h"
#include "unit/engine/engine_support.h"

namespace lem::engine {

using namespace lem::test;

TEST(Bmc, FindsTheShortestTraceOfACounter) {
  Problem problem = counter(4, 11);
  Bench run(kBmcInfo, "bmc.step=1");
  Verdict verdict = run.check(problem);
  ASSERT_TRUE(std::holds_alternative<Unsafe>(verdict));
  EXPECT_EQ(run_as<Trace>(verdict).inputs.size(), 12U);
  EXPECT_TRUE(is_certified(problem, verdict));
}

TEST(Bmc, CutsTheTraceAtTheFirstBadStepOfAGroup) {
  for (std::string settings : {"bmc.step=5", "bmc.step=7", "bmc.step=100"}) {
    Problem problem = counter(4, 11);
    Bench run(kBmcInfo, settings);
    Verdict verdict = run.check(problem);
    ASSERT_TRUE(std::holds_alternative<Unsafe>(verdict)) << settings;
    EXPECT_EQ(run_as<Trace>(verdict).inputs.size(), 12U) << settings;
  }
}

TEST(Bmc, StopsAtTheBound) {
  Bench run(kBmcInfo, "bmc.max-depth=10");
  EXPECT_EQ(run.check(counter(4, 11)), Verdict(Unknown{Reason::BoundReached}));
  Bench enough(kBmcInfo, "bmc.max-depth=11");
  EXPECT_TRUE(std::holds_alternative<Unsafe>(enough.check(counter(4, 11))));
}

TEST(Bmc, FindsABadStepThatNoLegalStepFollows) {
  // Bad at step 2, and from step 3 on the constraint fails: only the group's later steps are cut.
  AigBuilder builder;
  AigLit low = builder.add_latch(Reset::Zero);
  AigLit high = builder.add_latch(Reset::Zero);
  builder.set_next(low, !low);
  builder.set_next(high, builder.xor_gate(high, low));
  builder.add_constraint(!builder.and_gate(low, high));
  AigLit bad = builder.and_gate(!low, high);
  Problem problem{std::move(builder).freeze(), {{"p", bad}}, {}};
  for (std::string settings : {"bmc.step=1", "bmc.step=2", "bmc.step=10"}) {
    Bench run(kBmcInfo, settings);
    Verdict verdict = run.check(problem);
    ASSERT_TRUE(std::holds_alternative<Unsafe>(verdict)) << settings;
    EXPECT_TRUE(is_certified(problem, verdict));
  }
}

TEST(Bmc, ObeysAStopRequest) {
  Bench run(kBmcInfo);
  run.stop.request_stop();
  EXPECT_EQ(run.check(counter(4, 11)), Verdict(Unknown{Reason::Stopped}));
}

TEST(Bmc, AgreesWithSearchToTheDiameter) {
  // At most 2^10 states: a counterexample within 1100 steps or none; most have it within 40.
  agrees_with_search(kBmcInfo, "bmc.max-depth=40,bmc.step=1", Complete::No, 1, 150);
  agrees_with_search(kBmcInfo, "bmc.max-depth=40,bmc.step=7", Complete::No, 200, 150);
}

TEST(Bmc, MissesNothingWithinItsBound) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Problem problem = random_problem(seed, varied_params(seed));
    ExplicitResult truth = explore(problem);
    if (truth.safe()) continue;
    Bench run(kBmcInfo, "bmc.max-depth=1100,bmc.step=1");
    Verdict verdict = run.check(problem);
    ASSERT_TRUE(std::holds_alternative<Unsafe>(verdict)) << seed;
    EXPECT_EQ(run_as<Trace>(verdict).inputs.size(), truth.trace->inputs.size()) << seed;
  }
}

TEST(LazyGates, FoldsAndShares) {
  auto solver = sat::make_cadical();
  LazyGates gates(*solver);
  sat::Lit a = gates.leaf(), b = gates.leaf(), c = gates.leaf();
  EXPECT_EQ(gates.conj(a, !a), gates.falsity());
  EXPECT_EQ(gates.conj(a, gates.truth()), a);
  EXPECT_EQ(gates.conj(a, b), gates.conj(b, a));
  sat::Lit ab = gates.conj(a, b);
  EXPECT_EQ(gates.conj(ab, !a), gates.falsity());
  EXPECT_EQ(gates.conj(ab, b), ab);
  EXPECT_EQ(gates.conj(!ab, a), gates.conj(a, !b));
  EXPECT_EQ(gates.conj(!ab, !gates.conj(a, !b)), !a);
  EXPECT_EQ(gates.conj(ab, !gates.conj(!a, c)), ab);
  EXPECT_EQ(gates.differ(a, a), gates.falsity());
}

TEST(LazyGates, EncodingMeansTheFunction) {
  // Random formulas over four leaves: the solver's models evaluate as the formulas say.
  Random random(7);
  for (int round = 0; round < 200; ++round) {
    auto solver = sat::make_cadical();
    LazyGates gates(*solver);
    std::vector<sat::Lit> pool;
    std::vector<std::uint32_t> table;  // bit i: the value under assignment i of the leaves
    for (std::uint32_t word : {0xaaaaU, 0xccccU, 0xf0f0U, 0xff00U}) {
      pool.push_back(gates.leaf());
      table.push_back(word);
    }
    for (int i = 0; i < 30; ++i) {
      std::uint32_t x = random.below(static_cast<std::uint32_t>(pool.size()));
      std::uint32_t y = random.below(static_cast<std::uint32_t>(pool.size()));
      bool nx = random.percent(50), ny = random.percent(50);
      pool.push_back(gates.conj(pool[x] ^ nx, pool[y] ^ ny));
      table.push_back((table[x] ^ (nx ? 0xffffU : 0)) & (table[y] ^ (ny ? 0xffffU : 0)));
    }
    for (std::size_t root : {pool.size() - 1, pool.size() - 3}) {
      for (bool flip : {false, true}) {
        std::uint32_t truth = (table[root] ^ (flip ? 0xffffU : 0)) & 0xffffU;
        sat::Lit goal = gates.encoded(pool[root]) ^ flip;
        sat::SatResult answer = solver->solve(std::array{goal});
        ASSERT_EQ(answer == sat::SatResult::Sat, truth != 0);
        if (truth == 0) continue;
        std::uint32_t assignment = 0;
        for (std::uint32_t i = 0; i < 4; ++i) assignment |= (gates.value(pool[i]) ? 1U : 0U) << i;
        EXPECT_TRUE((truth >> assignment & 1) != 0);
      }
    }
  }
}

}  // namespace lem::engine
