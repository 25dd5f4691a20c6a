// Which solver the factory makes, and what all of them can do.
#include "smt/solvers.h"

#include <gtest/gtest.h>

#include "term/traverse.h"

namespace lem::smt {
namespace {

class EveryChoice : public testing::TestWithParam<SolverChoice> {
 protected:
  EveryChoice() {
    options.declare(kSolverOptions);
    auto word = word_at(words(SolverChoice{}), static_cast<std::size_t>(GetParam()));
    EXPECT_TRUE(options.set("smt.solver", word).ok());
  }
  TermStore t;
  Options options;
  Stats stats;
  Log log;
  Progress progress;
  std::stop_source stop;
  Context ctx{options, stats, log, progress, stop.get_token()};
  Term x = t.variable("x", t.int_sort()), y = t.variable("y", t.int_sort());
};

INSTANTIATE_TEST_SUITE_P(Solvers, EveryChoice,
                         testing::Values(SolverChoice::Auto, SolverChoice::Z3, SolverChoice::Cvc5),
                         [](const auto& tested) {
                           return std::string(word_at(words(SolverChoice{}),
                                                      static_cast<std::size_t>(tested.param)));
                         });

TEST_P(EveryChoice, ProjectsWhatItSolved) {
  Term formula = t.make_and(t.make_eq(x, t.make_add(y, t.integer(1))), t.make_lt(t.integer(4), x));
  auto solver = Solvers(ctx).make(t, Workload::Stream);
  solver->add(formula);
  ASSERT_EQ(solver->solve(), Answer::Sat);
  ASSERT_NE(solver->projector(), nullptr);
  Term value = solver->value(y);
  auto literals = solver->projector()->project(formula, std::span(&x, 1));
  ASSERT_TRUE(literals.has_value());
  Term cube = t.make_and(*literals);
  EXPECT_EQ(variables_of(t, cube), std::vector{y});
  EXPECT_TRUE(t.is_true(substitute(t, cube, {{y, value}})));
  EXPECT_TRUE(t.is_false(substitute(t, cube, {{y, t.integer(3)}}))) << "no x has y = 3";
}

TEST_P(EveryChoice, StopsWithTheRun) {
  auto solver = Solvers(ctx).make(t, Workload::Single);
  solver->add(t.make_lt(x, y));
  stop.request_stop();
  EXPECT_EQ(solver->solve(), Answer::Unknown);
}

TEST(Solvers, TheOptionDecides) {
  TermStore t;
  Term b = t.variable("b", t.array_sort(t.int_sort(), t.int_sort()));
  // Of a constant array of a variable cvc5 says Unknown; Z3 decides it.
  Term varying = t.make_const_array(t.sort(b), t.variable("v", t.int_sort()));
  for (auto [choice, expected] :
       {std::pair(SolverChoice::Z3, Answer::Sat), std::pair(SolverChoice::Cvc5, Answer::Unknown)}) {
    auto solver = Solvers(choice, {}).make(t, Workload::Single);
    solver->add(t.make_eq(b, varying));
    EXPECT_EQ(solver->solve(), expected);
  }
}

}  // namespace
}  // namespace lem::smt
