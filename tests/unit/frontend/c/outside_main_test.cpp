// What is not in main and still counts: code before and after it, bodies of library functions,
// names that the linker resolves.
#include "frontend/c/assertions.h"
#include "unit/frontend/c/support.h"

namespace lem::c {
namespace {

std::string refused(const std::string& place, const std::string& construct) {
  return "t.c:" + place + ": error: unsupported: " + construct;
}

const std::string kTrack =  // which = the digits of what ran, in order
    "int which; void exit(int); void _exit(int);\n"
    "void step(int n) { which = 10 * which + n; }\n"
    "void is(int n) { if (which != n) reach_error(); }\n";

TEST(CSurroundings, ConstructorsRunByPriorityThenInOrder) {
  std::string program = kTrack +
                        "__attribute__((constructor)) void a(void) { step(4); }\n"
                        "__attribute__((constructor(200))) void b(void) { step(2); }\n"
                        "__attribute__((constructor)) void c(void) { step(5); }\n"
                        "__attribute__((constructor(150))) static void d(void) { step(1); }\n"
                        "__attribute__((constructor(200))) void e(void) { step(3); }\n"
                        "int main(void) { is(";
  EXPECT_EQ(CRun(program + "12345); return 0; }").run(), "exit");
  EXPECT_EQ(CRun(program + "0); return 0; }").run(), "error");
}

TEST(CSurroundings, DestructorsRunInTheOppositeOrder) {
  std::string program = kTrack +
                        "__attribute__((destructor(120))) void last(void) { is(EXPECTED); }\n"
                        "__attribute__((destructor)) void a(void) { step(3); }\n"
                        "__attribute__((destructor(200))) void b(void) { step(4); }\n"
                        "__attribute__((destructor)) void c(void) { step(2); }\n"
                        "int main(void) { step(1); ";
  for (const char* end : {"return 0; }", "exit(0); }", "if (which) exit(3); return 0; }"}) {
    EXPECT_EQ(CRun("#define EXPECTED 1234\n" + program + end).run(), "exit") << end;
    EXPECT_EQ(CRun("#define EXPECTED 1\n" + program + end).run(), "error") << end;
  }
  for (const char* end : {"_exit(0); }", "abort(); }"})
    EXPECT_EQ(CRun("#define EXPECTED 1\n" + program + end).run(), "exit") << end;
}

TEST(CSurroundings, AFailureBeforeMainIsOne) {
  EXPECT_EQ(CRun("__attribute__((constructor)) void a(void) { reach_error(); }\n"
                 "int main(void) { return 0; }")
                .run(),
            "error");
  EXPECT_EQ(CRun("void exit(int);\n__attribute__((constructor)) void a(void) { exit(0); }\n"
                 "int main(void) { reach_error(); }")
                .run(),
            "exit");
}

TEST(CSurroundings, WhatRunsUnseenIsRefused) {
  EXPECT_EQ(c_error("__attribute__((constructor)) void a(int n) { }\nint main(void) { return 0; }"),
            refused("8", "function 'a' with arguments or without a body, which runs before main"));
  EXPECT_EQ(c_error("void f(void) { reach_error(); }\n"
                    "void (*p)(void) __attribute__((section(\".init_array\"), used)) = f;\n"
                    "int main(void) { return 0; }"),
            refused("9", "'p' in section '.init_array'"));
  EXPECT_EQ(c_error("struct s { int n; int *p; };\n"
                    "struct s x[2] __attribute__((section(\"mine\"))) = {{1, 0}};\n"
                    "int main(void) { return 0; }"),
            refused("9", "'x' in section 'mine'"));
  EXPECT_EQ(c_error("__attribute__((section(\".fini\"))) void f(void) { }\n"
                    "int main(void) { return 0; }"),
            refused("8", "'f' in section '.fini'"));
  EXPECT_EQ(CRun("int x __attribute__((section(\"mine\"))) = 1;\n"
                 "int main(void) { if (x) reach_error(); return 0; }")
                .run(),
            "error");
  EXPECT_EQ(c_error("int x;\n  __asm__(\".globl y\\ny: ret\");\nint main(void) { return 0; }"),
            refused("9:5", "assembly outside of functions"));
  EXPECT_EQ(
      c_error("int one(void) { return 1; }\nstatic void *chosen(void) { return one; }\n"
              "int f(void) __attribute__((ifunc(\"chosen\")));\nint main(void) { return 0; }"),
      refused("9", "function 'f' that is chosen when the program starts (ifunc)"));
  EXPECT_EQ(c_error("int on_exit(void (*)(void)); void f(void) { reach_error(); }\n"
                    "int main(void) { on_exit(f); return 0; }"),
            refused("9:18", "call of 'on_exit', which is not defined"));
  EXPECT_EQ(c_error("declare void @lemmata.assume(i1)\ndefine i32 @main() {\n"
                    "  call void @lemmata.assume(i1 false)\n  ret i32 0\n}\n",
                    {}, "t.ll"),
            "t.ll: error: unsupported: the name 'lemmata.assume'");
}

TEST(CSurroundings, WhatOnlyTheLinkerKnowsIsRefused) {
  EXPECT_EQ(c_error("extern int w __attribute__((weak));\n"
                    "int main(void) {\nif (&w) return 1;\nreach_error(); }"),
            refused("10:5", "weak symbol 'w', which is not defined"));
  EXPECT_EQ(c_error("extern void f(void) __attribute__((weak));\n"
                    "int main(void) {\nif (f) return 1;\nreach_error(); }"),
            refused("10:5", "weak symbol 'f', which is not defined"));
  EXPECT_EQ(c_error("int x __attribute__((section(\"mine\"))); extern int __start_mine;\n"
                    "int main(void) {\n__start_mine = 1;\nif (x) reach_error(); }"),
            refused("10:14", "'__start_mine', which the linker defines"));
}

TEST(CSurroundings, AnotherNameIsTheSameThing) {
  std::string program =
      "int x; extern int y __attribute__((alias(\"x\")));\n"
      "void set(void) { x = 1; } void also(void) __attribute__((alias(\"set\")));\n"
      "__attribute__((weak)) int value(void) { return 2; }\n"
      "int main(void) { also(); y += value(); if (x == ";
  EXPECT_EQ(CRun(program + "3) reach_error(); return 0; }").run(), "error");
  EXPECT_EQ(CRun(program + "1) reach_error(); return 0; }").run(), "exit");
  EXPECT_EQ(CRun("void no(void) { } void __VERIFIER_error(void) __attribute__((alias(\"no\")));\n"
                 "int main(void) { __VERIFIER_error(); return 0; }")
                .run(),
            "error");
}

TEST(CSurroundings, AFunctionWithABodyIsWhatItSays) {
  for (const char* definition :
       {"void exit(int n) { } ", "static void exit(int n) { } ", "void exit(n) int n; { } "}) {
    std::string program = definition + std::string("int main(void) { exit(1); ");
    EXPECT_EQ(CRun(program + "reach_error(); return 0; }").run(), "error") << definition;
  }
  EXPECT_EQ(CRun("void abort(void) { reach_error(); }\nint main(void) { abort(); }").run(),
            "error");
  EXPECT_EQ(CRun("void __VERIFIER_assume(int c) { }\n"
                 "int main(void) { __VERIFIER_assume(0); reach_error(); }")
                .run(),
            "error");
  EXPECT_EQ(CRun("int __VERIFIER_nondet_int(void) { return 7; }\n"
                 "int main(void) { if (__VERIFIER_nondet_int() != 7) reach_error(); return 0; }")
                .run(),
            "exit");
  EXPECT_EQ(CRun("void __assert_fail(void) { }\n"
                 "int main(void) { __assert_fail(); return 0; }")
                .run(),
            "exit");
  EXPECT_EQ(CRun("double fabs(double x) { return 3; } int abs(int x) { return 4; }\n"
                 "int main(void) { if (fabs(-1.0) == 3 && abs(-1) == 4) reach_error(); return 0; }")
                .run(),
            "error");
  EXPECT_EQ(CRun("int hit; void *memset(void *p, int c, unsigned n) { hit = 1; return p; }\n"
                 "int main(void) { int a[2] = {1, 2}; memset(a, 0, sizeof a);\n"
                 "if (hit && a[0] == 1) reach_error(); return 0; }")
                .run(),
            "error");
  EXPECT_EQ(CRun("unsigned strlen(const char *s) { return 9; }\n"
                 "int main(void) { if (strlen(\"abc\") == 9) reach_error(); return 0; }")
                .run(),
            "error");
  EXPECT_EQ(
      CRun("static int x; void *malloc(unsigned n) { return &x; } void free(void *p) { x = 5; }\n"
           "int main(void) { int *p = malloc(4); *p = 3; free(p); if (x == 5) reach_error();\n"
           "return 0; }")
          .run(),
      "error");
}

TEST(CSurroundings, TheErrorStaysTheErrorWhateverItsBodyDoes) {
  for (const char* definition :
       {"void reach_error(void) { } ", "void reach_error(void) { for (;;) ; } "})
    EXPECT_EQ(CRun(definition + std::string("int main(void) { reach_error(); return 0; }")).run(),
              "error");
  EXPECT_EQ(CRun("static void __VERIFIER_error(void) { }\n"
                 "int main(void) { __VERIFIER_error(); return 0; }")
                .run(),
            "error");
}

TEST(CSurroundings, PromisesOfAttributesAreNotBelieved) {
  EXPECT_EQ(CRun("__attribute__((returns_nonnull)) int *f(void) { return 0; }\n"
                 "int g(void) { return f() == 0; }\n"
                 "int main(void) { if (g()) reach_error(); return 0; }")
                .run(),
            "error");
  EXPECT_EQ(CRun("int n; __attribute__((const)) int f(void) { return ++n; }\n"
                 "int g(void) { return f() != f(); }\n"
                 "int main(void) { if (g()) reach_error(); return 0; }")
                .run(),
            "error");
  EXPECT_EQ(CRun("struct s { int a[9]; }; __attribute__((pure)) int f(struct s x) {\n"
                 "return x.a[0] = 3; }\n"
                 "int main(void) { struct s x = {{1}}; f(x); if (x.a[0] != 1) reach_error();\n"
                 "return 0; }")
                .run(),
            "exit");
}

TEST(CSurroundings, WhereNoRunCanGoTheRunEnds) {
  std::string error = c_error("_Noreturn void f(void) { }\nint main(void) { f(); reach_error(); }");
  EXPECT_NE(error.find("unsupported: the end of a function that never returns"), std::string::npos)
      << error;
  CRun run(
      "int main(void) {\nif (__VERIFIER_nondet_int()) __builtin_unreachable();\n"
      "reach_error(); }");
  EXPECT_EQ(run.run({0}), "error");
  EXPECT_EQ(run.run({1}), "stuck");
}

TEST(CSurroundings, WhatWritesThroughPointersIsRefused) {
  std::string head = "int printf(const char *, ...); int x;\nint main(void) {\n";
  for (const char* bad : {"%n", "a%hhnb", "%d %lln", "%1$n", "%%%n", "%-5.3jn"})
    EXPECT_EQ(c_error(head + "printf(\"" + bad + "\", 1, &x); }"),
              refused("10:1", "printf with %n"))
        << bad;
  for (const char* good : {"n", "%%n", "%d n", "%5.2fn", "%s%c"})
    EXPECT_EQ(CRun(head + "printf(\"" + good + "\", 1, 2); reach_error(); }").run(), "error")
        << good;
  EXPECT_EQ(c_error("int printf(const char *, ...); char f[] = \"%n\"; int x;\n"
                    "int main(void) {\nprintf(f, &x); }"),
            refused("10:1", "printf with a format that is not constant"));
  EXPECT_EQ(c_error("int scanf(const char *, ...); int x;\nint main(void) {\nscanf(\"%f\", &x); }"),
            refused("10:1", "scanf with '%f'"));
  EXPECT_EQ(c_error("void __VERIFIER_nondet_memory(void *, unsigned); int x;\n"
                    "int main(void) {\n__VERIFIER_nondet_memory(&x, 4); }"),
            refused("10:1", "call of '__VERIFIER_nondet_memory', which may write to memory"));
}

TEST(CSurroundings, NothingToCheckIsAnError) {
  auto problem = [](const std::string& text, const std::string& name) {
    SourceFile file(name, text);
    Result<Problem> read = read_c_problem(file.path(), {});
    if (read) return std::string("read");
    EXPECT_EQ(read.error().kind, ErrorKind::Usage);
    return read.error().message;
  };
  const std::string nothing =
      "nothing to check (no assertion, no reach_error; --check memory,arithmetic looks for "
      "undefined "
      "behaviour)";
  EXPECT_EQ(problem("int main(void) { return 0; }", "t.c"), nothing);
  EXPECT_EQ(problem(kHead + "int main(void) { abort(); }", "t.c"), nothing);
  EXPECT_EQ(problem("#define NDEBUG\n#include <assert.h>\nint main(void) { assert(0); }", "t.c"),
            nothing);
  EXPECT_EQ(problem("#include <assert.h>\nint main(void) { return 0; }", "t.c"), nothing);
  EXPECT_EQ(problem("int main(void) { /* reach_error(); */ return \"reach_error();\"[0]; }", "t.c"),
            nothing);
  EXPECT_EQ(problem("define i32 @main() {\n  ret i32 0\n}\n", "t.ll"), nothing);
  EXPECT_EQ(problem("#include <assert.h>\nint main(void) { assert(1); }", "t.c"), "read");
  EXPECT_EQ(problem(kHead + "int main(void) { if (0) reach_error(); return 0; }", "t.c"), "read");
  EXPECT_EQ(problem(kHead + "static void f(void) { reach_error(); }\nint main(void) { return 0; }",
                    "t.c"),
            "read");
  EXPECT_EQ(problem("int main(void) { return 0; ERROR: goto ERROR; }", "t.c"), "read");
}

TEST(CSurroundings, FindsCallsInText) {
  for (const char* call : {"void f() { reach_error(); }", "f() { if (x) __VERIFIER_error (); }",
                           "f() { x ? 0 : assert(y); }", "f() { return sassert(1); }"})
    EXPECT_TRUE(c::text_asserts(call)) << call;
  for (const char* none :
       {"void reach_error(void);", "f() { extern void reach_error(void); }", "f() { 'assert(1)'; }",
        "f() { void __attribute__((noreturn)) __assert_fail(int); }", "f() { assert; }", ""})
    EXPECT_FALSE(c::text_asserts(none)) << none;
}

TEST(CSurroundings, NamesOfFilesAreNames) {
  std::string program = kHead + "int main(void) { reach_error(); }";
  for (const char* name : {"@t.c", "-t.c", "a b.c", "a\nb.c", "x=1.c", "--.c", "%s.c"}) {
    SourceFile file(name, program);
    SourceFile other("t.c", kHead + "int main(void) { return 0; }");
    std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(std::filesystem::path(file.path()).parent_path());
    std::ofstream("list") << "x";
    Result<CProgram> read = read_c(name, {});
    std::filesystem::current_path(before);
    ASSERT_TRUE(read) << name << ": " << read.error().text();
    EXPECT_FALSE(read->cfa.in(read->cfa.error()).empty()) << name;
  }
  // as a list of arguments it would name the other file
  SourceFile safe("safe.c", kHead + "int main(void) { return 0; }");
  std::filesystem::path folder = std::filesystem::path(safe.path()).parent_path();
  std::ofstream(folder / "@list.c") << safe.path();
  std::ofstream(folder / "list.c") << safe.path();
  std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder);
  Result<CProgram> read = read_c("@list.c", {});
  std::filesystem::current_path(before);
  EXPECT_FALSE(read) << "the file is no program";
}

}  // namespace
}  // namespace lem::c
