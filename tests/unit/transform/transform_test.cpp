// Every transform on bits alone and the whole pipeline on random problems, against explicit-state
// search: the verdict stays, and evidence for the transformed problem is evidence for the original.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "check/certify.h"
#include "support/explicit.h"
#include "support/random_aig.h"
#include "transform/transform.h"
#include "unit/transform/setup.h"

namespace lem::transform {
namespace {

constexpr std::uint64_t kProblems = 300;

/// Few inputs: a transform may double them, and explicit search takes six.
Problem small_problem(std::uint64_t seed, std::uint32_t max_latches = 10) {
  test::RandomAigParams params = test::varied_params(seed);
  params.latches = std::min(params.latches, max_latches);
  params.inputs = std::min(params.inputs, 3U);
  return test::random_problem(seed, params);
}

std::vector<std::vector<std::string_view>> configurations() {
  std::vector<std::vector<std::string_view>> all;
  for (const TransformInfo& info : all_transforms())
    if (info.stage == Stage::Bits) all.push_back({info.id});
  all.push_back({"coi", "ternary", "latches", "sweep"});
  all.push_back({"coi", "ternary", "latches", "sweep", "fold"});
  return all;
}

class EveryTransform : public testing::TestWithParam<std::vector<std::string_view>> {};

TEST_P(EveryTransform, KeepsTheVerdictAndTracesComeBack) {
  TransformSetup setup(GetParam());
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    Problem original = small_problem(seed);
    Pipeline pipeline(original, setup.context());
    test::ExplicitResult truth = test::explore(original);
    test::ExplicitResult after = test::explore(pipeline.problem());
    ASSERT_EQ(truth.safe(), after.safe()) << "seed " << seed;
    if (truth.safe()) continue;
    Verdict back = pipeline.back(Unsafe{*after.trace});
    EXPECT_EQ(run_as<Trace>(back).inputs.size(), truth.trace->inputs.size());
    ASSERT_TRUE(test::evidence_holds(original, back)) << "seed " << seed;
    EXPECT_TRUE(check::certify(original, back, {}).ok()) << "seed " << seed;
  }
}

TEST_P(EveryTransform, InvariantsComeBack) {
  TransformSetup setup(GetParam());
  std::size_t safe = 0;
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    Problem original = small_problem(seed);
    Pipeline pipeline(original, setup.context());
    test::ExplicitResult after = test::explore(pipeline.problem());
    if (!after.safe()) continue;
    ++safe;
    InductiveInvariant invariant = test::reachable_as_clauses(pipeline.problem(), after);
    ASSERT_TRUE(test::is_inductive(pipeline.problem(), invariant)) << "seed " << seed;
    Verdict back = pipeline.back(Safe{invariant});
    ASSERT_TRUE(test::evidence_holds(original, back)) << "seed " << seed;
    EXPECT_TRUE(check::certify(original, back, {}).ok()) << "seed " << seed;
  }
  EXPECT_GT(safe, kProblems / 4);
}

/// Clauses over gates and inputs, as another transform down the line would find them.
std::vector<SignalClause> inductive_signal_clauses(const Problem& problem) {
  std::vector<SignalClause> kept;
  const Aig& aig = problem.aig();
  for (std::uint32_t var = aig.first_and(); var < aig.num_vars(); ++var)
    for (bool sign : {false, true}) {
      kept.push_back({AigLit(var, sign), AigLit(1 + var % (aig.num_vars() - 1), !sign)});
      if (!test::is_inductive(problem, {kept})) kept.pop_back();
    }
  return kept;
}

TEST_P(EveryTransform, ClausesOverGatesComeBack) {
  TransformSetup setup(GetParam());
  std::size_t clauses = 0;
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    Problem original = small_problem(seed);
    Pipeline pipeline(original, setup.context());
    if (!test::is_inductive(pipeline.problem(), {})) continue;
    InductiveInvariant invariant{inductive_signal_clauses(pipeline.problem())};
    clauses += invariant.clauses.size();
    Verdict back = pipeline.back(Safe{invariant});
    ASSERT_TRUE(test::evidence_holds(original, back)) << "seed " << seed;
    EXPECT_TRUE(check::certify(original, back, {}).ok()) << "seed " << seed;
  }
  EXPECT_GT(clauses, 0U);
}

TEST_P(EveryTransform, KInductiveProofsComeBack) {
  TransformSetup setup(GetParam());
  std::size_t proofs = 0;
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    Problem original = small_problem(seed);
    Pipeline pipeline(original, setup.context());
    for (std::uint32_t k = 1; k <= 4; ++k) {
      KInductive proof{k, SimplePath::No, {}};
      if (!test::is_k_inductive(pipeline.problem(), proof)) continue;
      Verdict back = pipeline.back(Safe{proof});
      ASSERT_TRUE(test::evidence_holds(original, back)) << "seed " << seed << " k " << k;
      EXPECT_TRUE(check::certify(original, back, {}).ok()) << "seed " << seed << " k " << k;
      proofs += k > 1 ? 1 : 0;
    }
  }
  EXPECT_GT(proofs, kProblems / 8);
}

/// Where latches are lost a proof over simple paths may be, too; it must not come back wrong.
TEST_P(EveryTransform, SimplePathProofsComeBackOrAreGivenUp) {
  TransformSetup setup(GetParam());
  std::size_t carried = 0;
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    Problem original = small_problem(seed, 5);
    Pipeline pipeline(original, setup.context());
    for (std::uint32_t k = 2; k <= 4; ++k) {
      KInductive proof{k, SimplePath::Yes, {}};
      if (!test::is_k_inductive(pipeline.problem(), proof)) continue;
      Verdict back = pipeline.back(Safe{proof});
      if (std::holds_alternative<Unknown>(back)) continue;
      ++carried;
      EXPECT_TRUE(check::certify(original, back, {}).ok()) << "seed " << seed << " k " << k;
    }
  }
  EXPECT_GT(carried, kProblems / 8);
}

INSTANTIATE_TEST_SUITE_P(Configurations, EveryTransform, testing::ValuesIn(configurations()),
                         [](const auto& param) {
                           std::string name;
                           for (std::string_view id : param.param) name += std::string(id) + "_";
                           name.pop_back();
                           return name;
                         });

}  // namespace
}  // namespace lem::transform
