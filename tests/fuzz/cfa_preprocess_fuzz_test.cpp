// Random automata: what preprocessing makes of them reaches the error location alike, and evidence
// about the result, brought back, is accepted by the checker on the automaton before.
#include <gtest/gtest.h>

#include <functional>

#include "check/cfa.h"
#include "support/exact_evidence.h"
#include "support/ic3cfa_run.h"
#include "support/random_cfa.h"
#include "transform/cfa/bisimulation.h"
#include "transform/cfa/large_blocks.h"
#include "transform/cfa/preprocess.h"
#include "transform/cfa/propagate.h"
#include "transform/cfa/prune.h"
#include "transform/cfa/ranges.h"
#include "transform/cfa/slice.h"

namespace lem {
namespace {

using test::RandomCfa;

struct Tally {
  std::size_t smaller = 0, proofs = 0, runs = 0;
};

/// The evidence about the reduced automaton, judged on the original.
void check_back(const RandomCfa& each, const Reduction& reduced, const CfaAnswer& answer,
                Tally& tally) {
  tally.smaller += extent(reduced.cfa) != extent(*each.cfa);
  if (const auto* run = std::get_if<CfaTrace>(&answer)) {
    std::optional<CfaTrace> old = reduced.back->trace(*run);
    ASSERT_TRUE(old);
    ASSERT_EQ(check::replay(*each.cfa, *old, {}), std::nullopt);
    ++tally.runs;
  }
  if (const auto* proof = std::get_if<LocationInvariants>(&answer)) {
    LocationInvariants old = reduced.back->invariants(*proof);
    check::TermFinding finding = check::check_invariants(*each.cfa, old, {});
    ASSERT_EQ(finding.holds, check::TermHolds::Yes) << finding.failed;
    ++tally.proofs;
  }
}

struct Step {
  const char* name;
  std::function<Reduction(const Cfa&)> apply;
};

std::ostream& operator<<(std::ostream& out, const Step& step) {
  return out << step.name;
}

Reduction blocks(const Cfa& cfa, std::size_t limit) {
  LargeBlocks made = large_blocks(cfa, limit);
  return {std::move(made.cfa), std::move(made.back)};
}

class EveryStep : public testing::TestWithParam<Step> {};

TEST_P(EveryStep, EvidenceOfIc3cfaComesBack) {
  Tally tally;
  for (std::uint32_t seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomCfa each(seed);
    Reduction reduced = GetParam().apply(*each.cfa);
    CfaAnswer answer = test::Ic3cfaRun().check(reduced.cfa);
    ASSERT_FALSE(std::holds_alternative<Unknown>(answer));
    ASSERT_EQ(std::holds_alternative<CfaTrace>(answer), each.explore(*each.cfa).error);
    check_back(each, reduced, answer, tally);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(tally.proofs, 10U);
  EXPECT_GT(tally.runs, 10U);
  EXPECT_GT(tally.smaller, 5U);
}

TEST_P(EveryStep, ExactEvidenceComesBack) {
  Tally tally;
  for (std::uint32_t seed = 200; seed < 320; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomCfa each(seed);
    Reduction reduced = GetParam().apply(*each.cfa);
    auto found = test::ExactEvidence(each, reduced.cfa).evidence();
    CfaAnswer answer = Unknown{};
    std::visit([&](auto& evidence) { answer = std::move(evidence); }, found);
    check_back(each, reduced, answer, tally);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(tally.proofs, 10U);
  EXPECT_GT(tally.runs, 10U);
}

TEST_P(EveryStep, TheErrorIsReachedAlike) {
  for (std::uint32_t seed = 1000; seed < 1400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomCfa each(seed);
    Reduction reduced = GetParam().apply(*each.cfa);
    ASSERT_EQ(each.explore(reduced.cfa).error, each.explore(*each.cfa).error);
  }
}

INSTANTIATE_TEST_SUITE_P(
    CfaPreprocessFuzz, EveryStep,
    testing::Values(Step{"Prune", prune}, Step{"Slice", slice},
                    Step{"Propagate", [](const Cfa& cfa) { return propagate(cfa); }},
                    Step{"Ranges", ranges}, Step{"Bisimulation", bisimulation},
                    Step{"SmallBlocks", [](const Cfa& cfa) { return blocks(cfa, 6); }},
                    Step{"Blocks", [](const Cfa& cfa) { return blocks(cfa, 1000); }},
                    Step{"All", [](const Cfa& cfa) { return preprocess(cfa, {}); }},
                    Step{"WithoutBlocks",
                         [](const Cfa& cfa) {
                           PreprocessOptions options;
                           options.block_size = 0;
                           return preprocess(cfa, options);
                         }}),
    [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace lem
