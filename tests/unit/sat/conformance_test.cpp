// What every implementation of SatSolver must do.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <ostream>
#include <string>
#include <thread>

#include "sat/cdcl.h"
#include "sat_support.h"

namespace lem::sat::test {
namespace {

struct Implementation {
  std::string name;
  std::unique_ptr<SatSolver> (*make)();
  friend std::ostream& operator<<(std::ostream& out, const Implementation& self) {
    return out << self.name;
  }
};

class EverySolver : public testing::TestWithParam<Implementation> {
 protected:
  Lit new_lit() { return pos(solver_->new_var()); }
  void add(const Clause& clause) { solver_->add_clause(clause); }
  void add_all(const Cnf& cnf) {
    for (const Clause& clause : cnf) add(clause);
  }
  SatResult solve(const Clause& assumptions = {}) { return solver_->solve(assumptions); }

  std::unique_ptr<SatSolver> solver_ = GetParam().make();
};

INSTANTIATE_TEST_SUITE_P(Sat, EverySolver,
                         testing::Values(Implementation{"Cdcl",
                                                        []() -> std::unique_ptr<SatSolver> {
                                                          return std::make_unique<Cdcl>();
                                                        }},
                                         Implementation{"Cadical", make_cadical}),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(EverySolver, NumbersVariablesFromZero) {
  EXPECT_EQ(solver_->num_vars(), 0U);
  for (Var expected = 0; expected < 5; ++expected) EXPECT_EQ(solver_->new_var(), expected);
  EXPECT_EQ(solver_->num_vars(), 5U);
}

TEST_P(EverySolver, FindsTheEmptyFormulaSatisfiable) {
  EXPECT_EQ(solve(), SatResult::Sat);
  add_vars(*solver_, 3);
  EXPECT_EQ(solve(), SatResult::Sat);
}

TEST_P(EverySolver, GivesEveryVariableOneValue) {
  Lit a = new_lit(), b = new_lit(), unused = new_lit();
  add({a, b});
  ASSERT_EQ(solve(), SatResult::Sat);
  for (Lit lit : {a, b, unused}) EXPECT_NE(solver_->value(lit), solver_->value(!lit));
}

TEST_P(EverySolver, IsUnsatisfiableForGoodAfterTheEmptyClause) {
  Lit a = new_lit();
  add({});
  EXPECT_EQ(solve(), SatResult::Unsat);
  EXPECT_EQ(solve({a}), SatResult::Unsat);
  EXPECT_FALSE(solver_->failed(a));
  add({a});
  EXPECT_EQ(solve({!a}), SatResult::Unsat);
}

TEST_P(EverySolver, FixesUnits) {
  Lit a = new_lit(), b = new_lit();
  add({a});
  add({!b});
  ASSERT_EQ(solve(), SatResult::Sat);
  EXPECT_TRUE(solver_->value(a));
  EXPECT_TRUE(solver_->value(!b));
}

TEST_P(EverySolver, RefutesContradictingUnits) {
  Lit a = new_lit(), b = new_lit();
  add({a});
  add({!a});
  EXPECT_EQ(solve(), SatResult::Unsat);
  EXPECT_EQ(solve({b}), SatResult::Unsat);
}

TEST_P(EverySolver, IgnoresTautologies) {
  Lit a = new_lit(), b = new_lit();
  add({a, !a});
  add({b, a, !b, a});
  for (Lit x : {a, !a}) {
    for (Lit y : {b, !b}) EXPECT_EQ(solve({x, y}), SatResult::Sat);
  }
}

TEST_P(EverySolver, CountsRepeatedLiteralsOnce) {
  Lit a = new_lit(), b = new_lit();
  add({a, a, a});
  add({b, !a, b});
  ASSERT_EQ(solve(), SatResult::Sat);
  EXPECT_TRUE(solver_->value(a));
  EXPECT_TRUE(solver_->value(b));
  EXPECT_EQ(solve({!b}), SatResult::Unsat);
}

TEST_P(EverySolver, BlamesBothOfTwoContradictingAssumptions) {
  Lit a = new_lit(), b = new_lit();
  add({a, b});
  ASSERT_EQ(solve({b, a, !a}), SatResult::Unsat);
  EXPECT_TRUE(solver_->failed(a));
  EXPECT_TRUE(solver_->failed(!a));
  EXPECT_FALSE(solver_->failed(b));
}

TEST_P(EverySolver, BlamesAnAssumptionThatAUnitContradicts) {
  Lit a = new_lit(), b = new_lit();
  add({!a});
  ASSERT_EQ(solve({b, a}), SatResult::Unsat);
  EXPECT_TRUE(solver_->failed(a));
  EXPECT_FALSE(solver_->failed(b));
}

TEST_P(EverySolver, AcceptsAssumptionsThatHoldAnyway) {
  Lit a = new_lit(), b = new_lit(), c = new_lit();
  add({a});
  add({!b, c});
  ASSERT_EQ(solve({a, b, c, b, a}), SatResult::Sat);
  EXPECT_TRUE(solver_->value(c));
  ASSERT_EQ(solve({a, b, a, !c}), SatResult::Unsat);
  EXPECT_FALSE(satisfiable(3, {{a}, {!b, c}}, core(*solver_, Clause{a, b, !c})));
}

TEST_P(EverySolver, LeavesUnrelatedAssumptionsOutOfTheCore) {
  Lit a = new_lit(), b = new_lit(), c = new_lit(), other = new_lit();
  add({!a, b});
  add({!b, c});
  ASSERT_EQ(solve({other, a, !c}), SatResult::Unsat);
  EXPECT_EQ(core(*solver_, Clause{other, a, !c}), (Clause{a, !c}));
}

TEST_P(EverySolver, ForgetsAssumptionsAfterTheQuery) {
  Lit a = new_lit(), b = new_lit();
  add({a, b});
  EXPECT_EQ(solve({!a, !b}), SatResult::Unsat);
  EXPECT_EQ(solve({!a}), SatResult::Sat);
  EXPECT_EQ(solve({!b}), SatResult::Sat);
  ASSERT_EQ(solve({a, !a}), SatResult::Unsat);
  EXPECT_EQ(solve(), SatResult::Sat);
}

TEST_P(EverySolver, AcceptsMoreAssumptionsThanVariables) {
  Lit a = new_lit(), b = new_lit(), c = new_lit(), d = new_lit();
  Cnf cnf = {{!b, c, d}, {!b, c, !d}, {!b, !c, d}, {!b, !c, !d}};
  add_all(cnf);
  EXPECT_EQ(solve(Clause(50, a)), SatResult::Sat);
  Clause assumptions(50, a);
  assumptions.push_back(b);
  ASSERT_EQ(solve(assumptions), SatResult::Unsat);
  EXPECT_FALSE(satisfiable(4, cnf, core(*solver_, assumptions)));
}

TEST_P(EverySolver, AcceptsNewVariablesBetweenQueries) {
  Lit a = new_lit();
  add({a});
  ASSERT_EQ(solve(), SatResult::Sat);
  for (int i = 0; i < 100; ++i) {
    Lit next = new_lit();
    add({!a, next});
    a = next;
    ASSERT_EQ(solve(), SatResult::Sat);
    ASSERT_TRUE(solver_->value(a));
    ASSERT_EQ(solve({!a}), SatResult::Unsat);
  }
}

TEST_P(EverySolver, EnumeratesTheModelsOfAParity) {
  Clause x;
  for (int i = 0; i < 5; ++i) x.push_back(new_lit());
  for (std::uint32_t odd = 0; odd < 32; ++odd) {
    if (__builtin_popcount(odd) % 2 == 0) continue;
    Clause clause;
    for (std::uint32_t i = 0; i < 5; ++i) clause.push_back(x[i] ^ ((odd >> i & 1) != 0));
    add(clause);
  }
  int models = 0;
  while (solve() == SatResult::Sat) {
    ASSERT_LE(++models, 16);
    Clause other;
    bool parity = false;
    for (Lit lit : x) {
      parity ^= solver_->value(lit);
      other.push_back(solver_->value(lit) ? !lit : lit);
    }
    EXPECT_FALSE(parity);
    add(other);
  }
  EXPECT_EQ(models, 16);
}

TEST_P(EverySolver, SeatsPigeonsWhenThereAreHolesEnough) {
  Cnf cnf = pigeonhole(7, 7);
  add_vars(*solver_, 49);
  add_all(cnf);
  ASSERT_EQ(solve(), SatResult::Sat);
  for (const Clause& clause : cnf) {
    EXPECT_TRUE(satisfied(clause, [&](Lit lit) { return solver_->value(lit); }));
  }
}

TEST_P(EverySolver, RefutesThePigeonhole) {
  add_vars(*solver_, 42);
  add_all(pigeonhole(7, 6));
  EXPECT_EQ(solve(), SatResult::Unsat);
  EXPECT_EQ(solve({pos(0)}), SatResult::Unsat);
  EXPECT_FALSE(solver_->failed(pos(0)));
}

TEST_P(EverySolver, PrintsNothing) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Lit a = new_lit(), b = new_lit();
  add_all({{a}, {!a, b}, {!a, !b}, {!a}, {}});
  EXPECT_EQ(solve({b}), SatResult::Unsat);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_P(EverySolver, AnswersStoppedWhenAskedBefore) {
  add_vars(*solver_, 11 * 12);
  add_all(pigeonhole(12, 11));
  std::stop_source source;
  solver_->set_stop(source.get_token());
  source.request_stop();
  EXPECT_EQ(solve(), SatResult::Stopped);
}

TEST_P(EverySolver, AnswersStoppedWhenAskedDuringTheSearchAndGoesOn) {
  Lit enable = new_lit();
  add_vars(*solver_, 11 * 12);
  for (Clause clause : pigeonhole(12, 11)) {
    for (Lit& lit : clause) lit = Lit(lit.var() + 1, lit.negative());
    clause.push_back(!enable);
    add(clause);
  }
  std::stop_source source;
  solver_->set_stop(source.get_token());
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    source.request_stop();
  });
  EXPECT_EQ(solve({enable}), SatResult::Stopped);
  solver_->set_stop({});
  EXPECT_EQ(solve({!enable}), SatResult::Sat);
  add({enable});
  EXPECT_EQ(solve({!enable}), SatResult::Unsat);
  EXPECT_TRUE(solver_->failed(!enable));
}

}  // namespace
}  // namespace lem::sat::test
