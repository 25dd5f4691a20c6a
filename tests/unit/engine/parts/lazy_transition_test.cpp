// Dropping the equation of a next value that nobody asks about is quantifying it away.
#include "engine/parts/terms/lazy_transition.h"

#include <gtest/gtest.h>

#include <array>

#include "smt/smt_solver.h"
#include "unit/engine/small_systems.h"

namespace lem::engine {
namespace {

class LazySteps : public testing::Test {
 protected:
  /// Whether two formulas over X, I and X' have the same models over `kept`, tried on all values of
  /// finite sorts: satisfiable together with each valuation or not.
  static void expect_same(TermStore& terms, Term a, Term b, const std::vector<Term>& kept) {
    auto solver_a = smt::make_z3(terms, smt::Workload::Stream, {});
    auto solver_b = smt::make_z3(terms, smt::Workload::Stream, {});
    solver_a->add(a);
    solver_b->add(b);
    for (const std::vector<Term>& valuation : test::all_valuations(terms, kept)) {
      std::vector<Term> point;
      for (std::size_t i = 0; i < kept.size(); ++i)
        point.push_back(terms.make_eq(kept[i], valuation[i]));
      Term here = terms.make_and(point);
      EXPECT_EQ(solver_a->solve({&here, 1}), solver_b->solve({&here, 1}));
    }
  }
};

TEST_F(LazySteps, WaitWithEquationsUntilAsked) {
  auto example = test::named_system("lazy", true, [](TransitionSystemBuilder& b, TermStore& t) {
    Term x = b.add_state("x", t.int_sort());
    Term y = b.add_state("y", t.int_sort());
    b.set_update(x, t.make_add(x, y));
    b.set_update(y, y);
    return t.make_lt(x, t.integer(0));
  });
  TermSystem system(example.problem);
  TermStore& t = system.terms();
  LazyTransition lazy(system);
  EXPECT_EQ(lazy.waiting(), 2U);
  EXPECT_TRUE(t.is_true(lazy.base()));
  Term x = system.current()[0], y = system.current()[1];
  EXPECT_EQ(lazy.demand(t.make_le(x, t.integer(3))), t.make_eq(system.prime(x), t.make_add(x, y)));
  EXPECT_EQ(lazy.waiting(), 1U);
  EXPECT_TRUE(t.is_true(lazy.demand(x))) << "given before";
  EXPECT_EQ(lazy.demand(t.make_le(x, y)), t.make_eq(system.prime(y), y));
}

/// x' is bounded by two conjuncts, y' by one that mentions x' as well: neither may wait.
TEST_F(LazySteps, KeepWhatIsNoEquation) {
  auto example = test::named_system("eager", true, [](TransitionSystemBuilder& b, TermStore& t) {
    Term x = t.variable("x", t.int_sort()), x1 = t.variable("x1", t.int_sort());
    Term y = t.variable("y", t.int_sort()), y1 = t.variable("y1", t.int_sort());
    Term z = t.variable("z", t.int_sort()), z1 = t.variable("z1", t.int_sort());
    b.add_state(x, x1);
    b.add_state(y, y1);
    b.add_state(z, z1);
    b.add_trans(t.make_eq(x1, t.make_add(x, t.integer(1))));
    b.add_trans(t.make_le(x1, t.integer(10)));
    b.add_trans(t.make_eq(y1, t.make_add(x1, y)));
    b.add_trans(t.make_eq(t.make_mul(t.integer(2), z1), z));
    return t.make_lt(x, t.integer(0));
  });
  TermSystem system(example.problem);
  LazyTransition lazy(system);
  EXPECT_EQ(lazy.waiting(), 0U);
  EXPECT_EQ(lazy.base(), system.trans());
}

/// Commands: each says what becomes of every variable.
TEST_F(LazySteps, WaitInsideDisjunctions) {
  auto example = test::named_system("commands", true, [](TransitionSystemBuilder& b, TermStore& t) {
    std::vector<Term> x, x1;
    for (int i = 0; i < 2; ++i) {
      x.push_back(t.variable("x" + std::to_string(i), t.bv_sort(1)));
      x1.push_back(t.variable("n" + std::to_string(i), t.bv_sort(1)));
      b.add_state(x[static_cast<std::size_t>(i)], x1[static_cast<std::size_t>(i)]);
    }
    Term swap = t.make_and(
        std::array{t.make_eq(x[0], t.bv(0, 1)), t.make_eq(x1[0], x[1]), t.make_eq(x1[1], x[0])});
    Term stay = t.make_and(
        std::array{t.make_eq(x[1], t.bv(1, 1)), t.make_eq(x1[0], x[0]), t.make_eq(x1[1], x[1])});
    b.add_trans(t.make_or(swap, stay));
    return t.make_eq(x[0], t.bv(1, 1));
  });
  TermSystem system(example.problem);
  TermStore& t = system.terms();
  LazyTransition lazy(system);
  EXPECT_EQ(lazy.waiting(), 2U);
  std::vector<Term> kept(system.current().begin(), system.current().end());
  expect_same(t, lazy.base(), system.trans(), kept);
  Term all = t.make_and(lazy.base(), lazy.demand(system.current()[0]));
  kept.push_back(system.next()[0]);
  expect_same(t, all, system.trans(), kept);
  all = t.make_and(all, lazy.demand(system.current()[1]));
  kept.push_back(system.next()[1]);
  expect_same(t, all, system.trans(), kept);
}

TEST_F(LazySteps, MeanTheRelationOnRandomSystems) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    test::RandomSystemParams params;
    params.inputs = 1;
    params.relations = seed % 3 != 0;
    Problem problem = test::random_system(seed, params);
    TermSystem system(problem);
    LazyTransition lazy(system);
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::vector<Term> kept(system.current().begin(), system.current().end());
    Term so_far = lazy.base();
    expect_same(system.terms(), so_far, system.trans(), kept);
    std::size_t asked = seed % system.current().size();
    so_far = system.terms().make_and(so_far, lazy.demand(system.current()[asked]));
    kept.push_back(system.next()[asked]);
    expect_same(system.terms(), so_far, system.trans(), kept);
  }
}

}  // namespace
}  // namespace lem::engine
