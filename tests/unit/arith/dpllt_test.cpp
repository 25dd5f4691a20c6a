// DPLL(T): integers, scopes and proofs on small questions whose answers are known.
#include "arith/dpllt.h"

#include <gtest/gtest.h>

namespace lem::arith {
namespace {

class ArithDpllt : public testing::Test {
 protected:
  void assert_literal(Lit lit) { solver.add_clause({&lit, 1}, Dpllt::Role::Assertion); }
  Column integer() { return solver.new_column(Simplex::Integral::Yes); }
  Column real() { return solver.new_column(Simplex::Integral::No); }
  Lit at_least(LinearForm form, Number bound) {
    return !solver.at_most(std::move(form), std::move(bound), true);
  }
  Dpllt solver;
};

/// A triangle with rational points and no integral one: branches or cuts must see it.
TEST_F(ArithDpllt, RefutesATriangleWithoutIntegralPoints) {
  const Column x = integer(), y = integer();
  assert_literal(at_least({{3, x}, {-3, y}}, 1));
  assert_literal(solver.at_most({{4, x}, {-4, y}}, 3, false));
  EXPECT_EQ(solver.solve({}), Answer::Unsat);
  Dpllt other;
  const Column u = other.new_column(Simplex::Integral::Yes);
  const Column v = other.new_column(Simplex::Integral::Yes);
  auto require = [&](Lit lit) { other.add_clause({&lit, 1}, Dpllt::Role::Assertion); };
  require(!other.at_most({{-2, u}, {1, v}}, -1, true));  // v >= 2u - 1
  require(other.at_most({{2, u}, {1, v}}, 2, false));    // v <= 2 - 2u
  require(!other.at_most({{2, v}}, 1, true));            // 2v >= 1
  require(!other.at_most({{10, u}}, 1, true));           // 10u >= 1: u >= 1
  EXPECT_EQ(other.solve({}), Answer::Unsat);
}

TEST_F(ArithDpllt, SeesThatCommonDivisorsDoNotDivide) {
  const Column x = integer(), y = integer(), z = integer();
  // Even factors and an odd sum, unbounded: branches alone go on for ever.
  assert_literal(solver.at_most({{6, x}, {10, y}, {4, z}}, 7, false));
  assert_literal(at_least({{6, x}, {10, y}, {4, z}}, 7));
  EXPECT_EQ(solver.solve({}), Answer::Unsat);
  EXPECT_EQ(solver.counts().branches, 0U);
}

TEST_F(ArithDpllt, CutsWhereBranchesAreMany) {
  const Column x = integer(), y = integer();
  assert_literal(solver.at_most({{-5, x}, {7, y}}, 3, false));
  assert_literal(at_least({{-5, x}, {7, y}}, 3));
  assert_literal(at_least({{1, x}}, 1'000'000));
  assert_literal(solver.at_most({{1, x}}, 1'000'001, false));
  const Answer answer = solver.solve({});
  // -5x + 7y = 3 has x = 5 mod 7: 1000000 = 1 mod 7, 1000001 = 2 mod 7.
  EXPECT_EQ(answer, Answer::Unsat);
}

TEST_F(ArithDpllt, ForgetsWhatWasLearntInAScope) {
  const Column x = real();
  const Lit low = at_least({{1, x}}, 5);
  const Lit high = solver.at_most({{1, x}}, 4, false);
  for (int i = 0; i < 3; ++i) {
    solver.push();
    assert_literal(low);
    EXPECT_EQ(solver.solve({&high, 1}), Answer::Unsat);
    EXPECT_TRUE(solver.failed(high));
    solver.push();
    assert_literal(high);
    EXPECT_EQ(solver.solve({}), Answer::Unsat);
    solver.pop();
    EXPECT_EQ(solver.solve({}), Answer::Sat);
    solver.pop();
    EXPECT_EQ(solver.solve({&high, 1}), Answer::Sat);
  }
}

TEST(ArithProof, ChainsGiveTheirClauses) {
  Dpllt solver(Dpllt::Proofs::Yes);
  const Column x = solver.new_column(Simplex::Integral::No);
  const Column y = solver.new_column(Simplex::Integral::No);
  const Lit p(solver.new_var(), false);
  const Lit above = !solver.at_most({{1, x}, {-1, y}}, 0, false);  // x > y
  const Lit below = solver.at_most({{1, x}, {-1, y}}, -1, false);  // x <= y - 1
  const Lit sum = solver.at_most({{1, x}, {1, y}}, 0, false);
  const Lit big = !solver.at_most({{1, y}}, 3, false);
  const Lit bigger = !solver.at_most({{1, x}}, 2, false);
  auto clause = [&](std::initializer_list<Lit> lits) {
    solver.add_clause(std::span(lits.begin(), lits.size()), Dpllt::Role::Assertion);
  };
  clause({above, below});
  clause({!above, p});
  clause({!below, !p, big});
  clause({sum});
  clause({big, bigger});
  clause({!bigger, big, !p});
  clause({!big, bigger});
  clause({p, big});
  clause({!big, p});
  clause({!p, bigger});
  ASSERT_EQ(solver.solve({}), Answer::Unsat);
  EXPECT_TRUE(is_resolution_proof(solver.proof()));
}

}  // namespace
}  // namespace lem::arith
