// Control flow, functions, objects, names and lines of C programs in the automaton.
#include "unit/frontend/c/support.h"

namespace lem::c {
namespace {

TEST(CStatements, LoopCountsUp) {
  CRun c(R"(int main(void) {
  int n = __VERIFIER_nondet_int(), i, s = 0;
  for (i = 0; i < n; i++) s += i;
  if (s == 45) reach_error();
})");
  EXPECT_EQ(c.run({10}), "error");
  EXPECT_EQ(c.run({9}), "exit");
}

TEST(CStatements, DoWhileBreakContinueGoto) {
  CRun c(R"(int main(void) {
  int x = 0;
  do { x++; if (x == 3) continue; if (x == 5) break; } while (x < 100);
  if (x == 5) goto out;
  return 0;
out: reach_error();
})");
  EXPECT_EQ(c.run(), "error");
}

TEST(CStatements, SwitchWithFallThroughAndDefault) {
  CRun c(R"(int main(void) {
  int r = 0;
  switch (__VERIFIER_nondet_int()) { case 1: r = 1; case -2: r += 10; break; default: r = 7; }
  if (__VERIFIER_nondet_int() == r) reach_error();
})");
  EXPECT_EQ(c.run({1, 11}), "error");
  EXPECT_EQ(c.run({-2, 10}), "error");
  EXPECT_EQ(c.run({5, 7}), "error");
  EXPECT_EQ(c.run({5, 10}), "exit");
}

TEST(CStatements, PhisAreAssignedAtOnce) {
  CRun c(R"(
define i32 @main() {
entry:
  br label %loop
loop:
  %a = phi i32 [ 1, %entry ], [ %b, %loop ]
  %b = phi i32 [ 2, %entry ], [ %a, %loop ]
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %n = add nsw i32 %i, 1
  %c = icmp slt i32 %n, 4
  br i1 %c, label %loop, label %done
done:
  %swapped = icmp eq i32 %a, 2
  br i1 %swapped, label %bad, label %good
bad:
  call void @reach_error()
  unreachable
good:
  ret i32 0
}
declare void @reach_error()
)",
         {}, "t.ll");
  EXPECT_EQ(c.run(), "error");
}

TEST(CStatements, SelectAndSwitchOfBitcode) {
  CRun c(R"(
define i32 @main() {
  %x = call i32 @__VERIFIER_nondet_int()
  %p = icmp sgt i32 %x, 3
  %y = select i1 %p, i32 1, i32 2
  %q = icmp eq i32 %y, 1
  br i1 %q, label %bad, label %good
bad:
  call void @__VERIFIER_error()
  unreachable
good:
  ret i32 0
}
declare void @__VERIFIER_error()
declare i32 @__VERIFIER_nondet_int()
)",
         {}, "t.ll");
  EXPECT_EQ(c.run({4}), "error");
  EXPECT_EQ(c.run({3}), "exit");
}

TEST(CStatements, ConventionsOfErrors) {
  EXPECT_EQ(CRun("void __VERIFIER_error(); int main() { __VERIFIER_error(); }").run(), "error");
  EXPECT_EQ(CRun("#include <assert.h>\nint main() { assert(0); }").run(), "error");
  EXPECT_EQ(CRun("#include <assert.h>\nint main() { assert(1); }").run(), "exit");
  EXPECT_EQ(CRun("void __VERIFIER_assert(int); int main() { __VERIFIER_assert(0); }").run(),
            "error");
  EXPECT_EQ(CRun("void __VERIFIER_assert(int c) { if (!c) { ERROR: reach_error(); } }\n"
                 "int main() { __VERIFIER_assert(__VERIFIER_nondet_int() > 3); }")
                .run({3}),
            "error");
}

TEST(CStatements, AbortExitAndAssumeEndTheRun) {
  EXPECT_EQ(CRun("int main() { abort(); reach_error(); }").run(), "exit");
  EXPECT_EQ(CRun("#include <stdlib.h>\nint main() { exit(1); reach_error(); }").run(), "exit");
  CRun c(
      "int main() { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 3);\n"
      "reach_error(); }");
  EXPECT_EQ(c.run({3}), "stuck");
  EXPECT_EQ(c.run({4}), "error");
}

TEST(CStatements, ConventionsOfCode2inv) {
  CRun c("int main() { int x; assume(x > 3); while (unknown()) x--; assert(x > 2); }");
  EXPECT_TRUE(c.can_fail());
  EXPECT_NE(c.run({0}), "error");
  EXPECT_EQ(c.program().inputs.at(0).function, "unknown");
}

