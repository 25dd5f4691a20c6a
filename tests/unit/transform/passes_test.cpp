// Each transform on a model made for it.
#include <gtest/gtest.h>

#include <array>

#include "check/certify.h"
#include "frontend/frontend.h"
#include "support/explicit.h"
#include "support/random_aig.h"
#include "transform/bits/canonical.h"
#include "transform/bits/rebuild.h"
#include "unit/transform/setup.h"

namespace lem::transform {
namespace {

Problem finish(AigBuilder builder, AigLit bad) {
  return {std::move(builder).freeze(), {{"p", bad}}, {}};
}

TEST(Canonical, IsEqualToTheSignalInEveryState) {
  std::size_t merged = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    test::RandomAigParams params = test::varied_params(seed);
    params.latches = 4;
    Problem problem = test::random_problem(seed, params);
    const Aig& aig = problem.aig();
    Canonical canonical(aig, no_substitution(aig));
    test::ExplicitModel model(problem);
    for (std::uint32_t state = 0; state < model.num_states(); ++state) {
      model.visit(state);
      for (std::uint32_t var = 0; var < aig.num_vars(); ++var) {
        AigLit plain(var, false);
        ASSERT_EQ(model.value(plain), model.value(canonical[plain])) << "seed " << seed;
        merged += canonical[plain] != plain ? 1 : 0;
      }
    }
  }
  EXPECT_GT(merged, 0U);
}

TEST(Canonical, AppliesTwoLevelRules) {
  AigBuilder builder;
  AigLit a = builder.add_input();
  AigLit b = builder.add_input();
  AigLit ab = builder.raw_and(a, b);
  AigLit absorbed = builder.raw_and(ab, a);  // a & b
  AigLit clash = builder.raw_and(ab, !b);    // false
  AigLit weaker = builder.raw_and(!ab, !a);  // !a
  AigLit a_not_b = builder.raw_and(a, !b);
  AigLit substituted = builder.raw_and(!ab, a);      // a & !b
  AigLit resolved = builder.raw_and(!ab, !a_not_b);  // !a
  AigLit disjoint = builder.raw_and(ab, a_not_b);    // false
  AigLit implied = builder.raw_and(ab, !a_not_b);    // a & b
  Aig aig = std::move(builder).freeze();
  Canonical canonical(aig, no_substitution(aig));
  EXPECT_EQ(canonical[absorbed], ab);
  EXPECT_EQ(canonical[clash], kAigFalse);
  EXPECT_EQ(canonical[weaker], !a);
  EXPECT_EQ(canonical[substituted], a_not_b);
  EXPECT_EQ(canonical[resolved], !a);
  EXPECT_EQ(canonical[disjoint], kAigFalse);
  EXPECT_EQ(canonical[implied], ab);
}

/// Two bits count 0 1 2 3 3 ...; the constraint forbids 3, so every trace ends after three steps.
/// The property reads a shift register that is full after four.
TEST(Coi, KeepsAConstraintOnOtherSignals) {
  AigBuilder builder;
  AigLit low = builder.add_latch(Reset::Zero);
  AigLit high = builder.add_latch(Reset::Zero);
  std::array<AigLit, 4> shift{};
  for (AigLit& bit : shift) bit = builder.add_latch(Reset::Zero);
  AigLit full = builder.and_gate(low, high);
  builder.set_next(low, builder.or_gate(full, !low));
  builder.set_next(high, builder.or_gate(full, builder.xor_gate(low, high)));
  builder.set_next(shift[0], kAigTrue);
  for (std::size_t i = 1; i < shift.size(); ++i) builder.set_next(shift[i], shift[i - 1]);
  builder.add_constraint(!full);
  Problem problem = finish(std::move(builder), shift[3]);
  ASSERT_TRUE(test::explore(problem).safe());

  TransformSetup setup({"coi"});
  Pipeline pipeline(problem, setup.context());
  EXPECT_EQ(pipeline.problem().aig().num_latches(), 6U);
  EXPECT_TRUE(test::explore(pipeline.problem()).safe());
}

TEST(Coi, DropsWhatThePropertyDoesNotSee) {
  AigBuilder builder;
  AigLit seen_input = builder.add_input();
  AigLit other_input = builder.add_input();
  AigLit other = builder.add_latch(Reset::Free);
  AigLit seen = builder.add_latch(Reset::One);
  builder.set_next(other, builder.and_gate(other, other_input));
  builder.set_next(seen, builder.and_gate(seen, seen_input));
  Problem problem = finish(std::move(builder), !seen);

  TransformSetup setup({"coi"});
  Pipeline pipeline(problem, setup.context());
  EXPECT_EQ(pipeline.problem().aig().num_latches(), 1U);
  EXPECT_EQ(pipeline.problem().aig().num_inputs(), 1U);
  Verdict back = pipeline.back(Unsafe{*test::explore(pipeline.problem()).trace});
  EXPECT_TRUE(test::evidence_holds(problem, back));
  EXPECT_EQ(setup.stats.counter("transform.coi.latches-removed").value, 1U);
}

TEST(Coi, InputsForcedByAConstraintBecomeConstants) {
  AigBuilder builder;
  AigLit enable = builder.add_input();
  AigLit reset = builder.add_input();
  AigLit data = builder.add_input();
  AigLit latch = builder.add_latch(Reset::Zero);
  AigLit running = builder.and_gate(enable, !reset);
  builder.set_next(latch, builder.and_gate(running, data));
  builder.add_constraint(running);
  Problem problem = finish(std::move(builder), latch);

  TransformSetup setup({"coi"});
  Pipeline pipeline(problem, setup.context());
  EXPECT_EQ(pipeline.problem().aig().num_inputs(), 1U);
  EXPECT_EQ(pipeline.problem().aig().num_ands(), 0U);
  EXPECT_TRUE(pipeline.problem().aig().constraints().empty());
  Verdict back = pipeline.back(Unsafe{*test::explore(pipeline.problem()).trace});
  EXPECT_TRUE(test::evidence_holds(problem, back));
}

TEST(Coi, AFalseConstraintMakesThePropertySafe) {
  AigBuilder builder;
  AigLit input = builder.add_input();
  builder.add_constraint(input);
  builder.add_constraint(!input);
  Problem problem = finish(std::move(builder), input);
  TransformSetup setup({"coi"});
  Pipeline pipeline(problem, setup.context());
  EXPECT_EQ(pipeline.problem().property().bad(), kAigFalse);
  EXPECT_TRUE(check::certify(problem, pipeline.back(Safe{InductiveInvariant{}}), {}).ok());
}

/// Two latches that only each other could wake up, and a third that wakes after two steps.
TEST(Ternary, FindsConstantsThatAreInductiveTogether) {
  AigBuilder builder;
  AigLit input = builder.add_input();
  AigLit a = builder.add_latch(Reset::Zero);
  AigLit b = builder.add_latch(Reset::One);
  AigLit delay = builder.add_latch(Reset::Zero);
  AigLit late = builder.add_latch(Reset::Zero);
  builder.set_next(a, builder.and_gate(!b, input));
  builder.set_next(b, builder.or_gate(!a, input));
  builder.set_next(delay, kAigTrue);
  builder.set_next(late, delay);
  AigLit stuck = builder.or_gate(a, !b);
  AigLit bad = builder.and_gate(late, stuck);
  Problem problem = finish(std::move(builder), bad);
  TransformSetup setup({"ternary"});
  Pipeline pipeline(problem, setup.context());
  EXPECT_EQ(pipeline.problem().property().bad(), kAigFalse);
  EXPECT_TRUE(check::certify(problem, pipeline.back(Safe{InductiveInvariant{}}), {}).ok());
}

/// Twins of opposite reset and function, and a latch that is constant because they are.
Problem twins() {
  AigBuilder builder;
  AigLit input = builder.add_input();
  AigLit a = builder.add_latch(Reset::Zero);
  AigLit b = builder.add_latch(Reset::One);
  AigLit constant = builder.add_latch(Reset::Zero);
  AigLit next = builder.xor_gate(a, input);
  AigLit other = builder.xor_gate(b, input);  // !next, but only where b = !a
  builder.set_next(a, next);
  builder.set_next(b, other);
  builder.set_next(constant, !builder.xor_gate(a, b));
  return finish(std::move(builder), constant);
}

TEST(Sweep, MergesComplementaryLatches) {
  for (std::string_view id : {"latches", "sweep"}) {
    Problem problem = twins();
    TransformSetup setup({id});
    Pipeline pipeline(problem, setup.context());
    EXPECT_EQ(pipeline.problem().property().bad(), kAigFalse) << id;
    EXPECT_TRUE(check::certify(problem, pipeline.back(Safe{InductiveInvariant{}}), {}).ok()) << id;
  }
}

TEST(Sweep, WithoutTimeKeepsNothing) {
  for (std::string_view id : {"latches", "sweep"}) {
    TransformSetup setup({id});
    setup.set("sweep-ms", "0");
    Pipeline pipeline(twins(), setup.context());
    EXPECT_EQ(pipeline.problem().aig().num_latches(), 3U);
    EXPECT_EQ(setup.stats.counter("transform." + std::string(id) + ".timeouts").value, 1U);
  }
}

/// A constraint of the present step alone must not be used: the merge would remove it.
TEST(Sweep, DoesNotSweepAConstraintAway) {
  AigBuilder builder;
  AigLit i = builder.add_input();
  AigLit j = builder.add_input();
  AigLit latch = builder.add_latch(Reset::Zero);
  AigLit both = builder.and_gate(i, j);
  builder.set_next(latch, both);
  builder.add_constraint(!both);
  Problem problem = finish(std::move(builder), both);
  ASSERT_TRUE(test::explore(problem).safe());
  TransformSetup setup({"coi", "ternary", "latches", "sweep"});
  Pipeline pipeline(problem, setup.context());
  EXPECT_TRUE(test::explore(pipeline.problem()).safe());
}

/// Twenty uninitialised latches that never change: simulation will not see them all set at reset.
TEST(Sweep, RefutesAtResetWhatSimulationMisses) {
  AigBuilder builder;
  std::vector<AigLit> latches;
  for (int i = 0; i < 20; ++i) latches.push_back(builder.add_latch(Reset::Free));
  AigLit all = kAigTrue;
  for (AigLit latch : latches) all = builder.and_gate(all, latch);
  Problem problem = finish(std::move(builder), all);
  TransformSetup setup({"sweep"});
  Pipeline pipeline(problem, setup.context());
  EXPECT_EQ(pipeline.problem().aig().num_latches(), 20U);
  EXPECT_GT(setup.stats.counter("transform.sweep.refuted").value, 0U);
}

/// The same for a latch that is set when twenty inputs are, and one that follows it.
TEST(Sweep, RefutesLaterWhatSimulationMisses) {
  for (std::string_view id : {"latches", "sweep"}) {
    AigBuilder builder;
    std::vector<AigLit> inputs;
    for (int i = 0; i < 20; ++i) inputs.push_back(builder.add_input());
    AigLit rare = builder.add_latch(Reset::Zero);
    AigLit follower = builder.add_latch(Reset::Zero);
    AigLit all = kAigTrue;
    for (AigLit input : inputs) all = builder.and_gate(all, input);
    builder.set_next(rare, builder.or_gate(rare, all));
    builder.set_next(follower, rare);
    AigLit bad = builder.and_gate(follower, !all);
    Problem problem = finish(std::move(builder), bad);
    TransformSetup setup({id});
    Pipeline pipeline(problem, setup.context());
    EXPECT_EQ(pipeline.problem().aig().num_latches(), 2U) << id;
  }
}

/// A ring of two latches; were both set, an input could lead to the bad state at any time, so only
/// simple paths prove it. A constant latch reads a counter, which makes more paths simple.
TEST(Pipeline, GivesUpAProofThatCountedOnFewerStates) {
  AigBuilder builder;
  AigLit input = builder.add_input();
  AigLit r0 = builder.add_latch(Reset::One);
  AigLit r1 = builder.add_latch(Reset::Zero);
  AigLit both = builder.add_latch(Reset::Zero);
  AigLit constant = builder.add_latch(Reset::Zero);
  AigLit low = builder.add_latch(Reset::Zero);
  AigLit high = builder.add_latch(Reset::Zero);
  builder.set_next(r0, r1);
  builder.set_next(r1, r0);
  builder.set_next(both, builder.and_gate(builder.and_gate(r0, r1), input));
  builder.set_next(constant, builder.and_gate(constant, high));
  builder.set_next(low, !low);
  builder.set_next(high, builder.xor_gate(low, high));
  AigLit bad = builder.or_gate(both, constant);
  Problem problem = finish(std::move(builder), bad);

  TransformSetup setup({"coi", "ternary"});
  Pipeline pipeline(problem, setup.context());
  KInductive proof{2, SimplePath::Yes, {}};
  ASSERT_TRUE(check::certify(pipeline.problem(), Safe{proof}, {}).ok());
  KInductive renamed{2, SimplePath::Yes, {{!constant}}};
  ASSERT_FALSE(check::certify(problem, Safe{renamed}, {}).ok());
  EXPECT_TRUE(std::holds_alternative<Unknown>(pipeline.back(Safe{proof})));
}

TEST(Fold, LeavesNoConstraintAndOneMoreLatch) {
  Problem problem = test::random_problem(7, {.constraints = 2});
  TransformSetup setup({"fold"});
  Pipeline pipeline(problem, setup.context());
  EXPECT_TRUE(pipeline.problem().aig().constraints().empty());
  EXPECT_EQ(pipeline.problem().aig().num_latches(), problem.aig().num_latches() + 1);
}

TEST(Pipeline, AStopRequestSkipsTheRest) {
  Problem problem = twins();
  TransformSetup setup({"coi", "ternary", "latches", "sweep"});
  setup.stop.request_stop();
  Pipeline pipeline(problem, setup.context());
  EXPECT_EQ(pipeline.problem().aig().num_latches(), problem.aig().num_latches());
  EXPECT_EQ(pipeline.problem().aig().num_ands(), problem.aig().num_ands());
}

TEST(Pipeline, GivesTheSameProblemTwice) {
  auto same = [](AndGate x, AndGate y) { return x.left == y.left && x.right == y.right; };
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Problem problem = test::random_problem(seed, {.inputs = 6, .latches = 40, .gates = 400});
    TransformSetup setup({"coi", "ternary", "latches", "sweep"});
    Pipeline first(problem, setup.context());
    Pipeline second(problem, setup.context());
    auto left = first.problem().aig().ands();
    auto right = second.problem().aig().ands();
    EXPECT_TRUE(std::equal(left.begin(), left.end(), right.begin(), right.end(), same));
  }
}

/// Models that the transforms solve alone: all the proof is in what comes back.
TEST(Pipeline, SolvesSomeBenchmarksAlone) {
  for (const char* name : {"hwmcc20__simple_alu.aig", "hwmcc20__rast-p11.aig",
                           "asp__multiplication-commutativity-4.aag"}) {
    Result<Problem> file =
        frontend::read_problem(LEM_SOURCE_DIR "/../shared/benchmarks/aiger/" + std::string(name));
    if (!file) GTEST_SKIP() << "shared benchmarks are not here";
    Problem problem = focus(*file, 0);
    TransformSetup setup({"coi", "ternary", "latches", "sweep"});
    setup.set("sweep-ms", "60000");
    Pipeline pipeline(problem, setup.context());
    EXPECT_EQ(pipeline.problem().property().bad(), kAigFalse) << name;
    EXPECT_TRUE(check::certify(problem, pipeline.back(Safe{InductiveInvariant{}}), {}).ok())
        << name;
  }
}

}  // namespace
}  // namespace lem::transform
