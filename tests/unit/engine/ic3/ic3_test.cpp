#include "engine/registry.h"

#include <map>

#include "engine/ic3/search.h"
#include "unit/engine/engine_support.h"

namespace lem::engine {

using namespace lem::test;

TEST(Ic3, FindsADeepCounterexampleOfACounter) {
  Problem problem = counter(6, 50);
  Bench run(kIc3Info);
  Verdict verdict = run.check(problem);
  ASSERT_TRUE(std::holds_alternative<Unsafe>(verdict));
  EXPECT_EQ(run_as<Trace>(verdict).inputs.size(), 51U);
  EXPECT_TRUE(is_certified(problem, verdict));
}

TEST(Ic3, EveryPresetProvesAndRefutes) {
  for (const Preset& preset : kIc3Info.presets) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      Problem problem = random_problem(seed, varied_params(seed));
      Bench run(kIc3Info, all_settings(kIc3Info.presets, preset));
      Verdict verdict = run.check(problem);
      ASSERT_EQ(std::holds_alternative<Safe>(verdict), explore(problem).safe())
          << preset.name << " seed " << seed;
      ASSERT_TRUE(is_certified(problem, verdict)) << preset.name << " seed " << seed;
    }
  }
}

TEST(Ic3, SameSeedSameRun) {
  Problem problem = random_problem(77, varied_params(77));
  Bench first(kIc3Info, "ic3.seed=5");
  Bench second(kIc3Info, "ic3.seed=5");
  first.check(problem);
  second.check(problem);
  EXPECT_EQ(first.stats.counter("ic3.queries").value, second.stats.counter("ic3.queries").value);
  EXPECT_EQ(first.stats.counter("ic3.lemmas").value, second.stats.counter("ic3.lemmas").value);
}

TEST(Ic3, ObeysAStopRequest) {
  Bench run(kIc3Info);
  run.stop.request_stop();
  EXPECT_EQ(run.check(counter(6, 50)), Verdict(Unknown{Reason::Stopped}));
}

TEST(Ic3, SeveralPropertiesOnOneSetOfFrames) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomAigParams params = varied_params(seed);
    params.properties = 2 + static_cast<std::uint32_t>(seed % 7);
    Problem problem = random_problem(seed, params);
    Bench run(kIc3Info, seed % 3 == 0 ? "ic3.quip=on" : "");
    std::map<std::size_t, Verdict> verdicts;
    kIc3Info.check(problem,
                   [&](const Found& found) {
                     for (std::size_t property : found.properties)
                       EXPECT_TRUE(verdicts.emplace(property, found.verdict).second) << seed;
                   },
                   {run.options, run.stats, run.log, run.progress, {}});
    ASSERT_EQ(verdicts.size(), problem.properties.size()) << seed;
    for (const auto& [property, verdict] : verdicts) {
      Problem one = focus(problem, property);
      ASSERT_EQ(std::holds_alternative<Safe>(verdict), explore(one).safe()) << seed;
      ASSERT_TRUE(is_certified(one, verdict)) << seed;
    }
  }
}

// Techniques must do something, not only be accepted as options: each leaves its mark in the
// statistics on some of the random models.
TEST(Ic3, SwitchesTakeEffect) {
  auto total = [](const std::string& settings, const std::string& counter_name) {
    std::uint64_t sum = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      RandomAigParams params = varied_params(seed);
      params.latches = 10;
      Bench run(kIc3Info, settings);
      run.check(random_problem(seed, params));
      sum += run.stats.counter(counter_name).value;
    }
    return sum;
  };
  EXPECT_GT(total("ic3.generalize=ctg", "ic3.ctgs"), 0U);
  EXPECT_EQ(total("ic3.generalize=down", "ic3.ctgs"), 0U);
  EXPECT_GT(total("ic3.quip=on", "ic3.reachable-states"), 0U);
  EXPECT_EQ(total("ic3.quip=off", "ic3.reachable-states"), 0U);
  EXPECT_GT(total("ic3.push=triggered", "ic3.push-skips"), 0U);
  EXPECT_GT(total("ic3.infinity=on", "ic3.infinity-lemmas"), 0U);
  EXPECT_EQ(total("ic3.infinity=off", "ic3.infinity-lemmas"), 0U);
  EXPECT_LT(total("ic3.generalize=down", "ic3.lemmas"), total("ic3.generalize=none", "ic3.lemmas"));
}

}  // namespace lem::engine
