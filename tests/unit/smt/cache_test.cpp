// The cache counts what it saves. That it is a solver like all others: conformance_test.cpp.
#include "smt/cache.h"

#include <gtest/gtest.h>

namespace lem::smt {
namespace {

class Cache : public testing::Test {
 protected:
  void make(std::size_t capacity) {
    solver_ = std::make_unique<CachedSolver>(
        t, [this] { return make_z3(t, Workload::Stream, stop_.get_token()); }, capacity, stats_,
        stop_.get_token());
  }
  Answer solve(std::initializer_list<Term> assumptions = {}) {
    return solver_->solve(std::span(assumptions.begin(), assumptions.size()));
  }
  std::uint64_t hits() { return stats_.counter("smt.cache-hits").value; }
  std::uint64_t misses() { return stats_.counter("smt.cache-misses").value; }
  std::uint64_t models() { return stats_.counter("smt.cache-models").value; }
  Term boolean(std::string_view name) { return t.variable(name, t.bool_sort()); }

  TermStore t;
  Stats stats_;
  std::stop_source stop_;
  std::unique_ptr<CachedSolver> solver_;
  Term a = boolean("a"), b = boolean("b"), c = boolean("c");
};

TEST_F(Cache, AnswersWhatWasAskedBefore) {
  make(10);
  solver_->add(t.make_or(a, b));
  EXPECT_EQ(solve({a, c}), Answer::Sat);
  EXPECT_EQ(misses(), 1U);
  EXPECT_EQ(solve({c, a, c}), Answer::Sat) << "a set, whatever its order";
  EXPECT_EQ(hits(), 1U);
  EXPECT_EQ(solve({a}), Answer::Sat);
  EXPECT_EQ(misses(), 2U);
}

TEST_F(Cache, TellsStatesOfTheAssertionsApart) {
  make(10);
  EXPECT_EQ(solve({a}), Answer::Sat);
  for (int round = 0; round < 2; ++round) {
    Scope scope(*solver_);
    solver_->add(t.make_not(a));
    EXPECT_EQ(solve({a}), Answer::Unsat);
  }
  EXPECT_EQ(misses(), 2U);
  EXPECT_EQ(hits(), 1U);
  EXPECT_EQ(solve({a}), Answer::Sat);
  EXPECT_EQ(hits(), 2U);
}

TEST_F(Cache, DoesNotCareInWhichOrderFormulasCame) {
  make(10);
  for (bool swapped : {false, true}) {
    Scope scope(*solver_);
    solver_->add(swapped ? b : a);
    solver_->add(swapped ? a : b);
    solver_->add(a);
    EXPECT_EQ(solve({t.make_not(b)}), Answer::Unsat);
  }
  EXPECT_EQ(hits(), 1U);
}

TEST_F(Cache, GivesCoresInTheOrderOfThisTime) {
  make(10);
  solver_->add(t.make_or(t.make_not(a), t.make_not(b)));
  ASSERT_EQ(solve({a, c, b}), Answer::Unsat);
  EXPECT_EQ(solver_->core(), (std::vector<Term>{a, b}));
  ASSERT_EQ(solve({b, a, c}), Answer::Unsat);
  EXPECT_EQ(hits(), 1U);
  EXPECT_EQ(solver_->core(), (std::vector<Term>{b, a}));
}

TEST_F(Cache, SolvesAgainForValuesAlone) {
  make(10);
  Term x = t.variable("x", t.int_sort());
  auto ask = [&] {
    Scope scope(*solver_);
    solver_->add(t.make_eq(x, t.integer(5)));
    return solve({a});
  };
  EXPECT_EQ(ask(), Answer::Sat);
  EXPECT_EQ(solver_->value(x), t.integer(5));
  EXPECT_EQ(models(), 0U);
  EXPECT_EQ(ask(), Answer::Sat);
  EXPECT_EQ(hits(), 1U);
  EXPECT_EQ(models(), 0U);
  EXPECT_EQ(solver_->value(x), t.integer(5)) << "although the scope is closed";
  EXPECT_TRUE(t.is_true(solver_->value(a)));
  EXPECT_EQ(models(), 1U);
  std::optional<std::vector<Term>> cube =
      solver_->projector()->project(t.make_eq(x, t.integer(5)), {});
  ASSERT_TRUE(cube.has_value());
  EXPECT_EQ(t.make_and(*cube), t.make_eq(x, t.integer(5)));
  EXPECT_EQ(models(), 1U);
}

TEST_F(Cache, ForgetsWhatWasNotUsedForLongest) {
  make(2);
  solve({a});
  solve({b});
  solve({a});  // now b is the oldest
  solve({c});
  EXPECT_EQ(solver_->size(), 2U);
  EXPECT_EQ(misses(), 3U);
  solve({a});
  EXPECT_EQ(hits(), 2U);
  solve({b});
  EXPECT_EQ(misses(), 4U);
}

TEST_F(Cache, AsksAgainUnderLargerLimitsOnly) {
  // The factors of 991 * 997 take Z3 more than 60 units of work.
  Term x = t.variable("x", t.bv_sort(20)), y = t.variable("y", t.bv_sort(20));
  make(10);
  for (Term factor : {x, y}) {
    solver_->add(t.make(Op::BvUlt, {t.bv(1, 20), factor}));
    solver_->add(t.make(Op::BvUlt, {factor, t.bv(1000, 20)}));
  }
  solver_->add(t.make_eq(t.make(Op::BvMul, {x, y}), t.bv(mpz_class(991 * 997), 20)));
  solver_->limit_work(50);
  ASSERT_EQ(solve(), Answer::Unknown);
  EXPECT_EQ(solve(), Answer::Unknown);
  EXPECT_EQ(hits(), 1U);
  solver_->limit_work(40);
  EXPECT_EQ(solve(), Answer::Unknown);
  EXPECT_EQ(hits(), 2U);
  solver_->limit_work(60);
  EXPECT_EQ(solve(), Answer::Unknown);
  EXPECT_EQ(misses(), 2U);
  solver_->limit_work(50);
  EXPECT_EQ(solve(), Answer::Unknown);
  EXPECT_EQ(hits(), 3U);
  solver_->limit_work(0);
  EXPECT_EQ(solve(), Answer::Sat);
  EXPECT_EQ(misses(), 3U);
  solver_->limit_work(40);
  EXPECT_EQ(solve(), Answer::Sat) << "an answer is one under every limit";
  EXPECT_EQ(hits(), 4U);
}

TEST_F(Cache, DoesNotRememberBeingStopped) {
  make(10);
  stop_.request_stop();
  EXPECT_EQ(solve({a}), Answer::Unknown);
  EXPECT_EQ(solver_->size(), 0U);
}

}  // namespace
}  // namespace lem::smt
