// Many properties at once against the truth about each: random models with 2 to 12 properties, runs
// to the end and runs that are stopped at some moment. Every property is settled once, no verdict
// is wrong, and every proof and run is certified for its own property.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "base/time_box.h"
#include "engine/engine.h"
#include "run/prove.h"
#include "support/bounded_options.h"
#include "support/explicit.h"
#include "support/explicit_terms.h"
#include "support/random_aig.h"
#include "support/random_cfa.h"
#include "support/random_system.h"

namespace lem::engine {
namespace {

struct Settings {
  std::string engine;
  bool any;  // any engine may answer, in workers
};

/// What each property was settled with; the test fails if one was settled twice, or not at all.
std::map<std::size_t, Verdict> settle_all(const Problem& problem, const Settings& settings,
                                          const std::stop_token& stop) {
  Options options = test::bounded_options("", 40);
  options.declare(run::auto_options());
  Stats stats;
  Log log;
  Progress progress;
  Context ctx{options, stats, log, progress, stop};
  std::map<std::size_t, Verdict> verdicts;
  auto settled = [&](std::size_t property, const check::Certified& outcome,
                     std::string_view by) -> Status {
    EXPECT_TRUE(verdicts.emplace(property, outcome.verdict()).second) << property << " twice";
    EXPECT_TRUE(settings.any || by.empty() || by == settings.engine) << by;
    Result<check::Certified> again =
        check::certify(focus(problem, property), outcome.verdict(), {});
    EXPECT_TRUE(again.ok()) << again.error().message;
    return Ok{};
  };
  std::vector<std::size_t> all(problem.properties.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  const run::Selectable* engine = run::find_selectable(settings.any ? "auto" : settings.engine);
  Status done = run::prove_all(problem, all, *engine, {}, settled, ctx);
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

/// LEM_PROPERTIES_FUZZ=1000 makes all of them longer.
std::uint64_t count_or(std::uint64_t usual) {
  const char* wanted = std::getenv("LEM_PROPERTIES_FUZZ");
  return wanted == nullptr ? usual : std::strtoull(wanted, nullptr, 10);
}

class PropertiesFuzz : public testing::TestWithParam<std::uint64_t> {};
constexpr std::uint64_t kShards = 4;

TEST_P(PropertiesFuzz, BitsAgreeWithExplicitSearch) {
  for (std::uint64_t seed = GetParam(); seed < count_or(1000); seed += kShards) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    test::RandomAigParams params = test::varied_params(seed);
    params.properties = properties_for(seed);
    Problem problem = test::random_problem(seed, params);
    std::vector<bool> safe;
    for (std::size_t i = 0; i < problem.properties.size(); ++i)
      safe.push_back(test::explore(focus(problem, i)).safe());
    Settings settings{"ic3", seed % 2 == 0};
    expect_truth(safe, settle_all(problem, settings, {}), true);
    TimeBox cut({}, std::chrono::microseconds(seed % 40 * 25));
    expect_truth(safe, settle_all(problem, settings, cut.token()), false);
  }
}

TEST_P(PropertiesFuzz, TermsAgreeWithExplicitSearch) {
  for (std::uint64_t seed = GetParam(); seed < count_or(200); seed += kShards) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    test::RandomSystemParams params;
    params.properties = properties_for(seed);
    params.relations = seed % 3 == 0;
    Problem problem = test::random_system(seed, params);
    std::vector<bool> safe;
    for (std::size_t i = 0; i < problem.properties.size(); ++i)
      safe.push_back(!test::explore_terms(focus(problem, i)).trace.has_value());
    Settings settings{seed % 4 < 2 ? "ic3ia" : "ic3smt", seed % 2 == 0};
    expect_truth(safe, settle_all(problem, settings, {}), true);
    TimeBox cut({}, std::chrono::milliseconds(seed % 20));
    expect_truth(safe, settle_all(problem, settings, cut.token()), false);
  }
}

/// A random automaton with more error locations: each is reached from some location under a
/// condition.
Problem several_errors(test::RandomCfa& random, std::uint64_t seed) {
  const Cfa& cfa = *random.cfa;
  CfaBuilder builder(cfa.store());
  for (Term variable : cfa.variables()) builder.add_variable(variable);
  for (const Location& one : cfa.locations()) builder.add_location(one.name);
  for (const CfaEdge& one : cfa.edges()) builder.add_edge(one.from, one.command, one.to);
  std::vector<Property> properties{{"error", ErrorLocation{cfa.error()}}};
  for (std::uint32_t i = 1; i < properties_for(seed); ++i) {
    LocationId error = builder.add_location("error" + std::to_string(i));
    auto from = LocationId{static_cast<std::uint32_t>(random.random.below(cfa.locations().size()))};
    if (from != cfa.error()) builder.add_edge(from, random.random.command(1), error);
    properties.push_back({"error" + std::to_string(i), ErrorLocation{error}});
  }
  builder.set_initial(cfa.initial());
  builder.set_error(cfa.error());
  Result<Cfa> made = std::move(builder).freeze();
  EXPECT_TRUE(made.ok());
  return {*std::move(made), std::move(properties), {}};
}

TEST_P(PropertiesFuzz, ProgramsAgreeWithExecution) {
  for (std::uint64_t seed = GetParam(); seed < count_or(40); seed += kShards) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    test::RandomCfa random(static_cast<std::uint32_t>(seed));
    Problem problem = several_errors(random, seed);
    std::vector<bool> safe;
    for (std::size_t i = 0; i < problem.properties.size(); ++i)
      safe.push_back(!random.explore(focus(problem, i).cfa()).error);
    Settings settings{"ic3cfa", seed % 2 == 0};
    expect_truth(safe, settle_all(problem, settings, {}), true);
    TimeBox cut({}, std::chrono::milliseconds(seed % 30));
    expect_truth(safe, settle_all(problem, settings, cut.token()), false);
  }
}

INSTANTIATE_TEST_SUITE_P(Shard, PropertiesFuzz, testing::Range(std::uint64_t{0}, kShards));

}  // namespace
}  // namespace lem::engine
