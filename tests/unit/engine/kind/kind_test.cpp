#include "engine/registry.h"

#include "unit/engine/engine_support.h"

namespace lem::engine {

using namespace lem::test;

static const KInductive& proof_of(const Verdict& verdict) {
  return certificate_as<KInductive>(verdict);
}

/// A shift register of `length` ones fed with ones; bad when the last is zero: k = length.
static Problem shift_register(std::uint32_t length) {
  AigBuilder builder;
  std::vector<AigLit> stage;
  for (std::uint32_t i = 0; i < length; ++i) stage.push_back(builder.add_latch(Reset::One));
  builder.set_next(stage[0], kAigTrue);
  for (std::uint32_t i = 1; i < length; ++i) builder.set_next(stage[i], stage[i - 1]);
  return {std::move(builder).freeze(), {{"p", !stage.back()}}, {}};
}

TEST(Kind, ProvesAShiftRegisterWithKEqualToItsLength) {
  Problem problem = shift_register(5);
  Bench run(kKindInfo);
  Verdict verdict = run.check(problem);
  ASSERT_TRUE(std::holds_alternative<Safe>(verdict));
  EXPECT_EQ(proof_of(verdict).k, 5U);
  EXPECT_EQ(proof_of(verdict).simple_path, SimplePath::No);
  EXPECT_TRUE(is_certified(problem, verdict));
}

TEST(Kind, NeedsSimplePathsForAnUnreachableLoop) {
  // From reset the state stays 00; 01 and 10 swap or wait, and 10 with the input leads to bad 11.
  AigBuilder builder;
  AigLit input = builder.add_input();
  AigLit a = builder.add_latch(Reset::Zero);
  AigLit b = builder.add_latch(Reset::Zero);
  AigLit in01 = builder.and_gate(!a, b), in10 = builder.and_gate(a, !b);
  builder.set_next(a, builder.or_gate(builder.and_gate(in01, !input), in10));
  builder.set_next(b, builder.or_gate(builder.and_gate(in10, input), in01));
  AigLit bad = builder.and_gate(a, b);
  Problem problem{std::move(builder).freeze(), {{"p", bad}}, {}};

  Bench plain(kKindInfo, "kind.simple-path=off,kind.max-k=30");
  EXPECT_EQ(plain.check(problem), Verdict(Unknown{Reason::BoundReached}));
  Bench simple(kKindInfo);
  Verdict verdict = simple.check(problem);
  ASSERT_TRUE(std::holds_alternative<Safe>(verdict));
  EXPECT_EQ(proof_of(verdict).simple_path, SimplePath::Yes);
  EXPECT_TRUE(is_certified(problem, verdict));
}

TEST(Kind, FindsCounterexamplesInItsBaseCase) {
  Problem problem = counter(4, 11);
  Bench run(kKindInfo);
  Verdict verdict = run.check(problem);
  ASSERT_TRUE(std::holds_alternative<Unsafe>(verdict));
  EXPECT_EQ(run_as<Trace>(verdict).inputs.size(), 12U);
  EXPECT_TRUE(is_certified(problem, verdict));
}

TEST(Kind, ObeysAStopRequest) {
  Bench run(kKindInfo);
  run.stop.request_stop();
  EXPECT_EQ(run.check(counter(4, 11)), Verdict(Unknown{Reason::Stopped}));
}

TEST(Kind, AgreesWithSearch) {
  agrees_with_search(kKindInfo, "kind.max-k=14", Complete::No, 1, 150);
  agrees_with_search(kKindInfo, "kind.max-k=14,kind.simple-path=off", Complete::No, 300, 150);
}

TEST(Kind, IsCompleteWithSimplePaths) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    RandomAigParams params = varied_params(seed);
    params.latches = 3;
    Problem problem = random_problem(seed, params);
    Bench run(kKindInfo, "kind.max-k=9");  // no path of 8 states is longer without repetition
    Verdict verdict = run.check(problem);
    EXPECT_EQ(std::holds_alternative<Safe>(verdict), explore(problem).safe()) << seed;
    EXPECT_TRUE(is_certified(problem, verdict)) << seed;
  }
}

}  // namespace lem::engine
