// Precedence, lexical traps, and errors with their places.
#include <gtest/gtest.h>

#include "unit/frontend/lustre_support.h"

namespace lem::frontend {
namespace {

/// Both expressions denote the same term.
bool same(const std::string& a, const std::string& b) {
  auto problem = lustre::read_lustre(
      "t.lus",
      "node top(a, b, c, d: bool; x, y, z: int; u, v: real) returns (ok: bool); let ok = "
      "true; --%PROPERTY \"l\" " +
          a + "; \n--%PROPERTY \"r\" " + b + ";\n tel");
  if (!problem) {
    ADD_FAILURE() << a << " / " << b << ": " << problem.error().text();
    return false;
  }
  return problem->properties.at(0).bad_term() == problem->properties.at(1).bad_term();
}

TEST(LustrePrecedence, FollowsTheTable) {
  EXPECT_TRUE(same("true -> pre x + 1 = y", "true -> ((pre x) + 1) = y"));
  EXPECT_FALSE(same("true -> pre x + 1 = y", "true -> (pre (x + 1)) = y"));
  EXPECT_TRUE(same("not a = b", "(not a) = b"));
  EXPECT_TRUE(same("(0 -> pre x + 1) = y", "(0 -> ((pre x) + 1)) = y"));
  EXPECT_TRUE(same("a -> b -> c", "a -> (b -> c)"));
  EXPECT_TRUE(same("a => b => c", "a => (b => c)"));
  EXPECT_FALSE(same("a => b => c", "(a => b) => c"));
  EXPECT_TRUE(same("a -> b => c", "a -> (b => c)"));
  EXPECT_TRUE(same("a or b => c", "(a or b) => c"));
  EXPECT_TRUE(same("a or b and c", "a or (b and c)"));
  EXPECT_TRUE(same("a xor b and c", "a xor (b and c)"));
  EXPECT_TRUE(same("a or b xor c", "(a or b) xor c"));
  EXPECT_TRUE(same("a xor b or c", "(a xor b) or c"));
  EXPECT_TRUE(same("a and x < y", "a and (x < y)"));
  EXPECT_TRUE(same("x < y = a", "(x < y) = a"));
  EXPECT_TRUE(same("a = b = c", "(a = b) = c"));
  EXPECT_TRUE(same("x + y < z", "(x + y) < z"));
  EXPECT_TRUE(same("x - y - z = 0", "(x - y) - z = 0"));
  EXPECT_TRUE(same("x + y * 2 = z", "(x + (y * 2)) = z"));
  EXPECT_TRUE(same("x * 2 mod 3 = z", "((x * 2) mod 3) = z"));
  EXPECT_TRUE(same("x div 2 * 2 = z", "((x div 2) * 2) = z"));
  EXPECT_TRUE(same("real x + u > v", "((real x) + u) > v"));
  EXPECT_TRUE(same("true -> not pre a and b", "true -> (not (pre a)) and b"));
}

TEST(LustrePrecedence, MinusIsAsLooseAsASum) {
  EXPECT_TRUE(same("-x + y = z", "((-x) + y) = z"));
  EXPECT_TRUE(same("-x * y = z", "(-(x * y)) = z"));
  EXPECT_TRUE(same("x * -y + z = 0", "((x * (-y)) + z) = 0"));
  EXPECT_TRUE(same("-x < y", "(-x) < y"));
  EXPECT_TRUE(same("-x mod 3 = y", "(-(x mod 3)) = y"));
}

TEST(LustrePrecedence, ElseReachesAsFarAsPossible) {
  EXPECT_TRUE(same("if a then b else c and d", "if a then b else (c and d)"));
  EXPECT_TRUE(same("if a then b else c -> d", "if a then b else (c -> d)"));
  EXPECT_TRUE(same("a -> if b then c else d => a", "a -> (if b then c else (d => a))"));
  EXPECT_TRUE(same("if a then if b then c else d else a", "if a then (if b then c else d) else a"));
  EXPECT_TRUE(same("(x + if a then y else z + 1) = 0", "(x + (if a then y else (z + 1))) = 0"));
}

TEST(LustreLexer, PragmaCountsOnlyWhereTheCommentBegins) {
  EXPECT_EQ(
      property_names("node top(a: bool) returns (b: bool); let b = a;\n"
                     "--  --%PROPERTY a;\n-- %PROPERTY a;\n--%PROPERTY b;\n--%IVC a, b;\ntel"),
      Strings{"b"});
}

TEST(LustreLexer, SkipsBlockComments) {
  EXPECT_EQ(property_names("(* node *) node top(a: bool) /* x \n y */ returns (b: bool);\nlet b = "
                           "a; (* --%PROPERTY a; *) --%PROPERTY b; \n tel"),
            Strings{"b"});
}

TEST(LustreLexer, ContractWordsMayBeNames) {
  EXPECT_EQ(property_names("node top(init, set, mode, level, check, every: bool) returns (assume: "
                           "bool);\nvar guarantee, contract, import, ensure, require, restart, "
                           "default, initial: bool;\nlet assume = init and set and mode and level "
                           "and check and every; guarantee = assume; contract = set; import = set; "
                           "ensure = set; require = set; restart = set; default = restart; initial "
                           "= set;\n--%PROPERTY guarantee;\ntel"),
            Strings{"guarantee"});
}

TEST(LustreLexer, ReadsNumbers) {
  EXPECT_TRUE(same("u = 1.50", "u = 3.0 / 2.0"));
  EXPECT_TRUE(same("u = 1.5e2", "u = 150.0"));
  EXPECT_TRUE(same("u = 25.0E-2", "u = 0.25"));
  EXPECT_TRUE(same("x = 123456789012345678901234567890", "x = 123456789012345678901234567889 + 1"));
  EXPECT_EQ(lustre_error("node t(x: real) returns (y: real); let y = 1.0e99999999; tel"),
            "f.lus:1:44: error: the exponent is too large");
}

TEST(LustreParser, SemicolonsAfterHeaderAndTelAreOptional) {
  EXPECT_EQ(property_names("node f(a: bool;) returns (b: bool;) let b = a; tel\n"
                           "node top(a: bool) returns (b: bool); let b = f(a); --%PROPERTY b;\n"
                           "--%MAIN ;\ntel;"),
            Strings{"b"});
}

TEST(LustreParser, MainIsMarkedOrNeverCalled) {
  const std::string f = "node f(a: bool) returns (b: bool); let b = a; tel\n";
  const std::string g =
      "node g(a: bool) returns (c: bool); let c = f(a); --%PROPERTY \"g\" c;\ntel\n";
  EXPECT_EQ(property_names(g + f), Strings{"g"});
  EXPECT_EQ(property_names(f + "node top(a: bool) returns (d: bool); let d = g(a); tel\n" + g),
            Strings{"g~1.g"});
  EXPECT_EQ(
      property_names("node f(a: bool) returns (b: bool); let --!MAIN : true;\n b = a; tel\n" + g),
      Strings{});
  EXPECT_EQ(
      lustre_error(f + g + "node h(a: bool) returns (c: bool); let c = a; check c; tel"),
      "f.lus:4:6: error: unsupported: several nodes with properties that nobody calls, 'g' and "
      "'h'; mark one with --%MAIN;");
}

TEST(LustreErrors, NamePlaceAndCause) {
  EXPECT_EQ(lustre_error("node top(a: bool) returns (b: bool);\nlet\n  b = a and c;\ntel"),
            "f.lus:3:13: error: unknown name 'c'");
  EXPECT_EQ(lustre_error("node top(a: bool) returns (b: bool);\nlet\n  b = a + 1;\ntel"),
            "f.lus:3:9: error: the operands of '+' differ in type: bool and int");
  EXPECT_EQ(lustre_error("node top(a: int) returns (b: int);\nlet b = if a then 1 else 2;\ntel"),
            "f.lus:2:12: error: the condition must be bool, found int");
  EXPECT_EQ(lustre_error("node top(a: int) returns (b: int);\nlet b = a + 1.0;\ntel"),
            "f.lus:2:11: error: the operands of '+' differ in type: int and real");
  EXPECT_EQ(lustre_error("node top(a: int) returns (b: int);\nlet b = a tel"),
            "f.lus:2:11: error: expected ';', found 'tel'");
  EXPECT_EQ(lustre_error("node top(a: int) returns (b: int);\nlet b = a;"),
            "f.lus:2:11: error: expected 'tel', found the end of the file");
  EXPECT_EQ(lustre_error("node top(a: int) returns (b: int);\nlet tel"),
            "f.lus:1:27: error: 'b' has no equation");
  EXPECT_EQ(lustre_error("node top(a: int) returns (b: int);\nlet b = 1; b = 2; tel"),
            "f.lus:2:12: error: 'b' is defined twice");
  EXPECT_EQ(lustre_error("node top(a: int) returns (b: int);\nlet a = 1; b = 2; tel"),
            "f.lus:2:5: error: input 'a' cannot be defined");
  EXPECT_EQ(lustre_error("node top(a: t) returns (b: int);\nlet b = 2; tel"),
            "f.lus:1:13: error: unknown type 't'");
  EXPECT_EQ(lustre_error("node top(a: int) returns (b: int);\nlet b = f(a); tel"),
            "f.lus:2:9: error: unknown node 'f'");
  EXPECT_EQ(lustre_error("node f(a, b: int) returns (c: int); let c = a; tel\n"
                         "node top(a: int) returns (b: int);\nlet b = f(a); tel"),
            "f.lus:3:9: error: node 'f' needs 2 values, found 1");
  EXPECT_EQ(lustre_error("type t = struct {x: t};\nnode top(a: t) returns (); let tel"),
            "f.lus:1:21: error: type 't' contains itself");
  EXPECT_EQ(lustre_error("node f(a: int) returns (b: int); let b = g(a); tel\n"
                         "node g(a: int) returns (b: int); let b = f(a); tel"),
            "f.lus:1:6: error: recursive calls through 'f'");
  EXPECT_EQ(lustre_error("node top(a: int) returns (b, c: int);\nlet b = c + 1; c = b; tel"),
            "f.lus:2:11: error: 'b' depends on itself without 'pre'");
  EXPECT_EQ(lustre_error("node top(a: int) returns (b: int); (* oh"),
            "f.lus:1:36: error: the comment is not closed");
  EXPECT_EQ(lustre_error("node top(a: int) returns (b: int); let b = a $ 2; tel"),
            "f.lus:1:46: error: unexpected character '$'");
  EXPECT_EQ(lustre_error("x"),
            "f.lus:1:1: error: expected a declaration of a node, function, contract, type or "
            "constant, found 'x'");
  EXPECT_EQ(lustre_error(""), "f.lus:1:1: error: the file has no node");
  EXPECT_EQ(lustre_error("function f(a: int) returns (b: int);\nlet b = pre a; tel"),
            "f.lus:2:9: error: function 'f' cannot use 'pre'");
  EXPECT_EQ(lustre_error("node top(a: int) returns (b: int);\nlet b = a div 0; tel"),
            "f.lus:2:11: error: division by zero");
}

TEST(LustreErrors, UnsupportedIsSaidByName) {
  auto of = [](const std::string& e) {
    return lustre_error("node top(a, c: bool; x, y: int; u: real) returns (b: int);\nlet b = " + e +
                        "; tel");
  };
  EXPECT_EQ(of("x div y"),
            "f.lus:2:11: error: unsupported: 'div' by something that is not constant");
  EXPECT_EQ(of("int (u / u)"),
            "f.lus:2:16: error: unsupported: '/' by something that is not constant");
  EXPECT_EQ(of("x^3"), "f.lus:2:10: error: unsupported: operator '^'");
  EXPECT_EQ(of("x[3]"), "f.lus:2:10: error: unsupported: operator '['");
  EXPECT_EQ(of("0 fby x"), "f.lus:2:11: error: unsupported: operator 'fby'");
  EXPECT_EQ(of("current(x)"), "f.lus:2:9: error: unsupported: operator 'current'");
  EXPECT_EQ(of("x when a"), "f.lus:2:11: error: unsupported: 'when' outside a branch of merge");
  EXPECT_EQ(of("int (int32 x)"),
            "f.lus:2:14: error: unsupported: conversion of int to int32 of something that is not "
            "constant");
  EXPECT_EQ(of("if #(a, c) then 1 else 2"),
            "f.lus:2:12: error: unsupported: expression that starts with '#'");
  EXPECT_EQ(lustre_error("node top(a: int^3) returns (b: int); let b = 1; tel"),
            "f.lus:1:16: error: unsupported: array types");
  EXPECT_EQ(lustre_error("node imported top(a: int) returns (b: int);"),
            "f.lus:1:6: error: unsupported: imported nodes");
  EXPECT_EQ(lustre_error("include \"x.lus\""),
            "f.lus:1:1: error: unsupported: include declaration");
  EXPECT_EQ(lustre_error("type t;"),
            "f.lus:1:6: error: unsupported: type 't' without a definition");
  EXPECT_EQ(lustre_error("node t(a: bool) returns (b: bool); let b = a;\n"
                         "check reachable b from 4 within 3; tel"),
            "f.lus:2:19: error: the bounds exclude every step");
  EXPECT_EQ(lustre_error("node t(a: bool) returns (b: bool); let b = a;\n"
                         "check reachable b within x; tel"),
            "f.lus:2:26: error: expected a number of steps, found 'x'");
  EXPECT_EQ(lustre_error("node n(a: int) returns (b: int); let b = a; tel\n"
                         "node t(c: bool) returns (b: int); let b = (activate n every c)(1); tel"),
            "f.lus:2:53: error: unsupported: activate without default outside a branch of merge");
}

TEST(LustreErrors, DeepNestingIsRefusedNotFollowed) {
  std::string open(100'000, '('), close(100'000, ')');
  std::string head = "node top(a: bool) returns (b: bool); let b = ";
  EXPECT_NE(lustre_error(head + open + "a" + close + "; tel").find("nested too deeply"),
            std::string::npos);
  std::string sum = "0";
  for (int i = 0; i < 100'000; ++i) sum += "+1";
  EXPECT_NE(lustre_error(head + sum + " = 1; tel").find("nested too deeply"), std::string::npos);
}

TEST(LustreElaboration, LongChainsOfEquationsAreFine) {
  std::string vars = "x0", equations;
  for (int i = 1; i < 20'000; ++i) {
    std::string x = "x" + std::to_string(i);
    vars += ", " + x;
    equations += "x" + std::to_string(i - 1) + " = " + x + " + 1;\n";
  }
  LustreRun run("node top(a: int) returns (b: int); var " + vars + ": int; let b = x0;\n" +
                equations + "x19999 = a; tel");
  run.step({{"a", "5"}});
  EXPECT_EQ(run.value("b"), "20004");
}

}  // namespace
}  // namespace lem::frontend
