// Random control-flow automata: what the program-counter encoding and large blocks say of the error
// location against execution, state by state.
#include <gtest/gtest.h>

#include "base/options.h"
#include "check/certify.h"
#include "engine/engine.h"
#include "engine/registry.h"
#include "smt/solvers.h"
#include "support/ic3cfa_run.h"
#include "support/random_cfa.h"
#include "support/treeic3_run.h"
#include "transform/cfa/large_blocks.h"
#include "transform/cfa/program_counter.h"

namespace lem::engine {
namespace {

using test::RandomCfa;
using test::RandomCommands;

TEST(CfaFuzz, LargeBlocksReachTheSameStates) {
  std::size_t fewer = 0;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomCfa each(seed);
    auto before = each.explore(*each.cfa);
    transform::LargeBlocks blocks = transform::large_blocks(*each.cfa, seed % 3 == 0 ? 4 : 1000);
    auto after = each.explore(blocks.cfa);
    ASSERT_EQ(before.error, after.error);
    for (std::uint32_t i = 0; i < blocks.origin.size(); ++i)
      for (const auto& state : RandomCommands::all_states())
        ASSERT_EQ(after.all.contains({LocationId{i}, state}),
                  before.all.contains({blocks.origin[i], state}));
    for (const CfaEdge& edge : blocks.cfa.edges()) {
      if (seed % 3 == 0) break;
      for (EdgeId other : blocks.cfa.out(edge.from))
        ASSERT_TRUE(&blocks.cfa[other] == &edge || blocks.cfa[other].to != edge.to) << "parallel";
    }
    fewer += blocks.cfa.locations().size() < each.cfa->locations().size();
  }
  EXPECT_GT(fewer, 300U);
}

TEST(CfaFuzz, TheCounterSystemReachesTheErrorAlike) {
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomCfa each(seed);
    auto truth = each.explore(*each.cfa);
    transform::CounterSystem counter = transform::with_program_counter(*each.cfa);
    Problem problem{counter.system, {{"error", counter.bad}}, {}};
    Options options;
    for (const EngineInfo& engine : all_engines()) options.declare(engine.options);
    options.declare(smt::kSolverOptions);
    ASSERT_TRUE(options.set_all("bmc.max-depth=" + std::to_string(truth.steps)).ok());
    Stats stats;
    Log log;
    Progress progress;
    Verdict verdict = check_one(kBmcInfo, problem, Context{options, stats, log, progress, {}});
    ASSERT_EQ(std::holds_alternative<Unsafe>(verdict), truth.error);
    if (!truth.error) {
      ASSERT_EQ(verdict, Verdict(Unknown{Reason::BoundReached}));
    }
  }
}

/// Switches that no preset of Table 5.1 sets alone or at all.
constexpr std::array kSettings = {
    "",
    "ic3cfa.check=and-filter,ic3cfa.edges=multi,ic3cfa.order=deep",
    "ic3cfa.propagate=edges,ic3cfa.wep=off",
    "ic3cfa.propagate=postconditions,ic3cfa.split=100,ic3cfa.push=off",
    "ic3cfa.propagate=merged,ic3cfa.generalize=old,ic3cfa.edges=single",
    "ic3cfa.interpolate=everywhere,ic3cfa.contexts=3,ic3cfa.extended=on",
    "ic3cfa.query-cache=100,ic3cfa.relate=1,ic3cfa.weaken=0,ic3cfa.core=off,ic3cfa.requeue=off",
    "ic3cfa.split=3,ic3cfa.immediate=on,ic3cfa.semantic-blocking=on",
    "ic3cfa.reuse=off,ic3cfa.requeue=off,ic3cfa.order=random",
    "ic3cfa.nondeterminism=array",
    "ic3cfa.coverage=on,ic3cfa.push=off,ic3cfa.propagate=off",
    "ic3cfa.coverage=off",
};

TEST(CfaFuzz, Ic3cfaAgreesWithExecutionUnderEverySetting) {
  std::vector<std::string> settings(kSettings.begin(), kSettings.end());
  for (const Preset& preset : kIc3cfaPresets)
    settings.push_back(all_settings(kIc3cfaPresets, preset));
  std::size_t safe = 0, unsafe = 0;
  for (std::uint32_t seed = 0; seed < 16; ++seed) {
    RandomCfa each(seed);
    bool reached = each.explore(*each.cfa).error;
    Cfa program = seed % 2 == 0 ? *each.cfa : transform::large_blocks(*each.cfa, 1000).cfa;
    for (const std::string& setting : settings) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + setting);
      ASSERT_EQ(test::Ic3cfaRun(setting).reached(program), reached);
    }
    ++(reached ? unsafe : safe);
  }
  EXPECT_GT(safe, 3U);
  EXPECT_GT(unsafe, 3U);
}

/// Switches that no preset of TreeIC3 sets.
constexpr std::array kTreeSettings = {
    "treeic3.cubes=concrete",
    "treeic3.cubes=ia,treeic3.reuse=off",
    "treeic3.cubes=itp,treeic3.congruences=1",
    "treeic3.cubes=ia,treeic3.congruences=1",
};

TEST(CfaFuzz, TreeIc3AgreesWithExecutionUnderEverySetting) {
  std::vector<std::string_view> settings(kTreeSettings.begin(), kTreeSettings.end());
  for (const Preset& preset : kTreeIc3Info.presets) settings.push_back(preset.settings);
  std::size_t safe = 0, unsafe = 0;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    RandomCfa each(seed);
    bool reached = each.explore(*each.cfa).error;
    Cfa program = seed % 2 == 0 ? *each.cfa : transform::large_blocks(*each.cfa, 1000).cfa;
    for (std::string_view setting : settings) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::string(setting));
      ASSERT_EQ(test::TreeIc3Run(setting).reached(program), reached);
    }
    ++(reached ? unsafe : safe);
  }
  EXPECT_GT(safe, 10U);
  EXPECT_GT(unsafe, 10U);
}

/// Programs without a bound are left open; all else is decided, with evidence that is checked.
TEST(CfaFuzz, BmcAgreesWithExecution) {
  std::size_t safe = 0, unsafe = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomCfa each(seed);
    bool reached = each.explore(*each.cfa).error;
    Cfa program = seed % 2 == 0 ? *each.cfa : transform::large_blocks(*each.cfa, 1000).cfa;
    Options options;
    options.declare(kBmcInfo.options);
    options.declare(smt::kSolverOptions);
    ASSERT_TRUE(options.set_all("bmc.max-depth=12").ok());
    Stats stats;
    Log log;
    Progress progress;
    Problem problem{program, {{"error", ErrorLocation{}}}, {}};
    Verdict verdict = check_one(kBmcInfo, problem, Context{options, stats, log, progress, {}});
    if (std::holds_alternative<Unknown>(verdict)) {
      ASSERT_EQ(verdict, Verdict(Unknown{Reason::BoundReached}));
      ASSERT_FALSE(reached) << "runs are shorter than the bound";
      continue;
    }
    ASSERT_EQ(std::holds_alternative<Unsafe>(verdict), reached);
    Result<check::Certified> certified = check::certify(problem, verdict, {});
    ASSERT_TRUE(certified.ok()) << certified.error().message;
    ASSERT_EQ(certified->verdict(), verdict);
    ++(reached ? unsafe : safe);
  }
  EXPECT_GT(safe, 60U);
  EXPECT_GT(unsafe, 150U);
}

}  // namespace
}  // namespace lem::engine
