// Many properties at once against the truth about each: random models with 2 to 12 properties, runs
// to the end and runs that are stopped at some moment. Every property is settled once, no verdict
// is wrong, and every proof and run is certified for its own property.
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "base/time_box.h"
#include "engine/engine.h"
#include "schedule/schedule.h"
#include "support/bounded_options.h"
#include "support/explicit.h"
#include "support/explicit_terms.h"
#include "support/random_aig.h"
#include "support/random_system.h"

namespace lem {
namespace {

using schedule::Shortcuts;

struct Settings {
  std::string engine;
  Shortcuts shortcuts;
};

/// What each property was settled with; the test fails if one was settled twice, or not at all.
std::map<std::size_t, Verdict> settle_all(const Problem& problem, const Settings& settings,
                                          const std::stop_token& stop) {
  Options options = test::bounded_options("", 40);
  Stats stats;
  Log log;
  Progress progress;
  Context ctx{options, stats, log, progress, stop};
  std::map<std::size_t, Verdict> verdicts;
  schedule::Hooks hooks;
  hooks.prove = [&](const Problem& one, const Context& boxed) {
    return check::certify(one, find_engine(settings.engine)->make()->check(one, boxed), boxed.stop);
  };
  hooks.settle = [&](std::size_t property, check::Certified outcome,
                     std::string_view method) -> Status {
    EXPECT_TRUE(verdicts.emplace(property, outcome.verdict()).second) << property << " twice";
    EXPECT_TRUE(settings.shortcuts == Shortcuts::Yes || method.empty());
    Result<check::Certified> again =
        check::certify(focus(problem, property), outcome.verdict(), {});
    EXPECT_TRUE(again.ok()) << again.error().message;
    return Ok{};
  };
  std::vector<std::size_t> all(problem.properties.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  Status done = schedule::check_all(problem, all, settings.shortcuts, hooks, ctx);
  EXPECT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(verdicts.size(), all.size());
  return verdicts;
}

void expect_truth(const std::vector<bool>& safe, const std::map<std::size_t, Verdict>& verdicts,
                  bool complete) {
  for (const auto& [property, verdict] : verdicts) {
    if (std::holds_alternative<Unknown>(verdict)) {
      EXPECT_FALSE(complete) << "property " << property << " is undecided";
      continue;
    }
    EXPECT_EQ(std::holds_alternative<Safe>(verdict), safe[property]) << "property " << property;
  }
}

std::uint32_t properties_for(std::uint64_t seed) {
  return 2 + static_cast<std::uint32_t>(seed * 7 % 11);
}

class PropertiesFuzz : public testing::TestWithParam<std::uint64_t> {};
constexpr std::uint64_t kShards = 4;

TEST_P(PropertiesFuzz, BitsAgreeWithExplicitSearch) {
  for (std::uint64_t seed = GetParam(); seed < 1000; seed += kShards) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    test::RandomAigParams params = test::varied_params(seed);
    params.properties = properties_for(seed);
    Problem problem = test::random_problem(seed, params);
    std::vector<bool> safe;
    for (std::size_t i = 0; i < problem.properties.size(); ++i)
      safe.push_back(test::explore(focus(problem, i)).safe());
    Settings settings{"ic3", seed % 2 == 0 ? Shortcuts::Yes : Shortcuts::No};
    expect_truth(safe, settle_all(problem, settings, {}), true);
    TimeBox cut({}, std::chrono::microseconds(seed % 40 * 25));
    expect_truth(safe, settle_all(problem, settings, cut.token()), false);
  }
}

TEST_P(PropertiesFuzz, TermsAgreeWithExplicitSearch) {
  for (std::uint64_t seed = GetParam(); seed < 200; seed += kShards) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    test::RandomSystemParams params;
    params.properties = properties_for(seed);
    params.relations = seed % 3 == 0;
    Problem problem = test::random_system(seed, params);
    std::vector<bool> safe;
    for (std::size_t i = 0; i < problem.properties.size(); ++i)
      safe.push_back(!test::explore_terms(focus(problem, i)).trace.has_value());
    Settings settings{seed % 4 < 2 ? "ic3ia" : "ic3smt",
                      seed % 2 == 0 ? Shortcuts::Yes : Shortcuts::No};
    expect_truth(safe, settle_all(problem, settings, {}), true);
    TimeBox cut({}, std::chrono::milliseconds(seed % 20));
    expect_truth(safe, settle_all(problem, settings, cut.token()), false);
  }
}

INSTANTIATE_TEST_SUITE_P(Shard, PropertiesFuzz, testing::Range(std::uint64_t{0}, kShards));

}  // namespace
}  // namespace lem
