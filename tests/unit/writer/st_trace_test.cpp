#include "writer/st_trace.h"

#include <gtest/gtest.h>

#include "frontend/st/st.h"
#include "support/random_walk.h"
#include "support/unchecked.h"

namespace lem::writer {
namespace {

StProgram latch() {
  StOptions options;
  options.requirements.push_back({"", "invariant", {"n < 2"}, {"--require", 1, 1}});
  Result<StProgram> program =
      read_st("latch.st",
              "TYPE Mode : (Off, On); END_TYPE PROGRAM p VAR_INPUT i : BOOL; END_VAR "
              "VAR_OUTPUT w : WORD; m : Mode; t : TIME; END_VAR VAR n : INT; END_VAR "
              "n := n + 1; w := 16#8A0 + INT_TO_WORD(n); m := On; t := T#1s500ms; END_PROGRAM",
              options);
  EXPECT_TRUE(program.ok()) << program.error().text();
  return *program;
}

TEST(StTrace, HasARowForEachVariableAndTwoColumnsForEachCycle) {
  StProgram program = latch();
  CfaTrace trace = test::RandomWalk(program.cfa, 3).run(program.source->cycle_end, 2);
  StTable table = st_table(program, test::unchecked(trace));
  ASSERT_EQ(table.cycles, 2U);
  EXPECT_FALSE(table.ends_within);
  ASSERT_EQ(table.rows.size(), 5U);
  EXPECT_EQ(table.rows[0].direction + " " + table.rows[0].name, "IN i");
  auto values = [&](const std::string& name) {
    for (const StTable::Row& row : table.rows)
      if (row.name == name) return row.values;
    return std::vector<std::string>{};
  };
  using Values = std::vector<std::string>;
  EXPECT_EQ(values("n"), (Values{"0", "1", "1", "2"}));
  EXPECT_EQ(values("w"), (Values{"16#0000", "16#08A1", "16#08A1", "16#08A2"}));
  EXPECT_EQ(values("m"), (Values{"Off", "On", "On", "On"}));
  EXPECT_EQ(values("t"), (Values{"T#0s", "T#1s500ms", "T#1s500ms", "T#1s500ms"}));
}

TEST(StTrace, TextNamesTheRequirementAndTheCycle) {
  StProgram program = latch();
  CfaTrace trace = test::RandomWalk(program.cfa, 3).run(program.source->cycle_end, 2);
  StTable table = st_table(program, test::unchecked(trace));
  const StProperty& about = program.source->about("R1");
  std::string text = st_table_text(table, about);
  EXPECT_NE(text.find("R1: (n < 2) at the end of every cycle\nviolated in cycle 2"), text.npos)
      << text;
  EXPECT_NE(st_table_csv(table).find("VAR,INT,n,0,1,1,2,\n"), text.npos);
  EXPECT_NE(st_table_json(table, about).find("\"begin\": \"16#0000\""), text.npos);
}

TEST(StTrace, RequirementsAreReadFromFiles) {
  StOptions options;
  ASSERT_TRUE(read_requirements("r.yml",
                                "requirements: ['forbidden: x', {name: a, pattern: "
                                "pattern-implication, parameters: [p, q]}]",
                                options)
                  .ok());
  ASSERT_TRUE(
      read_requirements("c.vc3",
                        "-id = c1 -job.req = pattern\n-job.req.pattern_id = pattern-invariant\n"
                        "-job.req.pattern_params.0 = \"instance.y\"\n",
                        options)
          .ok());
  ASSERT_EQ(options.requirements.size(), 3U);
  EXPECT_EQ(options.requirements[1].pattern, "implication");
  EXPECT_EQ(options.requirements[2].parameters[0], "instance.y");
  EXPECT_TRUE(parse_time("range:5:20", options).ok());
  EXPECT_FALSE(parse_time("range:20:5", options).ok());
  EXPECT_FALSE(parse_requirement("nothing").ok());
}

}  // namespace
}  // namespace lem::writer
