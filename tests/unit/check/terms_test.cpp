// Evidence about transition systems: accepted exactly when it is good.
#include "check/terms.h"

#include <gtest/gtest.h>

#include "check/certify.h"
#include "support/explicit_terms.h"
#include "support/random_system.h"

namespace lem::check {
namespace {

/// x counts from 0 by the input, which must not be negative; bad below 0.
class Counter : public testing::Test {
 protected:
  Counter() {
    TransitionSystemBuilder builder(store_);
    x_ = builder.add_state("x", t.int_sort());
    by_ = builder.add_input("by", t.int_sort());
    builder.set_init(x_, t.integer(0));
    builder.set_update(x_, t.make_add(x_, by_));
    builder.add_constraint(t.make_le(t.integer(0), by_));
    auto system = std::move(builder).freeze();
    EXPECT_TRUE(system.ok());
    problem_ = {std::move(*system), {{"bad", t.make_lt(x_, t.integer(0))}}, {}};
  }
  const TransitionSystem& system() const { return problem_.system(); }
  Term bad() const { return problem_.property().bad_term(); }
  TermFinding check(Term invariant, std::uint32_t k = 1, SimplePath simple = SimplePath::No) {
    return check_induction(system(), bad(), {invariant, k, simple}, {});
  }
  TermTrace trace(std::initializer_list<std::pair<int, int>> steps) {
    TermTrace made;
    for (auto [x, by] : steps) made.steps.push_back({{t.integer(x)}, {t.integer(by)}});
    return made;
  }

