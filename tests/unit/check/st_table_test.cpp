#include "check/st/table.h"

#include <gtest/gtest.h>

#include "frontend/st/st.h"
#include "support/random_walk.h"
#include "support/unchecked.h"
#include "writer/st_trace.h"

namespace lem::check {
namespace {

StProgram program() {
  StOptions options;
  options.requirements.push_back({"", "invariant", {"n < 2"}, {"--require", 1, 1}});
  options.time = StOptions::Time::Range;
  options.least_ms = 5;
  options.most_ms = 900'000;
  Result<StProgram> made = read_st(
      "kinds.st",
      "TYPE Mode : (Off, On); END_TYPE PROGRAM p VAR_INPUT b : BOOL; i : SINT; u : UINT; w : WORD; "
      "m : Mode; d : TIME; r : REAL; l : LREAL; END_VAR VAR n : INT; x : INT; t : TON; END_VAR "
      "n := n + 1; x := i / x; t(IN := b, PT := d); END_PROGRAM",
      options);
  EXPECT_TRUE(made.ok()) << made.error().text();
  return *made;
}

/// What is written is read, in each form, and every literal is the value it was written for.
TEST(StTable, IsReadAsItWasWritten) {
  StProgram made = program();
  TermStore& terms = made.cfa.terms();
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    CfaTrace trace = test::RandomWalk(made.cfa, seed).run(made.source->cycle_end, 3);
    writer::StTable table = writer::st_table(made, test::unchecked(trace));
    const StProperty& about = made.source->about("R1");
    for (const auto& [path, text] : {std::pair("t.txt", writer::st_table_text(table, about)),
                                     std::pair("t.csv", writer::st_table_csv(table)),
                                     std::pair("t.json", writer::st_table_json(table, about))}) {
      Result<plc::Table> read = plc::read_table(path, text, *made.source);
      ASSERT_TRUE(read.ok()) << read.error().text() << "\n" << text;
      EXPECT_EQ(read->cycles, 3U);
      std::size_t moment = 0;
      for (std::size_t i = 0; i < trace.edges.size(); ++i) {
        LocationId to = made.cfa[trace.edges[i]].to;
        if (to != made.source->cycle_begin && to != made.source->cycle_end) continue;
        for (std::size_t v = 0; v < made.source->variables.size(); ++v) {
          const StVariable& one = made.source->variables[v];
          if (!made.source->is_shown(v)) continue;
          const std::string& cell = read->rows.at(one.name).at(moment);
          EXPECT_EQ(plc::read_literal(terms, cell, *one.type), trace.values[i + 1][v])
              << path << " " << one.name << " " << cell;
        }
        ++moment;
      }
      EXPECT_EQ(read->open.size(), 1U) << "the division";
    }
  }
}

TEST(StTable, WhatIsNoTableIsRefusedWithItsPlace) {
  StProgram made = program();
  CfaTrace trace = test::RandomWalk(made.cfa, 1).run(made.source->cycle_end, 1);
  std::string csv = writer::st_table_csv(writer::st_table(made, test::unchecked(trace)));
  auto refused = [&](const char* path, const std::string& text) {
    Result<plc::Table> read = plc::read_table(path, text, *made.source);
    return read ? std::string("accepted") : read.error().text();
  };
  EXPECT_EQ(refused("t.csv", csv + csv.substr(csv.find('\n') + 1)).find("t.csv:"), 0U);
  EXPECT_NE(refused("t.csv", "a,b\n").find("expected 'direction'"), std::string::npos);
  EXPECT_NE(refused("t.json", "{").find("no JSON"), std::string::npos);
  EXPECT_NE(refused("t.json", "{\"variables\": [{}], \"cycles\": 1}").find("expected variables"),
            std::string::npos);
  EXPECT_NE(refused("t.txt", "R2: x\n\n\n\n").find("no such property"), std::string::npos);
}

TEST(StTable, LiteralsThatAreNoneOfTheirType) {
  StProgram made = program();
  TermStore& terms = made.cfa.terms();
  auto type = [&](const char* key) -> const st::Type& {
    return *made.source->program->named_types.at(key);
  };
  for (const auto& [key, text] :
       {std::pair("bool", "1"), std::pair("sint", "128"), std::pair("uint", "-1"),
        std::pair("word", "5"), std::pair("word", "16#10000"), std::pair("time", "T#"),
        std::pair("time", "T#1s1h"), std::pair("real", "1e"), std::pair("real", ""),
        std::pair("int", ""), std::pair("mode", "Nowhere")})
    EXPECT_EQ(plc::read_literal(terms, text, type(key)), std::nullopt) << key << " " << text;
  EXPECT_EQ(plc::read_literal(terms, "T#-1m2s3ms", type("time")), terms.bv(-62'003, 32));
}

}  // namespace
}  // namespace lem::check
