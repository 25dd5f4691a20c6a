#include "ctext/text.h"

#include <gtest/gtest.h>

namespace lem::check {
namespace {

TEST(CText, TokensHaveTheirPlaces) {
  ctext::CText text(
      "int a; // int b;\n/* int\n c; */ char d = 'x'; // }\n#define X \\\n y\n\"s;{\\\"\" <= z\n");
  ASSERT_EQ(text.tokens().size(), 11U);
  EXPECT_EQ(text[3], "char");
  EXPECT_EQ(text.tokens()[3].row, 3U);
  EXPECT_EQ(text.tokens()[3].column, 8U);
  EXPECT_EQ(text[6], "'x'");
  EXPECT_EQ(text[8], "\"s;{\\\"\"");
  EXPECT_EQ(text.tokens()[8].row, 6U);
  EXPECT_EQ(text[9], "<=");
}

TEST(CText, MarkersSayWhatLinesAreCalled) {
  ctext::CText text(
      "# 1 \"t.c\"\n# 1 \"<built-in>\"\nint x;\n# 7 \"t.c\" 2\nint main(void) {\n  return 0;\n}\n");
  EXPECT_EQ(text.line_text(7), "int main(void) {");
  EXPECT_EQ(text.line_text(8), "return 0;");
  EXPECT_EQ(text.line_text(1), "");  // of another file
  EXPECT_EQ(text.tokens()[text.line(8)->first].row, 6U);
}

TEST(CText, KnowsFunctionsAndScopes) {
  ctext::CText text(
      "int g;\nint f(int p) { return p; }\nint table[] = {1, 2};\n"
      "int main(void) {\n int x;\n for (int i = 0; i < 3; i++) { int x; x = i; }\n return x; }\n");
  ASSERT_EQ(text.functions().size(), 2U);
  EXPECT_EQ(text.functions()[0].name, "f");
  EXPECT_EQ(text.functions()[1].name, "main");
  std::size_t inner = *text.declaration("x", 6), outer = *text.declaration("x", 5);
  EXPECT_LT(text.scope_of(inner).last, text.scope_of(outer).last);
  EXPECT_EQ(text.scope_of(*text.declaration("i", 6)).last, text.scope_of(inner).last);
  EXPECT_EQ(text.function_of(*text.declaration("p", 2))->name, "f");
  EXPECT_EQ(text.scope_of(*text.declaration("p", 2)).last, text.functions()[0].close);
  EXPECT_EQ(text.scope_of(*text.declaration("g", 1)).last, text.tokens().size());
}

TEST(CText, BrokenTextIsNoTrouble) {
  for (const char* broken :
       {"", ")", "{", "main(", "int f() {", "/* open", "\"open", "'", "#", "# 3", "for", "do",
        "if (", "f(){ for (;;) }", "#line 4 \"", "a\\", "/", "/*"}) {
    ctext::CText text{std::string(broken)};
    for (std::size_t i = 0; i < text.tokens().size(); ++i) {
      text.scope_of(i);
      text.function_of(i);
      EXPECT_LE(text.statement_end(i), text.tokens().size()) << broken;
    }
  }
}

}  // namespace
}  // namespace lem::check
