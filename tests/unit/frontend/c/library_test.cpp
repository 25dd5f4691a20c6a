// Which model a call of the C library gets: results that are open are inputs, unless the program
// cannot tell them apart. Verdicts are in tests/cli/c_library_test.py.
#include "unit/frontend/c/support.h"

namespace lem::c {
namespace {

const std::string kLibrary =
    "#include <ctype.h>\n#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>\n";

/// Inputs that the models of the library read.
std::size_t choices(const std::string& text, const COptions& options = {}) {
  CRun program(kLibrary + text, options);
  if (!program.ok()) return 99;
  const std::vector<CInput>& inputs = program.program().inputs;
  return static_cast<std::size_t>(
      std::count_if(inputs.begin(), inputs.end(),
                    [](const CInput& input) { return input.function.ends_with("_libc"); }));
}

std::string main_with(const std::string& statements) {
  return "int main(void) { int n = __VERIFIER_nondet_int(); " + statements + " return 0; }\n";
}

TEST(CLibrary, ResultsAreChosenWhereTheyAreSeen) {
  EXPECT_EQ(choices(main_with("if (isdigit(n)) n = 1; if (!isalpha(n)) n = 2;")), 0U);
  EXPECT_EQ(choices(main_with("n = isdigit(n);")), 1U);
  EXPECT_EQ(choices(main_with("if (strcmp(\"a\", \"b\") < 0) n = 1;")), 0U);
  EXPECT_EQ(choices(main_with("n = strcmp(\"a\", \"b\");")), 1U);
  EXPECT_EQ(CRun(kLibrary + main_with("if (isdigit('5') == 77) reach_error();")).run({0, 77}),
            "error");
}

TEST(CLibrary, ComparisonsWithoutEffectsAreMadeInOneOrder) {
  const std::string sorts = main_with("int a[2] = {2, 1}; qsort(a, 2, sizeof *a, up);");
  std::size_t unseen = choices(
      "static int up(const void *a, const void *b) { return *(int *)a - *(int *)b; }" + sorts);
  std::size_t seen = choices(
      "static int calls; static int up(const void *a, const void *b) { ++calls; return *(int *)a - "
      "*(int *)b; }" +
      sorts);
  std::size_t asserting = choices(
      "static int up(const void *a, const void *b) { if (*(int *)a == 7) reach_error(); return 0; "
      "}" +
      sorts);
  EXPECT_EQ(unseen, 1U);  // the order of elements that are equal
  EXPECT_GT(seen, unseen);
  EXPECT_EQ(asserting, seen);
}

TEST(CLibrary, OutputIsWatchedWhereItMatters) {
  EXPECT_EQ(choices(main_with("puts(\"a\"); putchar(n);")), 0U);
  EXPECT_GT(choices(main_with("n = puts(\"a\");")), 0U);
  EXPECT_GT(choices("#include <errno.h>\n" + main_with("putchar(n); n = errno;")), 0U);
}

TEST(CLibrary, SizesOfConstantsAreFine) {
  EXPECT_EQ(choices(main_with("int *p = malloc(4); *p = 1; p = calloc(1, 4); *p = 2;")), 0U);
  EXPECT_EQ(choices(main_with("int *p = malloc(0); if (p) n = 1;")), 1U);
}

TEST(CLibrary, HasNoNameOfTheModels) {
  EXPECT_EQ(c_error(kLibrary + "void lemmata_read_string(const char *s, size_t n) {}\n" +
                    main_with("n = isdigit(n); lemmata_read_string(\"\", 1);")),
            "t.c: error: unsupported: the name 'lemmata_read_string'");
}

}  // namespace
}  // namespace lem::c
