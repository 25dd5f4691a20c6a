#include "engine/parts/terms/seeds/karr.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/parts/terms/seeds/chains.h"
#include "engine/registry.h"
#include "smt/smt_solver.h"
#include "unit/engine/small_systems.h"

namespace lem::engine {
namespace {

struct Analysed {
  explicit Analysed(test::NamedSystem named, KarrLimits limits = {}, std::size_t sums = 0)
      : bench(kCtigarInfo),
        context{bench.options, bench.stats, bench.log, bench.progress, {}},
        problem(std::move(named.problem)),
        system(problem),
        chains(bound_chains(system, sums)),
        result(karr(system, chains, limits, context)) {}

  Term invariant() {
    TermStore& terms = system.terms();
    std::vector<Term> locations;
    for (const KarrAnalysis::Location& each : result.locations) {
      Term said = terms.make_and(terms.make_and(each.equations), terms.make_and(each.formulas));
      locations.push_back(terms.make_and(each.where, said));
    }
    return terms.make_or(locations);
  }
  bool unsat(std::initializer_list<Term> formulas) {
    std::unique_ptr<smt::SmtSolver> solver =
        smt::make_z3(system.terms(), smt::Workload::Single, {});
    for (Term formula : formulas) solver->add(formula);
    return solver->solve() == smt::Answer::Unsat;
  }
  bool is_inductive() { return is_inductive(invariant()); }
  bool is_inductive(Term all) {
    Term outside = system.terms().make_not(all);
    return unsat({system.init(), outside}) && unsat({all, system.trans(), system.prime(outside)});
  }

  test::Bench bench;
  Context context;
  Problem problem;
  TermSystem system;
  std::vector<Chain> chains;
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
  Analysed run(test::two_locations(), {.locations = 1});
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
  Analysed run(test::two_counters(true), {.queries = 2});
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

/// x = y until y wraps around at 2000, which it never does: x stops at n, and n is at most 1000.
test::NamedSystem bounded_pair() {
  return test::named_system("bounded", true, [](auto& builder, TermStore& t) {
    Term x = builder.add_state("x", t.int_sort());
    Term y = builder.add_state("y", t.int_sort());
    Term n = builder.add_state("n", t.int_sort());
    auto up = [&](Term v) { return t.make_add(v, t.integer(1)); };
    Term more = t.make_lt(x, n);
    Term wrapped = t.make_ite(t.make_lt(y, t.integer(2000)), up(y), t.integer(0));
    builder.set_init(x, t.integer(0));
    builder.set_init(y, t.integer(0));
    builder.add_init(t.make_le(n, t.integer(1000)));
    builder.set_update(n, n);
    builder.set_update(x, t.make_ite(more, up(x), x));
    builder.set_update(y, t.make_ite(more, wrapped, y));
    return t.make_lt(y, x);
  });
}

TEST(Karr, BoundsAndEquationsHelpEachOther) {
  Analysed alone(bounded_pair());
  ASSERT_TRUE(alone.result.complete);
  EXPECT_TRUE(alone.result.locations.at(0).equations.empty()) << "y may wrap around";
  Analysed both(bounded_pair(), {}, 20);
  ASSERT_TRUE(both.result.complete);
  EXPECT_EQ(both.result.locations.at(0).equations.size(), 1U);
  EXPECT_TRUE(both.is_inductive());
  EXPECT_TRUE(both.unsat({both.invariant(), both.system.bad()}));
}

TEST(Karr, EndsInAnInvariantWithChainsToo) {
  for (test::NamedSystem& each : test::small_systems()) {
    SCOPED_TRACE(each.name);
    Analysed run(std::move(each), {}, 30);
    EXPECT_TRUE(run.result.complete);
    EXPECT_TRUE(run.is_inductive());
    TermStore& t = run.system.terms();
    Term fewer = t.make_and(invariants(run.system, run.result, 10'000, run.context));
    EXPECT_TRUE(run.unsat({fewer, t.make_not(run.invariant())})) << "what was left out follows";
    EXPECT_TRUE(run.unsat({run.invariant(), t.make_not(fewer)}));
  }
}

/// Without work for its queries the analysis claims nothing, or says that it did not end.
TEST(Karr, ClaimsNothingThatItCouldNotAsk) {
  for (test::NamedSystem& each : test::small_systems()) {
    SCOPED_TRACE(each.name);
    Analysed run(std::move(each), {.work = 1}, 30);
    EXPECT_TRUE(!run.result.complete || run.is_inductive());
  }
}

TEST(BoundChains, AreChains) {
  Analysed run(test::two_counters(true), {}, 12);
  TermStore& t = run.system.terms();
  EXPECT_EQ(run.chains.size(), 8U) << "x, y, x - y, x + y from above and from below";
  for (const Chain& chain : run.chains)
    for (std::size_t i = 0; i + 1 < chain.size(); ++i)
      EXPECT_TRUE(run.unsat({chain[i], t.make_not(chain[i + 1])}));
}

}  // namespace
}  // namespace lem::engine
