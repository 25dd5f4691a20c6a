// 2,000 random models against explicit-state search: every engine, every generalization and every
// switch of ic3, with the verdict compared and the evidence certified. Fixed seeds, in shards so
// that the runner can spread them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "check/certify.h"
#include "engine/engine.h"
#include "support/bounded_options.h"
#include "support/explicit.h"
#include "support/random_aig.h"
#include "transform/transform.h"

namespace lem::engine {
namespace {

#ifdef LEM_CHECKED_BUILD
constexpr std::uint64_t kModels = 200;
#else
constexpr std::uint64_t kModels = 2000;
#endif
constexpr std::uint64_t kShards = 10;

struct Configuration {
  std::string engine;
  std::string settings;
};

/// Every engine as it is, its presets, and every value of every switch of ic3.
std::vector<Configuration> configurations() {
  std::vector<Configuration> all;
  for (const EngineInfo& engine : all_engines()) {
    // Others: term_engines_fuzz_test.cpp, cfa_fuzz_test.cpp.
    if (!engine.accepts.has(Rung::Bits)) continue;
    std::string id(engine.id);
    all.push_back({id, ""});
    for (const Preset& preset : engine.presets)
      all.push_back({id, all_settings(engine.presets, preset)});
    for (const OptionRow& row : engine.options) {
      if (row.choices.empty()) continue;
      for (std::int64_t value = 0; value <= row.max; ++value) {
        if (value == row.fallback) continue;
        all.push_back({id, std::string(row.name) + "=" + option_text(row, value)});
      }
    }
  }
  all.push_back({"ic3", "ic3.generalize=ctg,ic3.ctg-depth=2,ic3.ctg-count=5,ic3.ctg-chain=4"});
  all.push_back({"ic3", "ic3.dynamic-ctg=1,ic3.dynamic-chain=3"});
  all.push_back({"ic3", "ic3.quip=on,ic3.push=triggered,ic3.seed=7"});
  all.push_back({"ic3", "ic3.generalize=down,ic3.mic-failures=2,ic3.drop-obligation=1"});
  return all;
}

bool needs_simple_path(const Verdict& verdict) {
  const auto* safe = std::get_if<Safe>(&verdict);
  const auto* proof = safe == nullptr ? nullptr : std::get_if<KInductive>(&safe->certificate);
  return proof != nullptr && proof->simple_path == SimplePath::Yes;
}

class EnginesFuzz : public testing::TestWithParam<std::uint64_t> {
 protected:
  /// Bounded engines are asked for `depth` steps, which explicit search showed to be enough.
  Verdict run(const Configuration& configuration, const Problem& problem, std::uint32_t depth) {
    const EngineInfo* info = find_engine(configuration.engine);
    Options options = test::bounded_options(configuration.settings, depth);
    Stats stats;
    Log log;
    Progress progress;
    Context ctx{options, stats, log, progress, {}};
    return check_one(*info, problem, ctx);
  }
};

TEST_P(EnginesFuzz, AgreeWithExplicitSearch) {
  std::vector<Configuration> all = configurations();
  for (std::uint64_t seed = GetParam(); seed < kModels; seed += kShards) {
    test::RandomAigParams params = test::varied_params(seed);
    if (seed % 7 == 0) params.latches = 11 + static_cast<std::uint32_t>(seed / 7 % 2);
    Problem problem = test::random_problem(seed, params);
    test::ExplicitResult truth = test::explore(problem);
    for (std::size_t i = 0; i < all.size(); ++i) {
      // k-induction needs a k near the longest loop-free path: hopeless on the deep models.
      if (all[i].engine == "kind" && truth.depth > 12) continue;
      Verdict verdict = run(all[i], problem, truth.depth);
      std::string label =
          "seed " + std::to_string(seed) + " " + all[i].engine + " " + all[i].settings;
      if (std::holds_alternative<Unknown>(verdict)) {
        EXPECT_TRUE(all[i].engine == "bmc" || all[i].engine == "kind") << label;
        EXPECT_TRUE(truth.safe()) << label << ": a bounded engine missed a short trace";
        continue;
      }
      ASSERT_EQ(std::holds_alternative<Safe>(verdict), truth.safe()) << label;
      Result<check::Certified> certified = check::certify(problem, verdict, {});
      // An engine whose answers the checker rejects, or cannot judge, is broken and not safe.
      ASSERT_TRUE(certified.ok()) << label << ": " << certified.error().message;
      ASSERT_EQ(certified->verdict(), verdict) << label;
      // Simple paths differ in the latches that Q depends on; enumeration compares whole states, so
      // it has nothing to say about those.
      if (!needs_simple_path(verdict)) {
        ASSERT_TRUE(test::evidence_holds(problem, verdict)) << label << ": checker too lenient";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shard, EnginesFuzz, testing::Range(std::uint64_t{0}, kShards));

}  // namespace
}  // namespace lem::engine
