#include "app/check/request.h"

#include <gtest/gtest.h>

#include <set>

#include "app/lists.h"
#include "transform/transform.h"

namespace lem::app {
namespace {

using run::all_selectable;
using run::declared_options;
using run::find_selectable;
using run::Selectable;

TEST(Selection, NamesAreDistinctAndPresetsWork) {
  std::set<std::string_view> ids;
  for (const Selectable& each : all_selectable()) {
    EXPECT_TRUE(ids.insert(each.id).second) << each.id;
    EXPECT_EQ(find_selectable(each.id), &each);
    EXPECT_FALSE(each.help.empty()) << each.id;
    EXPECT_EQ(each.engine, engine::find_engine(each.id)) << each.id;
    if (each.engine != nullptr) {
      EXPECT_NE(each.engine->check, nullptr) << each.id;
    }
    for (const engine::Preset& preset : each.presets) {
      Options options = declared_options();
      EXPECT_TRUE(options.set_all(all_settings(each.presets, preset)).ok())
          << each.id << ":" << preset.name;
    }
  }
  EXPECT_EQ(find_selectable("no such engine"), nullptr);
  ASSERT_NE(find_selectable("auto"), nullptr);
  EXPECT_EQ(find_selectable("auto")->engine, nullptr);
  EXPECT_EQ(find_selectable("portfolio"), nullptr);  // the command line alone knows that name
}

TEST(Selection, EveryOptionIsWithinItsRangeAndListed) {
  std::string list = list_options();
  for (const OptionRow& row : declared_options().rows()) {
    EXPECT_LE(row.min, row.fallback) << row.name;
    EXPECT_LE(row.fallback, row.max) << row.name;
    EXPECT_FALSE(row.help.empty()) << row.name;
    EXPECT_NE(list.find(std::string(row.name) + "="), std::string::npos) << row.name;
  }
}

TEST(PlanRun, APresetSetsWhatItExtendsFirst) {
  CheckRequest request;
  request.engine = "ic3cfa:P";  // extends O, L, K, H and A
  Result<Plan> plan = plan_run(request);
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->options.get("ic3cfa.split"), 64) << "A";
  EXPECT_TRUE(plan->options.on("ic3cfa.reuse")) << "H, against A";
  EXPECT_EQ(plan->options.get("ic3cfa.contexts"), 10000) << "K";
  EXPECT_TRUE(plan->options.on("ic3cfa.wep")) << "O, against A";
  EXPECT_TRUE(plan->options.on("ic3cfa.interpolate")) << "P";
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
}  // namespace lem::app
