// Functions with variable arguments, in both data models.
#include "unit/frontend/c/support.h"

namespace lem::c {
namespace {

std::string ends(const std::string& text, long input = 0) {
  COptions wide;
  wide.pointer_bits = 64;
  std::string first = CRun(text).run({input}), second = CRun(text, wide).run({input});
  return first == second ? first : first + " and " + second;
}

const std::string kFunctions = R"(
#include <stdarg.h>
#include <stdio.h>
static int sum(int count, ...) {
  int total = 0;
  va_list rest;
  va_start(rest, count);
  while (count-- > 0) total += va_arg(rest, int);
  va_end(rest);
  return total;
}
static void log_it(const char *format, ...) {
  va_list rest;
  va_start(rest, format);
  vfprintf(stderr, format, rest);
  va_end(rest);
}
)";

std::string asserting(const std::string& statements, const std::string& assertion) {
  return kFunctions + "int main(void) { int n = __VERIFIER_nondet_int();\n" + statements +
         "\nif (!(" + assertion + ")) reach_error(); return 0; }\n";
}

TEST(CVariableArguments, AreReadInTheirOrder) {
  EXPECT_EQ(ends(asserting("", "sum(3, 1, n, 3) == n + 4"), 5), "exit");
  EXPECT_EQ(ends(asserting("", "sum(3, 1, n, 3) == n + 5"), 5), "error");
  EXPECT_EQ(ends(asserting("", "sum(0) == 0 && sum(9, 1, 2, 3, 4, 5, 6, 7, 8, 9) == 45")), "exit");
  EXPECT_EQ(ends(asserting("", "sum(2, sum(2, 1, 2), sum(1, n)) == n + 3"), 4), "exit");
}

TEST(CVariableArguments, AreThoseOfTheCallInALoop) {
  EXPECT_EQ(
      ends(asserting("int s = 0; for (int i = 0; i < 4; i++) s += sum(2, i, n);", "s == 6 + 4 * n"),
           2),
      "exit");
}

TEST(CVariableArguments, ThatAreNotThereHaveAnyValue) {
  EXPECT_TRUE(CRun(asserting("", "sum(2, 1) == 1")).can_fail());
}

TEST(CVariableArguments, MayBeHandedOnToBePrinted) {
  EXPECT_EQ(ends(asserting("log_it(\"%d of %s\\n\", n, \"x\");", "n == 3"), 3), "exit");
  EXPECT_EQ(ends(asserting("log_it(\"no more\\n\");", "n == 3"), 4), "error");
}

TEST(CVariableArguments, AreRefusedWhereTheirPlacesAreNotKnown) {
  EXPECT_EQ(c_error("int f(int n, ...) { return n; }\n"
                    "int main(void) { int (*p)(int, ...) = f; return p(1, 2) + f(1); }"),
            "t.c:9:59: error: unsupported: variable arguments of 'f'");
  EXPECT_EQ(c_error("int f(int n, ...) { return n; }\nint main(void) { return f(1, 2.0L); }"),
            "t.c:9:25: error: unsupported: variable argument of this type");
}

}  // namespace
}  // namespace lem::c
