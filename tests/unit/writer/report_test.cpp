#include "writer/report/report.h"

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>

#include "writer/report/parts.h"

namespace lem::writer {
namespace {

using nlohmann::json;

constexpr std::string_view kBegin = "<script type=\"application/json\" id=\"data\">";

/// The data of a page.
json data_of(const std::string& page) {
  std::size_t begin = page.find(kBegin) + kBegin.size();
  return json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

RunReport report_with(Verdict verdict, std::string property = "p") {
  RunReport report{"0.1.0", "model", "vmt", {}};
  report.results.push_back(
      {std::move(property), check::trust_unchecked(std::move(verdict)), "", "bmc", 0.5, 2});
  return report;
}

/// Input `go`, latches x[0] and x[1], bad = both.
Problem circuit() {
  AigBuilder builder;
  AigLit go = builder.add_input();
  AigLit first = builder.add_latch(Reset::Zero);
  AigLit second = builder.add_latch(Reset::Zero);
  AigLit bad = builder.and_gate(first, second);
  builder.set_next(first, go);
  builder.set_next(second, first);
  return {std::move(builder).freeze(),
          {{"p", bad}},
          {"m.aag", "aiger", {"go"}, {"x[0]", "x[1]"}, {0, 1, 2, 3, 9}, {}}};
}

/// A real `x</script>` and an integer `mode`.
Problem system() {
  auto terms = std::make_shared<TermStore>();
  TransitionSystemBuilder builder(terms);
  Term x = builder.add_state("x</script>", terms->real_sort());
  Term mode = builder.add_state("mode", terms->int_sort());
  builder.set_update(x, x);
  builder.set_update(mode, mode);
  Term bad = terms->make_lt(x, terms->real(0));
  return {*std::move(builder).freeze(), {{"p", bad}}, {"m.lus", "lustre", {}, {}, {}, {}}};
}

TEST(Report, NoTextOfTheDataBeginsATag) {
  EXPECT_EQ(embeddable(R"({"a":"</script><!--"})"), R"({"a":"\u003c/script>\u003c!--"})");
  Problem problem = system();
  TermStore& terms = problem.system().terms();
  TermTrace trace;
  trace.steps.push_back({{terms.real(-1), terms.integer(0)}, {}});
  ReportExtras extras;
  extras.sources.push_back({"m.lus", "-- </script><script>alert(1)</script>{{script}}"});
  std::string page = write_report(report_with(Unsafe{trace}, "<b>"), &problem, Stats{}, extras);
  std::size_t tags = 0;
  for (std::size_t at = 0; (at = page.find("<script", at)) != page.npos; ++at) ++tags;
  EXPECT_EQ(tags, 2U);
  json data = data_of(page);
  EXPECT_EQ(data["sources"][0]["text"], extras.sources[0].text);
  EXPECT_EQ(data["results"][0]["trace"]["variables"][0]["name"], "x</script>");
  EXPECT_EQ(data["results"][0]["property"], "<b>");
  EXPECT_NE(page.find("<li>unsafe &lt;b&gt;</li>"), page.npos);
}

TEST(Report, BytesThatAreNoTextAreReplaced) {
  Problem problem = circuit();
  ReportExtras extras;
  extras.sources.push_back({"m", "\xff\xfe"});
  std::string page =
      write_report(report_with(Unknown{Reason::GaveUp}, "\xff"), &problem, Stats{}, extras);
  EXPECT_NO_THROW(data_of(page));
}

TEST(Report, TheBrowserMayRunThisScriptAndLoadNothing) {
  std::string page = write_report(report_with(Unknown{Reason::GaveUp}), nullptr, Stats{});
  EXPECT_NE(page.find("content=\"default-src 'none'; style-src 'sha256-"), page.npos);
  EXPECT_EQ(page.find("unsafe-inline"), page.npos);
  EXPECT_EQ(page.find("{{"), page.npos);
}

TEST(Report, CircuitsHaveBusesRolesAndHexadecimalWords) {
  Problem problem = circuit();
  Verdict verdict = Unsafe{Trace{{false, false}, {{true}, {true}, {false}}}};
  json data = data_of(write_report(report_with(verdict), &problem, Stats{}));
  const json& trace = data["results"][0]["trace"];
  EXPECT_EQ(trace["kind"], "circuit");
  EXPECT_EQ(trace["length"], 3);
  EXPECT_EQ(trace["variables"][0]["name"], "go");
  EXPECT_EQ(trace["variables"][0]["role"], "input");
  EXPECT_EQ(trace["variables"][1]["range"], "[1:0]");
  EXPECT_EQ(trace["variables"][1]["role"], "state");
  EXPECT_EQ(trace["variables"][1]["values"], json::array({"0", "1", "3"}));
  EXPECT_EQ(trace["variables"][2]["role"], "property");
  EXPECT_EQ(trace["variables"][2]["values"], json::array({"0", "0", "1"}));
}

TEST(Report, CircuitProofsAreClauses) {
  Problem problem = circuit();
  Verdict safe = Safe{InductiveInvariant{{{AigLit(2, true), AigLit(3, false)}}}};
  json data = data_of(write_report(report_with(safe), &problem, Stats{}));
  const json& proof = data["results"][0]["proof"];
  EXPECT_EQ(proof["kind"], "inductive invariant");
  EXPECT_EQ(proof["places"][0]["formulas"], json::array({"!x[0] || x[1]"}));
}

TEST(Report, EnumeratorsHaveTheirNamesAndRealsTheirDecimals) {
  Problem problem = system();
  TermStore& terms = problem.system().terms();
  TermTrace trace;
  trace.steps.push_back({{terms.real(mpq_class(-37, 2)), terms.integer(1)}, {}});
  trace.steps.push_back({{terms.real(mpq_class(1, 3)), terms.integer(7)}, {}});
  std::map<std::string, std::vector<std::string>> names = {{"mode", {"Off", "On"}}};
  ReportExtras extras;
  extras.enumerators = &names;
  json data = data_of(write_report(report_with(Unsafe{trace}), &problem, Stats{}, extras));
  const json& variables = data["results"][0]["trace"]["variables"];
  EXPECT_EQ(variables[0]["values"], json::array({"-18.5", "1/3"}));
  EXPECT_EQ(variables[1]["values"], json::array({"On", "7"}));
}

TEST(Report, RealsAreExact) {
  EXPECT_EQ(report::real_text(mpq_class(3)), "3.0");
  EXPECT_EQ(report::real_text(mpq_class(-1, 100)), "-0.01");
  EXPECT_EQ(report::real_text(mpq_class(5, 8)), "0.625");
  EXPECT_EQ(report::real_text(mpq_class(-2, 7)), "-2/7");
}

TEST(Report, SystemProofsAreInfix) {
  Problem problem = system();
  TermStore& terms = problem.system().terms();
  Term small = terms.make_le(problem.system().states()[1].current, terms.integer(4));
  json data = data_of(write_report(report_with(Safe{TermInvariant{small, 3}}), &problem, Stats{}));
  const json& proof = data["results"][0]["proof"];
  EXPECT_EQ(proof["kind"], "3-inductive invariant");
  EXPECT_EQ(proof["places"][0]["formulas"], json::array({"mode <= 4"}));
}

TEST(Report, GrowthStatisticsOptionsAndCommandAreThere) {
  Growth growth;
  growth.add("ic3", Stats{}, 4096, "ic3: frame 2, lemmas 3 1");
  Stats stats;
  stats.counter("ic3.queries") += 3;
  stats.timer("app.total").seconds = 0.5;
  ReportExtras extras;
  extras.growth = &growth;
  extras.command = "lemmata check m";
  extras.options.push_back({"ic3.lift", "core", "both"});
  json data = data_of(write_report(report_with(Unknown{Reason::GaveUp}), nullptr, stats, extras));
  EXPECT_EQ(data["growth"][0]["engine"], "ic3");
  EXPECT_EQ(data["growth"][0]["samples"][0]["lemmas"], json::array({3, 1}));
  EXPECT_EQ(data["stats"][0], json::array({"ic3.queries", 3, ""}));
  EXPECT_EQ(data["stats"][1][2], "s");
  EXPECT_EQ(data["options"][0], json::array({"ic3.lift", "core", "both"}));
  EXPECT_EQ(data["command"], "lemmata check m");
  EXPECT_EQ(data["results"][0]["verdict"], "unknown");
}

TEST(Report, VacuousProofsSaySo) {
  Problem problem = circuit();
  RunReport report = report_with(Safe{InductiveInvariant{}});
  report.results[0].vacuous = "no run satisfies the constraints";
  json data = data_of(write_report(report, &problem, Stats{}));
  EXPECT_EQ(data["results"][0]["vacuous"], "no run satisfies the constraints");
}

/// while (x < 3) x = x + 1, then the error.
TEST(Report, ProgramsHaveStepsAndAControlFlow) {
  auto terms = std::make_shared<TermStore>();
  CfaBuilder builder(terms);
  Term x = builder.add_variable("x", terms->int_sort());
  LocationId start = builder.add_location("start", 1);
  LocationId end = builder.add_location("end", 2);
  EdgeId set = builder.add_edge(start, Command::assign(x, terms->integer(3)), end, 1);
  builder.set_initial(start);
  builder.set_error(end);
  Problem problem{
      *std::move(builder).freeze(), {{"p", ErrorLocation{}}}, {"m.c", "c", {}, {}, {}, {}}};
  CfaTrace trace{{set}, {{terms->integer(0)}, {terms->integer(3)}}};
  json data = data_of(write_report(report_with(Unsafe{trace}), &problem, Stats{}));
  const json& steps = data["results"][0]["trace"]["steps"];
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(steps[0]["line"], 1);
  EXPECT_EQ(steps[0]["set"], json::array({json::array({0, "3", 0})}));
  bool drawn = data["flow"].contains("svg");
  EXPECT_TRUE(drawn || data["flow"].contains("note"));
  if (drawn) {
    EXPECT_EQ(data["flow"]["lines"]["n0"], 1);
  }
}

}  // namespace
}  // namespace lem::writer
