// The running example of [Komuravelli14]: three procedures, one of them recursive; the summary of
// the recursive one, 2 * out <= in, is what the proof needs.
#include <gtest/gtest.h>

#include "check/certify.h"
#include "check/horn.h"
#include "engine/registry.h"
#include "run/selection.h"
#include "support/small_horn.h"

namespace lem {
namespace {

Verdict check(const Problem& problem) {
  Options options = run::declared_options();
  Stats stats;
  Log log;
  Progress progress;
  Context ctx{options, stats, log, progress, {}};
  return engine::check_one(engine::kSpacerInfo, problem, ctx);
}

TEST(SpacerExample, SummaryOfTheRecursiveProcedureIsFound) {
  Problem problem = test::horn_problem(test::procedures(true).system);
  Verdict verdict = check(problem);
  ASSERT_TRUE(std::holds_alternative<Safe>(verdict));
  const auto& claim = std::get<Interpretation>(std::get<Safe>(verdict).certificate);
  const HornSystem& system = problem.horn();
  EXPECT_EQ(check::check_interpretation(system, claim, {}).holds, check::TermHolds::Yes);
  // What was found of T excludes out = in for positive numbers.
  TermStore& t = *system.terms;
  const PredicateMeaning& of_t = claim.of[1];
  TermMap values{{of_t.params[0], t.integer(4)}, {of_t.params[1], t.integer(4)}};
  EXPECT_TRUE(t.is_false(evaluate(t, of_t.formula, values)));
}

TEST(SpacerExample, ADerivationOfTheFalseVariantIsFound) {
  Problem problem = test::horn_problem(test::procedures(false).system);
  Verdict verdict = check(problem);
  ASSERT_TRUE(std::holds_alternative<Unsafe>(verdict));
  const auto& run = std::get<Derivation>(std::get<Unsafe>(verdict).run);
  EXPECT_EQ(check::replay(problem.horn(), run), std::nullopt);
  EXPECT_GE(run.steps.size(), 5U);  // the query, M, T, and D twice
}

}  // namespace
}  // namespace lem
