// Recursion that ends for the constants it is called with.
#include "unit/frontend/c/support.h"

namespace lem::c {
namespace {

TEST(CRecursion, IsUnfoldedForConstants) {
  CRun c(R"(int fibo(int n) { if (n < 1) return 0; else if (n == 1) return 1;
  else return fibo(n - 1) + fibo(n - 2); }
int twice(int n) { return 2 * fibo(n); }
int main(void) { int x = 7; if (twice(x) == __VERIFIER_nondet_int()) reach_error(); })");
  EXPECT_EQ(c.run({26}), "error");
  EXPECT_EQ(c.run({25}), "exit");
}

TEST(CRecursion, CarriesWhatIsNotConstant) {
  CRun c(R"(int sum(int *a, int n, int more) { if (n == 0) return more;
  return sum(a + 1, n - 1, more + *a); }
int main(void) { int a[3] = {1, 2, 4}; int k = __VERIFIER_nondet_int();
  if (sum(a, 3, k) == 17) reach_error(); })");
  EXPECT_EQ(c.run({10}), "error");
  EXPECT_EQ(c.run({11}), "exit");
}

TEST(CRecursion, OfTwoFunctions) {
  CRun c(R"(int odd(unsigned); int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
int main(void) { if (even(10) && !even(7)) reach_error(); })");
  EXPECT_EQ(c.run(), "error");
}

TEST(CRecursion, UninitialisedIsNotConstant) {
  EXPECT_EQ(c_error("int f(int n) { int x; if (n > 0) x = 1; if (x == 1) return f(n - 1);\n"
                    "return 0; } int main(void) { return f(1); }"),
            "t.c:8:60: error: unsupported: recursion of more than 100 calls inside each other");
}

/// Found by tests/fuzz/c: the pointer is a constant where constants are spread, and not before.
TEST(CRecursion, BesideACallThroughAPointer) {
  EXPECT_EQ(CRun("int g(int x) { return x; } int f(int n) { if (n <= 0) return 0; return f(n - 1) "
                 "+ 1; }\nint main(void) { int (*p)(int) = g; int a = p(1);\n"
                 "if (f(2) + a == 3) reach_error(); return 0; }")
                .run(),
            "error");
}

}  // namespace
}  // namespace lem::c
