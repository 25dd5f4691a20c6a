#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "frontend/vmt/vmt.h"
#include "writer/json.h"

namespace lem::writer {
namespace {

Problem sample() {
  auto problem = vmt::read_vmt("m.vmt",
                               "(declare-fun x () Real) (declare-fun i () Bool)"
                               "(define-fun a () Real (! x :next y))"
                               "(define-fun b () Bool (! (= x 0.5) :init true))"
                               "(define-fun c () Bool (! (= y (ite i (- x) x)) :trans true))"
                               "(define-fun d () Bool (! (< (- 1) x 1) :invar-property 0))");
  EXPECT_TRUE(problem.ok());
  return std::move(*problem);
}

nlohmann::json result_of(const Problem& problem, Verdict verdict) {
  RunReport report{"1", "m.vmt", "vmt", {}};
  report.results.push_back({"p0", check::trust_unchecked(std::move(verdict)), "", "bmc", 0.1, 2});
  return nlohmann::json::parse(write_json(report, &problem, Stats{}))["results"][0];
}

TEST(JsonTerms, TracesHaveOneObjectForEachStep) {
  Problem problem = sample();
  TermStore& terms = problem.system().terms();
  TermTrace trace;
  trace.steps.push_back({{terms.real(mpq_class(1, 2))}, {terms.boolean(true)}});
  trace.steps.push_back({{terms.real(mpq_class(-1, 2))}, {terms.boolean(false)}});
  nlohmann::json steps = result_of(problem, Unsafe{trace})["trace"];
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0]["state"]["x"], "(/ 1.0 2.0)");
  EXPECT_EQ(steps[0]["input"]["i"], "true");
  EXPECT_EQ(steps[1]["state"]["x"], "(- (/ 1.0 2.0))");
}

TEST(JsonTerms, InvariantsAreText) {
  Problem problem = sample();
  TermStore& terms = problem.system().terms();
  Term small = terms.make_le(problem.system().states()[0].current, terms.real(1));
  EXPECT_EQ(result_of(problem, Safe{TermInvariant{small}})["invariant"], "(<= x 1.0)");
  nlohmann::json k =
      result_of(problem, Safe{TermInvariant{small, 3, SimplePath::Yes}})["invariant"];
  EXPECT_EQ(k["k"], 3);
  EXPECT_EQ(k["simple_path"], true);
  EXPECT_EQ(k["formula"], "(<= x 1.0)");
}

}  // namespace
}  // namespace lem::writer
