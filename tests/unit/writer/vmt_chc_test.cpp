// Systems written as VMT and as Horn clauses are the systems that are read back.
#include <gtest/gtest.h>

#include <string>

#include "frontend/chc/chc.h"
#include "frontend/vmt/vmt.h"
#include "term/smtlib/printer.h"
#include "writer/chc.h"
#include "writer/vmt.h"

namespace lem::writer {
namespace {

Problem good(Result<Problem> problem) {
  EXPECT_TRUE(problem.ok()) << (problem ? "" : problem.error().text());
  return problem ? std::move(*problem) : Problem{};
}

/// A bounded counter with a constraint, a free state, an input and names that need care.
Problem sample() {
  auto terms = std::make_shared<TermStore>();
  TransitionSystemBuilder builder(terms);
  Term x = builder.add_state("x y", terms->int_sort());
  Term b = builder.add_state("assert", terms->bool_sort());
  Term i = builder.add_input("x y", terms->bool_sort());  // the name of a state, another sort
  builder.set_init(x, terms->integer(-1));
  builder.set_update(x, terms->make_ite(i, terms->make_add(x, terms->integer(1)), x));
  builder.add_trans(terms->make_or(i, b));
  builder.add_constraint(terms->make_le(x, terms->integer(9)));
  Problem problem{*std::move(builder).freeze(), {}, {}};
  problem.properties = {{"small", terms->make_eq(x, terms->integer(5))},
                        {"other", terms->make_and(b, i)}};
  return problem;
}

std::string text(const Problem& problem, Term term) {
  return smtlib::term_text(problem.system().terms(), term);
}

TEST(WriteVmt, IsReadBack) {
  Problem problem = sample();
  Problem again = good(vmt::read_vmt("m.vmt", write_vmt(problem)));
  ASSERT_EQ(again.system().states().size(), 2U);
  ASSERT_EQ(again.system().inputs().size(), 1U);
  ASSERT_EQ(again.properties.size(), 2U);
  EXPECT_EQ(text(again, again.system().init_formula()), "(= |x y| (- 1))");
  EXPECT_EQ(write_vmt(again), write_vmt(good(vmt::read_vmt("m.vmt", write_vmt(again)))));
  // What the constraint excludes is no violation.
  EXPECT_EQ(text(again, again.properties[1].bad_term()), "(and |assert| |x y_1| (<= |x y| 9))");
}

TEST(WriteChc, IsReadBack) {
  Problem problem = sample();
  Problem again = good(chc::read_chc("m.smt2", write_chc(problem)));
  const TransitionSystem& system = again.system();
  ASSERT_EQ(system.states().size(), 2U);
  EXPECT_EQ(text(again, system.states()[0].init), "(- 1)");
  EXPECT_EQ(text(again, system.states()[0].update), "(ite in0 (+ |x y| 1) |x y|)");
  EXPECT_EQ(again.properties.size(), 1U) << "one query for both properties";
}

}  // namespace
}  // namespace lem::writer
