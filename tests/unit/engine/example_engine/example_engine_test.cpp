// The engine that CONTRIBUTING.md adds step by step: it runs, is certified, has an option, a
// statistic and a preset. tools/check_snippets.py compares the text with these files.
#include "unit/engine/engine_support.h"

namespace lem::engine {
extern const EngineInfo kHoudiniInfo;  // a real engine's is in engine/registry.h

using namespace lem::test;

TEST(ExampleEngine, ProvesATokenRingByPairsOfLatches) {
  Problem problem = token_ring(5);
  Bench run(kHoudiniInfo);
  ASSERT_TRUE(proves(run, problem));
  EXPECT_GT(run.stats.counter("houdini.candidates").value, 0U);
  EXPECT_LT(run.stats.counter("houdini.dropped").value,
            run.stats.counter("houdini.candidates").value);
}

TEST(ExampleEngine, ThePresetHasTooFewCandidatesForTheRing) {
  Bench run(kHoudiniInfo, kHoudiniInfo.presets[0].settings);
  EXPECT_EQ(run.check(token_ring(5)), Verdict(Unknown{Reason::GaveUp}));
}

TEST(ExampleEngine, FindsACounterexampleWithinItsDepth) {
  Problem problem = counter(4, 6);
  Bench run(kHoudiniInfo);
  Verdict verdict = run.check(problem);
  ASSERT_TRUE(std::holds_alternative<Unsafe>(verdict));
  EXPECT_EQ(run_as<Trace>(verdict).inputs.size(), 7U);
  EXPECT_TRUE(is_certified(problem, verdict));
  Bench shallow(kHoudiniInfo, "houdini.depth=5");
  EXPECT_EQ(shallow.check(problem), Verdict(Unknown{Reason::GaveUp}));
}

TEST(ExampleEngine, ObeysAStopRequest) {
  Bench run(kHoudiniInfo);
  run.stop.request_stop();
  EXPECT_EQ(run.check(token_ring(5)), Verdict(Unknown{Reason::Stopped}));
}

TEST(ExampleEngine, AgreesWithSearch) {
  agrees_with_search(kHoudiniInfo, "", Complete::No, 1, 200);
}

}  // namespace lem::engine
