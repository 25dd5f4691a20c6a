#include "app/request.h"

#include <gtest/gtest.h>

#include <set>

#include "app/lists.h"
#include "transform/transform.h"

namespace lem {
namespace {

TEST(Registry, EnginesHaveDistinctNamesAndWorkingPresets) {
  std::set<std::string_view> ids;
  for (const EngineInfo& engine : all_engines()) {
    EXPECT_TRUE(ids.insert(engine.id).second) << engine.id;
    EXPECT_EQ(find_engine(engine.id), &engine);
    EXPECT_FALSE(engine.help.empty()) << engine.id;
    EXPECT_NE(engine.make(), nullptr) << engine.id;
    for (const Preset& preset : engine.presets) {
      Options options = declared_options();
      EXPECT_TRUE(options.set_all(preset.settings).ok()) << engine.id << ":" << preset.name;
    }
  }
  EXPECT_EQ(find_engine("no such engine"), nullptr);
}

TEST(Registry, EveryOptionIsWithinItsRangeAndListed) {
  std::string list = list_options();
  for (const OptionRow& row : declared_options().rows()) {
    EXPECT_LE(row.min, row.fallback) << row.name;
    EXPECT_LE(row.fallback, row.max) << row.name;
    EXPECT_FALSE(row.help.empty()) << row.name;
    EXPECT_NE(list.find(std::string(row.name) + "="), std::string::npos) << row.name;
  }
}

TEST(PlanRun, PresetComesBeforeSettings) {
  CheckRequest request;
  request.engine = "ic3:pdr";
  Result<Plan> plan = plan_run(request);
  ASSERT_TRUE(plan.ok());
  EXPECT_FALSE(plan->options.on("ic3.infinity"));
  request.settings = {"ic3.infinity=on"};
  EXPECT_TRUE(plan_run(request)->options.on("ic3.infinity"));
}

TEST(PlanRun, WrongRequestsAreUsageErrors) {
  for (std::string_view engine : {"", "magic", "ic3:", "ic3:magic", ":pdr"}) {
    CheckRequest request;
    request.engine = engine;
    Result<Plan> plan = plan_run(request);
    ASSERT_FALSE(plan.ok()) << engine;
    EXPECT_EQ(plan.error().kind, ErrorKind::Usage);
  }
  CheckRequest folder;
  folder.outputs.json = testing::TempDir();
  EXPECT_FALSE(plan_run(folder).ok());
}

}  // namespace
}  // namespace lem
