// sprintf, snprintf, scanf and other input, in both data models.
#include "unit/frontend/c/support.h"

namespace lem::c {
namespace {

std::string ends(const std::string& text, const std::vector<long>& inputs = {0}) {
  COptions wide;
  wide.pointer_bits = 64;
  std::string first = CRun(text).run(inputs), second = CRun(text, wide).run(inputs);
  return first == second ? first : first + " and " + second;
}

/// What snprintf with these arguments writes and returns.
std::string prints(const std::string& size, const std::string& arguments,
                   const std::string& expected, int length) {
  return ends(
      "#include <stdio.h>\n#include <string.h>\nint main(void) {\n"
      "  int x = __VERIFIER_nondet_int(); char b[64] = \"?\";\n"
      "  int n = snprintf(b, " +
          size + ", " + arguments + ");\n  if (n != " + std::to_string(length) +
          " || strcmp(b, \"" + expected + "\") != 0) reach_error();\n  return 0; }\n",
      {-42});
}

TEST(CFormats, OfNumbers) {
  EXPECT_EQ(prints("64", "\"<%d>\", x", "<-42>", 5), "exit");
  EXPECT_EQ(prints("64", "\"%5d|%-5d|%05d|%+d\", x, x, x, 7", "  -42|-42  |-0042|+7", 20), "exit");
  EXPECT_EQ(prints("64", "\"%u %x %X %o\", 10u, 255, 48879, 8", "10 ff BEEF 10", 13), "exit");
  EXPECT_EQ(
      prints("64", "\"%lld %hhd %zu\", -(1LL << 40), 300, sizeof(char)", "-1099511627776 44 1", 19),
      "exit");
  EXPECT_EQ(prints("64", "\"%d\", x", "42", 2), "error");
}

TEST(CFormats, OfText) {
  EXPECT_EQ(
      prints("64", "\"%s-%.2s-%4s-%-3c|%%\", \"ab\", \"xyz\", \"q\", 'c'", "ab-xy-   q-c  |%", 16),
      "exit");
  EXPECT_EQ(prints("64", "\"%.*s\", 3, \"hello\"", "hel", 3), "exit");
}

TEST(CFormats, EndWithTheBuffer) {
  EXPECT_EQ(prints("4", "\"%s%d\", \"ab\", 123", "ab1", 5), "exit");
  EXPECT_EQ(prints("1", "\"abc\"", "", 3), "exit");
  EXPECT_EQ(prints("0", "\"abc\"", "?", 3), "exit");
}

TEST(CFormats, WithoutAModelAreRefusedWhereTheyAreReached) {
  const std::string f =
      "#include <stdio.h>\nstatic void f(char *b) { sprintf(b, \"%.2f\", 0.5); }\n";
  EXPECT_EQ(c_error(f + "int main(void) { char b[9]; f(b); }"),
            "t.c:9:26: error: unsupported: sprintf with '%.2f'");
  EXPECT_EQ(ends(f + "int main(void) { (void)f; return 0; }"), "exit");
  EXPECT_EQ(
      c_error("#include <stdio.h>\nint main(int n, char **v) { char b[9]; sprintf(b, v[0]); }"),
      "t.c:9:40: error: unsupported: sprintf with a format that is not constant");
}

TEST(CFormats, OfScanfGiveAnyInput) {
  CRun unchanged(
      "#include <stdio.h>\nint main(void) { int a = 1; int n = scanf(\"%d\", &a);\n"
      "  if ((n < 1 && a != 1) || n > 1 || n < -1) reach_error(); return 0; }\n");
  EXPECT_FALSE(unchanged.can_fail());
}

TEST(CInput, IsAnyLine) {
  const std::string read =
      "#include <stdio.h>\n#include <string.h>\nint main(void) { char b[4] = \"\";\n"
      "  if (fgets(b, sizeof b, stdin)) { ";
  EXPECT_FALSE(CRun(read + "if (strlen(b) > 3) reach_error(); } return 0; }").can_fail());
  EXPECT_TRUE(CRun(read + "if (b[0] != 'q') reach_error(); } return 0; }").can_fail());
  EXPECT_FALSE(CRun("#include <stdio.h>\nint main(void) { int c = getchar();\n"
                    "  if (c < EOF || c > 255) reach_error(); return 0; }")
                   .can_fail());
}

TEST(CLibrary, DividesAndSplits) {
  const std::string head = "#include <stdlib.h>\n#include <string.h>\nint main(void) {\n";
  auto holds = [&](const std::string& statements, const std::string& condition) {
    return ends(head + statements + " if (!(" + condition + ")) reach_error(); return 0; }");
  };
  EXPECT_EQ(holds("div_t d = div(-7, 2); ldiv_t l = ldiv(7, -2); lldiv_t w = lldiv(1LL << 40, 3);",
                  "d.quot == -3 && d.rem == -1 && l.quot == -3 && l.rem == 1 && w.rem == 1"),
            "exit");
  EXPECT_EQ(holds("char s[] = \",a,,bc\"; char *p = strtok(s, \",\"), *q = strtok(NULL, \",\");",
                  "!strcmp(p, \"a\") && !strcmp(q, \"bc\") && strtok(NULL, \",\") == NULL"),
            "exit");
  EXPECT_EQ(holds("const char *s = \"key=1\";",
                  "strpbrk(s, \"=;\") == s + 3 && strcasecmp(\"aB\", \"Ab\") == 0"),
            "exit");
  EXPECT_EQ(holds("char *p = strdup(\"abc\"), *q = strndup(\"abc\", 2);",
                  "!strcmp(p, \"abc\") && !strcmp(q, \"ab\")"),
            "exit");
}

}  // namespace
}  // namespace lem::c
