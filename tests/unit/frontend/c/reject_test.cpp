// What is refused: construct and place.
#include "unit/frontend/c/support.h"

namespace lem::c {
namespace {

std::string in_main(const std::string& statement) {
  return "int main(void) {\n" + statement + "\n}";
}

TEST(CRejects, WhatItCannotModel) {
  auto error = [](const std::string& place, const std::string& construct) {
    return "t.c:" + place + ": error: unsupported: " + construct;
  };
  std::string down = "int f(int x) { return x ? f(x - 1) : 0; }\n";
  EXPECT_EQ(c_error(down + "int main(void) { f(__VERIFIER_nondet_int()); }"),
            error("8:27", "recursion: call of 'f'"));
  EXPECT_EQ(c_error(down + "int main(void) { for (int i = 0; i < 3; i++) f(i); }"),
            error("8:27", "recursion: call of 'f'"));
  EXPECT_EQ(c_error(down + "int main(void) { f(-1); }"),
            error("8:27", "recursion of more than 100 calls inside each other"));
  EXPECT_EQ(c_error("int main(void) { return main(); }"),
            error("8:25", "recursion: call of 'main'"));
  EXPECT_EQ(c_error("int g(int); int f(int x) { return g(x); }\nint g(int x) { return f(x); }\n"
                    "int main(void) { return f(3); }"),
            error("9:23", "recursion: call of 'f'"));
  EXPECT_EQ(c_error(in_main("__float128 f = 1; f = f + 1;")),
            error("9:12", "floating-point number of this type"));
  EXPECT_EQ(c_error("int *volatile v;\n" + in_main("int *p = v;")),
            error("10:10", "volatile value of this type"));
  EXPECT_EQ(c_error(in_main("__asm__(\"nop\");")), error("9:1", "inline assembly"));
  EXPECT_EQ(c_error("int mystery(int);\n" + in_main("return mystery(3);")),
            error("10:8", "call of 'mystery', which is not defined"));
  EXPECT_EQ(c_error("extern int (*p)(int);\n" + in_main("return p(3);")),
            error("10:8", "indirect call: pointer that is defined elsewhere"));
  EXPECT_EQ(c_error("int *a[99];\n" + in_main("for (int i = 0; i < 9; i++) ((char *)a)[i] = 1;\n"
                                              "return *a[0];")),
            error("11:9", "address in memory that is accessed byte by byte ('a')"));
  EXPECT_EQ(c_error(in_main("int n = __VERIFIER_nondet_int(), *p = (int *)n; *p = 1;")),
            error("9:52", "pointer made from a number"));
  EXPECT_EQ(c_error("extern int *p;\n" + in_main("*p = 1;")),
            error("10:4", "pointer that is defined elsewhere"));
  EXPECT_EQ(c_error("int main(int n, char **v, char **e) { return *e[0]; }"),
            error("8", "parameter of main other than int argc, char **argv"));
  EXPECT_EQ(c_error("void *alloca(unsigned);\n" +
                    in_main("int *p; for (int i = 0; i < 9; i++) p = alloca(4);\nreturn *p;")),
            error("10:41", "memory from the stack in a loop"));
  EXPECT_EQ(c_error(in_main("int x; return (int)&x;"), int_options()),
            error("9:15", "address as a number over integers (--arith int)"));
}

TEST(CRejects, WhatIntegersCannotSay) {
  EXPECT_EQ(c_error(in_main("int x = __VERIFIER_nondet_int(), y = x | 3;"), int_options()),
            "t.c:9:40: error: unsupported: operation 'or' over integers (--arith int)");
  EXPECT_EQ(
      c_error("union { int i; char c; } u;\n" + in_main("u.i = 3; return u.c;"), int_options()),
      "t.c:10:19: error: unsupported: memory read or written with several types ('u')");
}

TEST(CRejects, WhatIsNoProgram) {
  EXPECT_EQ(c_error("int main(void) { return x; }"),
            "t.c:8:25: error: clang: use of undeclared identifier 'x'");
  EXPECT_EQ(c_error("#include <nowhere.h>"), "t.c:8:10: error: clang: 'nowhere.h' file not found");
  EXPECT_EQ(c_error("int f(void) { return 0; }"), "t.c: error: no function 'main'");
  EXPECT_EQ(c_error("define i32 @main() {\n  ret i64 0\n}\n", {}, "t.ll"),
            "t.ll:2:7: error: value doesn't match function result type 'i32'");
  EXPECT_EQ(c_error("\ntarget datalayout = \"e-p:99999999999:32\"\n", {}, "t.ll"),
            "t.ll:2: error: not a number, or does not fit in an unsigned int");
  EXPECT_EQ(c_error("garbage", {}, "t.bc").substr(0, 4), "t.bc");
  EXPECT_EQ(c_error("", {}, "t.txt"),
            "t.txt: error: not a C program: the name ends in none of .c, .i, .ll, .bc");
  EXPECT_EQ(read_c("/nowhere/t.c", {}).error().kind, ErrorKind::NotFound);
  COptions missing;
  missing.clang = "no-such-clang";
  EXPECT_EQ(c_error("int main(void) { }", missing),
            "t.c: error: cannot run 'no-such-clang', which compiles C");
}

}  // namespace
}  // namespace lem::c
