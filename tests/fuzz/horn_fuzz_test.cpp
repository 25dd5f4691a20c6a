// Random nonlinear Horn systems over few values against a fixpoint by enumeration: the engine's
// verdict through all transforms, its evidence back on the system as it was made, and certified.
#include <gtest/gtest.h>

#include "check/certify.h"
#include "engine/registry.h"
#include "run/selection.h"
#include "support/small_horn.h"
#include "transform/transform.h"

namespace lem {
namespace {

class HornFuzz : public testing::TestWithParam<std::uint64_t> {};

TEST_P(HornFuzz, VerdictsAreTheTruth) {
  Problem problem = test::horn_problem(test::random_horn(GetParam()));
  bool unsafe = test::has_derivation(problem.horn());
  for (const char* settings : {"", "spacer.interpolate=off,spacer.premise=last", "spacer.drop=off",
                               "transform.horn-inline=off", "transform.horn-slice=off"}) {
    SCOPED_TRACE(settings);
    Options options = run::declared_options();
    ASSERT_TRUE(options.set_all(settings).ok());
    Stats stats;
    Log log;
    Progress progress;
    Context ctx{options, stats, log, progress, {}};
    transform::Pipeline pipeline(problem, ctx, Rung::Horn);
    ASSERT_EQ(pipeline.obstacle(), "");
    Verdict verdict =
        pipeline.back(engine::check_one(engine::kSpacerInfo, pipeline.problem(), ctx));
    ASSERT_FALSE(std::holds_alternative<Unknown>(verdict));
    EXPECT_EQ(std::holds_alternative<Unsafe>(verdict), unsafe);
    Result<check::Certified> certified = check::certify(problem, verdict, {});
    ASSERT_TRUE(certified.ok()) << certified.error().message;
    EXPECT_EQ(certified->verdict().index(), verdict.index());
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, HornFuzz, testing::Range<std::uint64_t>(1000, 1080));

}  // namespace
}  // namespace lem
