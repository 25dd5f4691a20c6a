#include "engine/registry.h"

#include "unit/engine/engine_support.h"

namespace lem::engine {

using namespace lem::test;

TEST(Fsis, ProvesATokenRing) {
  for (std::string settings :
       {"fsis.mic=down", "fsis.mic=implicate,fsis.implicate=linear",
        "fsis.mic=implicate,fsis.implicate=binary", "fsis.mic=minimal", "fsis.lift=off"}) {
    Problem problem = token_ring(5);
    Bench run(kFsisInfo, settings);
    Verdict verdict = run.check(problem);
    ASSERT_TRUE(std::holds_alternative<Safe>(verdict)) << settings;
    EXPECT_TRUE(is_certified(problem, verdict)) << settings;
  }
}

TEST(Fsis, FollowsSubgoalsBackToTheInitialState) {
  Problem problem = counter(4, 11);
  Bench run(kFsisInfo);
  Verdict verdict = run.check(problem);
  ASSERT_TRUE(std::holds_alternative<Unsafe>(verdict));
  EXPECT_TRUE(is_certified(problem, verdict));
  EXPECT_GT(run.stats.counter("fsis.subgoals").value, 0U);
}

TEST(Fsis, ABadInitialStateNeedsNoSubgoal) {
  Problem problem = counter(3, 0);
  Bench run(kFsisInfo);
  Verdict verdict = run.check(problem);
  ASSERT_TRUE(std::holds_alternative<Unsafe>(verdict));
  EXPECT_TRUE(is_certified(problem, verdict));
  EXPECT_EQ(run.stats.counter("fsis.subgoals").value, 0U);
}

TEST(Fsis, ObeysAStopRequest) {
  Bench run(kFsisInfo);
  run.stop.request_stop();
  EXPECT_EQ(run.check(counter(4, 11)), Verdict(Unknown{Reason::Stopped}));
}

TEST(Fsis, AgreesWithSearch) {
  std::uint64_t seed = 1;
  for (std::string lift : {"on", "off"})
    for (std::string mic : {"down", "implicate", "minimal"})
      for (std::string implicate : {"linear", "binary"}) {
        agrees_with_search(
            kFsisInfo, "fsis.lift=" + lift + ",fsis.mic=" + mic + ",fsis.implicate=" + implicate,
            Complete::Yes, seed, 60);
        seed += 60;
      }
}

}  // namespace lem::engine
