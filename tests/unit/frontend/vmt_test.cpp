#include "frontend/vmt/vmt.h"

#include <gtest/gtest.h>

#include <string>

#include "term/smtlib/printer.h"

namespace lem::frontend {
namespace {

using smtlib::term_text;

const std::string kCounter =
    "(set-info :source |by hand|)\n"
    "(declare-fun x () Int)\n"
    "(declare-fun x.next () Int)\n"
    "(declare-fun i () Bool)\n"
    "(define-fun .d1 () Int (! x :next x.next))\n"
    "(define-fun .d2 () Bool (! (= .d1 0) :init true))\n"
    "(define-fun .d3 () Bool (! (= x.next (ite i (+ .d1 1) x)) :trans true))\n";
const std::string kProperty = "(define-fun .d4 () Bool (! (<= 0 .d1) :invar-property 0))\n";

Problem read(const std::string& text) {
  auto problem = vmt::read_vmt("m.vmt", text);
  EXPECT_TRUE(problem.ok()) << (problem ? "" : problem.error().text());
  return problem ? std::move(*problem) : Problem{};
}

std::string error(const std::string& text) {
  auto problem = vmt::read_vmt("m.vmt", text);
  return problem ? "accepted" : problem.error().text();
}

TEST(Vmt, ALivePropertyIsAJusticePropertyOfItsNegation) {
  Problem problem = read(kCounter + kProperty +
                         "(define-fun .d5 () Bool (! (= .d1 3) :live-property 0))\n"
                         "(define-fun .d6 () Bool (! i :live-property 7))\n");
  ASSERT_EQ(problem.properties.size(), 3U);
  EXPECT_EQ(problem.properties[0].name, "p0");
  EXPECT_FALSE(problem.properties[0].is_justice());
  EXPECT_EQ(problem.properties[1].name, "live0") << "the name is taken";
  EXPECT_EQ(problem.properties[2].name, "p7");
  TermStore& t = problem.system().terms();
  ASSERT_EQ(problem.properties[2].often_terms().size(), 1U);
  EXPECT_EQ(term_text(t, problem.properties[2].often_terms()[0]), "(not i)");
  EXPECT_EQ(error(kCounter + "(define-fun l () Bool (! (= x.next 0) :live-property 0))"),
            "m.vmt:8:39: error: :live-property mentions the next copy 'x.next'");
}

TEST(Vmt, ReadsStatesInputsAndRelations) {
  Problem problem = read(kCounter + kProperty + "(assert true)\n");
  const TransitionSystem& system = problem.system();
  TermStore& t = system.terms();
  ASSERT_EQ(system.states().size(), 1U);
  EXPECT_EQ(t.name(system.states()[0].current), "x");
  EXPECT_EQ(t.name(system.states()[0].next), "x.next");
  ASSERT_EQ(system.inputs().size(), 1U);
  EXPECT_EQ(t.name(system.inputs()[0]), "i");
  EXPECT_EQ(term_text(t, system.init_formula()), "(= x 0)");
  ASSERT_EQ(problem.properties.size(), 1U);
  EXPECT_EQ(problem.properties[0].name, "p0");
  Term x = system.states()[0].current;
  EXPECT_EQ(problem.properties[0].bad_term(), t.make_lt(x, t.integer(0)));
  EXPECT_EQ(problem.source.format, "vmt");
}

TEST(Vmt, DeclaresMissingNextCopiesAndNormalisesQuotes) {
  Problem problem = read(
      "(declare-fun .y.1 () Real) (declare-fun |a b| () Bool)"
      "(define-fun .d0 () Bool (! |a b| :next |a b'|))"
      "(define-fun .d1 () Real (! |.y.1| :next |.z|))"
      "(declare-fun .z () Real)"  // after its use
      "(define-fun .d2 () Bool (! (= .d1 (to_real 1)) :init ))"
      "(define-fun .d3 () Bool (! (<= .z (/ 1 2)) :trans))"
      "(define-fun .d4 () Bool (! (< .d1 2) :invar-property 3))");
  ASSERT_EQ(problem.system().states().size(), 2U);
  EXPECT_EQ(problem.system().inputs().size(), 0U);
  const TermStore& t = problem.system().terms();
  EXPECT_EQ(t.name(problem.system().states()[1].current), "a b");
  EXPECT_EQ(t.name(problem.system().states()[1].next), "a b'");
  EXPECT_EQ(problem.properties[0].name, "p3");
}

TEST(Vmt, AbbreviationsHaveTheSortOfTheirTerm) {
  Problem problem = read(kCounter + "(define-fun d () (_ BitVec 2) (+ x 1))" +
                         "(define-fun p () Bool (! (<= 1 d) :invar-property 0))");
  EXPECT_EQ(problem.properties.size(), 1U);
}

TEST(Vmt, ConjoinsInitAndTransAndKeepsSeveralProperties) {
  Problem problem = read(kCounter + kProperty +
                         "(define-fun e1 () Bool (! (<= x 7) :init true))"
                         "(define-fun e2 () Bool (! (<= x.next 9) :trans true))"
                         "(define-fun e3 () Bool (! (<= x 9) :predicate true :invar-property 4))"
                         "(define-fun e4 () Bool (! (and i (<= x 9)) :predicate true))");
  TermStore& t = problem.system().terms();
  Term x = problem.system().states()[0].current;
  EXPECT_EQ(problem.system().init_formula(),
            t.make_and(t.make_eq(x, t.integer(0)), t.make_le(x, t.integer(7))));
  ASSERT_EQ(problem.properties.size(), 2U);
  EXPECT_EQ(problem.properties[1].name, "p4");
  ASSERT_EQ(problem.source.hints.size(), 1U);  // the one over inputs is no predicate over states
  EXPECT_EQ(problem.source.hints[0], t.make_le(x, t.integer(9)));
}

TEST(Vmt, InputsOfTheInitialConditionBecomeStates) {
  Problem problem =
      read(kCounter + kProperty + "(define-fun e1 () Bool (! (=> i (<= x 7)) :init true))");
  ASSERT_EQ(problem.system().states().size(), 2U);
  EXPECT_EQ(problem.system().inputs().size(), 0U);
}

TEST(Vmt, MayClaimNothing) {
  EXPECT_TRUE(read(kCounter).properties.empty());
}

TEST(Vmt, PremisesOfImplications) {
  auto premise = [](const std::string& property) {
    Remarks remarks;
    auto problem =
        vmt::read_vmt("m.vmt",
                      "(declare-fun x () Int) (declare-fun b () Bool)\n"
                      "(define-fun s () Int (! x :next y)) (define-fun u () Bool (! b :next c))\n"
                      "(define-fun i () Bool (! true :init true))\n"
                      "(define-fun t () Bool (! true :trans true))\n"
                      "(define-fun p () Bool (! " +
                          property + " :invar-property 0))",
                      &remarks);
    EXPECT_TRUE(problem.ok());
    Term term = remarks.premise(0);
    return term ? term_text(problem->system().terms(), term) : "none";
  };
  EXPECT_EQ(premise("(=> b (<= x 3))"), "b");
  EXPECT_EQ(premise("(or (not b) (<= x 3))"), "b");
  EXPECT_EQ(premise("(not (and (= x 1) (<= 3 x)))"), "(= x 1)");
  EXPECT_EQ(premise("(or b (<= x 3))"), "none") << "an order has no sign";
  EXPECT_EQ(premise("(or (not b) (not (= x 1)))"), "none") << "both are negated";
  EXPECT_EQ(premise("(<= x 3)"), "none");
}

TEST(Vmt, ErrorsNameThePlace) {
  EXPECT_EQ(error("(declare-fun x () Int)"), "m.vmt: error: no :init annotation");
  EXPECT_EQ(error(kCounter + kProperty + kProperty.substr(0, 15) + "x" + kProperty.substr(15)),
            "m.vmt:9:56: error: there is already an :invar-property 0");
  EXPECT_EQ(error(kCounter + "(define-fun p () Bool (! (<= x.next 0) :invar-property 0))"),
            "m.vmt:8:40: error: :invar-property mentions the next copy 'x.next'");
  EXPECT_EQ(error(kCounter + "(define-fun p () Int (! (+ x 1) :next y))"),
            "m.vmt:8:33: error: :next is for declared constants");
  EXPECT_EQ(error(kCounter + "(define-fun p () Int (! x :next y))"),
            "m.vmt:8:33: error: 'x' has already the next copy 'x.next'");
  EXPECT_EQ(error(kCounter + "(define-fun p () Bool (! i :next x.next))"),
            "m.vmt:8:34: error: a variable and its next copy have one sort");
  EXPECT_EQ(error(kCounter + "(declare-fun f (Int) Int)"),
            "m.vmt:8:16: error: unsupported: a declared function with arguments");
  EXPECT_EQ(error(kCounter + "(assert i)"),
            "m.vmt:8:9: error: unsupported: an asserted formula without annotation");
  EXPECT_EQ(error(kCounter + "(define-fun p () Bool (! i :init false))"),
            "m.vmt:8:34: error: :init expects true, found 'false'");
  EXPECT_EQ(error(kCounter + "(push 1)"), "m.vmt:8:1: error: unsupported: command 'push'");
  EXPECT_EQ(error(kCounter + "(define-fun p () Bool (! (div x i) :init true))"),
            "m.vmt:8:26: error: 'div' expects Int, found Bool");
}

}  // namespace
}  // namespace lem::frontend
