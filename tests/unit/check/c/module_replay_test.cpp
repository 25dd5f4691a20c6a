#include "check/c/module_replay.h"

#include "evidence_support.h"

namespace lem::check {
namespace {

using Outcome = ModuleReplay::Outcome;

ModuleReplay replay(const TestProgram& program, const CfaTrace& trace) {
  return replay_module(program.cfa(), program.source(), trace, {});
}

void expect_reached(const std::string& text, std::vector<long> inputs = {},
                    const c::COptions& options = {}) {
  TestProgram program(text, options);
  ASSERT_TRUE(program.ok());
  std::optional<CfaTrace> trace = program.find_run(std::move(inputs));
  ASSERT_TRUE(trace) << "no run found in\n" << text;
  ModuleReplay end = replay(program, *trace);
  EXPECT_EQ(end.outcome, Outcome::Reached) << end.reason << "\n" << text;
}

TEST(ModuleReplay, InputsComeBackInTheirOrder) {
  std::string text =
      kHead +
      "int main(void) { int a = __VERIFIER_nondet_int();\n"
      "unsigned b = __VERIFIER_nondet_uint(); char c = __VERIFIER_nondet_char();\n"
      "_Bool d = __VERIFIER_nondet_bool();\n"
      "if (a == -2147483647 - 1 && b == 4294967295u && c == -5 && d) reach_error();\n"
      "return 0; }\n";
  for (std::uint32_t bits : {32U, 64U}) {
    c::COptions options;
    options.pointer_bits = bits;
    expect_reached(text, {-2147483648L, 4294967295L, -5, 1}, options);
  }
}

TEST(ModuleReplay, FloatsAreInputsByTheirEncoding) {
  for (const char* type : {"float", "double", "long double"}) {
    std::string name = type == std::string("long double") ? "long_double" : type;
    expect_reached("extern " + std::string(type) + " __VERIFIER_nondet_" + name +
                       "(void);\nextern void reach_error(void);\nint main(void) { " + type +
                       " x = __VERIFIER_nondet_" + name +
                       "();\nif (x == 5) reach_error(); return 0; }\n",
                   {5});
  }
}

TEST(ModuleReplay, UninitialisedVariablesHaveTheValuesOfTheRun) {
  expect_reached(kHead + "int main(void) {\nint x;\nif (x == 5) reach_error();\nreturn 0; }\n");
  expect_reached(kHead +
                 "static int f(void) {\nint x;\nreturn x; }\n"
                 "int main(void) {\nif (f() == 5 && f() == 2) reach_error();\nreturn 0; }\n");
  expect_reached(kHead +
                 "struct s { char c; int n[2]; };\nint main(void) {\nstruct s s;\n"
                 "if (s.c == 1 && s.n[1] == 5) reach_error();\nreturn 0; }\n");
  expect_reached(kHead +
                 "int main(void) {\nint a[3];\nint i = __VERIFIER_nondet_int();\n"
                 "if (i >= 0 && i < 3 && a[i] == 2) reach_error();\nreturn 0; }\n");
  expect_reached(kHead +
                 "int main(void) {\nfor (int i = 0; i < 3; i++) {\nint x;\n"
                 "if (i == 2 && x == 1) reach_error();\n}\nreturn 0; }\n");
}

TEST(ModuleReplay, IntegersBeyondTheTypeAreNoInputs) {
  c::COptions ideal;
  ideal.arith = c::COptions::Arith::Int;
  std::string text =
      kHead +
      "int main(void) { int x = __VERIFIER_nondet_int();\nif (x > 5) reach_error();\n"
      "return 0; }\n";
  expect_reached(text, {7}, ideal);
  expect_reached(text, {2147483647}, ideal);
  TestProgram program(text, ideal);
  EXPECT_FALSE(program.find_run({2147483648L}));
}

/// The same run with other values is none of the program.
TEST(ModuleReplay, ARunWithOtherInputsDoesNotGetThere) {
  TestProgram program(kHead +
                      "int main(void) { int x = __VERIFIER_nondet_int();\n"
                      "int y = __VERIFIER_nondet_int();\nif (x + y == 12 && x > 6) reach_error();\n"
                      "return 0; }\n");
  std::optional<CfaTrace> trace = program.find_run({7, 5});
  ASSERT_TRUE(trace);
  EXPECT_EQ(replay(program, *trace).outcome, Outcome::Reached);
  Term seven = program.terms().bv(7, 32), six = program.terms().bv(6, 32);
  CfaTrace wrong = *trace;
  for (std::vector<Term>& state : wrong.values)
    for (Term& value : state)
      if (value == seven) value = six;
  ModuleReplay end = replay(program, wrong);
  EXPECT_EQ(end.outcome, Outcome::NotReached);
  EXPECT_EQ(end.reason, "the program exits with 0");
}

/// What the front end would have to misread for its automaton to have a run that the program has
/// not: here the module is another one.
TEST(ModuleReplay, TheModuleDecides) {
  std::string text = kHead +
                     "int main(void) { int x = __VERIFIER_nondet_int();\n"
                     "if (x OP 7) reach_error();\nreturn 0; }\n";
  TestProgram program("#define OP ==\n" + text), other("#define OP !=\n" + text);
  std::optional<CfaTrace> trace = program.find_run({7});
  ASSERT_TRUE(trace);
  CSource source = program.source();
  source.module = other.source().module;
  EXPECT_EQ(replay_module(program.cfa(), source, *trace, {}).outcome, Outcome::NotReached);
  source.module = nullptr;
  EXPECT_EQ(replay_module(program.cfa(), source, *trace, {}).outcome, Outcome::Undecided);
}

}  // namespace
}  // namespace lem::check