TEST(CStatements, ConventionsOfDaggerAndInvGen) {
  CRun c("int nondet_int(); void main() { tmpl(\"(le(x),le(x))\"); sassert(nondet_int()); }");
  EXPECT_EQ(c.run({0}), "error");
  EXPECT_EQ(c.run({1}), "exit");
  EXPECT_EQ(CRun("int main() { int x = 1; if (x) { ERROR: goto ERROR; } }").run(), "error");
  EXPECT_EQ(CRun("int main() { int x = 1; if (x) { LOOP: goto LOOP; } }").run(), "running");
}

TEST(CStatements, FunctionsAreInlinedAtEachCall) {
  CRun c(R"(int twice(int x) { int y = x + x; return y; }
int main(void) {
  int a = twice(3), b = twice(a);
  if (b == 12) reach_error();
})");
  EXPECT_EQ(c.run(), "error");
  EXPECT_EQ(c.user_names(), (std::vector<std::string>{"main::a", "main::b", "twice::x",
                                                      "twice::x@2", "twice::y", "twice::y@2"}));
}

TEST(CStatements, OldStyleFunctionsAndEarlyReturns) {
  CRun c(R"(int sign();
int main() { if (sign(__VERIFIER_nondet_int()) == -1) reach_error(); }
int sign(x) int x; { if (x > 0) return 1; if (x < 0) return -1; return 0; }
)");
  EXPECT_EQ(c.run({-9}), "error");
  EXPECT_EQ(c.run({9}), "exit");
}

TEST(CStatements, GlobalsHaveTheirInitialValues) {
  CRun c(R"(int g = 5, zero; static unsigned char k = 255; extern int elsewhere;
struct { int a; char b[3]; } s = {7, {1, 2, 3}};
int main(void) {
  if (g != 5 || zero || k != 255 || s.a != 7 || s.b[2] != 3) return 0;
  g = 6; s.b[2]++;
  if (g == 6 && s.b[2] == 4 && elsewhere == 127) reach_error();
})");
  EXPECT_TRUE(c.can_fail());
  EXPECT_NE(c.variable("g"), nullptr);
  EXPECT_NE(c.variable("s.b[2]"), nullptr);
  EXPECT_NE(c.variable("elsewhere"), nullptr);
}

TEST(CStatements, StaticLocalsKeepTheirValue) {
  CRun c(R"(int next(void) { static int n = 3; return ++n; }
int main(void) { next(); if (next() == 5) reach_error(); })");
  EXPECT_EQ(c.run(), "error");
}

TEST(CStatements, PointersToKnownVariablesAreResolved) {
  CRun c(R"(void swap(int *p, int *q) { int t = *p; *p = *q; *q = t; }
int main(void) { int a = 1, b = 2; swap(&a, &b); if (a == 2 && b == 1) reach_error(); })");
  EXPECT_EQ(c.run(), "error");
}

TEST(CStatements, MembersOfStructsAreVariables) {
  CRun c(R"(struct p { int x; struct { short lo, hi; } y; };
int main(void) { struct p s; s.x = 1; s.y.hi = 2; if (s.x + s.y.hi == 3) reach_error(); })");
  EXPECT_EQ(c.run(), "error");
  EXPECT_NE(c.variable("main::s.y.hi"), nullptr);
}

TEST(CStatements, ShadowedNamesAreToldApart) {
  CRun c(
      "int main(void) { int x = 1; { int x = 2; if (x == 2) x = 3; } if (x == 1)\n"
      "reach_error(); }");
  EXPECT_EQ(c.run(), "error");
  EXPECT_EQ(c.user_names(), (std::vector<std::string>{"main::x", "main::x@2"}));
}

TEST(CStatements, EdgesHaveLinesAndInputsPlaces) {
  CRun c(
      "int main(void) {\n  int x = 1;\n  x = __VERIFIER_nondet_int();\n  x = x + 1;\n"
      "  if (x == 5)\n    reach_error();\n}");
  EXPECT_EQ(c.run({4}), "error");
  std::vector<std::uint32_t> lines;
  for (std::uint32_t line : c.lines())
    if (line != 0 && (lines.empty() || lines.back() != line)) lines.push_back(line);
  EXPECT_EQ(lines, (std::vector<std::uint32_t>{9, 10, 11, 12, 13}));
  ASSERT_EQ(c.program().inputs.size(), 1U);
  const CInput& input = c.program().inputs[0];
  EXPECT_EQ(input.function, "__VERIFIER_nondet_int");
  EXPECT_EQ(input.at.line, 10U);
  EXPECT_EQ(input.variable, c.variable("main::x")->term);
  EXPECT_EQ(c.variable("main::x")->line, 9U);
  EXPECT_EQ(c.variable("main::x")->name, "x");
}

