// Each integer operation, on given operands, with the result that C gives them.
#include <set>

#include "unit/frontend/c/support.h"

namespace lem::c {
namespace {

struct Row {
  std::string type, expression;
  long a, b;
  std::string expected;
};

class COperators : public testing::TestWithParam<Row> {};

TEST_P(COperators, Bits) {
  const Row& row = GetParam();
  CRun right(calculation(row.type, row.expression, row.expected));
  EXPECT_EQ(right.run({row.a, row.b}), "exit");
  CRun wrong(calculation(row.type, row.expression, "(" + row.expected + ") + 1"));
  EXPECT_EQ(wrong.run({row.a, row.b}), "error");
}

INSTANTIATE_TEST_SUITE_P(
    All, COperators,
    testing::Values(
        Row{"int", "a + b", 2147483647, 1, "-2147483647 - 1"}, Row{"int", "a - b", 3, 5, "-2"},
        Row{"int", "a * b", -3, 5, "-15"}, Row{"int", "a / b", -7, 2, "-3"},
        Row{"int", "a % b", -7, 2, "-1"}, Row{"unsigned", "a / b", -1, 2, "2147483647u"},
        Row{"unsigned", "a % b", -1, 10, "5u"}, Row{"int", "a << b", 3, 4, "48"},
        Row{"int", "a >> b", -8, 1, "-4"}, Row{"unsigned", "a >> b", -8, 1, "2147483644u"},
        Row{"int", "a & b", 12, 10, "8"}, Row{"int", "a | b", 12, 10, "14"},
        Row{"int", "a ^ b", 12, 10, "6"}, Row{"int", "~a", 12, 0, "-13"},
        Row{"int", "-a", 12, 0, "-12"}, Row{"int", "!a", 12, 0, "0"},
        Row{"int", "a < b", -1, 1, "1"}, Row{"unsigned", "a < b", -1, 1, "0"},
        Row{"int", "a >= b", 1, 1, "1"}, Row{"unsigned", "a >= b", -1, 1, "1"},
        Row{"int", "a <= b", 2, 1, "0"}, Row{"int", "a > b", 2, 1, "1"},
        Row{"int", "a == b", 2, 2, "1"}, Row{"int", "a != b", 2, 2, "0"},
        Row{"char", "a", 200, 0, "-56"}, Row{"unsigned char", "a", -1, 0, "255"},
        Row{"short", "a + b", 32767, 1, "32768"},
        Row{"long long", "a * b", 2147483647, 4, "8589934588LL"},
        Row{"int", "(long long)a", -1, 0, "-1LL"},
        Row{"unsigned", "(long long)a", -1, 0, "4294967295LL"}, Row{"_Bool", "a + b", 7, 0, "1"},
        Row{"int", "a ? b : 9", 0, 3, "9"}, Row{"int", "a && b", 1, 0, "0"},
        Row{"int", "a || b", 0, 5, "1"}, Row{"int", "(a, b)", 1, 4, "4"},
        Row{"int", "a++ + a", 1, 0, "3"}, Row{"int", "__builtin_expect(a, 1)", 4, 0, "4"},
        Row{"int", "sizeof(long) + a", 0, 0, "4"}));

class CShifts : public testing::TestWithParam<Row> {};

/// The ends of many runs that fail exactly if the expression is `value`.
std::set<std::string> ends(const Row& row, const std::string& value, const COptions& options) {
  CRun c("int f(int s) { return (1 << s) == 0; }\nlong long g(long long x) { return x; }\n" +
             calculation(row.type, row.expression, value),
         options);
  std::set<std::string> out;
  for (int i = 0; i < 200 && c.ok(); ++i) out.insert(c.run({row.a, row.b}));
  return out;
}

/// Processors differ: some take the amount modulo the width, others give 0.
TEST_P(CShifts, ByTheWidthOrMoreGiveAnyValue) {
  const std::set<std::string> any = {"error", "exit"};
  EXPECT_EQ(ends(GetParam(), "0", {}), any);
  EXPECT_EQ(ends(GetParam(), "1", {}), any);
}

INSTANTIATE_TEST_SUITE_P(
    All, CShifts,
    testing::Values(Row{"int", "a << b", 1, 32, ""}, Row{"int", "a << b", 1, -1, ""},
                    Row{"int", "a >> b", 1, 33, ""}, Row{"unsigned", "a >> b", -1, 32, ""},
                    Row{"long long", "a << b", 1, 64, ""}, Row{"char", "a << b", 1, 32, ""},
                    Row{"unsigned char", "a >> b", 1, 40, ""}, Row{"int", "a << 32", 1, 0, ""},
                    Row{"int", "a >> 99", 1, 0, ""}, Row{"int", "a << -1", 1, 0, ""},
                    Row{"int", "f(b)", 0, 32, ""}, Row{"int", "a << g(0x100000000LL)", 1, 0, ""},
                    Row{"int", "(1 << b) == 0", 0, 35, ""}));

/// Below the width nothing is open, whatever the amount's type.
TEST(CShifts, BelowTheWidthAreDefined) {
  for (const Row& row :
       {Row{"int", "a << b", 1, 31, "-2147483647 - 1"},
        Row{"long long", "a << b", 1, 40, "1LL << 40"}, Row{"int", "a << (long long)b", 3, 2, "12"},
        Row{"int", "a << (int)(b + (1LL << 32))", 3, 2, "12"},
        Row{"unsigned char", "a >> b", 255, 7, "1"}}) {
    CRun c(calculation(row.type, row.expression, row.expected));
    for (int i = 0; i < 20; ++i) EXPECT_EQ(c.run({row.a, row.b}), "exit") << row.expression;
  }
}

/// clang calculates with a smaller amount, gcc does not.
TEST(CShifts, OfConstantsAreRefused) {
  auto refused = [](const std::string& place) {
    return "t.c:" + place + ": error: unsupported: constant that is shifted by its width or more";
  };
  EXPECT_EQ(c_error("int main(void) { if (1 << 32) reach_error(); return 0; }"), refused("8:24"));
  EXPECT_EQ(c_error("static int x = 1 << 33;\nint main(void) { return x; }"), refused("8:18"));
}

TEST(CShifts, OverIntegersToo) {
  const std::set<std::string> any = {"error", "exit"};
  for (const char* expression : {"a << 32", "a >> 40", "a << -1"}) {
    Row row{"int", expression, 1, 0, ""};
    EXPECT_EQ(ends(row, "0", int_options()), any) << expression;
    EXPECT_EQ(ends(row, "1", int_options()), any) << expression;
  }
}

class CIdeal : public testing::TestWithParam<Row> {};

/// A division by what is not known is guessed; runs that guess wrong are stuck.
std::string not_stuck(CRun& c, const Row& row) {
  std::string end = c.run({row.a, row.b});
  for (int tries = 0; tries < 5000 && end == "stuck"; ++tries) end = c.run({row.a, row.b});
  return end;
}

TEST_P(CIdeal, Integers) {
  const Row& row = GetParam();
  CRun right(calculation(row.type, row.expression, row.expected), int_options());
  EXPECT_EQ(not_stuck(right, row), "exit");
  CRun wrong(calculation(row.type, row.expression, "(" + row.expected + ") + 1"), int_options());
  EXPECT_EQ(not_stuck(wrong, row), "error");
}

INSTANTIATE_TEST_SUITE_P(
    All, CIdeal,
    testing::Values(Row{"int", "a + b", 5, -7, "-2"}, Row{"int", "a - b", 3, 5, "-2"},
                    Row{"int", "a * b", -3, 5, "-15"}, Row{"int", "a / 2", -7, 2, "-3"},
                    Row{"int", "a % 2", -7, 2, "-1"}, Row{"int", "a / -2", -7, 2, "3"},
                    Row{"int", "a % -2", -7, 2, "-1"}, Row{"int", "a / -2", 7, 2, "-3"},
                    Row{"int", "a / b", 5, 2, "2"}, Row{"int", "a % b", 5, 2, "1"},
                    Row{"int", "a / b", -5, 5, "-1"}, Row{"int", "a / b", -1, 5, "0"},
                    Row{"int", "a % b", -1, 5, "-1"}, Row{"int", "a % b", 1, -5, "1"},
                    Row{"int", "a << 3", 3, 0, "24"}, Row{"int", "a >> 1", -7, 0, "-4"},
                    Row{"int", "a & 7", -3, 0, "5"}, Row{"int", "~a", 12, 0, "-13"},
                    Row{"int", "!a", 0, 0, "1"}, Row{"int", "a < b", -1, 1, "1"},
                    Row{"int", "a >= b", 1, 1, "1"}, Row{"int", "a ? b : 9", 0, 3, "9"},
                    Row{"int", "a && b", 1, 0, "0"}, Row{"long long", "a", -4, 0, "-4"},
                    Row{"_Bool", "a", 7, 0, "1"}));

TEST(COperators, SumsOfMathematicalIntegersDoNotWrap) {
  std::string program =
      "int main(void) { int x = __VERIFIER_nondet_int(); if (x + 1 < x) reach_error(); }";
  EXPECT_EQ(CRun(program).run({2147483647}), "error");
  EXPECT_EQ(CRun(program, int_options()).run({2147483647}), "exit");
}

TEST(COperators, UnsignedInputsOverIntegersAreNotNegative) {
  std::string program =
      "int main(void) { unsigned x = __VERIFIER_nondet_uint(); if (x == -5) reach_error(); }";
  EXPECT_EQ(CRun(program, int_options()).run({-5}), "stuck");
}

TEST(COperators, UnsignedConstantsOverIntegersAreNotNegative) {
  std::string program =
      "int main(void) { unsigned x = 4294967295u; if (x < 7) reach_error();\n"
      "if (x != 4294967295u) reach_error(); }";
  EXPECT_EQ(CRun(program, int_options()).run(), "exit");
}

/// One bit is 0 or 1, and 0 or -1 where it is signed; clang makes such comparisons of _Bool.
TEST(COneBit, ComparesSignedAndUnsigned) {
  struct Case {
    const char* predicate;
    std::string truth;  // for a, b = 00, 01, 10, 11
  };
  for (const Case& each :
       {Case{"eq", "1001"}, Case{"ne", "0110"}, Case{"slt", "0010"}, Case{"sle", "1011"},
        Case{"sgt", "0100"}, Case{"sge", "1101"}, Case{"ult", "0100"}, Case{"ule", "1101"},
        Case{"ugt", "0010"}, Case{"uge", "1011"}}) {
    CRun c(
        "define i32 @main() {\n"
        "  %x = call i32 @__VERIFIER_nondet_int()\n"
        "  %y = call i32 @__VERIFIER_nondet_int()\n"
        "  %a = trunc i32 %x to i1\n"
        "  %b = trunc i32 %y to i1\n"
        "  %c = icmp " +
            std::string(each.predicate) +
            " i1 %a, %b\n"
            "  br i1 %c, label %bad, label %good\n"
            "bad:\n  call void @__VERIFIER_error()\n  unreachable\n"
            "good:\n  ret i32 0\n}\n"
            "declare void @__VERIFIER_error()\ndeclare i32 @__VERIFIER_nondet_int()\n",
        {}, "t.ll");
    for (long a : {0, 1})
      for (long b : {0, 1})
        EXPECT_EQ(c.run({a, b}),
                  each.truth[static_cast<std::size_t>(2 * a + b)] == '1' ? "error" : "exit")
            << each.predicate << " " << a << " " << b;
  }
}

TEST(COperators, DivisionByZeroEndsTheRun) {
  CRun c("int main(void) { int x = __VERIFIER_nondet_int(); int y = 5 / x; reach_error(); }");
  EXPECT_EQ(c.run({0}), "stuck");
  EXPECT_EQ(c.run({1}), "error");
}

}  // namespace
}  // namespace lem::c
