#include <gtest/gtest.h>

#include "ctext/expression.h"

namespace lem::check {
namespace {

/// The expression around the place that ^ marks in the row below.
std::string around(const std::string& line, const std::string& below) {
  ctext::CText text("int main(void) {\n" + line + "\n}\n");
  auto column = static_cast<std::uint32_t>(below.find('^')) + 1;
  std::optional<std::size_t> token = ctext::token_at(text, 2, column);
  return token ? ctext::expression_text(text, *token) : "no token";
}

TEST(ExpressionText, OperatorsTakeTheirOperands) {
  EXPECT_EQ(around("return x + 1;",  //
                   "         ^"),
            "x + 1");
  EXPECT_EQ(around("y = a * b + c * d;",  //
                   "          ^"),
            "a * b + c * d");
  EXPECT_EQ(around("y = a + b * c;",  //
                   "          ^"),
            "b * c");
  EXPECT_EQ(around("y = x * 3 * 2;",  //
                   "          ^"),
            "x * 3 * 2");
  EXPECT_EQ(around("y = f(a, b) / s.x[i + 1];",  //
                   "            ^"),
            "f(a, b) / s.x[i + 1]");
  EXPECT_EQ(around("return 1u << x;",  //
                   "          ^"),
            "1u << x");
  EXPECT_EQ(around("if ((a - b) % 3) return 0;",  //
                   "            ^"),
            "(a - b) % 3");
}

TEST(ExpressionText, PrefixesAndPostfixes) {
  EXPECT_EQ(around("return -x;",  //
                   "       ^"),
            "-x");
  EXPECT_EQ(around("return *p;",  //
                   "       ^"),
            "*p");
  EXPECT_EQ(around("i++;",  //
                   " ^"),
            "i++");
  EXPECT_EQ(around("return a[i];",  //
                   "       ^"),
            "a[i]");
  EXPECT_EQ(around("return p->next->key;",  //
                   "                ^"),
            "p->next->key");
  EXPECT_EQ(around("free(p);",  //
                   "^"),
            "free(p)");
  EXPECT_EQ(around("x = (short)(y + 1);",  //
                   "              ^"),
            "y + 1");
}

TEST(ExpressionText, AssignmentsAreWhole) {
  EXPECT_EQ(around("a[i] = b + c;",  //
                   "     ^"),
            "a[i] = b + c");
  EXPECT_EQ(around("s += x;",  //
                   "  ^"),
            "s += x");
}

TEST(ExpressionText, ArgumentsOfACall) {
  ctext::CText text("int main(void) {\n  check(x  >\n 0, y);\n}\n");
  EXPECT_EQ(ctext::arguments_text(text, *ctext::token_at(text, 2, 3)), "x > 0, y");
  EXPECT_EQ(ctext::arguments_text(text, *ctext::token_at(text, 2, 9)), "");
  EXPECT_FALSE(ctext::token_at(text, 9, 1));
}

}  // namespace
}  // namespace lem::check
