#include "check/c/native.h"

#include "evidence_support.h"

namespace lem::check {
namespace {

using Outcome = NativeRun::Outcome;

void expect_reached(const std::string& text, std::vector<long> inputs = {},
                    const c::COptions& options = {}) {
  TestProgram program(text, options);
  ASSERT_TRUE(program.ok());
  std::optional<CfaTrace> trace = program.find_run(std::move(inputs));
  ASSERT_TRUE(trace) << "no run found in\n" << text;
  NativeRun run = natively(program, *trace);
  EXPECT_EQ(run.outcome, Outcome::Reached) << run.reason << "\n" << text << run.harness;
}

TEST(CNative, InputsComeBackInTheirOrder) {
  expect_reached(
      kHead +
          "int main(void) { int a = __VERIFIER_nondet_int();\n"
          "unsigned b = __VERIFIER_nondet_uint(); char c = __VERIFIER_nondet_char();\n"
          "_Bool d = __VERIFIER_nondet_bool();\n"
          "if (a == -2147483647 - 1 && b == 4294967295u && c == -5 && d) reach_error();\n"
          "return 0; }\n",
      {-2147483648L, 4294967295L, -5, 1});
}

TEST(CNative, ErrorsByEveryConvention) {
  for (const char* error : {"reach_error();", "__VERIFIER_error();", "__VERIFIER_assert(0);",
                            "assert(0);", "__assert_fail(\"0\", \"t.c\", 1, \"main\");"})
    expect_reached(
        "extern void reach_error(void); extern void __VERIFIER_error(void);\n"
        "extern void __VERIFIER_assert(int); extern void assert(int);\n"
        "extern void __assert_fail(const char *, const char *, unsigned, const char *);\n"
        "int main(void) { " +
        std::string(error) + " return 0; }\n");
}

TEST(CNative, TheProgramMayDefineItsErrorItself) {
  expect_reached(
      "#include <assert.h>\nvoid reach_error(void) { assert(0); }\n"
      "int main(void) { reach_error(); return 0; }\n");
  expect_reached("void reach_error(void) { }\nint main(void) { reach_error(); return 0; }\n");
  expect_reached(
      "extern void abort(void);\nvoid reach_error(void) { abort(); }\n"
      "int main(void) { reach_error(); return 0; }\n");
}

TEST(CNative, NumbersAreAsWideAsTheModelSays) {
  const char* text =
      "extern long __VERIFIER_nondet_long(void); extern void reach_error(void);\n"
      "int main(void) { long x = __VERIFIER_nondet_long();\n"
      "if (sizeof(long) == BYTES && x + 1 == -MOST - 1 && x == MOST) reach_error(); return 0; }\n";
  c::COptions wide;
  wide.pointer_bits = 64;
  expect_reached("#define BYTES 4\n#define MOST 2147483647L\n" + std::string(text), {2147483647L});
  expect_reached("#define BYTES 8\n#define MOST 9223372036854775807L\n" + std::string(text),
                 {9223372036854775807L}, wide);
}

TEST(CNative, DividesWideNumbersWithoutALibrary) {
  expect_reached(
      "extern long long __VERIFIER_nondet_longlong(void); extern void reach_error(void);\n"
      "extern unsigned long long __VERIFIER_nondet_ulonglong(void);\n"
      "int main(void) { long long a = __VERIFIER_nondet_longlong();\n"
      "unsigned long long b = __VERIFIER_nondet_ulonglong();\n"
      "if (a / 7 == -142857142858LL && a % 7 == -1 && b / 10 == 1844674407370955161ULL\n"
      "    && b % 10 == 5) reach_error(); return 0; }\n",
      {-1000000000007L, -1});
}

TEST(CNative, OperandsMayBeEvaluatedInAnyOrder) {
  expect_reached(
      kHead +
          "static int f(int a, int b) { return a - b; }\n"
          "int main(void) { if (f(__VERIFIER_nondet_int(), __VERIFIER_nondet_int()) == 3)\n"
          "reach_error(); return 0; }\n",
      {5, 2});
}

TEST(CNative, AssumptionsHoldInTheRun) {
  expect_reached(kHead +
                 "int main(void) { int a = __VERIFIER_nondet_int();\n"
                 "__VERIFIER_assume(a > 3); if (a == 5) reach_error(); return 0; }\n");
}

TEST(CNative, UninitialisedVariablesGetTheirValues) {
  expect_reached(kHead +
                 "int main(void) { int a;\n"
                 "int i; for (i = 0; i < 2; i++) { unsigned char c; if (c != i + 1) return 0; }\n"
                 "if (a == 5) reach_error(); return 0; }\n");
}

TEST(CNative, InitialisedVariablesKeepTheirValues) {
  expect_reached(kHead +
                 "static int twice(int n) { return 2 * n; }\n"
                 "int main(void) { int a = twice(3);\n"
                 "if (a == 6) reach_error(); return 0; }\n");
}

TEST(CNative, EveryCopyOfAFunctionHasItsOwnValues) {
  expect_reached(kHead +
                 "static int any(void) { int a;\n return a; }\n"
                 "int main(void) { if (any() == 5 && any() == 2) reach_error(); return 0; }\n");
}

TEST(CNative, UninitialisedElementsGetTheirValues) {
  TestProgram program(kHead +
                      "int main(void) { int a[20]; unsigned i = __VERIFIER_nondet_uint() % 20;\n"
                      "if (a[i] == 5 && a[3] == 7) reach_error(); return 0; }\n");
  ASSERT_TRUE(program.ok());
  TermStore& t = program.terms();
  // By hand: random runs do not find arrays.
  std::optional<CfaTrace> trace;
  for (const CVariable& variable : program.source().variables) {
    if (t.kind(variable.term) != SortKind::Array) continue;
    Sort sort = t.sort(variable.term), index = t.index_sort(sort);
    Term fives = t.make_const_array(sort, t.bv(5, 32));
    program.prefer(variable.term, t.make_store(fives, t.number(3, index), t.bv(7, 32)));
    trace = program.find_run({11});
  }
  ASSERT_TRUE(trace);
  NativeRun run = natively(program, *trace);
  EXPECT_EQ(run.outcome, Outcome::Reached) << run.reason << run.harness;
}

TEST(CNative, TheLabelErrorIsTheError) {
  expect_reached(kHead +
                 "int main(void) { int a = __VERIFIER_nondet_int();\n"
                 "if (a == 5) goto ERROR; return 0;\nERROR: goto ERROR; }\n");
}

/// 32-bit code, in which a sum of floats would keep more digits than a float has.
TEST(CNative, FloatsHaveThePrecisionOfTheirType) {
  expect_reached(kHead +
                 "extern float __VERIFIER_nondet_float(void);\n"
                 "int main(void) { float big = 16777216, x = __VERIFIER_nondet_float();\n"
                 "double d; if (x == 1 && big + x == big && d == 5) reach_error(); return 0; }\n");
}

TEST(CNative, SaysWhatWasWrittenIntoACopy) {
  TestProgram program(kHead +
                      "int main(void) { int a;\nif (a == 5) goto ERROR; return 0;\n"
                      "ERROR: goto ERROR; }\n");
  ASSERT_TRUE(program.ok());
  std::optional<CfaTrace> trace = program.find_run();
  ASSERT_TRUE(trace);
  EXPECT_EQ(natively(program, *trace).note,
            "in a copy of the program with the value of the uninitialised 'a' of line 8, "
            "call at the label 'ERROR' of line 10");
}

TEST(CNative, ARunThatIsNoneIsNotReached) {
  TestProgram program(kHead +
                      "int main(void) { int a = __VERIFIER_nondet_int();\n"
                      "__VERIFIER_assume(a > 3); if (a == 5) reach_error(); return 0; }\n");
  ASSERT_TRUE(program.ok());
  std::optional<CfaTrace> trace = program.find_run();
  ASSERT_TRUE(trace);
  auto with = [&](long value) {
    CfaTrace other = *trace;
    for (std::vector<Term>& state : other.values)
      for (Term& one : state)
        one = program.terms().number(mpq_class(value), program.terms().sort(one));
    return natively(program, other);
  };
  EXPECT_EQ(with(5).outcome, Outcome::Reached);
  EXPECT_EQ(with(4).outcome, Outcome::NotReached);
  EXPECT_EQ(with(4).reason, "the program exits with 0");
  EXPECT_EQ(with(1).outcome, Outcome::NotReached);
  EXPECT_EQ(with(1).reason, "an assumption does not hold");
  CfaTrace none;
  none.values.push_back(trace->values[0]);
  EXPECT_EQ(natively(program, none).reason, "more inputs than the run has");
}

TEST(CNative, SaysWhyAProgramDoesNotCompileOrEnd) {
  TestProgram program(kHead +
                      "int main(void) { int a = __VERIFIER_nondet_int();\n"
                      "while (a == 7) ; if (a == 5) reach_error(); return 0; }\n");
  ASSERT_TRUE(program.ok());
  std::optional<CfaTrace> trace = program.find_run();
  ASSERT_TRUE(trace);
  NativeOptions options;
  options.seconds = 1;
  CfaTrace other = *trace;
  for (std::vector<Term>& state : other.values)
    for (Term& one : state) one = program.terms().number(mpq_class(7), program.terms().sort(one));
  EXPECT_EQ(natively(program, other, options).reason, "the program still runs after 1 s");
  options.compiler = "no-such-compiler";
  NativeRun run = natively(program, *trace, options);
  EXPECT_EQ(run.outcome, Outcome::Reached);
  EXPECT_EQ(run.note, "compiled by gcc") << "the second opinion";
  options.second = "";
  run = natively(program, *trace, options);
  EXPECT_EQ(run.outcome, Outcome::NotCompiled);
  EXPECT_EQ(run.reason, "cannot run 'no-such-compiler'");
}

TEST(CNative, IntegersBeyondTheTypeAreNoInputs) {
  c::COptions options;
  options.arith = c::COptions::Arith::Int;
  TestProgram program(kHead +
                          "int main(void) { int a = __VERIFIER_nondet_int();\n"
                          "if (a > 5) reach_error(); return 0; }\n",
                      options);
  ASSERT_TRUE(program.ok());
  EXPECT_TRUE(program.find_run({5'000'000}));
  EXPECT_FALSE(program.find_run({5'000'000'000L}));
}

}  // namespace
}  // namespace lem::check
