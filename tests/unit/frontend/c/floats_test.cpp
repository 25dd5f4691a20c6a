// Floats in C, on given operands, with the results that IEEE 754 gives them.
#include "unit/frontend/c/support.h"

namespace lem::c {
namespace {

const std::string kMath =
    "double fabs(double); double sqrt(double); float sqrtf(float); double floor(double);\n"
    "double ceil(double); double trunc(double); double round(double); double rint(double);\n"
    "double fmin(double, double); double fmax(double, double); double copysign(double, double);\n"
    "double nearbyint(double); int __isnan(double); int __isinf(double); int __finite(double);\n"
    "int __signbit(double); int __fpclassify(double); int __fpclassifyf(float);\n"
    "int __fpclassifyl(long double); int fegetround(void); int fesetround(int);\n"
    "float __VERIFIER_nondet_float(void); double __VERIFIER_nondet_double(void);\n"
    "float floorf(float); long double fabsl(long double);\n";

struct Row {
  std::string type, expression;
  long a, b;
  std::string expected;
};

std::string failing_unless(const Row& row, const std::string& expected) {
  return kMath + calculation(row.type, row.expression, expected);
}

class CFloats : public testing::TestWithParam<Row> {};

TEST_P(CFloats, Calculates) {
  const Row& row = GetParam();
  CRun right(failing_unless(row, row.expected));
  EXPECT_EQ(right.run({row.a, row.b}), "exit") << row.expression;
  CRun wrong(failing_unless(row, "(" + row.expected + ") + 2"));
  EXPECT_EQ(wrong.run({row.a, row.b}), "error") << row.expression;
}

INSTANTIATE_TEST_SUITE_P(
    All, CFloats,
    testing::Values(
        Row{"double", "a / b", 1, 3, "0x1.5555555555555p-2"},
        Row{"float", "a / b", 1, 3, "0x1.555556p-2f"},
        Row{"long double", "a / b", 1, 3, "0xa.aaaaaaaaaaaaaabp-5L"},
        Row{"float", "a * b + 1", 16777216, 1, "16777216.0f"},
        Row{"double", "a * b - b", 3, 7, "14.0"}, Row{"float", "a - b", 5, 7, "-2.0f"},
        Row{"double", "-a", 5, 0, "-5.0"}, Row{"int", "(int)(a / 2.0)", -7, 0, "-3"},
        Row{"int", "(unsigned char)(a * 1.5)", 100, 0, "150"},
        Row{"unsigned", "(double)a", -1, 0, "4294967295.0"},
        Row{"int", "(float)a", 16777217, 0, "16777216.0f"},
        Row{"double", "(float)a + b", 16777217, 0, "16777216.0"}, Row{"double", "a < b", 1, 2, "1"},
        Row{"double", "a >= b", 1, 2, "0"}, Row{"double", "a == b", 0, 0, "1"},
        Row{"double", "a / b == a / b", 0, 0, "0"}, Row{"double", "a / b != a / b", 0, 0, "1"},
        Row{"double", "!(a / b < 1)", 0, 0, "1"}, Row{"double", "a / b > 1e308", 1, 0, "1"},
        Row{"double", "!a", 0, 0, "1"}, Row{"double", "a ? 1 : 2", 3, 0, "1"},
        Row{"double", "(_Bool)a + 1", 3, 0, "2"}, Row{"double", "1 / (a * -1.0) < 0", 0, 0, "1"},
        Row{"double", "a++ + a", 1, 0, "3.0"},
        Row{"double", "__builtin_isnan(a / b) + 1", 0, 0, "2"},
        Row{"double", "__isnan(a / b) != 0", 0, 0, "1"}, Row{"double", "__isnan(a)", 1, 0, "0"},
        Row{"double", "__isinf(a / b) != 0", 1, 0, "1"}, Row{"double", "__isinf(a)", 1, 0, "0"},
        Row{"double", "__finite(a) != 0", 1, 0, "1"}, Row{"double", "__finite(a / b)", 1, 0, "0"},
        Row{"double", "__signbit(a * -1.0) != 0", 0, 0, "1"},
        Row{"double", "__signbit(a)", 0, 0, "0"}, Row{"double", "__fpclassify(a / b)", 0, 0, "0"},
        Row{"double", "__fpclassify(a / b)", 1, 0, "1"},
        Row{"double", "__fpclassify(a)", 0, 0, "2"},
        Row{"double", "__fpclassify(a * 1e-320)", 1, 0, "3"},
        Row{"float", "__fpclassifyf(a * 1e-38f)", 2, 0, "4"},
        Row{"long double", "__fpclassifyl(a)", 2, 0, "4"}, Row{"double", "fabs(a)", -3, 0, "3.0"},
        Row{"double", "sqrt(a)", 2, 0, "0x1.6a09e667f3bcdp+0"},
        Row{"float", "sqrtf(a)", 2, 0, "0x1.6a09e6p+0f"},
        Row{"double", "floor(a / 2)", -3, 0, "-2.0"}, Row{"double", "ceil(a / 2)", -3, 0, "-1.0"},
        Row{"double", "trunc(a / 2)", -3, 0, "-1.0"}, Row{"double", "round(a / 2)", 5, 0, "3.0"},
        Row{"double", "rint(a / 2)", 5, 0, "2.0"}, Row{"double", "fmin(a, b)", 2, -1, "-1.0"},
        Row{"double", "fmax(a, b)", 2, -1, "2.0"}, Row{"double", "fmin(a / b, 7)", 0, 0, "7.0"},
        Row{"double", "copysign(a, b)", 2, -1, "-2.0"}, Row{"float", "floorf(a / 2)", 5, 0, "2.0f"},
        Row{"int", "fegetround() + a", 0, 0, "0"}, Row{"long double", "fabsl(a)", -5, 0, "5.0L"}));

std::string in_main(const std::string& body) {
  return kMath + "int main(void) {\n" + body + "\nreturn 0; }\n";
}

TEST(CFloatPrograms, LiveInMemoryAndAcrossBranches) {
  CRun c(kMath +
         "double g = 1.5; float zero; struct { int i; float f; } s = {1, 2.5f};\n"
         "double twice(double x) { return x + x; }\n"
         "int main(void) { float f[2]; f[0] = s.f; f[1] = zero; double d = f[0] > f[1] ? g : 7;\n"
         "for (int i = 0; i < 3; i++) d = twice(d);\n"
         "if (d != 12.0) reach_error(); return 0; }\n");
  EXPECT_EQ(c.run(), "exit");
  const CVariable* g = c.variable("g");
  ASSERT_NE(g, nullptr);
  EXPECT_EQ(g->bits, 64U);
  EXPECT_EQ(c.terms().sort(g->term), c.terms().float_sort(kFloat64));
}

TEST(CFloatPrograms, InputsAreAnyFloat) {
  CRun nan(in_main("float x = __VERIFIER_nondet_float(); if (x != x) reach_error();"));
  ASSERT_EQ(nan.program().inputs.size(), 1U);
  EXPECT_EQ(nan.program().inputs[0].function, "__VERIFIER_nondet_float");
  CRun five(in_main("double x = __VERIFIER_nondet_double(); if (x == 5) reach_error();"));
  EXPECT_EQ(five.run({5}), "error");
  EXPECT_EQ(five.run({4}), "exit");
}

TEST(CFloatPrograms, NumbersThatDoNotFitAreAnyNumber) {
  std::string body = "int x = __VERIFIER_nondet_int(); int i = (int)(x * 1e9);";
  EXPECT_TRUE(CRun(in_main(body + "if (x > 3 && i == 255) reach_error();")).can_fail(4000));
  EXPECT_FALSE(CRun(in_main(body + "if (x == 2 && i != 2000000000) reach_error();")).can_fail());
}

/// 1/3 and its rint under each rounding, and no other.
TEST(CFloatPrograms, RoundAsTheProgramSays) {
  struct Mode {
    std::string number, third, minus, rint;
  };
  for (const Mode& mode : {Mode{"0", "0x1.5555555555555p-2", "-0x1.5555555555555p-2", "2"},
                           Mode{"0x400", "0x1.5555555555555p-2", "-0x1.5555555555556p-2", "2"},
                           Mode{"0x800", "0x1.5555555555556p-2", "-0x1.5555555555555p-2", "3"},
                           Mode{"0xc00", "0x1.5555555555555p-2", "-0x1.5555555555555p-2", "2"}}) {
    CRun c(in_main("int one = __VERIFIER_nondet_int(); if (fesetround(" + mode.number +
                   ")) reach_error(); if (fegetround() != " + mode.number +
                   ") reach_error(); double d = one / 3.0, e = -one / 3.0, r = rint(one + 1.5);\n"
                   "if (d != " +
                   mode.third + " || e != " + mode.minus + " || r != " + mode.rint +
                   ") reach_error();"));
    EXPECT_EQ(c.run({1}), "exit") << mode.number;
  }
  CRun bad(in_main("if (!fesetround(5)) reach_error(); if (fegetround()) reach_error();"));
  EXPECT_EQ(bad.run(), "exit");
}

TEST(CFloatPrograms, WhatIsNotExactIsRefused) {
  auto refused = [](const std::string& body) {
    std::string text = c_error(in_main(body));
    return text.substr(text.find("error: "));
  };
  EXPECT_EQ(refused("double x = __VERIFIER_nondet_double(); double sin(double); x = sin(x);"),
            "error: unsupported: call of 'sin', which is not defined");
  EXPECT_EQ(CRun(in_main("float f = 1; if (*(int *)&f != 0x3f800000) reach_error();")).run(),
            "exit");
  COptions ideal = int_options();
  std::string text = c_error(in_main("int i = __VERIFIER_nondet_int(); double d = i;"), ideal);
  EXPECT_NE(text.find("conversion between floats and integers (--arith int)"), std::string::npos);
  EXPECT_EQ(CRun(in_main("double d = 0.5; d += d; if (d != 1) reach_error();"), ideal).run(),
            "exit");
}

TEST(CFloatPrograms, FastArithmeticIsRefused) {
  const std::string code =
      "declare float @__VERIFIER_nondet_float()\n"
      "define i32 @main() {\n %x = call float @__VERIFIER_nondet_float()\n"
      " %y = fadd fast float %x, 1.0\n %c = fcmp oeq float %y, 2.0\n"
      " br i1 %c, label %a, label %b\na:\n ret i32 1\nb:\n ret i32 0\n}\n";
  EXPECT_NE(c_error(code, {}, "t.ll").find("fast floating-point arithmetic"), std::string::npos);
  std::string strict = code;
  strict.replace(strict.find("fast "), 5, "");
  EXPECT_EQ(CRun(strict, {}, "t.ll").run({1}), "exit");
}

/// Bits of floats and floats of bits, without memory between.
TEST(CFloatPrograms, BitsAndFloatsAreCast) {
  CRun c(
      "declare i32 @__VERIFIER_nondet_int()\ndeclare void @reach_error()\n"
      "define i32 @main() {\n %x = call i32 @__VERIFIER_nondet_int()\n"
      " %f = bitcast i32 %x to float\n %t = fadd float %f, %f\n %y = bitcast float %t to i32\n"
      " %c = icmp eq i32 %y, 1073741824\n br i1 %c, label %a, label %b\n"
      "a:\n call void @reach_error()\n ret i32 1\nb:\n ret i32 0\n}\n",
      {}, "t.ll");
  // 1.0 + 1.0 = 2.0: the bits of the sum are guessed, and runs that guess wrong are stuck
  for (int i = 0; i < 50; ++i) EXPECT_NE(c.run({0x3F800000}), "exit");
  TermStore& t = c.terms();
  EXPECT_EQ(t.make(Op::FpFromBits, {t.bv(1073741824, 32)}, kFloat32.packed()),
            t.number(2, t.float_sort(kFloat32)));
}

}  // namespace
}  // namespace lem::c