  std::shared_ptr<TermStore> store_ = std::make_shared<TermStore>();
  TermStore& t = *store_;
  Term x_, by_;
  Problem problem_;
};

TEST_F(Counter, InvariantsAreCheckedByTheirObligations) {
  EXPECT_EQ(check(t.boolean(true)).holds, TermHolds::Yes);
  EXPECT_EQ(check(t.make_le(t.integer(-5), x_)).holds, TermHolds::Yes);
  TermFinding initiation = check(t.make_le(t.integer(1), x_));
  EXPECT_EQ(initiation.holds, TermHolds::No);
  EXPECT_EQ(initiation.failed, "initiation");
  TermFinding consecution = check(t.make_le(x_, t.integer(7)));
  EXPECT_EQ(consecution.holds, TermHolds::No);
  EXPECT_EQ(consecution.failed, "consecution");
}

TEST_F(Counter, InvariantsMaySpeakOfInputs) {
  EXPECT_EQ(check(t.make_le(t.integer(0), by_)).holds, TermHolds::Yes);
  EXPECT_TRUE(is_over_step(system(), t.make_le(x_, by_)));
  EXPECT_FALSE(is_over_step(system(), t.variable("stranger", t.bool_sort())));
  EXPECT_FALSE(is_over_step(system(), t.make_le(system().states()[0].next, t.integer(0))));
}

TEST_F(Counter, StoppedChecksSaySo) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(check_induction(system(), bad(), {t.boolean(true)}, stop.get_token()).holds,
            TermHolds::Stopped);
}

TEST_F(Counter, TracesAreReplayed) {
  Term above = t.make_le(t.integer(3), x_);
  auto replay = [&](const TermTrace& run) { return check::replay(system(), above, run); };
  EXPECT_FALSE(replay(trace({{0, 2}, {2, 1}, {3, 0}})).has_value());
  EXPECT_FALSE(replay(trace({{0, 3}, {3, 9}})).has_value());
  EXPECT_TRUE(replay(trace({})).has_value()) << "no steps";
  EXPECT_TRUE(replay(trace({{1, 2}, {3, 0}})).has_value()) << "not initial";
  EXPECT_TRUE(replay(trace({{0, 2}, {3, 0}})).has_value()) << "not a transition";
  EXPECT_TRUE(replay(trace({{0, 3}, {3, -1}})).has_value()) << "the constraint at the last step";
  EXPECT_TRUE(replay(trace({{0, 1}, {1, 0}})).has_value()) << "not bad";
  TermTrace other = trace({{0, 3}, {3, 0}});
  other.steps[1].states[0] = t.real(3);
  EXPECT_TRUE(replay(other).has_value()) << "another sort";
  other.steps[1].states[0] = x_;
  EXPECT_TRUE(replay(other).has_value()) << "no value";
  other.steps[1].states.clear();
  EXPECT_TRUE(replay(other).has_value()) << "too few values";
}

/// a, b, c pass a token: 2-inductive claims need two steps, and k counts.
TEST(CheckInduction, KnowsKInductionAndSimplePaths) {
  auto store = std::make_shared<TermStore>();
  TermStore& t = *store;
  TransitionSystemBuilder builder(store);
  Term n = builder.add_state("n", t.bv_sort(3));
  builder.set_init(n, t.bv(0, 3));
  // 0 -> 1 -> 0; unreachable: 2 -> 3 -> 4 (bad); 5 loops until the input lets it go to 4.
  Term go = builder.add_input("go", t.bool_sort());
  auto is = [&](unsigned value) { return t.make_eq(n, t.bv(value, 3)); };
  auto word = [&](unsigned value) { return t.bv(value, 3); };
  Term next = t.make_ite(is(0), word(1), word(0));
  next = t.make_ite(is(2), word(3), next);
  next = t.make_ite(is(3), word(4), next);
  next = t.make_ite(is(5), t.make_ite(go, word(4), word(5)), next);
  builder.set_update(n, next);
  auto system = std::move(builder).freeze();
  ASSERT_TRUE(system.ok());
  auto holds = [&](Term invariant, std::uint32_t k, SimplePath simple) {
    return check_induction(*system, is(4), {invariant, k, simple}, {}).holds == TermHolds::Yes;
  };
  Term not_5 = t.make_not(is(5));
  Term small = t.make(Op::BvUlt, {n, word(5)});
  EXPECT_FALSE(holds(small, 1, SimplePath::No));
  EXPECT_FALSE(holds(small, 2, SimplePath::No));
  EXPECT_TRUE(holds(small, 3, SimplePath::No));
  EXPECT_FALSE(holds(t.boolean(true), 3, SimplePath::No)) << "5 loops as long as it likes";
  EXPECT_TRUE(holds(t.boolean(true), 3, SimplePath::Yes));
  EXPECT_TRUE(holds(not_5, 3, SimplePath::No));
}

/// 0 -> 1 -> 2 -> 2, bad at 1: no state comes before 0, so that the step holds for k = 2 and only
/// the second step of the base case says no.
TEST(CheckInduction, ChecksEveryStepOfTheBaseCase) {
  auto store = std::make_shared<TermStore>();
  TermStore& t = *store;
  TransitionSystemBuilder builder(store);
  Term n = builder.add_state("n", t.int_sort());
  builder.set_init(n, t.integer(0));
  builder.set_update(n, t.make_ite(t.make_eq(n, t.integer(0)), t.integer(1), t.integer(2)));
  auto system = std::move(builder).freeze();
  ASSERT_TRUE(system.ok());
  Term bad = t.make_eq(n, t.integer(1));
  for (std::uint32_t k : {2U, 3U}) {
    TermFinding finding = check_induction(*system, bad, {t.boolean(true), k, SimplePath::No}, {});
    EXPECT_EQ(finding.holds, TermHolds::No) << k;
    EXPECT_EQ(finding.failed, "the base case") << k;
  }
  Problem problem{std::move(*system), {{"bad", bad}}, {}};
  EXPECT_FALSE(certify(problem, Safe{TermInvariant{t.boolean(true), 2, SimplePath::No}}, {}).ok());
}

TEST(CertifyTerms, AcceptsExactlyTheTruth) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    test::RandomSystemParams params;
    params.relations = seed % 2 == 1;
    params.arrays = seed % 5 == 0;
    Problem problem = test::random_system(seed, params);
    test::ExplicitTerms truth = test::explore_terms(problem);
    SCOPED_TRACE("seed " + std::to_string(seed));
    EXPECT_TRUE(certify(problem, truth.verdict(), {}).ok());
    TermStore& terms = problem.system().terms();
    if (truth.trace) {
      TermTrace shorter = *truth.trace;
      shorter.steps.pop_back();
      EXPECT_FALSE(certify(problem, Unsafe{shorter}, {}).ok()) << "the trace was a shortest one";
      EXPECT_FALSE(certify(problem, Safe{TermInvariant{truth.reachable}}, {}).ok());
      EXPECT_FALSE(certify(problem, Safe{TermInvariant{terms.boolean(true)}}, {}).ok());
    }
  }
}

}  // namespace
}  // namespace lem::check
