#include "engine/parts/karr.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/ctigar/ctigar.h"
#include "smt/smt_solver.h"
#include "unit/engine/small_systems.h"

namespace lem {
namespace {

struct Analysed {
  explicit Analysed(test::NamedSystem named, KarrLimits limits = {})
      : bench(kCtigarInfo),
        problem(std::move(named.problem)),
        system(problem),
        result(karr(system, limits, {bench.options, bench.stats, bench.log, bench.progress, {}})) {}

  Term invariant() {
    TermStore& terms = system.terms();
    std::vector<Term> locations;
    for (const KarrAnalysis::Location& each : result.locations)
      locations.push_back(terms.make_and(each.where, terms.make_and(each.equations)));
    return terms.make_or(locations);
  }
  bool unsat(std::initializer_list<Term> formulas) {
    std::unique_ptr<smt::SmtSolver> solver =
        smt::make_z3(system.terms(), smt::Workload::Single, {});
    for (Term formula : formulas) solver->add(formula);
    return solver->solve() == smt::Answer::Unsat;
  }
  bool is_inductive() {
    Term all = invariant();
    Term outside = system.terms().make_not(all);
    return unsat({system.init(), outside}) && unsat({all, system.trans(), system.prime(outside)});
  }

  test::Bench bench;
  Problem problem;
  TermSystem system;
  KarrAnalysis result;
};

TEST(Karr, FindsTheRelationOfTwoCounters) {
  Analysed run(test::two_counters(true));
  TermStore& t = run.system.terms();
  ASSERT_TRUE(run.result.complete);
  ASSERT_EQ(run.result.locations.size(), 1U);
  Term x = run.system.current()[0];
  Term y = run.system.current()[1];
  Term twice = t.make_eq(y, t.make_mul(t.integer(2), x));
  EXPECT_TRUE(run.unsat({run.invariant(), t.make_not(twice)}));
  EXPECT_FALSE(run.unsat({run.invariant(), t.make_eq(x, t.integer(100))})) << "no more than that";
  EXPECT_TRUE(run.is_inductive());
}

TEST(Karr, KeepsLocationsApart) {
  Analysed run(test::two_locations());
  ASSERT_TRUE(run.result.complete);
  ASSERT_EQ(run.result.locations.size(), 2U);
  for (const KarrAnalysis::Location& each : run.result.locations)
    EXPECT_EQ(each.equations.size(), 1U);
  EXPECT_TRUE(run.is_inductive());
  EXPECT_TRUE(run.unsat({run.invariant(), run.system.bad()}));
}

TEST(Karr, JoinsLocationsWhenThereAreTooMany) {
  Analysed run(test::two_locations(), {1, 3000, 200'000});
  ASSERT_TRUE(run.result.complete);
  ASSERT_EQ(run.result.locations.size(), 1U);
  EXPECT_TRUE(run.result.locations[0].equations.empty());
  EXPECT_TRUE(run.is_inductive());
}

/// x + y = 7 modulo 2^8, over a step that wraps around.
TEST(Karr, ReadsEquationsOfBitVectorsModulo) {
  Analysed run(test::named_system("wraps", true, [](auto& builder, TermStore& t) {
    Term x = builder.add_state("x", t.bv_sort(8));
    Term y = builder.add_state("y", t.bv_sort(8));
    builder.set_init(x, t.bv(0, 8));
    builder.set_init(y, t.bv(7, 8));
    builder.set_update(x, t.make(Op::BvAdd, {x, t.bv(100, 8)}));
    builder.set_update(y, t.make_bv_sub(y, t.bv(100, 8)));
    return t.make_eq(x, y);
  }));
  ASSERT_TRUE(run.result.complete);
  EXPECT_TRUE(run.is_inductive());
  TermStore& t = run.system.terms();
  Term sum = t.make(Op::BvAdd, {run.system.current()[0], run.system.current()[1]});
  EXPECT_TRUE(run.unsat({run.invariant(), t.make_not(t.make_eq(sum, t.bv(7, 8)))}));
}

TEST(Karr, SaysWhenItDidNotComeToItsEnd) {
  Analysed run(test::two_counters(true), {200, 2, 200'000});
  EXPECT_FALSE(run.result.complete);
}

TEST(Karr, EndsInAnInvariantOnEverySmallSystem) {
  for (test::NamedSystem& each : test::small_systems()) {
    SCOPED_TRACE(each.name);
    Analysed run(std::move(each));
    EXPECT_TRUE(run.result.complete);
    EXPECT_TRUE(run.is_inductive());
  }
}

}  // namespace
}  // namespace lem
