// What engines over theories share when they ask: atoms, labels, divergence, back-off.
#include <gtest/gtest.h>

#include "engine/parts/query/asker.h"
#include "engine/parts/query/atoms.h"
#include "engine/parts/query/back_off.h"
#include "engine/parts/query/divergence.h"
#include "smt/solvers.h"

namespace lem::engine {
namespace {

struct Query : testing::Test {
  TermStore t;
  Term x = t.variable("x", t.int_sort());
  Term at_least(long bound) { return t.make_ge(x, t.integer(bound)); }
};

TEST_F(Query, AFormulaAndItsNegationAreOneAtom) {
  Atoms atoms(t);
  Lit one = atoms.literal(at_least(1)), other = atoms.literal(t.make_not(at_least(1)));
  EXPECT_EQ(one, !other);
  EXPECT_EQ(atoms.size(), 1U);
  EXPECT_EQ(atoms.formula(one), at_least(1));
  EXPECT_EQ(atoms.formula(other), t.make_not(at_least(1)));
  Lit second = atoms.literal(at_least(2));
  EXPECT_EQ(atoms.conjunction(std::vector{one, second}), t.make_and(at_least(1), at_least(2)));
  EXPECT_EQ(atoms.negations(std::vector{one, second}),
            (std::vector{t.make_not(at_least(1)), t.make_not(at_least(2))}));
}

TEST_F(Query, RareAtomsComeFirstAndEqualOnesStay) {
  AtomActivity activity;
  Lit a(0, false), b(1, true), c(2, false);
  activity.bump(std::vector{a, !b});
  activity.bump(std::vector{a});
  std::vector<Lit> cube{a, b, c};
  activity.order(cube);
  EXPECT_EQ(cube, (std::vector{c, b, a}));
  activity.start(c.var(), 1);
  activity.order(cube);
  EXPECT_EQ(cube, (std::vector{c, b, a})) << "c and b are equal";
}

TEST_F(Query, ChainedLabelsImplyTheNext) {
  Labels switches(t, "s");
  std::vector<Term> told;
  Term third = switches.chained(2, [&](Term each) { told.push_back(each); });
  EXPECT_EQ(told, (std::vector{t.make_implies(switches[0], switches[1]),
                               t.make_implies(switches[1], third)}));
  switches.chained(1, [&](Term) { ADD_FAILURE() << "it is there"; });
  Labels labels(t, "l");
  EXPECT_EQ(labels.of(7), labels.of(7));
  EXPECT_NE(labels.of(7), labels.of(2));
}

TEST_F(Query, CoresAreReadByLabels) {
  Atoms atoms(t);
  Labels labels(t, "l");
  Asker asker{smt::Solvers().make(t, smt::Workload::Stream)};
  std::vector<Lit> cube;
  std::vector<Term> assumptions;
  for (Term each : {at_least(7), at_least(1), t.make_not(at_least(3))}) {
    Lit lit = atoms.literal(each);
    cube.push_back(lit);
    assumptions.push_back(labels.of(lit.code()));
    EXPECT_TRUE(asker.literals.insert(lit.code()));
    EXPECT_FALSE(asker.literals.insert(lit.code()));
    asker.add(t.make_implies(labels.of(lit.code()), each));
  }
  EXPECT_EQ(asker.formulas, 3U);
  ASSERT_EQ(asker.solver->solve(assumptions), smt::Answer::Unsat);
  auto label_of = [&](Lit lit) { return labels[lit.code()]; };
  EXPECT_EQ(needed_of(*asker.solver, cube, label_of), (std::vector{cube[0], cube[2]}));
}

TEST(Divergence, IsSeenAfterSoManyOfOneShape) {
  Divergence<int> shapes(3);
  EXPECT_FALSE(shapes.diverges(1));
  EXPECT_EQ(shapes.count(1), 1U);
  shapes.count(2);
  EXPECT_EQ(shapes.count(1), 2U);
  EXPECT_FALSE(shapes.diverges(1));
  shapes.count(1);
  EXPECT_TRUE(shapes.diverges(1));
  EXPECT_FALSE(shapes.diverges(2));
  Divergence<int> never(0);
  never.count(1);
  EXPECT_FALSE(never.diverges(1));
}

TEST(Divergence, RemediesThatKeepFailingAreGivenUp) {
  Divergence<int> shapes(1);
  shapes.count(1);
  for (int i = 0; i < 4; ++i) shapes.record(1, false);
  EXPECT_TRUE(shapes.diverges(1));
  shapes.record(1, true);
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(shapes.diverges(1)) << i;
    shapes.record(1, false);
  }
  EXPECT_FALSE(shapes.diverges(1));
}

TEST(BackOff, SkipsMoreAfterEachFailure) {
  auto skipped = [](BackOff& each) {
    int turns = 0;
    while (!each.due()) ++turns;
    return turns;
  };
  BackOff strict(0, 3), patient(1, 3);
  std::vector<int> of_strict, of_patient;
  for (int i = 0; i < 5; ++i) {
    of_strict.push_back(skipped(strict));
    of_patient.push_back(skipped(patient));
    strict.record(false);
    patient.record(false);
  }
  EXPECT_EQ(of_strict, (std::vector{0, 1, 3, 7, 7}));
  EXPECT_EQ(of_patient, (std::vector{0, 0, 1, 3, 3}));
  strict.record(true);
  EXPECT_TRUE(strict.due());
}

}  // namespace
}  // namespace lem::engine
