// What is special about cvc5: what it refuses becomes Unknown, and it goes on.
#include <gtest/gtest.h>

#include "smt/smt_solver.h"

namespace lem::smt {
namespace {

class Cvc5 : public testing::Test {
 protected:
  SmtSolver& solver() {
    if (!solver_) solver_ = make_cvc5(t, Workload::Stream, {});
    return *solver_;
  }
  void goes_on() {
    Term b = t.variable("b", t.bool_sort());
    Term not_b = t.make_not(b);
    {
      Scope scope(solver());
      solver().add(b);
      EXPECT_EQ(solver().solve(), Answer::Sat);
      EXPECT_TRUE(t.is_true(solver().value(b)));
      EXPECT_EQ(solver().solve({&not_b, 1}), Answer::Unsat);
      EXPECT_EQ(solver().core(), std::vector<Term>{not_b});
    }
    EXPECT_EQ(solver().solve({&not_b, 1}), Answer::Sat);
  }

  TermStore t;
  Sort memory = t.array_sort(t.int_sort(), t.int_sort());
  std::unique_ptr<SmtSolver> solver_;
};

TEST_F(Cvc5, DoesNotKnowConstantArraysOfVariables) {
  Term x = t.variable("x", t.int_sort());
  Term filled = t.make_const_array(memory, x);
  {
    Scope scope(solver());
    solver().add(t.make_eq(t.variable("a", memory), filled));
    EXPECT_EQ(solver().solve(), Answer::Unknown);
  }
  goes_on();
}

TEST_F(Cvc5, DoesNotKnowWriteChainsBetweenConstantArrays) {
  Term i = t.variable("i", t.int_sort());
  Term a = t.variable("a", memory);
  Term zeros = t.make_const_array(memory, t.integer(0));
  Term ones = t.make_const_array(memory, t.integer(1));
  solver().add(t.make_le(t.integer(0), i));
  {
    Scope scope(solver());
    solver().add(t.make_eq(t.make_store(zeros, i, t.integer(7)), a));
    solver().add(t.make_eq(t.make_store(a, t.integer(4), i), ones));
    EXPECT_NE(solver().solve(), Answer::Sat);
  }
  goes_on();
  EXPECT_EQ(solver().solve(), Answer::Sat);
  EXPECT_TRUE(t.is_true(solver().value(t.make_le(t.integer(0), i)))) << "formulas stay";
}

TEST_F(Cvc5, WidensItsLogicForTheoriesThatComeLater) {
  Term i = t.variable("i", t.int_sort());
  solver().add(t.make_le(i, t.integer(3)));
  ASSERT_EQ(solver().solve(), Answer::Sat);
  Term r = t.variable("r", t.real_sort());
  solver().add(t.make_lt(t.make_to_real(i), r));
  ASSERT_EQ(solver().solve(), Answer::Sat);
  Term w = t.variable("w", t.bv_sort(5));
  solver().add(t.make(Op::BvUlt, {t.bv(9, 5), w}));
  ASSERT_EQ(solver().solve(), Answer::Sat);
  Term nine = t.make_eq(w, t.bv(9, 5));
  EXPECT_EQ(solver().solve({&nine, 1}), Answer::Unsat);
  Term square = t.make_eq(t.make_mul(i, i), t.integer(2));
  EXPECT_EQ(solver().solve({&square, 1}), Answer::Unsat);
}

}  // namespace
}  // namespace lem::smt