TEST(CStatements, ValuesReadBeforeAWriteAreKept) {
  CRun c(R"(int f(int a, int b) { return 10 * a + b; }
int main(void) {
  int x = __VERIFIER_nondet_int(), y = x++, z = f(y, x);
  if (z == 34) reach_error();
})");
  EXPECT_EQ(c.run({3}), "error");
  EXPECT_EQ(c.run({4}), "exit");
}

TEST(CStatements, PrintingDoesNothing) {
  CRun c("#include <stdio.h>\nint main(void) { printf(\"%d\\n\", 3); reach_error(); }");
  EXPECT_EQ(c.run(), "error");
}

TEST(CStatements, WordsOfBothSizes) {
  COptions wide;
  wide.pointer_bits = 64;
  std::string program = "int main(void) { if (sizeof(long) == 8) reach_error(); }";
  EXPECT_EQ(CRun(program).run(), "exit");
  EXPECT_EQ(CRun(program, wide).run(), "error");
}

// Where LLVM reads C differently than one expects ------------------------------------------------

TEST(CPitfalls, UninitialisedVariablesHaveAnyValue) {
  CRun c(
      "int main(void) { int x; int y = 0; if (x > 4) y = 1; if (x > 4 && y && x != 7)\n"
      "reach_error(); }");
  EXPECT_TRUE(c.can_fail());
  CRun once("int main(void) { int x; int y = x; if (x != y) reach_error(); }");
  EXPECT_FALSE(once.can_fail());
  CRun result("int f(void) { } int main(void) { if (f() == 5) reach_error(); }");
  EXPECT_TRUE(result.can_fail());
}

TEST(CPitfalls, InitialisedVariablesAreNeverOpen) {
  CRun c(
      "int f(int x) { if (x > 3) return 1; return 0; }\n"
      "int main(void) { int r = f(__VERIFIER_nondet_int()), u; if (r == u) reach_error(); }");
  std::vector<std::string> open;
  for (const CfaEdge& edge : c.cfa().edges())
    for (const Command& part : edge.command.parts())
      if (part.kind() == Command::Kind::Havoc) open.push_back(c.terms().name(part.variable()));
  EXPECT_EQ(std::count(open.begin(), open.end(), "main::r"), 0);
  EXPECT_EQ(std::count(open.begin(), open.end(), "main::u"), 1);
}

TEST(CPitfalls, InputsAreNotMerged) {
  CRun c(
      "int main(void) { if (__VERIFIER_nondet_int() != __VERIFIER_nondet_int())\n"
      "reach_error(); }");
  EXPECT_EQ(c.run({1, 2}), "error");
  EXPECT_EQ(c.run({2, 2}), "exit");
  EXPECT_EQ(c.program().inputs.size(), 2U);
}

TEST(CPitfalls, VariablesOfABlockForgetTheirValueAtItsStart) {
  CRun c(R"(int main(void) {
  int last = 0, i;
  for (i = 0; i < 2; i++) { int x; if (i == 0) x = 5; last = x; }
  if (last == 2) reach_error();
})");
  EXPECT_TRUE(c.can_fail());
  CRun call(R"(int f(int set) { int x; if (set) x = 5; return x; }
int main(void) { f(1); int i, r = 5; for (i = 0; i < 2; i++) r = f(i == 0);
if (r == 2) reach_error(); })");
  EXPECT_TRUE(call.can_fail());
}

TEST(CPitfalls, OverflowWrapsAndEmptyLoopsStay) {
  CRun wraps("int main(void) { int x = __VERIFIER_nondet_int(); if (x + 1 < x) reach_error(); }");
  EXPECT_EQ(wraps.run({2147483647}), "error");
  CRun loops("int main(void) { int x = 1; while (x) { } reach_error(); }");
  EXPECT_EQ(loops.run(), "running");
}

}  // namespace
}  // namespace lem::c
