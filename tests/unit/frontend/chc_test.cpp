#include "frontend/chc/chc.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "term/eliminate.h"
#include "term/smtlib/printer.h"

namespace lem::frontend {
namespace {

using smtlib::term_text;

Problem read(const std::string& text) {
  auto problem = chc::read_chc("m.smt2", text);
  EXPECT_TRUE(problem.ok()) << (problem ? "" : problem.error().text());
  return problem ? std::move(*problem) : Problem{};
}

std::string error(const std::string& text) {
  auto problem = chc::read_chc("m.smt2", text);
  return problem ? "accepted" : problem.error().text();
}

std::string text_of(const Problem& problem, Term term) {
  return term ? term_text(problem.system().terms(), term) : "none";
}

const std::string kCounter =
    "(set-logic HORN)\n"
    "(declare-fun inv (Int Int) Bool)\n"
    "(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 7)) (inv x y))))\n"
    "(assert (forall ((a Int) (b Int) (c Int) (d Int) (i Bool))\n"
    "  (=> (and (inv a b) (= c (+ a d)) (= d (ite i 1 2)) (< a b)) (inv c b))))\n"
    "(assert (forall ((a Int) (b Int) (e Int)) (=> (and (inv a b) (> e 8) (= e a)) false)))\n";

TEST(Chc, OnePredicateIsATransitionSystem) {
  Problem problem = read(kCounter + "(check-sat)");
  const TransitionSystem& system = problem.system();
  TermStore& t = system.terms();
  ASSERT_EQ(system.states().size(), 2U);
  EXPECT_EQ(t.name(system.states()[0].current), "x");
  EXPECT_EQ(t.name(system.states()[1].current), "y");
  EXPECT_EQ(text_of(problem, system.states()[0].init), "0");
  EXPECT_EQ(text_of(problem, system.states()[1].init), "7");
  ASSERT_EQ(system.inputs().size(), 1U);
  EXPECT_EQ(text_of(problem, system.states()[0].update), "(+ x (ite in0 1 2))");
  EXPECT_EQ(text_of(problem, system.states()[1].update), "y");
  EXPECT_EQ(text_of(problem, system.trans_relation()), "(<= (+ x (* (- 1) y)) (- 1))");
  ASSERT_EQ(problem.properties.size(), 1U);
  EXPECT_EQ(problem.properties[0].name, "query");
  EXPECT_EQ(problem.properties[0].bad_term(), t.make_gt(system.states()[0].current, t.integer(8)));
  ASSERT_EQ(problem.source.predicates.size(), 1U);
  EXPECT_TRUE(t.is_true(problem.source.predicates[0].guard));
  EXPECT_EQ(problem.source.predicates[0].params.size(), 2U);
}

TEST(Chc, NonRecursivePredicatesAreInlined) {
  // The shape of Lustre compilers: reset and step beside the recursive predicate, an error flag.
  Problem problem = read(
      "(declare-fun INIT () Bool) (declare-fun ERR () Bool)"
      "(declare-fun reset (Int Int) Bool) (declare-fun step (Int Int) Bool)"
      "(declare-fun main (Int) Bool)"
      "(assert INIT)"
      "(assert (forall ((a Int) (b Int)) (=> (= b 0) (reset a b))))"
      "(assert (forall ((a Int) (b Int)) (=> (= b (+ a 1)) (step a b))))"
      "(assert (forall ((a Int) (b Int) (c Int)) (=> (and INIT (reset a b) (step b c)) (main c))))"
      "(assert (forall ((a Int) (b Int)) (=> (and (main a) (step a b)) (main b))))"
      "(assert (forall ((a Int)) (=> (and (main a) (< a 0)) ERR)))"
      "(assert (=> ERR false))");
  const TransitionSystem& system = problem.system();
  ASSERT_EQ(system.states().size(), 1U);
  EXPECT_EQ(system.inputs().size(), 0U);
  EXPECT_EQ(text_of(problem, system.states()[0].init), "1");
  EXPECT_EQ(text_of(problem, system.states()[0].update), "(+ c 1)");
  const auto& predicates = problem.source.predicates;
  ASSERT_EQ(predicates.size(), 5U);
  EXPECT_TRUE(predicates[1].rules.empty()) << "ERR is false";
  ASSERT_EQ(predicates[2].rules.size(), 1U);
  EXPECT_FALSE(predicates[2].guard);
  TermStore& t = system.terms();
  EXPECT_EQ(predicates[2].rules[0].formula, t.make_eq(predicates[2].params[1], t.integer(0)));
}

TEST(Chc, SeveralLoopsHaveALocation) {
  Problem problem = read(
      "(declare-fun p (Int Bool) Bool) (declare-fun q (Int Int) Bool)"
      "(assert (forall ((x Int)) (=> (= x 0) (p x true))))"
      "(assert (forall ((x Int) (b Bool)) (=> (and (p x b) (< x 5)) (p (+ x 1) (not b)))))"
      "(assert (forall ((x Int) (b Bool)) (=> (and (p x b) (not (< x 5))) (q x 9))))"
      "(assert (forall ((x Int) (y Int)) (=> (and (q x y) (> x 0)) (q (- x 1) (+ y 1)))))"
      "(assert (forall ((x Int) (y Int)) (=> (and (q x y) (> y 99)) false)))");
  const TransitionSystem& system = problem.system();
  TermStore& t = system.terms();
  // The location, the Int both share, the Bool of p, the second Int of q.
  ASSERT_EQ(system.states().size(), 4U);
  EXPECT_EQ(t.name(system.states()[0].current), "loc!0");
  EXPECT_EQ(text_of(problem, system.states()[0].init), "false");
  EXPECT_EQ(system.inputs().size(), 0U) << "the guards decide, no choice is left";
  Term at_q = system.states()[0].current;
  EXPECT_EQ(problem.source.predicates[0].guard, t.make_not(at_q));
  EXPECT_EQ(problem.source.predicates[1].guard, at_q);
  EXPECT_EQ(problem.source.predicates[1].params[0], problem.source.predicates[0].params[0]);
}

TEST(Chc, ParallelClausesBecomeAChoice) {
  Problem problem = read(
      "(declare-fun p (Int) Bool) (assert (p 0))"
      "(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))"
      "(assert (forall ((x Int)) (=> (p x) (p (- x 1)))))"
      "(assert (forall ((x Int)) (=> (p x) (<= x 9))))");
  ASSERT_EQ(problem.system().inputs().size(), 1U);
  EXPECT_EQ(text_of(problem, problem.system().states()[0].update), "(ite in0 (+ x 1) (+ x (- 1)))");
  EXPECT_EQ(text_of(problem, problem.properties[0].bad_term()), "(not (<= x 9))");
}

TEST(Chc, InitialValuesMayBeRelated) {
  Problem problem = read(
      "(declare-fun p (Int Int) Bool) (assert (forall ((z Int)) (p z (+ z 1))))"
      "(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y) (< z y)) (p z x))))"
      "(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x y)) false)))");
  ASSERT_EQ(problem.system().states().size(), 2U) << "no location is needed";
  EXPECT_EQ(text_of(problem, problem.system().init_formula()), "(= (+ z (* (- 1) y)) (- 1))");
}

TEST(Chc, FactsWithOtherVariablesStartOneStepEarlier) {
  Problem problem = read(
      "(declare-fun p (Int) Bool)"
      "(assert (forall ((x Int) (k Int)) (=> (and (= x (* 2 k)) (<= (* 3 k) 8)) (p x))))"
      "(assert (forall ((x Int)) (=> (p x) (p (+ x 4)))))"
      "(assert (forall ((x Int)) (=> (and (p x) (= x 9)) false)))");
  ASSERT_EQ(problem.system().states().size(), 2U);
  EXPECT_EQ(text_of(problem, problem.system().states()[0].init), "false");
  EXPECT_EQ(problem.system().inputs().size(), 1U);
}

TEST(Chc, SystemsWithoutLoopsHaveNoStates) {
  Problem problem = read(
      "(declare-fun p (Int) Bool) (assert (p 3))"
      "(assert (forall ((x Int) (y Int)) (=> (and (p x) (> (* x y) 7)) false)))");
  EXPECT_EQ(problem.system().states().size(), 0U);
  EXPECT_EQ(problem.system().inputs().size(), 1U);
}

TEST(Chc, DerivationsThatCannotHappenDisappear) {
  Problem problem = read(
      "(declare-fun p (Int) Bool) (declare-fun unused (Int) Bool) (declare-fun never () Bool)"
      "(assert (p 3)) (assert (forall ((x Int)) (=> (p x) (unused x))))"
      "(assert (=> never false)) (assert (forall ((x Int)) (=> (and (p x) (< x x)) false)))");
  EXPECT_EQ(text_of(problem, problem.properties[0].bad_term()), "false");
  const auto& predicates = problem.source.predicates;
  EXPECT_TRUE(predicates[2].rules.empty());
  ASSERT_EQ(predicates[1].rules.size(), 1U);
  EXPECT_TRUE(problem.system().terms().is_true(predicates[1].rules[0].formula));
}

TEST(Chc, QueriesThatAreNeverAnsweredCount) {
  Problem problem = read("(declare-fun p () Bool) (assert p) (assert (=> (and p false) false))");
  EXPECT_EQ(text_of(problem, problem.properties[0].bad_term()), "false");
}

TEST(Chc, WithoutAQueryNothingCanFail) {
  Problem problem = read("(declare-fun p (Int) Bool)\n(assert (p 1))");
  ASSERT_EQ(problem.properties.size(), 1U);
  EXPECT_EQ(text_of(problem, problem.properties[0].bad_term()), "false");
}

TEST(Chc, NonlinearClausesStayClauses) {
  Problem problem = read(
      "(declare-fun p (Int) Bool) (assert (p 1))"
      "(assert (forall ((x Int) (y Int)) (=> (and (p x) (p y)) (p (+ x y)))))"
      "(assert (=> (p 2) false))");
  ASSERT_TRUE(problem.is_horn());
  const HornSystem& system = problem.horn();
  ASSERT_EQ(system.clauses.size(), 3U);
  EXPECT_EQ(system.clauses[1].body.size(), 2U);
  EXPECT_FALSE(system.clauses[2].head);
  EXPECT_EQ(problem.properties[0].at.line, 1U);
}

/// Clauses as they are written: "body atoms; head atoms" of a system that stays nonlinear.
std::vector<std::pair<std::size_t, bool>> shapes(const std::string& clauses) {
  Problem problem = read(
      "(declare-fun p (Int) Bool) (declare-fun q (Int) Bool) (assert (p 0)) (assert (q 0))"
      "(assert (forall ((x Int) (y Int)) (=> (and (p x) (p y)) (p (+ x y)))))"
      "(assert (forall ((x Int) (y Int)) (=> (and (q x) (p y)) (q (+ x y)))))" +
      clauses);
  std::vector<std::pair<std::size_t, bool>> out;
  EXPECT_TRUE(problem.is_horn());
  if (!problem.is_horn()) return out;
  for (std::size_t c = 4; c < problem.horn().clauses.size(); ++c)
    out.emplace_back(problem.horn().clauses[c].body.size(),
                     problem.horn().clauses[c].head.has_value());
  return out;
}

TEST(Chc, ClausesMayBeWrittenInManyForms) {
  using Shapes = std::vector<std::pair<std::size_t, bool>>;
  EXPECT_EQ(shapes("(assert (forall ((x Int)) (=> (or (p x) (q x)) false)))"),
            (Shapes{{1, false}, {1, false}}));
  EXPECT_EQ(shapes("(assert (forall ((x Int)) (=> (p x) (and (q x) (q (+ x 1))))))"),
            (Shapes{{1, true}, {1, true}}));
  EXPECT_EQ(shapes("(assert (forall ((x Int)) (=> (p x) (=> (q x) (> x 3)))))"),
            (Shapes{{2, false}}));
  EXPECT_EQ(shapes("(assert (=> (exists ((x Int)) (and (p x) (q x) (> x 2))) false))"),
            (Shapes{{2, false}}));
  EXPECT_EQ(shapes("(define-fun both ((x Int)) Bool (exists ((y Int)) (and (p x) (q y))))"
                   "(assert (=> (and (both 1) (both 2)) false))"),
            (Shapes{{4, false}}));
  EXPECT_EQ(shapes("(assert (forall ((x Int)) (ite (> x 3) (=> (p x) false) (=> (q x) false))))"),
            (Shapes{{1, false}, {1, false}}));
  EXPECT_EQ(shapes("(assert (forall ((x Int)) (=> (p x) (forall ((y Int)) (=> (q y) (p y))))))"),
            (Shapes{{2, true}}));
}

TEST(Chc, InstancesOfADefinitionHaveVariablesOfTheirOwn) {
  Problem problem = read(
      "(declare-fun p (Int Int) Bool) (assert (p 0 0))"
      "(assert (forall ((x Int) (y Int)) (=> (and (p x y) (p y x)) (p (+ x 1) y))))"
      "(define-fun some ((x Int)) Bool (exists ((y Int)) (p x y)))"
      "(assert (=> (and (some 1) (some 2)) false))");
  const HornClause& query = problem.horn().clauses.back();
  ASSERT_EQ(query.body.size(), 2U);
  EXPECT_NE(query.body[0].args[1], query.body[1].args[1]);
}

TEST(Chc, RulesOfFixedpointsAreRead) {
  Problem problem = read(
      "(declare-rel p (Int)) (declare-rel q ()) (declare-var x Int) (declare-var y Int)"
      "(rule (p 1)) (rule (=> (and (p x) (p y)) (p (+ x y))) step)"
      "(rule (=> (p 7) q)) (query q :print-answer true)");
  ASSERT_TRUE(problem.is_horn());
  ASSERT_EQ(problem.horn().clauses.size(), 4U);
  EXPECT_FALSE(problem.horn().clauses.back().head);
}

TEST(Chc, ErrorsNameThePlace) {
  const std::string p = "(declare-fun p (Int) Bool)\n";
  EXPECT_EQ(error(p), "m.smt2: error: nothing to check (it would need a clause)");
  EXPECT_EQ(error(p + "(assert (or (p 1) (p 2)))"),
            "m.smt2:2:1: error: unsupported: a clause with two positive predicates is no Horn "
            "clause");
  EXPECT_EQ(error(p + "(assert (xor (p 1) (= 1 2) (p 2)))"),
            "m.smt2:2:1: error: unsupported: a clause with two positive predicates is no Horn "
            "clause");
  EXPECT_EQ(error(p + "(assert (p (ite (p 1) 2 3)))"),
            "m.smt2:2:1: error: unsupported: a predicate inside an argument");
  EXPECT_EQ(error(p + "(assert (=> (forall ((x Int)) (p x)) false))"),
            "m.smt2:2:1: error: unsupported: a quantifier at this place");
  EXPECT_EQ(error("(declare-fun f (Int) Int)"),
            "m.smt2:1:22: error: unsupported: a function that is no predicate");
  EXPECT_EQ(error("(declare-datatypes () ())"),
            "m.smt2:1:1: error: unsupported: command 'declare-datatypes'");
  EXPECT_EQ(error(p + "(assert (forall ((x Real)) (=> (p x) false)))"),
            "m.smt2:2:35: error: argument 1 of 'p' must be of sort Int, found Real");
  EXPECT_EQ(error(p + "(assert (forall ((x Int)) (=> (p y) false)))"),
            "m.smt2:2:34: error: undeclared symbol 'y'");
  EXPECT_EQ(error(p + "(assert (forall x (p 1)))"),
            "m.smt2:2:17: error: expected a list of variables ((name sort) ...)");
}

TEST(EliminateLocals, SolvesEquationsAndCases) {
  TermStore t;
  auto local = [&](Term variable) { return t.name(variable)[0] == 'v'; };
  Term x = t.variable("x", t.int_sort());
  Term v = t.variable("v", t.int_sort());
  Term b = t.variable("b", t.bool_sort());
  auto check = [&](Term formula, const std::string& rest, const std::string& value) {
    std::vector<Term> outputs{v};
    eliminate_locals(t, local, formula, outputs);
    EXPECT_EQ(term_text(t, formula), rest);
    EXPECT_EQ(term_text(t, outputs[0]), value);
  };
  Term sum = t.make_add(x, t.make_mul(t.integer(-1), v));
  check(t.make_eq(sum, t.integer(4)), "true", "(+ x (- 4))");
  Term twice = t.make_add(x, t.make_mul(t.integer(2), v));
  check(t.make_eq(twice, t.integer(4)), "(= (+ x (* 2 v)) 4)", "v");
  Term cases =
      t.make_and(t.make_implies(b, t.make_eq(v, x)), t.make_or(b, t.make_eq(v, t.integer(3))));
  check(cases, "true", "(ite b x 3)");
  Term negated = t.make_not(t.make_or(t.make_not(t.make_eq(v, x)), t.make_le(v, t.integer(2))));
  check(negated, "(not (<= x 2))", "x");
}

}  // namespace
}  // namespace lem::frontend
