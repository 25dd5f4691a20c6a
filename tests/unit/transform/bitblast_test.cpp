// Lowering to bits: verdicts stay, traces and proofs come back as evidence for the system.
#include "transform/bitblast/bitblast.h"

#include <gtest/gtest.h>

#include "check/terms.h"
#include "support/explicit.h"
#include "support/explicit_terms.h"
#include "support/random_system.h"
#include "transform/passes.h"

namespace lem::transform {
namespace {

/// Counts the safe and the unsafe ones, so that a test can say that there were both.
struct Seen {
  int safe = 0;
  int unsafe = 0;
};

void expect_evidence_comes_back(const Problem& problem, const std::string& what, Seen& seen) {
  Blasted lowered = lower_to_bits(problem);
  auto back = make_lifting(problem, lowered);
  test::ExplicitResult found = test::explore(lowered.problem);
  bool safe = !test::explore_terms(problem).trace.has_value();
  ASSERT_EQ(found.safe(), safe) << what;
  ++(safe ? seen.safe : seen.unsafe);
  const TransitionSystem& system = problem.system();
  Term bad = problem.property().bad_term();
  if (!safe) {
    auto run = std::get<TermTrace>(*back->run(*found.trace));
    auto wrong = check::replay(system, bad, run);
    EXPECT_FALSE(wrong.has_value()) << what << ": " << *wrong;
    return;
  }
  auto proof = back->certificate(test::reachable_as_clauses(lowered.problem, found));
  ASSERT_TRUE(proof.has_value()) << what;
  auto claim = std::get<TermInvariant>(*proof);
  EXPECT_TRUE(check::is_over_step(system, claim.invariant)) << what;
  check::TermFinding finding = check::check_induction(system, bad, claim, {});
  EXPECT_EQ(finding.holds, check::TermHolds::Yes) << what << ": " << finding.failed;
}

TEST(Bitblast, FunctionalSystemsKeepTheirVerdict) {
  Seen seen;
  for (std::uint64_t seed = 0; seed < 120; ++seed)
    expect_evidence_comes_back(test::random_system(seed), "seed " + std::to_string(seed), seen);
  EXPECT_GT(seen.safe, 20);
  EXPECT_GT(seen.unsafe, 20);
}

TEST(Bitblast, RelationalSystemsKeepTheirVerdict) {
  Seen seen;
  test::RandomSystemParams params{.inputs = 1, .max_width = 1, .relations = true};
  for (std::uint64_t seed = 0; seed < 120; ++seed)
    expect_evidence_comes_back(test::random_system(seed, params), "seed " + std::to_string(seed),
                               seen);
  EXPECT_GT(seen.safe, 20);
  EXPECT_GT(seen.unsafe, 20);
}

/// x = 0 and then x' = 1 needs an input that is never there: x = 1 is bad, but x = 0 has no
/// successor at all; x = 0 being bad is a violation all the same.
TEST(Bitblast, TheLastStepNeedsNoSuccessor) {
  auto store = std::make_shared<TermStore>();
  TransitionSystemBuilder builder(store);
  Term x = builder.add_state("x", store->bool_sort());
  builder.set_init(x, store->boolean(false));
  builder.add_trans(store->boolean(false));
  auto system = std::move(builder).freeze();
  ASSERT_TRUE(system.ok());
  Problem problem;
  problem.model = *system;
  problem.properties = {{"stuck", store->make_not(x), "b0"}};
  EXPECT_FALSE(test::explore(lower_to_bits(problem).problem).safe());
  problem.properties = {{"moved", x, "b0"}};
  EXPECT_TRUE(test::explore(lower_to_bits(problem).problem).safe());
}

/// Clauses that define a gate hold whatever happens, if the terms they come back as mean the gate.
TEST(Bitblast, GatesComeBackAsWhatTheyCompute) {
  std::size_t gates = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Problem problem = test::random_system(seed);
    if (test::explore_terms(problem).trace) continue;
    Blasted lowered = lower_to_bits(problem);
    const Aig& aig = lowered.problem.aig();
    auto proof = test::reachable_as_clauses(lowered.problem, test::explore(lowered.problem));
    for (std::uint32_t var = aig.first_and(); var < aig.num_vars(); ++var, ++gates) {
      AigLit gate(var, false);
      auto [left, right] = aig.gate_of(var);
      for (const SignalClause& clause : {SignalClause{!gate, left}, SignalClause{!gate, right},
                                         SignalClause{gate, !left, !right}})
        proof.clauses.push_back(clause);
    }
    auto back = make_lifting(problem, lowered)->certificate(proof);
    ASSERT_TRUE(back.has_value());
    check::TermFinding finding = check::check_induction(
        problem.system(), problem.property().bad_term(), std::get<TermInvariant>(*back), {});
    EXPECT_EQ(finding.holds, check::TermHolds::Yes) << "seed " << seed << ": " << finding.failed;
  }
  EXPECT_GT(gates, 100U);
}

TEST(Bitblast, LatchesAreNamedAfterTheirBits) {
  auto store = std::make_shared<TermStore>();
  TransitionSystemBuilder builder(store);
  Term x = builder.add_state("x", store->bv_sort(2));
  builder.add_state("flag", store->bool_sort());
  builder.add_input("go", store->bv_sort(1));
  builder.set_init(x, store->bv(2, 2));
  auto system = std::move(builder).freeze();
  ASSERT_TRUE(system.ok());
  Problem problem;
  problem.model = *system;
  problem.properties = {{"b0", store->make_eq(x, store->bv(3, 2)), "b0"}};
  Problem bits = lower_to_bits(problem).problem;
  EXPECT_EQ(bits.source.latch_names, (std::vector<std::string>{"x[0]", "x[1]", "flag"}));
  EXPECT_EQ(bits.source.input_names.front(), "go");
  EXPECT_EQ(bits.aig().latches()[0].reset, Reset::Zero);
  EXPECT_EQ(bits.aig().latches()[1].reset, Reset::One);
  EXPECT_EQ(bits.aig().latches()[2].reset, Reset::Free);
}

TEST(Bitblast, SaysWhatHasNoBits) {
  auto store = std::make_shared<TermStore>();
  TransitionSystemBuilder builder(store);
  builder.add_state("count", store->int_sort());
  auto system = std::move(builder).freeze();
  ASSERT_TRUE(system.ok());
  Problem problem;
  problem.model = *system;
  EXPECT_EQ(why_no_bits(problem), "the model has integers");
}

TEST(Bitblast, SaysThatAPropertyHasNoBits) {
  auto store = std::make_shared<TermStore>();
  TransitionSystemBuilder builder(store);
  Term x = builder.add_state("x", store->bool_sort());
  Term y = builder.add_state("y", store->bool_sort());
  auto system = std::move(builder).freeze();
  ASSERT_TRUE(system.ok());
  Problem problem;
  problem.model = *system;
  problem.properties = {{"p", store->make_and(x, y), "b0"}};
  EXPECT_EQ(why_no_bits(problem), "");
  auto choice = [&](Term c) { return store->make_ite(c, store->integer(1), store->integer(5)); };
  Term sum = store->make_add(choice(x), choice(y));
  Term rest = store->make(Op::IntMod, {sum, store->integer(3)});
  problem.properties.push_back({"q", store->make_eq(rest, store->integer(0)), "b1"});
  EXPECT_EQ(why_no_bits(problem), "the model has integers");
}

}  // namespace
}  // namespace lem::transform
