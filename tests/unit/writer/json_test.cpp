#include "writer/json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace lem::writer {
namespace {

using nlohmann::json;

/// Input `go`, latches l0 (no name) and `busy`, a gate, bad = both latches.
Problem small_problem() {
  AigBuilder builder;
  AigLit go = builder.add_input();
  AigLit first = builder.add_latch(Reset::Zero);
  AigLit second = builder.add_latch(Reset::Zero);
  AigLit bad = builder.and_gate(first, second);
  builder.set_next(first, go);
  builder.set_next(second, first);
  return {std::move(builder).freeze(),
          {{"both", bad}},
          {"m.aag", "aiger", {"go"}, {"", "busy<1>"}, {0, 1, 2, 3, 9}, {}}};
}

RunReport report_with(Verdict verdict) {
  RunReport report{"0.1.0", "m.aag", "aiger", {}};
  bool unknown = std::holds_alternative<Unknown>(verdict);
  report.results.push_back({"both", check::trust_unchecked(std::move(verdict)),
                            unknown ? "timeout" : "", "ic3", 0.5, 2});
  return report;
}

Verdict two_steps() {
  return Unsafe{Trace{{false, false}, {{true}, {true}, {false}}}};
}

json parsed(Verdict verdict) {
  Problem problem = small_problem();
  Stats stats;
  stats.counter("ic3.queries") += 3;
  return json::parse(write_json(report_with(std::move(verdict)), &problem, stats));
}

TEST(Json, NamesSignalsAsTheFileDoes) {
  Problem problem = small_problem();
  EXPECT_EQ(signal_name(problem, 0), "false");
  EXPECT_EQ(signal_name(problem, 1), "go");
  EXPECT_EQ(signal_name(problem, 2), "l0");
  EXPECT_EQ(signal_name(problem, 3), "busy<1>");
  EXPECT_EQ(signal_name(problem, 4), "n9");
  EXPECT_EQ(literal_name(problem, AigLit(2, true)), "!l0");
}

TEST(Json, TraceHasNamesAndBits) {
  json result = parsed(two_steps())["results"][0];
  EXPECT_EQ(result["verdict"], "unsafe");
  EXPECT_TRUE(result["invariant"].is_null());
  EXPECT_TRUE(result["reason"].is_null());
  EXPECT_EQ(result["trace"]["inputs"], json::array({"go"}));
  EXPECT_EQ(result["trace"]["latches"], json::array({"l0", "busy<1>"}));
  EXPECT_EQ(result["trace"]["initial"], "00");
  EXPECT_EQ(result["trace"]["steps"], json::array({"1", "1", "0"}));
}

TEST(Json, InvariantIsAListOfClauses) {
  json document = parsed(Safe{InductiveInvariant{{{AigLit(2, true), AigLit(3, false)}}}});
  EXPECT_EQ(document["results"][0]["invariant"], json::array({json::array({"!l0", "busy<1>"})}));
  EXPECT_EQ(document["stats"]["ic3.queries"], 3);
}

TEST(Json, KInductiveInvariantSaysSo) {
  json result = parsed(Safe{KInductive{4, SimplePath::Yes, {}}})["results"][0];
  EXPECT_EQ(result["invariant"]["k"], 4);
  EXPECT_EQ(result["invariant"]["simple_path"], true);
}

TEST(Json, UncheckedVerdictsAreNotCalledCertified) {
  EXPECT_EQ(parsed(two_steps())["results"][0]["certified"], false);
  json unknown = parsed(Unknown{Reason::Stopped})["results"][0];
  EXPECT_EQ(unknown["certified"], false);
  EXPECT_EQ(unknown["reason"], "timeout");
}

TEST(Json, NamesThatAreNotUtf8StillGiveValidJson) {
  Problem problem = small_problem();
  RunReport report = report_with(Unknown{Reason::GaveUp});
  report.results[0].property = "\xff\"\n";
  EXPECT_NO_THROW(json::parse(write_json(report, &problem, Stats{})));
}

}  // namespace
}  // namespace lem::writer
