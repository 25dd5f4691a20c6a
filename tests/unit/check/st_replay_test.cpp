// The translation of Structured Text and the interpreter were written apart: random runs of the
// automaton must be runs of the interpreter, cycle by cycle, value by value.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "check/st/replay.h"
#include "frontend/st/st.h"
#include "support/random_walk.h"

namespace lem::check {
namespace {

Result<StProgram> read(const std::string& text, const std::string& name = "test.st") {
  StOptions options;
  options.requirements.push_back({"", "forbidden", {"FALSE"}, {"--require", 1, 1}});
  return read_st(name, text, options);
}

/// What the interpreter says about a random run: only that the property does not fail at its end.
std::string judge(const StProgram& program, std::uint32_t seed, std::size_t cycles) {
  CfaTrace trace = test::RandomWalk(program.cfa, seed).run(program.source->cycle_end, cycles);
  return replay_plc(program, program.source->properties[0].name, trace, {}).value_or("violated");
}

void expect_agreement(const std::string& text, const std::string& name = "test.st") {
  Result<StProgram> problem = read(text, name);
  ASSERT_TRUE(problem.ok()) << problem.error().text();
  for (std::uint32_t seed = 1; seed <= 6; ++seed)
    EXPECT_EQ(judge(*problem, seed, 6), "the property does not fail in cycle 6")
        << name << ", seed " << seed;
}

TEST(StReplay, ArithmeticOfAllTypes) {
  for (const char* type : {"SINT", "INT", "DINT", "LINT", "USINT", "UINT", "UDINT", "ULINT"})
    expect_agreement(
        std::string("PROGRAM p VAR_INPUT a, b : ") + type +
        "; END_VAR VAR c, d, e, f, g : " + type +
        "; l : BOOL; END_VAR c := a + b; d := a - b * 3; e := a / b; f := a MOD b; g := g + 1;"
        " l := a < b OR a >= c AND NOT (d <> e); END_PROGRAM");
}

TEST(StReplay, MixedTypesAndLiterals) {
  expect_agreement(R"(PROGRAM p
    VAR_INPUT s : SINT; u : UINT; w : WORD; b : BYTE; i : INT; d : DINT; END_VAR
    VAR x1, x2, x3 : DINT; y1, y2, y3, y4 : BOOL; z : WORD; END_VAR
    x1 := s + i; x2 := u + i; x3 := d * s;
    y1 := u > i; y2 := w > 16#8000; y3 := s = 200; y4 := i = 16#FFFF;
    z := w AND 16#00FF OR SHL(w, 3) XOR ROL(w, b);
    END_PROGRAM)");
}

TEST(StReplay, GuardsNamedInputsAndScaling) {
  expect_agreement(R"(PROGRAM p
    VAR_INPUT i, k : INT; w : WORD; r : LREAL; t : BOOL; s : STRING; END_VAR
    VAR a : ARRAY [0..3] OF INT; b, c, q : BOOL; x, y, z : INT; u, v : REAL; l : LREAL;
        m : STRING := 'one'; n : CTUD; END_VAR
    b := i >= 0 AND_THEN i <= 3 AND_THEN a[i] < k; c := k = 0 OR_ELSE i / k > 2;
    x := LIMIT(MX := 10, IN := i, MN := -3); y := MUX(IN1 := 7, K := k, IN0 := 5);
    z := SEL(G := t, IN1 := MOD(i, 7), IN0 := MAX_INT(i, k));
    u := NORM_X(MIN := 0, VALUE := i, MAX := 1000); l := NORM_X(MIN := 0.5, VALUE := r, MAX := 3.0);
    v := SCALE_X(MIN := -5.0, VALUE := u, MAX := 5.0); y := SCALE_X(MIN := 0, VALUE := u, MAX := x);
    q S= t; q R= b OR c; Act();
    n(CU := t, CD := b, PV := 2);
    IF s = m THEN m := 'two'; ELSIF s <> 'two' THEN m := s; END_IF;
    ACTION Act: IF t THEN RETURN; END_IF; x := x + 1; END_ACTION
    END_PROGRAM)");
}

TEST(StReplay, MethodsAndActionsOfInstances) {
  expect_agreement(R"(FUNCTION_BLOCK Tank
    VAR_INPUT in : INT; END_VAR VAR_IN_OUT total : DINT; END_VAR VAR_OUTPUT level : INT; END_VAR
    VAR CONSTANT most : INT := 50; END_VAR
    METHOD Fill : BOOL VAR_INPUT more, level : INT; END_VAR VAR was : INT; END_VAR
      was := THIS^.level; THIS^.level := LIMIT(0, was + more, most); Fill := THIS^.level = most;
      IF level > was THEN Empty(); END_IF;
    END_METHOD
    METHOD Twice VAR_OUTPUT full : BOOL; END_VAR
      full := Fill(in, 3) OR THIS^.Fill(more := in);
    END_METHOD
    Twice(full => Unused);
    total := total + level;
    ACTION Empty: level := level / 2; IF level > 10 THEN RETURN; END_IF; level := 0; END_ACTION
    END_FUNCTION_BLOCK
    PROGRAM p VAR_INPUT i, j : INT; END_VAR
    VAR t : ARRAY [1..2] OF Tank; sum : DINT; f, g : BOOL; END_VAR
    VAR_EXTERNAL Unused : BOOL; END_VAR
    t[1](in := i, total := sum); t[2](in := j, total := sum);
    f := t[1].Fill(j) AND t[2].Fill(more := i, level := j); t[1].Twice(full => g); t[2].Empty();
    END_PROGRAM
    VAR_GLOBAL Unused : BOOL; END_VAR)");
}

TEST(StReplay, BitsWordsAndConversions) {
  expect_agreement(R"(PROGRAM p
    VAR_INPUT w : WORD; i : INT; d : DINT; r : REAL; t : BOOL; END_VAR
    VAR b : BYTE; x, y : INT; q : REAL; n : DINT; v : WORD; END_VAR
    v := w; v.3 := t; v.%X15 := NOT t; b := v.%B1; x := WORD_TO_INT(w); y := DINT_TO_INT(d);
    q := INT_TO_REAL(i) * 0.5 + r; n := REAL_TO_DINT(r); IF w.0 THEN x := ABS(i); END_IF;
    y := LIMIT(-5, y, 5) + MIN(i, x) - MAX(i, 3) + SEL(t, 1, 2);
    END_PROGRAM)");
}

TEST(StReplay, ArraysStructuresAndIndicesOutOfBounds) {
  expect_agreement(R"(TYPE Point : STRUCT x : INT := 3; y : INT; END_STRUCT; END_TYPE
    PROGRAM p
    VAR_INPUT i, j : INT; END_VAR
    VAR a : ARRAY[-2..3] OF INT := [1, 2, 3(7)]; m : ARRAY[0..1, 1..2] OF BOOL; s, c : Point;
        ps : ARRAY[1..3] OF Point; k : INT; big : ARRAY[0..99] OF INT; END_VAR
    a[i] := j; k := a[j] + a[0]; m[k MOD 2, 1] := i > j; s.x := s.x + 1; c := s; ps[2].y := k;
    ps[i].x := a[a[1]]; big[i] := k; k := big[7];
    END_PROGRAM)");
}

TEST(StReplay, LoopsBetweenConstants) {
  expect_agreement(
      R"(FUNCTION Add : INT VAR_IN_OUT v : INT; END_VAR v := v + 1; Add := v; END_FUNCTION
    PROGRAM p
    VAR_INPUT x : INT; stop : BOOL; END_VAR
    VAR i, j, k, s, n, m, after, twice : INT; a : ARRAY[1..5] OF INT; b : SINT; u : USINT; END_VAR
    FOR i := 1 TO 5 DO a[i] := x + i; IF stop AND i = 3 THEN EXIT; END_IF; s := s + a[i]; END_FOR;
    after := i;
    FOR i := 10 TO 1 BY -3 DO IF i = 7 THEN CONTINUE; END_IF; n := n + i; END_FOR;
    FOR i := 1 TO 3 DO FOR j := i TO 3 DO m := m + i * j; END_FOR; END_FOR;
    FOR i := 1 TO 9 DO IF x > 3 THEN i := i + 2; END_IF; twice := twice + i; END_FOR;
    FOR i := 1 TO 6 DO k := k + Add(i); END_FOR;
    FOR i := 5 TO 1 DO k := 99; END_FOR;
    FOR b := 120 TO 127 DO k := k + 1; IF k > 900 OR b < 0 THEN EXIT; END_IF; END_FOR;
    FOR u := 3 TO 0 BY -1 DO k := k + 1; IF u > 200 THEN EXIT; END_IF; END_FOR;
    END_PROGRAM)");
}

TEST(StReplay, BlocksTimersAndCounters) {
  expect_agreement(R"(FUNCTION_BLOCK Inner VAR_INPUT a : INT; END_VAR VAR_IN_OUT io : INT; END_VAR
    VAR_OUTPUT o : INT; END_VAR VAR n : INT := 4; END_VAR VAR_TEMP t : INT; END_VAR
    t := t + a; n := n + t; io := io + 1; o := n;
    IF n > 100 THEN n := 0; RETURN; END_IF; o := o + 1;
    END_FUNCTION_BLOCK
    FUNCTION Twice : INT VAR_INPUT x : INT; y : INT := 2; END_VAR Twice := x * y; END_FUNCTION
    PROGRAM p VAR_INPUT go : BOOL; v : INT; END_VAR
    VAR i1, i2 : Inner; k, l : INT; t : TON; f : TOF; q : TP; c : CTU; e : R_TRIG;
        g : F_TRIG; END_VAR
    i1(a := v, io := k, o => l); i1(io := k); IF go THEN i2(v, k); END_IF;
    l := Twice(Twice(v)) + Twice(x := l, y := 3);
    t(IN := go, PT := T#1s500ms); f(IN := go, PT := T#2s); q(IN := go, PT := T#3s);
    c(CU := go, PV := 3); e(CLK := go); g(CLK := go);
    END_PROGRAM)");
}

TEST(StReplay, LoopsAndCases) {
  expect_agreement(R"(PROGRAM p VAR_INPUT n : USINT; c : BYTE; END_VAR
    VAR s, i, w, r : INT; u : USINT; e : (red, green, blue); END_VAR
    s := 0; FOR i := 1 TO 10 BY 3 DO IF i = 7 THEN CONTINUE; END_IF; s := s + i; END_FOR;
    FOR u := 250 TO 255 DO s := s + 1; END_FOR;
    FOR i := 5 TO 1 BY -2 DO s := s + i; IF s > 40 THEN EXIT; END_IF; END_FOR;
    w := 0; WHILE w < n DO w := w + 50; END_WHILE;
    r := 0; REPEAT r := r + 1; UNTIL r >= 3 END_REPEAT;
    CASE c OF 0, 1: e := red; BYTE#2..BYTE#100: e := green; ELSE e := blue; END_CASE;
    CASE e OF red: s := s + 1; green, blue: s := s - 1; END_CASE;
    END_PROGRAM)");
}

TEST(StReplay, Examples) {
  for (const auto& file : std::filesystem::directory_iterator(LEM_SOURCE_DIR "/examples/st")) {
    std::ifstream in(file.path());
    std::string text(std::istreambuf_iterator<char>(in), {});
    expect_agreement(text, file.path().filename().string());
  }
}

/// Files nobody here wrote; those that are refused are looked at elsewhere.
TEST(StReplay, SharedPrograms) {
  std::filesystem::path folder = LEM_SOURCE_DIR "/../shared/benchmarks/st";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no shared benchmarks";
  std::size_t read_files = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
    std::string extension = file.path().extension().string();
    if (extension != ".st" && extension != ".scl") continue;
    std::ifstream in(file.path());
    std::string text(std::istreambuf_iterator<char>(in), {});
    Result<StProgram> problem = read(text, file.path().filename().string());
    if (!problem) continue;
    ++read_files;
    std::string said = judge(*problem, 5, 3);
    bool agrees = said.starts_with("the property does not fail") ||
                  said.starts_with("the assumption") || said.starts_with("the run ");
    EXPECT_TRUE(agrees) << file.path() << ": " << said;
  }
  EXPECT_GE(read_files, 60U);
}

TEST(StReplay, RefusesARunWithAnotherValue) {
  Result<StProgram> all =
      read("PROGRAM p VAR_INPUT a : INT; END_VAR VAR b : INT; END_VAR b := a + 1; END_PROGRAM");
  ASSERT_TRUE(all.ok());
  const StProgram& program = *all;
  CfaTrace trace = test::RandomWalk(program.cfa, 1).run(program.source->cycle_end, 2);
  for (std::size_t v = 0; v < program.source->variables.size(); ++v)
    if (program.source->variables[v].name == "b")
      for (auto& values : trace.values) values[v] = program.cfa.terms().bv(77, 16);
  EXPECT_EQ(replay_plc(program, "R1", trace, {}), "'b' has another value in cycle 1");
}

}  // namespace
}  // namespace lem::check
