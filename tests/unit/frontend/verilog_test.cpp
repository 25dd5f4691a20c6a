// What is made of Yosys' output, without Yosys: messages, statements, clocks, roots.
#include <gtest/gtest.h>

#include "frontend/verilog/labels.h"
#include "frontend/verilog/messages.h"
#include "frontend/verilog/netlist.h"
#include "frontend/verilog/preprocessed.h"
#include "frontend/yosys_place.h"

namespace lem::verilog {
namespace {

TEST(VerilogMessages, ErrorsKeepTheirPlace) {
  Messages said = parse_messages("a.sv", "a.sv:3: ERROR: Found `\\x' twice!\n");
  ASSERT_TRUE(said.error);
  EXPECT_EQ(said.error->text(), "a.sv:3:1: error: found 'x' twice");
  said = parse_messages("a.sv", "ERROR: Module `\\sub' is odd.\n");
  ASSERT_TRUE(said.error);
  EXPECT_EQ(said.error->text(), "a.sv: error: module 'sub' is odd");
  said = parse_messages("a.sv", "b c.sv:0: ERROR: no line\n");
  ASSERT_TRUE(said.error);
  EXPECT_EQ(said.error->text(), "b c.sv: error: no line");
}

TEST(VerilogMessages, WarningsThatChangeTheMeaningAreErrors) {
  Messages said = parse_messages("a.sv",
                                 "a.sv:2: Warning: Identifier `\\y' is implicitly declared.\n"
                                 "a.sv:4: Warning: Identifier `\\u.q' is implicitly declared.\n");
  ASSERT_TRUE(said.error);
  EXPECT_EQ(said.error->at.line, 4U);
  ASSERT_EQ(said.warnings.size(), 1U);
  EXPECT_EQ(said.warnings[0].text(), "a.sv:2: warning: identifier 'y' is implicitly declared");
  said = parse_messages("a.sv",
                        "Warning: found logic loop in module top:\n"
                        "    cell $not$b.sv:9$7 ($not)\n    wire $not$b.sv:9$7_Y\n");
  ASSERT_TRUE(said.error);
  EXPECT_EQ(said.error->text(), "b.sv:9:1: error: combinational loop through line 9");
  EXPECT_FALSE(parse_messages("a.sv", "Warning: Replacing memory \\m with registers\n").error);
  EXPECT_TRUE(parse_messages("a.sv", "Warning: Replacing memory \\m\n").warnings.empty());
}

TEST(VerilogMessages, PlacesAreThoseOfTheStatement) {
  SourcePos at = frontend::yosys_place(" top.sv:5.9-5.11|sub x.sv:3.30-3.43");
  EXPECT_EQ(at.file, "sub x.sv");
  EXPECT_EQ(at.line, 3U);
  EXPECT_EQ(at.column, 30U);
  for (const char* other : {"", "words", "a:b", ":3.4", "a.sv:3", "a.sv:0.1-1.2"})
    EXPECT_EQ(frontend::yosys_place(other).line, 0U) << other;
}

TEST(VerilogMessages, KnowsNamesThatYosysMakes) {
  for (const char* helper : {"$add$1", "u._witness_.anyseq_1", "step$func$a.sv:3$1.c"})
    EXPECT_TRUE(frontend::is_yosys_helper(helper)) << helper;
  for (const char* name : {"count", "g[0].u.q", "a$b"})
    EXPECT_FALSE(frontend::is_yosys_helper(name)) << name;
}

TEST(VerilogText, FindsBindAsAStatement) {
  auto dump = [](const std::string& text) {
    return check_preprocessed(
        "a.sv", "-- Verilog code after preprocessor --\n`file_push \"a.sv\"\n" + text +
                    "`file_pop\n-- END OF DUMP --\n");
  };
  EXPECT_TRUE(dump("module top; endmodule\n").ok());
  EXPECT_TRUE(dump("wire bind = 1; initial x = \"bind a b\"; wire \\bind ;\n").ok());
  Status found = dump("module top; endmodule\nbind top chk c();\n");
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().at.line, 2U);
  found = dump("`file_push \"b.vh\"\n\n\nbind top chk c();\n`file_pop\n");
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().at.file, "b.vh");
  EXPECT_EQ(found.error().at.line, 3U);
}

