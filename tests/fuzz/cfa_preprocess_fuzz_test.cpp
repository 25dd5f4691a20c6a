// Random automata: what preprocessing makes of them reaches the error location alike, and evidence
// about the result, brought back, is accepted by the checker on the automaton before.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>
#include <random>

#include "check/cfa.h"
#include "support/cfa_pipeline.h"
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
#include "transform/cfa/values.h"

namespace lem {
namespace {

using test::RandomCfa;

struct Tally {
  std::size_t smaller = 0, proofs = 0, runs = 0;
};

/// The evidence about the reduced automaton, judged on the original.
void check_back(const RandomCfa& each, const transform::Reduction& reduced,
                const engine::CfaAnswer& answer, Tally& tally) {
  tally.smaller += transform::extent(reduced.cfa) != transform::extent(*each.cfa);
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
  std::function<transform::Reduction(const Cfa&)> apply;
};

std::ostream& operator<<(std::ostream& out, const Step& step) {
  return out << step.name;
}

transform::Reduction blocks(const Cfa& cfa, std::size_t limit) {
  transform::LargeBlocks made = transform::large_blocks(cfa, limit);
  return {std::move(made.cfa), std::move(made.back)};
}

/// The others execute the reduced automaton on the variables of the old one.
constexpr std::string_view kSameVariables = "transform.cfa-values=off";

class EveryStep : public testing::TestWithParam<Step> {};

TEST_P(EveryStep, EvidenceOfIc3cfaComesBack) {
  Tally tally;
  for (std::uint32_t seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomCfa each(seed);
    transform::Reduction reduced = GetParam().apply(*each.cfa);
    engine::CfaAnswer answer = test::Ic3cfaRun().check(reduced.cfa);
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
    transform::Reduction reduced = GetParam().apply(*each.cfa);
    auto found = test::ExactEvidence(each, reduced.cfa).evidence();
    engine::CfaAnswer answer = Unknown{};
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
    transform::Reduction reduced = GetParam().apply(*each.cfa);
    ASSERT_EQ(each.explore(reduced.cfa).error, each.explore(*each.cfa).error);
  }
}

/// Control code over 4-bit variables: copies, constants, choices, comparisons in both orders, and
/// now and then what keeps a class from being renumbered.
class ControlCode {
 public:
  explicit ControlCode(std::uint32_t seed) : random_(seed) {
    for (const char* name : {"a", "b", "c"})
      variables_.push_back(builder_.add_variable(name, t_.bv_sort(4)));
    for (std::uint32_t& each : constants_) each = below(16);
    std::vector<LocationId> at;
    for (int i = 0; i < 5; ++i) at.push_back(builder_.add_location("l" + std::to_string(i)));
    builder_.set_initial(at[0]);
    builder_.set_error(at[4]);
    for (int i = 0; i < 9; ++i)
      builder_.add_edge(at[i < 4 ? i : below(4)], block(), at[i < 4 ? i + 1 : 1 + below(3)]);
  }
  Cfa cfa() && {
    auto made = std::move(builder_).freeze();
    EXPECT_TRUE(made.ok());
    return std::move(*made);
  }

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  Term variable() { return variables_[below(3)]; }
  Term constant() { return t_.bv(constants_[below(3)], 4); }
  Term atom() {
    switch (below(8)) {
      case 0:
        return t_.make(Op::BvUlt, {variable(), constant()});
      case 1:
        return t_.make(Op::BvUlt, {constant(), variable()});
      case 2:
        return t_.make(Op::BvSlt, {variable(), constant()});
      case 3:
        return t_.make(Op::BvSlt, {constant(), variable()});
      default:
        return t_.make_eq(variable(), constant());
    }
  }
  Term guard() {
    switch (below(4)) {
      case 0:
        return t_.make_and(atom(), t_.make_not(atom()));
      case 1:
        return t_.make_or(atom(), atom());
      default:
        return below(2) == 0 ? atom() : t_.make_not(atom());
    }
  }
  Command statement() {
    switch (below(12)) {
      case 0:
        return Command::havoc(variable());
      case 1:
      case 2:
        return Command::assign(variable(), variable());
      case 3:
        return Command::assign(variable(), t_.make_ite(atom(), constant(), variable()));
      case 4:
        return below(4) != 0
                   ? Command::skip()
                   : Command::assign(variable(), t_.make(Op::BvAdd, {variable(), constant()}));
      case 5:
      case 6:
      case 7:
        return Command::assign(variable(), constant());
      default:
        return Command::assume(guard());
    }
  }
  Command block() {
    Command choice = Command::choice({statement(), statement()});
    return Command::sequence({statement(), choice, Command::assume(guard()), statement()});
  }

  std::mt19937 random_;
  std::shared_ptr<TermStore> store_ = std::make_shared<TermStore>();
  TermStore& t_ = *store_;
  CfaBuilder builder_{store_};
  std::vector<Term> variables_;
  std::array<std::uint32_t, 3> constants_{};  // few, so that there are intervals to renumber
};

TEST(CfaPreprocessFuzz, RenumberedValuesBehaveAlike) {
  std::size_t smaller = 0, proofs = 0, runs = 0;
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Cfa cfa = ControlCode(seed).cfa();
    transform::Reduction reduced = transform::values(cfa);
    for (std::size_t i = 0; i < 3; ++i) smaller += cfa.variables()[i] != reduced.cfa.variables()[i];
    engine::CfaAnswer truth = test::Ic3cfaRun().check(cfa),
                      answer = test::Ic3cfaRun().check(reduced.cfa);
    ASSERT_EQ(truth.index(), answer.index());
    if (const auto* run = std::get_if<CfaTrace>(&answer)) {
      std::optional<CfaTrace> old = reduced.back->trace(*run);
      ASSERT_TRUE(old);
      ASSERT_EQ(check::replay(cfa, *old, {}), std::nullopt);
      ++runs;
    }
    if (const auto* proof = std::get_if<LocationInvariants>(&answer)) {
      check::TermFinding finding =
          check::check_invariants(cfa, reduced.back->invariants(*proof), {});
      ASSERT_EQ(finding.holds, check::TermHolds::Yes) << finding.failed;
      ++proofs;
    }
  }
  EXPECT_GT(smaller, 60U);
  EXPECT_GT(proofs, 15U);
  EXPECT_GT(runs, 15U);
}

INSTANTIATE_TEST_SUITE_P(
    CfaPreprocessFuzz, EveryStep,
    testing::Values(Step{"Prune", transform::prune}, Step{"Slice", transform::slice},
                    Step{"Propagate", [](const Cfa& cfa) { return transform::propagate(cfa); }},
                    Step{"Ranges", transform::ranges},
                    Step{"Bisimulation", transform::bisimulation},
                    Step{"SmallBlocks", [](const Cfa& cfa) { return blocks(cfa, 6); }},
                    Step{"Blocks", [](const Cfa& cfa) { return blocks(cfa, 1000); }},
                    Step{"All",
                         [](const Cfa& cfa) { return test::preprocessed(cfa, kSameVariables); }},
                    Step{"WithoutBlocks",
                         [](const Cfa& cfa) {
                           return test::preprocessed(
                               cfa, std::string(kSameVariables) + ",transform.cfa-blocks=off");
                         }}),
    [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace lem
