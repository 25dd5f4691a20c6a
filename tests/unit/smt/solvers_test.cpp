// Which solver the factory makes, and what all of them can do.
#include "smt/solvers.h"

#include <gtest/gtest.h>

#include <sstream>

#include "smt/arith.h"
#include "smt/record.h"
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
                         testing::Values(SolverChoice::Auto, SolverChoice::Arith, SolverChoice::Z3,
                                         SolverChoice::Cvc5),
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

TEST_P(EveryChoice, AsksOurSolverAboutLinearArithmetic) {
  const Term nonlinear = t.make_lt(t.make_mul(x, y), t.integer(7));
  const bool ours = GetParam() == SolverChoice::Arith;
  const bool open = GetParam() == SolverChoice::Auto;
  TermStore linear;
  const Term z = linear.variable("z", linear.real_sort());
  auto solver = Solvers(ctx).make(linear, Workload::Stream);
  solver->add(linear.make_lt(z, linear.real(1)));
  EXPECT_EQ(solver->solve(), Answer::Sat);
  EXPECT_EQ(stats.counter("smt.arith.queries").value, ours || open ? 1U : 0U);
  auto other = Solvers(ctx).make(t, Workload::Stream);
  other->add(nonlinear);
  other->add(t.make_lt(x, y));
  EXPECT_NE(other->solve(), Answer::Unsat);
  EXPECT_EQ(stats.counter("smt.arith.queries").value, ours || open ? 1U : 0U);
}

TEST_P(EveryChoice, StopsWithTheRun) {
  auto solver = Solvers(ctx).make(t, Workload::Single);
  solver->add(t.make_lt(x, y));
  stop.request_stop();
  EXPECT_EQ(solver->solve(), Answer::Unknown);
}

TEST(Solvers, RecordingsArePlayedToOtherSolvers) {
  std::stringstream text;
  {
    TermStore t;
    Term x = t.variable("x", t.int_sort()), p = t.variable("p", t.bool_sort());
    auto out = std::make_unique<std::ostream>(text.rdbuf());
    auto solver = record(make_z3(t, Workload::Stream, {}), t, std::move(out));
    solver->add(t.make_implies(p, t.make_lt(x, t.integer(0))));
    Scope scope(*solver);
    solver->add(t.make_gt(x, t.integer(5)));
    EXPECT_EQ(solver->solve(), Answer::Sat);
    solver->value(x);
    EXPECT_EQ(solver->solve(std::span(&p, 1)), Answer::Unsat);
  }
  TermStore t;
  auto recording = Recording::read(t, text);
  ASSERT_TRUE(recording.has_value());
  auto solver = make_arith(t, Workload::Stream, {});
  Replayed replayed = recording->play(*solver);
  EXPECT_EQ(replayed.queries, 2U);
  EXPECT_EQ(replayed.sat, 1U);
  EXPECT_EQ(replayed.different, 0U);
  std::stringstream garbage("q 7\n");
  EXPECT_FALSE(Recording::read(t, garbage).has_value());
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
