// Cdcl beyond the shared interface: confined queries, temporary clauses, model shrinking, copies.
// Random versions of the same facts: confined_trace_test.cpp.
#include "sat/cdcl.h"

#include <gtest/gtest.h>

#include "sat_support.h"

namespace lem::sat::test {
namespace {

/// Leaves a, b, c and two gates: f = a & b, g = f & c.
class SmallCircuit : public testing::Test {
 protected:
  SmallCircuit() {
    add_vars(solver_, 5);
    for (Var var : {0U, 1U, 2U}) solver_.track(var);
    add_and(f, a, b);
    add_and(g, f, c);
    solver_.set_dependencies(
        std::make_shared<Dependencies>(std::vector<std::vector<Var>>{{}, {}, {}, {0, 1}, {3, 2}}));
  }
  void add(const Clause& clause) { solver_.add_clause(clause); }
  void add_and(Lit gate, Lit left, Lit right) {
    add({!gate, left});
    add({!gate, right});
    add({gate, !left, !right});
  }
  SatResult solve(const Clause& assumptions, const Clause& temporary = {}) {
    return solver_.solve_confined(assumptions, temporary);
  }

  const Lit a = pos(0), b = pos(1), c = pos(2), f = pos(3), g = pos(4);
  Cdcl solver_;
};

TEST_F(SmallCircuit, AssignsTheConeAlone) {
  ASSERT_EQ(solve({f}), SatResult::Sat);
  for (Lit lit : {f, a, b}) EXPECT_EQ(solver_.model(lit), Truth::True);
  for (Lit lit : {c, g}) EXPECT_EQ(solver_.model(lit), Truth::Unassigned);
  ASSERT_EQ(solve({!c}), SatResult::Sat);
  EXPECT_EQ(solver_.model(c), Truth::False);
  for (Lit lit : {a, b, f, g}) EXPECT_EQ(solver_.model(lit), Truth::Unassigned);
}

TEST_F(SmallCircuit, AlwaysVariablesAreInEveryCone) {
  add({a});
  solver_.always(0);
  solver_.always(1);
  add({!a, !b});
  ASSERT_EQ(solve({c}), SatResult::Sat);
  EXPECT_EQ(solver_.model(a), Truth::True);
  EXPECT_EQ(solver_.model(b), Truth::False);
  EXPECT_EQ(solve({f}), SatResult::Unsat);
  EXPECT_TRUE(solver_.failed(f));
}

TEST_F(SmallCircuit, TemporaryVariablesAreInTheCone) {
  ASSERT_EQ(solve({}, {f}), SatResult::Sat);
  for (Lit lit : {f, a, b}) EXPECT_EQ(solver_.model(lit), Truth::True);
  EXPECT_EQ(solver_.model(g), Truth::Unassigned);
}

TEST_F(SmallCircuit, ForgetsTheTemporaryClause) {
  EXPECT_EQ(solve({a, b}, {!f}), SatResult::Unsat);
  EXPECT_EQ(solve({a, b}), SatResult::Sat);
  EXPECT_EQ(solve({a, b}, {!a, !b}), SatResult::Unsat);
  EXPECT_EQ(solve({a, b}, {!a, c}), SatResult::Sat);
  EXPECT_EQ(solver_.solve(Clause{a, b, !c}), SatResult::Sat);
}

TEST_F(SmallCircuit, LeavesFixedLiteralsOutOfTheTemporaryClause) {
  add({a});
  EXPECT_EQ(solve({!b}, {a}), SatResult::Sat);
  EXPECT_EQ(solve({!b}, {!a, b}), SatResult::Unsat);
  EXPECT_TRUE(solver_.failed(!b));
  EXPECT_EQ(solve({!b}, {!a}), SatResult::Unsat);
  EXPECT_FALSE(solver_.failed(!b));
  EXPECT_FALSE(solver_.inconsistent());
}

TEST_F(SmallCircuit, BlamesNoAssumptionForAFalseTemporaryClause) {
  add({!f});
  ASSERT_EQ(solve({c}, {g, f}), SatResult::Unsat);
  EXPECT_FALSE(solver_.failed(c));
}

TEST_F(SmallCircuit, AcceptsRepeatedAndComplementaryTemporaryLiterals) {
  EXPECT_EQ(solve({!a}, {a, a}), SatResult::Unsat);
  EXPECT_EQ(solve({!a}, {a, a, b, b}), SatResult::Sat);
  EXPECT_EQ(solver_.model(b), Truth::True);
  EXPECT_EQ(solve({!a, !b}, {a, !a}), SatResult::Sat);
  EXPECT_EQ(solve({}), SatResult::Sat);
}

// The unit !a learnt under the temporary clause {a} made that clause fix its own guard at level 0,
// and every later temporary clause was unsatisfiable.
TEST_F(SmallCircuit, KeepsTemporaryClausesAliveAfterAUnitRefutesOne) {
  solver_.always(0);
  solver_.always(1);
  add({!a, b});
  add({!a, !b});
  ASSERT_EQ(solve({c}, {a}), SatResult::Unsat);
  EXPECT_FALSE(solver_.failed(c));
  EXPECT_TRUE(solver_.fixed(!a));
  EXPECT_EQ(solve({c}, {b}), SatResult::Sat);
  EXPECT_EQ(solve({!c}, {c}), SatResult::Unsat);
}

TEST_F(SmallCircuit, DropsWhatNoClauseNeeds) {
  ASSERT_EQ(solve({!f, !a, b}), SatResult::Sat);
  EXPECT_TRUE(solver_.drop_from_model(b));
  EXPECT_EQ(solver_.model(b), Truth::Unassigned);
  EXPECT_FALSE(solver_.drop_from_model(!a)) << "nothing else satisfies {f, !a, !b} now";
  EXPECT_EQ(solver_.model(a), Truth::False);
}

TEST_F(SmallCircuit, DropsNothingFixed) {
  add({a});
  ASSERT_EQ(solve({a}), SatResult::Sat);
  EXPECT_FALSE(solver_.drop_from_model(a));
}

TEST_F(SmallCircuit, DropsIgnoreClausesOutsideTheCone) {
  add({a, b, c});
  for (Var var : {0U, 1U, 2U}) solver_.always(var);
  ASSERT_EQ(solve({a, !b, !c}), SatResult::Sat);
  EXPECT_FALSE(solver_.drop_from_model(a)) << "the lemma needs it";
  EXPECT_TRUE(solver_.drop_from_model(!b)) << "only gates outside the cone read it";
  ASSERT_EQ(solve({a, b, !c}), SatResult::Sat);
  EXPECT_EQ(solver_.model(b), Truth::True) << "a drop lasts until the next query";
  EXPECT_TRUE(solver_.drop_from_model(a));
  EXPECT_FALSE(solver_.drop_from_model(b));
}

TEST_F(SmallCircuit, CopiesGoTheirOwnWay) {
  solver_.always(0);
  solver_.always(1);
  ASSERT_EQ(solve({f}, {a, c}), SatResult::Sat);
  Cdcl copy(solver_);
  EXPECT_EQ(copy.model(f), Truth::True);
  copy.add_clause(Clause{!a, !b});
  EXPECT_EQ(copy.solve_confined(Clause{f}, {}), SatResult::Unsat);
  EXPECT_EQ(solver_.model(f), Truth::True);
  EXPECT_EQ(solve({f}), SatResult::Sat);
  add({!c});
  EXPECT_EQ(solve({c}), SatResult::Unsat);
  EXPECT_EQ(copy.solve_confined(Clause{c}, {}), SatResult::Sat);
}

TEST_F(SmallCircuit, StopsConfinedQueries) {
  std::stop_source source;
  source.request_stop();
  solver_.set_stop(source.get_token());
  EXPECT_EQ(solve({f}, {a, c}), SatResult::Stopped);
  solver_.set_stop({});
  EXPECT_EQ(solve({f}, {a, c}), SatResult::Sat);
}

// A query stopped right after learning a unit left it unpropagated, and the garbage collection of
// the next query met clauses that had become units.
TEST(Cdcl, StaysSoundWhenTheConflictLimitCutsAQueryShort) {
  Cdcl solver;
  add_vars(solver, 4);
  Cnf cnf = {{neg(0), pos(1)}, {neg(0), neg(1)}, {pos(0), pos(2)}, {neg(2), pos(3)}};
  for (const Clause& clause : cnf) solver.add_clause(clause);
  solver.limit_conflicts(0);
  EXPECT_EQ(solver.solve(Clause{pos(0)}), SatResult::Stopped);
  solver.limit_conflicts(UINT64_MAX);
  EXPECT_EQ(solver.solve(Clause{neg(3)}), SatResult::Unsat);
  EXPECT_EQ(solver.solve({}), SatResult::Sat);
  for (const Clause& clause : cnf) {
    EXPECT_TRUE(satisfied(clause, [&](Lit lit) { return solver.value(lit); }));
  }
}

TEST(Cdcl, KnowsWhatUnitsFix) {
  Cdcl solver;
  add_vars(solver, 3);
  solver.add_clause(Clause{neg(0), pos(1)});
  EXPECT_FALSE(solver.fixed(pos(1)));
  ASSERT_EQ(solver.solve(Clause{pos(0)}), SatResult::Sat);
  EXPECT_FALSE(solver.fixed(pos(1))) << "an assumption fixes nothing";
  solver.add_clause(Clause{pos(0)});
  EXPECT_TRUE(solver.fixed(pos(0)));
  EXPECT_TRUE(solver.fixed(pos(1)));
  EXPECT_FALSE(solver.fixed(neg(1)));
  EXPECT_FALSE(solver.inconsistent());
  solver.add_clause(Clause{neg(1)});
  EXPECT_TRUE(solver.inconsistent());
}

}  // namespace
}  // namespace lem::sat::test