TEST(VerilogText, TakesLabelsOutWithoutMovingAnything) {
  std::string text =
      "`file_push \"a.sv\"\nx: assert (1); begin y : cover (c ? a : b); end\n"
      "case (s) IDLE: assert (0); RUN: begin z: assume (\"q: assert\"); end endcase\n"
      "case (s) 1: k: assert (0); a ? b : c: assert (0); endcase\n"
      "wire w; lab: assign v = u;\n";
  Labels labels;
  std::string bare = without_labels("a.sv", text, labels);
  EXPECT_EQ(bare,
            "`file_push \"a.sv\"\n   assert (1); begin     cover (c ? a : b); end\n"
            "case (s) IDLE: assert (0); RUN: begin    assume (\"q: assert\"); end endcase\n"
            "case (s) 1:    assert (0); a ? b : c: assert (0); endcase\n"
            "wire w; lab: assign v = u;\n");
  EXPECT_EQ(labels, (Labels{{{"a.sv", 1, 1}, "x"},
                            {{"a.sv", 1, 22}, "y"},
                            {{"a.sv", 2, 39}, "z"},
                            {{"a.sv", 3, 13}, "k"}}));
}

TEST(VerilogText, SkipsBlanksAndComments) {
  std::string text = "; // one\n  /* two\n */ assert";
  EXPECT_EQ(text.substr(skip_blanks(text, 1)), "assert");
  EXPECT_EQ(skip_blanks("/* open", 0), 7U);
}

TEST(VerilogNetlist, RootsAreInstancesOfNoOther) {
  EXPECT_EQ(
      roots_of(
          "module \\a\n  cell \\b \\u\nend\nmodule \\b\n  cell $add $1\nend\nmodule \\c\nend\n"),
      (std::vector<std::string>{"a", "c"}));
}

TEST(VerilogNetlist, StatementsAreNamedByInstanceAndLabel) {
  Formals made = take_formals(
      "  attribute \\src \"a \\\"b.sv:1.2-1.3\"\n  cell $assert \\g[0].u.lab\n    connect \\A 1\n"
      "  attribute \\src \"t.sv:9.1-9.2|s.sv:4.5-4.6\"\n"
      "  cell $cover $flatten\\g[1].u.$flatten\\v.$cover$s.sv:4$12\n"
      "  cell $add $add$1\n  cell $assume \\x\n");
  ASSERT_EQ(made.list.size(), 3U);
  EXPECT_EQ(made.list[0].label, "g[0].u.lab");
  EXPECT_TRUE(made.list[0].labelled);
  EXPECT_EQ(made.list[0].at.file, "a \"b.sv");
  EXPECT_EQ(made.list[1].kind, FormalKind::Cover);
  EXPECT_EQ(made.list[1].label, "g[1].u.v");
  EXPECT_FALSE(made.list[1].labelled);
  EXPECT_EQ(made.list[1].at.line, 4U);
  EXPECT_NE(made.rtlil.find("  cell $cover \\lemmata$1\n"), std::string::npos);
  EXPECT_NE(made.rtlil.find("  cell $add $add$1\n"), std::string::npos);
}

/// A netlist with two inputs of one bit and the given cells.
Clocking clocking(const std::string& cells) {
  auto made = read_netlist(
      R"({"modules": {"top": {"ports": {"a": {"direction": "input", "bits": [2]},
      "b": {"direction": "input", "bits": [3]}}, "netnames": {"a": {"hide_name": 0, "bits": [2],
      "attributes": {}}, "b": {"hide_name": 0, "bits": [3], "attributes": {}}, "g": {"hide_name": 0,
      "bits": [4], "attributes": {}}}, "cells": {)" +
          cells + "}}}}",
      "top");
  EXPECT_TRUE(made);
  return made->clocking;
}

std::string cell(const std::string& name, int clock, int edge, int data) {
  return '"' + name + R"(": {"type": "$dff", "parameters": {"CLK_POLARITY": ")" +
         std::to_string(edge) + R"("}, "connections": {"CLK": [)" + std::to_string(clock) +
         R"(], "D": [)" + std::to_string(data) + "]}}";
}

TEST(VerilogNetlist, OneClockOrSeveral) {
  EXPECT_FALSE(clocking("").single);
  EXPECT_EQ(clocking("").why, "");
  Clocking one = clocking(cell("p", 2, 1, 3) + "," + cell("q", 2, 1, 3));
  ASSERT_TRUE(one.single);
  EXPECT_EQ(one.single->name, "a");
  EXPECT_TRUE(one.single->rising);
  EXPECT_EQ(one.why, "");
  for (const std::string& several : {cell("p", 2, 1, 9) + "," + cell("q", 3, 1, 9),  // two clocks
                                     cell("p", 2, 1, 9) + "," + cell("q", 2, 0, 9),  // both edges
                                     cell("p", 4, 1, 9),     // a gated clock
                                     cell("p", 2, 1, 2)}) {  // the clock as data
    EXPECT_FALSE(clocking(several).single) << several;
    EXPECT_NE(clocking(several).why, "") << several;
  }
}

TEST(VerilogNetlist, RefusesTextOfAnotherKind) {
  EXPECT_FALSE(read_netlist("", "top"));
  EXPECT_FALSE(read_netlist("[]", "top"));
  EXPECT_FALSE(read_netlist(R"({"modules": {}})", "top"));
}

}  // namespace
}  // namespace lem::verilog
