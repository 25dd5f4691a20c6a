// Evidence files of transition systems: what the writers write, the validator reads and checks.
#include <gtest/gtest.h>

#include <string>

#include "check/certify.h"
#include "check/validate.h"
#include "frontend/chc/chc.h"
#include "frontend/vmt/vmt.h"
#include "support/unchecked.h"
#include "term/smtlib/sexpr.h"
#include "term/smtlib/term_parser.h"
#include "writer/json.h"
#include "writer/smt.h"
#include "writer/table.h"

namespace lem::check {
namespace {

// x counts to 5 at most and falls back to 0, and is never `bound`; the names need care in SMT-LIB.
Problem counter(const std::string& bound) {
  auto problem = vmt::read_vmt(
      "m.vmt",
      "(declare-fun |the x| () Int) (declare-fun |let| () Bool)"
      "(define-fun a () Int (! |the x| :next |x'|))"
      "(define-fun b () Bool (! (= a 0) :init true))"
      "(define-fun c () Bool (! (= |x'| (ite (and |let| (< a 5)) (+ a 1) 0)) :trans true))"
      "(define-fun d () Bool (! (not (= a " +
          bound + ")) :invar-property 0))");
  EXPECT_TRUE(problem.ok()) << (problem ? "" : problem.error().text());
  return std::move(*problem);
}

/// A formula over the model's own variables.
Term formula(const Problem& problem, const std::string& text) {
  auto document = smtlib::read_document("t", text);
  TermStore& terms = problem.system().terms();
  smtlib::TermParser parser(terms, *document);
  for (const StateVar& state : problem.system().states())
    parser.bind(terms.name(state.current), state.current);
  for (Term input : problem.system().inputs()) parser.bind(terms.name(input), input);
  auto term = parser.term(document->top()[0]);
  EXPECT_TRUE(term.ok()) << (term ? "" : term.error().text());
  return *term;
}

std::string certificate_error(const Problem& problem, const std::string& text) {
  Result<Accepted> status = validate_term_certificate(problem, "c", text, {});
  return status ? "" : status.error().text();
}

std::string witness_error(const Problem& problem, const std::string& text) {
  Result<Accepted> status = validate_term_witness(problem, "w", text);
  return status ? "" : status.error().text();
}

TEST(TermCertificate, IsReadBackAndChecked) {
  Problem problem = counter("9");
  std::string good = writer::write_smt_certificate(
      problem,
      test::unchecked(TermInvariant{formula(problem, "(and (<= 0 |the x|) (<= |the x| 5))")}));
  EXPECT_EQ(certificate_error(problem, good), "") << good;
  std::string weak = writer::write_smt_certificate(
      problem, test::unchecked(TermInvariant{formula(problem, "(<= |the x| 8)")}));
  EXPECT_EQ(certificate_error(problem, weak), "");
  std::string open = writer::write_smt_certificate(
      problem, test::unchecked(TermInvariant{formula(problem, "true")}));
  EXPECT_EQ(certificate_error(problem, open), "") << "x = 9 has no predecessor";
}

TEST(TermCertificate, ThatProvesNothingIsRejected) {
  Problem problem = counter("4");
  std::string text = writer::write_smt_certificate(
      problem, test::unchecked(TermInvariant{formula(problem, "true")}));
  EXPECT_EQ(certificate_error(problem, text),
            "c: error: the certificate for property 'p0' is rejected: consecution fails");
  text = writer::write_smt_certificate(
      problem, test::unchecked(TermInvariant{formula(problem, "(< |the x| 0)")}));
  EXPECT_EQ(certificate_error(problem, text),
            "c: error: the certificate for property 'p0' is rejected: initiation fails");
}

TEST(TermCertificate, OfKInductionSaysK) {
  Problem problem = counter("7");
  TermInvariant claim{formula(problem, "(not (= |the x| 6))"), 2, SimplePath::No};
  std::string text = writer::write_smt_certificate(problem, test::unchecked(claim));
  EXPECT_EQ(certificate_error(problem, text), "") << text;
  EXPECT_NE(text.find("base case, step 1"), std::string::npos);
  claim.simple_path = SimplePath::Yes;
  EXPECT_EQ(
      certificate_error(problem, writer::write_smt_certificate(problem, test::unchecked(claim))),
      "");
}

/// 6 stays 6 until it becomes 5, which is bad; nothing leads to 6. Two steps are enough over simple
/// paths, and nowhere else.
TEST(TermCertificate, SimplePathsMustBeClaimed) {
  auto problem =
      vmt::read_vmt("m.vmt",
                    "(declare-fun x () Int) (declare-fun go () Bool)"
                    "(define-fun a () Int (! x :next y))"
                    "(define-fun b () Bool (! (= x 0) :init true))"
                    "(define-fun c () Bool (! (= y (ite (= x 6) (ite go 5 6) 0)) :trans true))"
                    "(define-fun d () Bool (! (not (= x 5)) :invar-property 0))");
  ASSERT_TRUE(problem.ok()) << problem.error().text();
  TermInvariant claim{problem->system().terms().boolean(true), 2, SimplePath::Yes};
  EXPECT_EQ(
      certificate_error(*problem, writer::write_smt_certificate(*problem, test::unchecked(claim))),
      "");
  claim.simple_path = SimplePath::No;
  EXPECT_EQ(
      certificate_error(*problem, writer::write_smt_certificate(*problem, test::unchecked(claim))),
      "c: error: the certificate for property 'p0' is rejected: the induction step fails");
}

TEST(TermCertificate, MalformedOnesNameThePlace) {
  Problem problem = counter("9");
  EXPECT_EQ(certificate_error(problem, ""), "c:1:1: error: no definition of 'inv'");
  EXPECT_EQ(certificate_error(problem, "(define-fun inv ((y Int)) Bool true)"),
            "c:1:18: error: the model has no state or input 'y'");
  EXPECT_EQ(certificate_error(problem, "(define-fun inv ((|the x| Bool)) Bool true)"),
            "c:1:18: error: 'the x' has another sort in the model");
  EXPECT_EQ(certificate_error(problem, "(define-fun inv ((|the x| Int)) Bool (<= |the x| z))"),
            "c:1:50: error: undeclared symbol 'z'");
  EXPECT_EQ(certificate_error(problem, "(set-info :lemmata-k 0)"),
            "c:1:22: error: k must be a positive number");
  EXPECT_EQ(certificate_error(problem, "(set-info :lemmata-property q)"),
            "c:1:29: error: the model has no property 'q'");
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from << " in\n" << text;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// x = 9 has no predecessor and is not initial: `true` is inductive with the property, not alone.
TEST(TermCertificate, IsJudgedAsTheFileStatesIt) {
  Problem problem = counter("9");
  EXPECT_EQ(certificate_error(problem, "(define-fun inv ((|the x| Int)) Bool true)"),
            "c: error: the certificate for property 'p0' is rejected: safety fails");
  EXPECT_EQ(certificate_error(problem, "(define-fun inv ((|the x| Int)) Bool (not (= |the x| 9)))"),
            "");
  std::string text = writer::write_smt_certificate(
      problem, test::unchecked(TermInvariant{formula(problem, "true")}));
  for (const char* name : {"init", "trans", "constraint", "property"}) {
    std::size_t at = text.find(std::string("(define-fun ") + name + " ");
    std::size_t end = text.find("\n(define-fun", at + 1);
    if (std::string(name) == "property") end = text.find("\n;", at);
    ASSERT_NE(at, std::string::npos);
    std::size_t body = text.find("Bool\n", at) + 4;
    std::string other = text.substr(0, body) + " false)" + text.substr(end);
    EXPECT_EQ(certificate_error(problem, other),
              "c: error: the certificate for property 'p0' is rejected: its '" + std::string(name) +
                  "' is not that of the model")
        << other;
  }
}

TEST(TermCertificate, AsksForWhatItClaims) {
  Problem problem = counter("7");
  TermInvariant claim{formula(problem, "(not (= |the x| 6))"), 2, SimplePath::Yes};
  std::string text = writer::write_smt_certificate(problem, test::unchecked(claim));
  ASSERT_EQ(certificate_error(problem, text), "") << text;
  auto refused = [&](const std::string& from, const std::string& to) {
    std::string error = certificate_error(problem, replaced(text, from, to));
    return error.substr(error.find("error: ") + 7);
  };
  const std::string other = "this is not the obligation that belongs here";
  EXPECT_EQ(refused("(assert (not (=> (and true (inv", "(assert (not (=> (and false (inv"), other);
  EXPECT_EQ(refused("(check-sat)\n", ""), other);
  EXPECT_EQ(refused("(push 1)\n", ""), other);
  EXPECT_EQ(refused("(push 1)\n", "(assert false)\n(push 1)\n"), other);
  EXPECT_EQ(refused("(set-info :lemmata-k 2)", "(set-info :lemmata-k 1)"),
            "this declares no state or input of a step");
  EXPECT_EQ(refused("(set-info :lemmata-k 2)", "(set-info :lemmata-k 2)(set-info :lemmata-k 2)"),
            "there is already a value of :lemmata-k");
  EXPECT_EQ(refused(":lemmata-simple-path true", ":lemmata-simple-path yes"),
            "expected true or false");
  EXPECT_EQ(refused(":lemmata-simple-path", ":lemmata-simple"), "unknown claim :lemmata-simple");
  EXPECT_EQ(refused("(declare-fun |s0.the x| () Int)", "(declare-fun |s0.the x| () Real)"),
            "this declares no state or input of a step");
  EXPECT_EQ(refused("(set-logic ALL)", "(reset)"), "unexpected command '(reset)'");
  std::string cut = text.substr(0, text.rfind("; safety"));
  EXPECT_NE(certificate_error(problem, cut).find("obligations are missing"), std::string::npos);
}

TEST(TermCertificate, ImplausibleKIsRefusedBeforeAnythingIsUnrolled) {
  Problem problem = counter("9");
  const std::string inv = "(define-fun inv ((|the x| Int)) Bool (not (= |the x| 9)))";
  EXPECT_EQ(certificate_error(problem, "(set-info :lemmata-k 4294967295)" + inv),
            "c:1:22: error: unsupported: k=4294967295 is more than 10000");
  EXPECT_EQ(certificate_error(problem, "(set-info :lemmata-k 99999999999)" + inv),
            "c:1:22: error: unsupported: k=4294967295 is more than 10000");
}

TEST(TermCertificate, GivesEveryPredicateAMeaning) {
  auto problem = chc::read_chc(
      "m.smt2",
      "(declare-fun start (Int) Bool) (declare-fun inv (Int Int) Bool) (declare-fun err () Bool)"
      "(assert (forall ((x Int)) (=> (= x 3) (start x))))"
      "(assert (forall ((x Int)) (=> (start x) (inv x x))))"
      "(assert (forall ((x Int) (y Int)) (=> (inv x y) (inv (+ x 1) (+ y 2)))))"
      "(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (< y x)) err)))"
      "(assert (=> err false))");
  ASSERT_TRUE(problem.ok()) << problem.error().text();
  Term invariant = formula(*problem, "(>= x 3)");
  std::string text =
      writer::write_smt_certificate(*problem, test::unchecked(TermInvariant{invariant}));
  EXPECT_EQ(certificate_error(*problem, text), "") << text;
  EXPECT_NE(text.find("(define-fun start ((p0 Int)) Bool\n (or false\n (and true (= p0 3))))"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("; predicate inv\n(define-fun inv_1 ((x Int) (y Int)) Bool"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("(define-fun err () Bool\n (or false))"), std::string::npos) << text;
}

TermTrace run_to(const Problem& problem, int last) {
  TermStore& terms = problem.system().terms();
  TermTrace trace;
  for (int i = 0; i <= last; ++i)
    trace.steps.push_back({{terms.integer(i)}, {terms.boolean(true)}});
  return trace;
}

TEST(TermWitness, IsReadBackAndReplayed) {
  Problem problem = counter("2");
  std::string text = writer::write_trace_table(problem, 0, test::unchecked(run_to(problem, 2)));
  EXPECT_EQ(text,
            "; counterexample written by lemmata: the property fails at the last step\n"
            "property  p0\n"
            "step   _        0     1     2\n"
            "state  |the x|  0     1     2\n"
            "input  |let|    true  true  true\n");
  EXPECT_EQ(witness_error(problem, text), "");
  EXPECT_EQ(witness_error(problem, writer::write_trace_table(problem, 0,
                                                             test::unchecked(run_to(problem, 1)))),
            "w: error: the witness for property 'p0' is rejected: the property holds at the last "
            "step");
}

TEST(TermWitness, MalformedOnesNameThePlace) {
  Problem problem = counter("2");
  EXPECT_EQ(witness_error(problem, ""), "w: error: no row 'step'");
  EXPECT_EQ(witness_error(problem, "step _ 0\n"), "w: error: no row for 'let'");
  EXPECT_EQ(witness_error(problem, "step _\n"), "w:1:1: error: the witness has no steps");
  EXPECT_EQ(witness_error(problem, "step _ 0\nstate y 1\n"),
            "w:2:1: error: the model has no state 'y'");
  EXPECT_EQ(witness_error(problem, "step _ 0\nstate |the x| 1 2\n"),
            "w:2:1: error: expected 1 values, found 2");
  EXPECT_EQ(witness_error(problem, "step _ 0\nstate |the x| true\n"),
            "w:2:15: error: expected a term of sort Int, found Bool");
  EXPECT_EQ(witness_error(problem, "step _ 0\nstate |the x| 0\nstate |the x| 2\n"),
            "w:3:7: error: there is already a row for 'the x'");
  EXPECT_EQ(witness_error(problem, "step _ 0\nstate |the x| 0\nstep _ 0\n"),
            "w:3:1: error: there is already a row 'step'");
  EXPECT_EQ(witness_error(problem, "property q\n"), "w:1:10: error: the model has no property 'q'");
  EXPECT_EQ(witness_error(problem, "foo\n"),
            "w:1:1: error: expected a row of property, step, state, input or observed, found "
            "'foo'");
}

// An output that the system evaluates: n = x + x.
Problem observed_counter() {
  Problem problem = counter("2");
  Term x = problem.system().states()[0].current;
  problem.source.observed = {{"n", problem.system().terms().make_add(x, x)}};
  return problem;
}

TEST(TermWitness, ObservedValuesAreShownAndChecked) {
  Problem problem = observed_counter();
  std::string text = writer::write_trace_table(problem, 0, test::unchecked(run_to(problem, 2)));
  std::string row = "observed  n        0     2     4\n";
  ASSERT_TRUE(text.ends_with(row)) << text;
  EXPECT_EQ(witness_error(problem, text), "");
  text.replace(text.size() - row.size(), row.size(), "observed n 0 2 5\n");
  EXPECT_EQ(witness_error(problem, text),
            "w: error: the witness for property 'p0' is rejected: 'n' is 4 at step 2, not 5");
  EXPECT_EQ(witness_error(problem, "step _ 0\nobserved m 0\n"),
            "w:2:1: error: the model has no variable 'm'");
  EXPECT_EQ(witness_error(problem, "step _ 0\nobserved n\n"),
            "w:2:1: error: expected 1 values, found 0");
}

std::string json_error(const Problem& problem, const std::string& text) {
  Result<Accepted> status = validate_json_witness(problem, "w", text);
  return status ? "" : status.error().text();
}

TEST(JsonWitness, IsReadBackAndReplayed) {
  Problem problem = observed_counter();
  std::string text = writer::write_json_witness(problem, 0, test::unchecked(run_to(problem, 2)));
  EXPECT_EQ(json_error(problem, text), "") << text;
  EXPECT_EQ(json_error(problem, replaced(text, R"("n": "4")", R"("n": "5")")),
            "w: error: the witness for property 'p0' is rejected: 'n' is 4 at step 2, not 5");
  std::string rejected = json_error(problem, replaced(text, R"("the x": "1")", R"("the x": "3")"));
  EXPECT_NE(rejected.find("is rejected"), std::string::npos) << rejected;
  EXPECT_EQ(json_error(problem,
                       writer::write_json_witness(problem, 0, test::unchecked(run_to(problem, 1)))),
            "w: error: the witness for property 'p0' is rejected: the property holds at the last "
            "step");
}

/// Without line and column.
std::string json_trouble(const Problem& problem, const std::string& text) {
  std::string error = json_error(problem, text);
  return "w: " + error.substr(error.find("error: "));
}

TEST(JsonWitness, MalformedOnesSayWhere) {
  Problem problem = observed_counter();
  EXPECT_EQ(json_error(problem, "{\"property\": \"p0\",\n \"trace\": [\n {\"state\": {}}]}"),
            "w:3:2: error: step 0, state: no value for 'the x'");
  EXPECT_EQ(json_error(problem, "{\"property\": \"p0\",\n \"trace\": [{}],\n \"more\": 1}"),
            "w:3:2: error: expected 'property' and 'trace', found 'more'");
  EXPECT_EQ(json_error(problem, "{\"property\": \"p0\",\n \"property\": \"p0\", \"trace\": []}"),
            "w:2:2: error: 'property' is there twice");
  std::string text = writer::write_json_witness(problem, 0, test::unchecked(run_to(problem, 2)));
  EXPECT_EQ(json_error(problem, "{\n  \"trace\": ]"), "w:2:12: error: this is no JSON");
  EXPECT_EQ(json_error(problem, text.substr(0, text.size() / 2)).substr(0, 2), "w:");
  for (const char* other : {"[]", "{}", "3", R"({"trace": []})", R"({"trace": 1})"})
    EXPECT_EQ(json_error(problem, other),
              "w:1:1: error: expected an object with 'property' and a 'trace' of steps");
  EXPECT_EQ(json_trouble(problem, replaced(text, R"("p0")", "7")),
            "w: error: the model has no property 7");
  EXPECT_EQ(json_trouble(problem, replaced(text, R"("the x": "0")", R"("y": "0")")),
            "w: error: step 0, state: no value for 'the x'");
  EXPECT_EQ(json_trouble(problem, replaced(text, R"("the x": "0")", R"("the x": "0", "y": "0")")),
            "w: error: step 0, state: the model has no 'y'");
  EXPECT_EQ(json_trouble(problem, replaced(text, R"("the x": "1")", R"("the x": "true")")),
            "w: error: step 1, state 'the x': expected a term of sort Int, found Bool");
  EXPECT_EQ(json_trouble(problem, replaced(text, R"("the x": "1")", R"("the x": 1)")),
            "w: error: step 1, state 'the x': expected SMT-LIB text");
  EXPECT_EQ(
      json_trouble(problem, replaced(text, R"("the x": "1")", R"("the x": "(+ 1")")).substr(0, 33),
      "w: error: step 1, state 'the x': ");
  EXPECT_EQ(json_trouble(problem, replaced(text, R"("the x": "1")", R"("the x": "1 1")")),
            "w: error: step 1, state 'the x': expected one value");
}

}  // namespace
}  // namespace lem::check
