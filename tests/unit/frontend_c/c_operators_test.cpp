// Each integer operation, on given operands, with the result that C gives them.
#include "c_support.h"

namespace lem {
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

TEST(COperators, DivisionByZeroEndsTheRun) {
  CRun c("int main(void) { int x = __VERIFIER_nondet_int(); int y = 5 / x; reach_error(); }");
  EXPECT_EQ(c.run({0}), "stuck");
  EXPECT_EQ(c.run({1}), "error");
}

}  // namespace
}  // namespace lem
