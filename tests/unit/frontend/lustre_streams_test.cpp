// Streams of small programs against values worked out by hand.
#include <gtest/gtest.h>

#include "unit/frontend/lustre_support.h"

namespace lem::frontend {
namespace {

using Values = LustreRun::Values;

TEST(LustreStreams, ArrowAndPreCount) {
  LustreRun run(
      "node top() returns (n, m: int); let n = 0 -> pre n + 1; m = 1 -> pre (2 -> n); tel");
  EXPECT_EQ(run.stream("n", {{}, {}, {}}), (Strings{"0", "1", "2"}));
  LustreRun other(
      "node top() returns (n, m: int); let n = 0 -> pre n + 1; m = 1 -> pre (2 -> n); tel");
  EXPECT_EQ(other.stream("m", {{}, {}, {}, {}}), (Strings{"1", "2", "1", "2"}));
}

TEST(LustreStreams, UnguardedPreIsArbitrary) {
  LustreRun run("node top(x: int) returns (y: int); let y = pre x; tel", {{"pre.x", "7"}});
  EXPECT_EQ(run.stream("y", {{{"x", "1"}}, {{"x", "2"}}, {}}), (Strings{"7", "1", "2"}));
  const StateVar& memory = run.system().states().back();
  EXPECT_EQ(run.terms().name(memory.current), "pre.x");
  EXPECT_FALSE(memory.init);
}

TEST(LustreStreams, GuardedMemoryStartsWithItsSecondValue) {
  LustreRun run("node top() returns (n: int); let n = 5 -> pre n + 1; tel");
  ASSERT_EQ(run.system().states().size(), 2U);  // %init and pre.n
  const StateVar& memory = run.system().states()[1];
  EXPECT_EQ(run.terms().name(memory.current), "pre.n");
  EXPECT_EQ(memory.init, run.terms().integer(5));
}

TEST(LustreStreams, EqualMemoriesAreOne) {
  LustreRun run(
      "node f(a: int) returns (b: int); let b = 0 -> pre a; tel\n"
      "node top(x: int) returns (y, z: int; w: bool); var v: int; let v = x; y = f(x) + f(v); z = "
      "0 "
      "-> pre x; w = true -> pre z = pre (0 -> pre v); tel");
  EXPECT_EQ(run.system().states().size(), 3U);  // %init, pre.x, pre.z
}

TEST(LustreStreams, CallsHaveTheirOwnMemories) {
  LustreRun run(
      "node count(c: bool) returns (n: int); let n = (if c then 1 else 0) + (0 -> pre n); tel\n"
      "node top(a, b: bool) returns (s, d: int); let s = count(a) + count(b); d = count(a and b); "
      "tel");
  std::vector<Values> in{{{"a", "true"}}, {{"a", "true"}, {"b", "true"}}, {{"b", "true"}}};
  EXPECT_EQ(run.stream("s", in), (Strings{"1", "3", "4"}));
  EXPECT_EQ(run.value("d"), "1");
  Strings names;
  for (const StateVar& state : run.system().states())
    names.push_back(run.terms().name(state.current));
  EXPECT_EQ(names, (Strings{"%init", "count~1.pre.n", "count~2.pre.n", "count~3.pre.n"}));
}

TEST(LustreStreams, TuplesAreTakenApart) {
  LustreRun run(
      "node swap(a, b: int) returns (c, d: int); let (c, d) = (b, a); tel\n"
      "node top(x: bool) returns (p, q, r, s: int); let (p, q) = swap(swap(1, 2)); r, s = if x "
      "then "
      "(10, 20) else swap(10, 20); tel");
  run.step({{"x", "true"}});
  EXPECT_EQ(run.value("p") + run.value("q") + run.value("r") + run.value("s"), "121020");
  run.step({{"x", "false"}});
  EXPECT_EQ(run.value("r") + run.value("s"), "2010");
}

TEST(LustreStreams, AnOutputNeedsNotEveryInput) {
  LustreRun run(
      "node two(a, b: int) returns (x, y: int); let x = a + 1; y = b + 1; tel\n"
      "node top(i: int) returns (p, q: int); let (p, q) = two(i, p); tel");
  run.step({{"i", "5"}});
  EXPECT_EQ(run.value("q"), "7");
}

TEST(LustreStreams, RecordsEnumsAndAliases) {
  LustreRun run(
      "type outer = struct {p: point; c: colour};\n"
      "type point = struct {x, y: number};\n"
      "type number = int; type colour = enum {Red, Green, Blue};\n"
      "node shift(p: point) returns (q: point); let q = point {y = p.y + 1; x = p.x}; tel\n"
      "node top(o: outer) returns (r: outer; same: bool; n: int);\n"
      "let r = outer {p = shift(o.p); c = Red -> pre o.c}; same = r = o; n = r.p.y;\n"
      "tel");
  run.step({{"o.p.x", "1"}, {"o.p.y", "2"}, {"o.c", "2"}});
  EXPECT_EQ(run.value("r.p.x") + run.value("r.p.y") + run.value("r.c"), "130");
  EXPECT_EQ(run.value("same") + run.value("n"), "false3");
  run.step();
  EXPECT_EQ(run.value("r.c"), "2");
  run.step({{"o.c", "3"}});
  EXPECT_FALSE(run.constrained()) << "an enumeration has no fourth value";
}

TEST(LustreStreams, MachineIntegersWrapAndCompareSigned) {
  LustreRun run(
      "node top(x: int8; u: uint8) returns (y, d, m, e: int8; w: int16; less, above: bool);\n"
      "let y = x + (int8 1); less = y < x; above = u + (uint8 1) < u; d = x div (int8 3); "
      "m = x mod (int8 3); w = int16 x; e = -x; tel");
  run.step({{"x", "127"}, {"u", "255"}});
  EXPECT_EQ(run.value("y"), "-128");
  EXPECT_EQ(run.value("less") + run.value("above"), "truetrue");
  EXPECT_EQ(run.value("d") + "," + run.value("m") + "," + run.value("w"), "42,1,127");
  run.step({{"x", "-7"}});
  EXPECT_EQ(run.value("d") + "," + run.value("m") + "," + run.value("w") + "," + run.value("e"),
            "-2,-1,-7,7");
}

TEST(LustreStreams, LiteralCastsReachToTheRight) {
  LustreRun run("node top(x: int32) returns (y: int32); let y = x + int32 1 + 2; tel");
  run.step({{"x", "4"}});
  EXPECT_EQ(run.value("y"), "7");
}

TEST(LustreStreams, DivisionIsEuclidean) {
  LustreRun run(
      "node top(x: int; u: real) returns (a, b, c, d, f: int; v: real);\n"
      "let a = x div 3; b = x mod 3; c = x div -3; d = x mod -3; f = floor(u); v = u / 4.0; tel");
  run.step({{"x", "-7"}, {"u", "-3/2"}});
  EXPECT_EQ(run.value("a") + run.value("b") + run.value("c") + run.value("d"), "-3232");
  EXPECT_EQ(run.value("f") + run.value("v"), "-2-3/8");
}

TEST(LustreStreams, ConstantsMayBeFreeButNeverChange) {
  LustreRun run(
      "const N, M: int; const K: int = 2 * L; const L = 4; const S: bool;\n"
      "node top(const c: int; x: int) returns (y: int); let y = x + N + K; tel",
      {{"N", "100"}});
  EXPECT_EQ(run.stream("y", {{{"x", "1"}}, {{"x", "2"}}}), (Strings{"109", "110"}));
}

TEST(LustreStreams, AssertionsOfCalledNodesConstrain) {
  LustreRun run(
      "node f(a: int) returns (b: int); let b = a; assert a > 0; tel\n"
      "node top(x: int) returns (y: int); let y = f(x); assert x < 10; tel");
  run.step({{"x", "5"}});
  EXPECT_TRUE(run.constrained());
  run.step({{"x", "0"}});
  EXPECT_FALSE(run.constrained());
  run.step({{"x", "10"}});
  EXPECT_FALSE(run.constrained());
}

TEST(LustreStreams, SubrangesConstrainInputsAndAreClaims) {
  const std::string text =
      "const Top: int = 3;\ntype small = subrange [-1, Top] of int;\n"
      "node top(x: small) returns (y: small); let y = x + 1; tel";
  EXPECT_EQ(property_names(text), Strings{"y.subrange"});
  LustreRun run(text);
  run.step({{"x", "4"}});
  EXPECT_FALSE(run.constrained());
  run.step({{"x", "3"}});
  EXPECT_TRUE(run.constrained());
  EXPECT_TRUE(run.violates("y.subrange"));
  run.step({{"x", "2"}});
  EXPECT_FALSE(run.violates("y.subrange"));
}

// Clocks ------------------------------------------------------------------------------------------

const char kCount[] =
    "node count(k: int) returns (n: int); let n = k -> pre n + 1; assert k < 50; "
    "check \"small\" n < 9; tel\n";

std::vector<Values> ticks(const std::string& pattern) {
  std::vector<Values> out;
  for (char c : pattern) out.push_back({{"c", c == '1' ? "true" : "false"}});
  return out;
}

TEST(LustreClocks, CondactHoldsItsLastValue) {
  LustreRun run(std::string(kCount) +
                "node top(c: bool) returns (n: int); let n = condact(c, count(3), -1); tel");
  EXPECT_EQ(run.stream("n", ticks("0010110")), (Strings{"-1", "-1", "3", "3", "4", "5", "5"}));
}

TEST(LustreClocks, ActivateWithDefaultIsCondact) {
  LustreRun run(std::string(kCount) +
                "node top(c: bool) returns (n: int); let n = (activate count "
                "every c initial default -1)(3); tel");
  EXPECT_EQ(run.stream("n", ticks("0010110")), (Strings{"-1", "-1", "3", "3", "4", "5", "5"}));
}

TEST(LustreClocks, ClaimsOfAnIdleNodeDoNotCount) {
  LustreRun run(std::string(kCount) +
                "node top(c: bool; k: int) returns (n: int); let n = condact(c, count(k), 0); tel");
  run.step({{"c", "false"}, {"k", "60"}});
  EXPECT_TRUE(run.constrained());
  run.step({{"c", "true"}, {"k", "60"}});
  EXPECT_FALSE(run.constrained());
  EXPECT_TRUE(run.violates("count~1.small"));
  run.step({{"c", "false"}, {"k", "60"}});
  EXPECT_FALSE(run.violates("count~1.small"));
}

TEST(LustreClocks, RestartStartsAnew) {
  LustreRun run(std::string(kCount) +
                "node top(c: bool) returns (n: int); let n = (restart count every c)(3); tel");
  EXPECT_EQ(run.stream("n", ticks("0001001")), (Strings{"3", "4", "5", "3", "4", "5", "3"}));
}

TEST(LustreClocks, RestartReachesNodesInside) {
  LustreRun run(
      std::string(kCount) +
      "node inner(t: bool) returns (n, m: int); let n = count(3); m = condact(t, count(5), "
      "-1); tel\n"
      "node top(c, t: bool) returns (n, m: int); let (n, m) = (restart inner every c)(t); "
      "tel");
  auto in = [](const char* c, const char* t) { return Values{{"c", c}, {"t", t}}; };
  std::vector<Values> inputs{in("false", "true"),  in("false", "true"), in("true", "false"),
                             in("false", "false"), in("false", "true"), in("true", "true"),
                             in("false", "true")};
  EXPECT_EQ(run.stream("m", inputs), (Strings{"5", "6", "-1", "-1", "5", "5", "6"}));
}

TEST(LustreClocks, UnguardedPreIsArbitraryAfterARestart) {
  LustreRun run(
      "node last(x: int) returns (y: int); let y = pre x; tel\n"
      "node top(c: bool; x: int) returns (y: int); let y = (restart last every c)(x); tel");
  ASSERT_EQ(run.system().inputs().size(), 3U);
  std::string nil = run.terms().name(run.system().inputs()[2]);
  run.step({{"x", "1"}});
  run.step({{"x", "2"}});
  EXPECT_EQ(run.value("y"), "1");
  run.step({{"c", "true"}, {nil, "77"}});
  EXPECT_EQ(run.value("y"), "77");
}

TEST(LustreClocks, MergeRunsTheNodeOfItsBranch) {
  const std::string text =
      std::string(kCount) +
      "node top(c: bool) returns (a, b, d: int); let a = merge(c; (activate count every c)(1); (0 "
      "-> "
      "pre a) when not c); b = merge(c; count(1); 0 -> pre b); d = merge c (false -> 7) (true -> "
      "count(1) when c); tel";
  EXPECT_EQ(LustreRun(text).stream("a", ticks("011011")), (Strings{"0", "1", "2", "2", "3", "4"}));
  EXPECT_EQ(LustreRun(text).stream("b", ticks("011011")), (Strings{"0", "1", "2", "2", "3", "4"}));
  EXPECT_EQ(LustreRun(text).stream("d", ticks("011011")), (Strings{"7", "2", "3", "7", "5", "6"}))
      << "under 'when' the node runs at every instant";
}

TEST(LustreClocks, MergeOnAnEnumeration) {
  const std::string types = "type t = enum {A, B, C};\n";
  const std::string head = "node top(k: t; x: int) returns (y: int); let y = ";
  for (const char* merge :
       {"merge k (A -> x when A(k)) (C -> x + 2 when C(k)) (B -> x - 1 when B(k))",
        "merge(k; B -> x - 1; A -> x when A(k); C -> x + 2)"}) {
    LustreRun run(types + head + merge + "; tel");
    EXPECT_EQ(
        run.stream("y",
                   {{{"k", "0"}, {"x", "5"}}, {{"k", "1"}, {"x", "5"}}, {{"k", "2"}, {"x", "5"}}}),
        (Strings{"5", "4", "7"}));
  }
  EXPECT_EQ(lustre_error(types + head + "merge k (A -> 1) (B -> 2); tel"),
            "f.lus:2:50: error: merge needs 3 branches, found 2");
  EXPECT_EQ(lustre_error(types + head + "merge k (A -> x when B(k)) (B -> 2) (C -> 3); tel"),
            "f.lus:2:66: error: the branch for 'A' is sampled on another clock");
}

TEST(LustreClocks, ActivationMustBeThatOfTheBranch) {
  EXPECT_EQ(lustre_error(std::string(kCount) +
                         "node top(c, e: bool) returns (a: int); let a = merge(c; (activate count "
                         "every e)(1); 0); tel"),
            "f.lus:2:67: error: unsupported: the node is activated on another condition than its "
            "branch of merge");
}

}  // namespace
}  // namespace lem::frontend
