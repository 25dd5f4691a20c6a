#include "engine/registry.h"

#include "engine/ipdr/suffixes.h"
#include "unit/engine/engine_support.h"

namespace lem::engine {

using namespace lem::test;

TEST(Ipdr, ProvesATokenRing) {
  for (std::string settings : {"ipdr.generalize=none", "ipdr.generalize=down",
                               "ipdr.generalize=binary", "ipdr.shortest=off"}) {
    Problem problem = token_ring(5);
    Bench run(kIpdrInfo, settings);
    Verdict verdict = run.check(problem);
    ASSERT_TRUE(std::holds_alternative<Safe>(verdict)) << settings;
    EXPECT_TRUE(is_certified(problem, verdict)) << settings;
  }
}

TEST(Ipdr, FindsTheShortestTrace) {
  Problem problem = counter(4, 11);
  Bench run(kIpdrInfo);
  Verdict verdict = run.check(problem);
  ASSERT_TRUE(std::holds_alternative<Unsafe>(verdict));
  EXPECT_EQ(run_as<Trace>(verdict).inputs.size(), 12U);
  EXPECT_TRUE(is_certified(problem, verdict));
}

TEST(Ipdr, ObeysAStopRequest) {
  Bench run(kIpdrInfo);
  run.stop.request_stop();
  EXPECT_EQ(run.check(counter(4, 11)), Verdict(Unknown{Reason::Stopped}));
}

TEST(Ipdr, AgreesWithSearch) {
  std::uint64_t seed = 1;
  for (std::string shortest : {"on", "off"})
    for (std::string generalize : {"none", "core", "drop", "binary", "down"}) {
      agrees_with_search(kIpdrInfo, "ipdr.shortest=" + shortest + ",ipdr.generalize=" + generalize,
                         Complete::Yes, seed, 80);
      seed += 80;
    }
}

TEST(IpdrSuffixes, AreFreeOfWhatComesBefore) {
  // A counter of two bits, bad at 3: the suffix of length m is left by the state 3 - m alone.
  Problem problem = counter(2, 3);
  Suffixes suffixes(problem, {});
  for (int step = 0; step < 4; ++step) suffixes.extend();
  for (std::uint32_t from = 0; from < 4; ++from) {
    ASSERT_EQ(suffixes.reach_bad(Level{from}), sat::SatResult::Sat);
    std::vector<Lit> state = suffixes.state(Level{from});
    ASSERT_EQ(state.size(), 2U);
    EXPECT_EQ(!state[0].negative(), (from & 1) != 0);
    EXPECT_EQ(!state[1].negative(), (from & 2) != 0);
  }
  suffixes.exclude(Level{2}, Cube(suffixes.state(Level{2})));
  EXPECT_EQ(suffixes.reach_bad(Level{2}), sat::SatResult::Unsat);
  EXPECT_EQ(suffixes.reach_bad(Level{1}), sat::SatResult::Unsat);
  EXPECT_EQ(suffixes.reach_bad(Level{3}), sat::SatResult::Sat);
}

}  // namespace lem::engine
