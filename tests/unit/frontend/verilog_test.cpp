// What is made of Yosys' output, without Yosys: messages, statements, clocks, roots.
#include <gtest/gtest.h>

#include <fstream>

#include "base/temporary_folder.h"
#include "frontend/verilog/messages.h"
#include "frontend/verilog/netlist.h"
#include "frontend/verilog/parser.h"
#include "frontend/verilog/preprocessor.h"
#include "frontend/verilog/rewrite.h"
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

/// Files of a folder that is gone after the test.
class VerilogText : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }
  Result<TokenList> words(const std::string& text, std::vector<std::string> defines = {}) const {
    PreprocessorInput input{.file = write("a.sv", text),
                            .system = true,
                            .include_folders = {},
                            .defines = std::move(defines),
                            .readable = {folder_.path()}};
    TokenList out;
    if (Status done = preprocess(input, out); !done) return done.error();
    return out;
  }
  std::string text(const std::string& in, std::vector<std::string> defines = {}) const {
    Result<TokenList> made = words(in, std::move(defines));
    if (!made) return made.error().message;
    std::string out;
    for (const Token& each : made->tokens) out += (out.empty() ? "" : " ") + each.text;
    return out;
  }
  Result<Rewritten> rewritten(const std::string& in) const {
    Result<TokenList> made = words(in);
    if (!made) return made.error();
    Result<Syntax> design = parse(*std::move(made));
    if (!design) return design.error();
    return rewrite(*design);
  }
  /// `line:column message` of the error.
  std::string refusal(const std::string& in) const {
    Result<Rewritten> made = rewritten(in);
    if (made) return "read";
    const Error& error = made.error();
    return std::to_string(error.at.line) + ":" + std::to_string(error.at.column) + " " +
           error.message;
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(VerilogText, MacrosAreExpanded) {
  EXPECT_EQ(text("`define W 4\n`define MAX(a, b = 2) ((a) > (b) ? (a) : (b))\n`W'd3 `MAX(`W,) x"),
            "4 'd3 ( ( 4 ) > ( 2 ) ? ( 4 ) : ( 2 ) ) x");
  EXPECT_EQ(text("`define J(a) a``_q\n`J(x) `define S(a) `\"a`\"\n`S(b c)"), "x_q \"b c\"");
  EXPECT_EQ(text("`ifdef A one `elsif B two `else three `endif", {"B=1"}), "two");
  EXPECT_EQ(text("`ifndef A one `ifdef C x `else y `endif `endif"), "one y");
  EXPECT_EQ(text("4 'b 1x0_ ? /* c */ \\a+b  // d\n '0 1.5e-3"), "4'b1x0_ ? \\a+b '0 1.5e-3");
  EXPECT_EQ(text("`define A `B\n`define B `A\n`A"), "the macro `A uses itself");
  EXPECT_EQ(text("`NONE"), "the macro `NONE is not defined");
  EXPECT_EQ(text("`ifdef A"), "`ifdef without `endif");
}

TEST_F(VerilogText, WordsHaveTheirPlaces) {
  write("inc.vh", "\nwire w;\n");
  Result<TokenList> made = words("`include \"inc.vh\"\n`define X a + b\n  assert (`X);\n");
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->place(made->tokens[0]).file, path("inc.vh"));
  EXPECT_EQ(made->tokens[0].line, 2U);
  EXPECT_EQ(made->tokens[3].line, 3U);
  EXPECT_EQ(made->tokens[3].column, 3U);
  for (std::size_t i : {5U, 6U, 7U}) EXPECT_EQ(made->tokens[i].column, 11U);
}

TEST_F(VerilogText, InclusionsEnd) {
  write("cyc.vh", "`include \"cyc.vh\"\n");
  EXPECT_EQ(text("`include \"cyc.vh\"\n"), "`include without end: 'cyc.vh' includes itself");
  write("x.vh", "`include \"y.vh\"\n");
  write("y.vh", "\n`include \"x.vh\"\n");
  EXPECT_NE(text("`include \"x.vh\"\n").find("includes itself"), std::string::npos);
  write("once.vh", "`ifndef ONCE\n`define ONCE\nwire w;\n`include \"once.vh\"\n`endif\n");
  EXPECT_EQ(text("`include \"once.vh\"\n`include \"once.vh\"\n"), "wire w ;");
  EXPECT_EQ(text("`include \"/etc/passwd\"\n"), "cannot read the included file '/etc/passwd'");
}

TEST_F(VerilogText, RefusesByPlace) {
  auto in_module = [&](const std::string& text) {
    return refusal("module top(input clk, input [3:0] d);\n" + text + "\nendmodule\n");
  };
  EXPECT_EQ(in_module("bind top chk c();"),
            "2:1 unsupported: bind (instantiate the checker in the module instead)");
  EXPECT_EQ(in_module("wire bind_ = 1; wire \\bind ;"), "read");
  EXPECT_EQ(in_module("always @* assert (dd == 1);"), "2:19 'dd' is not declared");
  EXPECT_EQ(in_module("always @(posedge clk) x <= $time;"),
            "2:28 unsupported: system function $time");
  EXPECT_EQ(in_module("initial begin #1 d2 = 0; end reg d2;"),
            "2:18 unsupported: an assignment after a delay in an initial block");
  EXPECT_EQ(in_module("a: assert property (@(posedge clk) d |=> ##1 d);").substr(0, 22),
            "2:42 unsupported: '##'");
  EXPECT_EQ(in_module("always @* assert (d) else d2 = 1; reg d2;").substr(0, 16),
            "2:27 unsupported");
  EXPECT_EQ(in_module("property p; p; endproperty a: assert property (p);"),
            "2:13 the property refers to itself");
}

TEST_F(VerilogText, StatementsStandInTheirScope) {
  Result<Rewritten> made = rewritten(
      "module top(input clk, input a, b);\n"
      "if (1) g: assert property (@(posedge clk) a |=> b) else $error(\"x\");\n"
      "else begin : e always @* l: cover (a); end\nendmodule\n");
  ASSERT_TRUE(made.ok());
  ASSERT_EQ(made->statements.size(), 2U);
  EXPECT_EQ(made->statements[0].label, "g");
  EXPECT_EQ(made->statements[0].at.line, 2U);
  EXPECT_EQ(made->statements[0].at.column, 11U);
  EXPECT_EQ(made->statements[1].label, "l");
  EXPECT_NE(made->texts[0].find("begin reg premise_2 = 0;"), std::string::npos) << made->texts[0];
}

TEST(VerilogNetlist, RootsAreInstancesOfNoOther) {
  EXPECT_EQ(
      roots_of(
          "module \\a\n  cell \\b \\u\nend\nmodule \\b\n  cell $add $1\nend\nmodule \\c\nend\n"),
      (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ(roots_of("module \\a\n  cell $array:3:0:\\b \\u\nend\nmodule \\b\nend\n"),
            (std::vector<std::string>{"a"}));
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
