// What everyday programs do with functions, memory, the library and devices.
#include "unit/frontend/c/support.h"

namespace lem::c {
namespace {

COptions for_64_bits() {
  COptions options;
  options.pointer_bits = 64;
  return options;
}

/// Whether the assertion holds for the input in both data models.
std::string ends(const std::string& text, long input = 0) {
  std::string first = CRun(text).run({input}), second = CRun(text, for_64_bits()).run({input});
  return first == second ? first : first + " and " + second;
}

std::string asserting(const std::string& before, const std::string& statements,
                      const std::string& assertion) {
  return before + "\nint main(void) { int n = __VERIFIER_nondet_int();\n" + statements +
         "\nif (!(" + assertion + ")) reach_error(); return 0; }\n";
}

TEST(CPointersToFunctions, AreAChoice) {
  const std::string functions =
      "typedef int (*op)(int, int);\n"
      "static int add(int a, int b) { return a + b; }\n"
      "static int sub(int a, int b) { return a - b; }\n"
      "static const op table[2] = {add, sub};\n"
      "struct device { int state; int (*get)(struct device *, int); };\n"
      "static int get(struct device *d, int k) { return d->state + k; }\n"
      "static int apply(int n, int (*f)(int, int)) { int s = 0;\n"
      "  for (int i = 0; i < n; i++) s = f(s, i); return s; }\n";
  for (long n : {0L, 1L})
    EXPECT_EQ(ends(asserting(functions, "int r = table[n](5, 3);", "r == (n ? 2 : 8)"), n), "exit");
  EXPECT_EQ(ends(asserting(functions, "int r = table[n](5, 3);", "r == 8"), 1), "error");
  EXPECT_EQ(ends(asserting(functions, "struct device d = {4, get};", "d.get(&d, 3) == 7")), "exit");
  EXPECT_EQ(ends(asserting(functions, "", "apply(4, add) == 6 && apply(4, sub) == -6")), "exit");
  EXPECT_EQ(ends(asserting(functions, "op f = n ? add : sub;", "f(1, 1) == 2"), 0), "error");
}

TEST(CPointersToFunctions, MayBeSetByWhatTheyCall) {
  const std::string machine =
      "typedef void (*state)(void); static state now; static int count;\n"
      "static void last(void); static void first(void) { count++; now = last; }\n"
      "static void last(void) { count += 10; now = 0; }\n";
  EXPECT_EQ(ends(asserting(machine, "now = first; while (now) now();", "count == 11")), "exit");
  EXPECT_EQ(ends(asserting(machine, "now = first; while (now) now();", "count == 1")), "error");
}

TEST(CPointersToFunctions, ThroughNullTheRunEnds) {
  EXPECT_EQ(CRun("int (*p)(int);\nint main(void) { p(3); reach_error(); }").run(), "stuck");
}

TEST(CMixedMemory, IsMemoryOfBytes) {
  const std::string types =
      "#include <stdint.h>\n#include <string.h>\n"
      "union u { float f; uint32_t i; uint8_t b[4]; };\n"
      "struct __attribute__((packed)) packed { uint8_t a; uint32_t b; uint16_t c; };\n"
      "struct bits { unsigned a : 3; unsigned b : 7; int c : 5; };\n"
      "static struct bits bits = {5, 100, -3};\n";
  EXPECT_EQ(
      ends(asserting(types, "union u v; v.f = 1.0f;", "v.i == 0x3f800000u && v.b[3] == 0x3f")),
      "exit");
  EXPECT_EQ(ends(asserting(types, "union u v; v.i = 0xbf800000u;", "v.f == -1.0f")), "exit");
  for (long n : {0L, 1L, 3L})
    EXPECT_EQ(ends(asserting(types, "struct packed p = {1, 0x01020304, 9};",
                             "((uint8_t *)&p)[n + 1] == 4 - n"),
                   n),
              "exit");
  EXPECT_EQ(ends(asserting(types, "bits.b = 33;", "bits.a == 5 && bits.b == 33 && bits.c == -3")),
            "exit");
  EXPECT_EQ(
      ends(asserting(types, "int a[99] = {0}; for (int i = 0; i < 8; i++) ((char *)a)[i] = 1;",
                     "a[1] == 0x01010101 && a[2] == 0")),
      "exit");
}

TEST(CMixedMemory, AShortViewOfLongWordsIsAtEachPlace) {
  const std::string shorts = "union { short h[4]; int w[2]; } u;\n";
  for (long n : {0L, 1L, 2L, 3L})
    EXPECT_EQ(ends(asserting(shorts,
                             "u.w[0] = 0x00020001; u.w[1] = 0x00040003; int x = u.h[n];\n"
                             "u.h[n] = 9; int y = u.w[n / 2] >> 16 * (n % 2) & 0xffff;",
                             "x == n + 1 && y == 9"),
                   n),
              "exit");
}

TEST(CMixedMemory, NumbersAndAddressesInOneUnion) {
  const std::string variant =
      "struct variant { int kind; union { int *p; long n; } u; };\n"
      "static struct variant of(int *p, long n) { struct variant v; v.kind = p != 0;\n"
      "  if (p) v.u.p = p; else v.u.n = n; return v; }\n"
      "static long value(struct variant v) { return v.kind ? *v.u.p : v.u.n; }\n";
  EXPECT_EQ(ends(asserting(variant, "int x = 7; struct variant a = of(&x, 0), b = of(0, 5);",
                           "value(a) == 7 && value(b) == 5")),
            "exit");
  EXPECT_TRUE(CRun(asserting("union { int *p; long n; } u;\nint x;",
                             "u.n = n; u.p = &x; long m = u.n;", "m == n"))
                  .can_fail());
}

/// C leaves them open, gcc 15 does, too; clang's constants have no value there.
TEST(CMixedMemory, BytesBehindTheInitialisedMemberOfAUnionAreAnything) {
  const std::string types =
      "union u { int i; char c; }; struct s { char a; int b; };\n"
      "struct z { union u u; int k; };\nstatic union u still = {.c = 1};\n";
  const std::string locals =
      "union u x = {.c = 1}; struct s y = {1, 2}; struct z w = {{.c = 1}, 5};";
  EXPECT_TRUE(CRun(asserting(types, locals, "x.i == 1")).can_fail());
  EXPECT_TRUE(CRun(asserting(types, locals, "*(int *)&y == 1")).can_fail());
  EXPECT_TRUE(CRun(asserting(types, locals, "w.u.i == 1")).can_fail());
  EXPECT_FALSE(CRun(asserting(types, locals, "(x.i & 0xff) == 1 && x.c == 1")).can_fail());
  EXPECT_FALSE(CRun(asserting(types, locals, "y.a == 1 && y.b == 2 && w.k == 5")).can_fail());
  EXPECT_FALSE(CRun(asserting(types, locals, "still.i == 1")).can_fail());
  const std::string large = "struct { union u u; int a[99]; } l = {{.c = 1}, {1, 2}};";
  EXPECT_FALSE(CRun(asserting(types, large, "l.a[1] == 2 && l.u.c == 1")).can_fail());
  EXPECT_FALSE(CRun(asserting(types, large, "l.a[n & 63] < 3 && l.u.c == 1")).can_fail());
}

TEST(CLabels, AreChosenByTheirAddress) {
  const std::string machine =
      "static int run(const unsigned char *code) {\n"
      "  static const void *const table[] = {&&up, &&down, &&twice, &&end}; int a = 0;\n"
      "  goto *table[*code++];\n"
      "up: a++; goto *table[*code++];\ndown: a--; goto *table[*code++];\n"
      "twice: a *= 2; goto *table[*code++];\nend: return a; }\n"
      "static int once(int n) { void *to[] = {&&zero, &&one}; goto *to[n];\n"
      "zero: return 10; one: return 11; }\n";
  EXPECT_EQ(ends(asserting(machine, "unsigned char c[] = {0, 0, 2, 1, 3};", "run(c) == 3")),
            "exit");
  EXPECT_EQ(ends(asserting(machine, "unsigned char c[] = {0, n, 2, 3};", "run(c) == 4"), 2),
            "exit");
  EXPECT_EQ(ends(asserting(machine, "unsigned char c[] = {0, n, 2, 3};", "run(c) == 4"), 1),
            "error");
  for (long n : {0L, 1L}) EXPECT_EQ(ends(asserting(machine, "", "once(n) == 10 + n"), n), "exit");
}

/// Clang makes one jump for each function; the optimiser copies it.
TEST(CLabels, AreTheSameForAllJumps) {
  const std::string text =
      "declare i32 @__VERIFIER_nondet_int()\ndeclare void @reach_error()\n"
      "define i32 @main() {\nstart:\n  %n = call i32 @__VERIFIER_nondet_int()\n"
      "  %is = icmp eq i32 %n, 0\n"
      "  %to = select i1 %is, i8* blockaddress(@main, %good), i8* blockaddress(@main, %bad)\n"
      "  %early = icmp slt i32 %n, 5\n  br i1 %early, label %first, label %second\n"
      "first:\n  indirectbr i8* %to, [label %good, label %bad]\n"
      "second:\n  indirectbr i8* %to, [label %good, label %bad]\n"
      "good:\n  ret i32 0\nbad:\n  call void @reach_error()\n  unreachable\n}\n";
  for (long n : {0L, 3L, 7L})
    EXPECT_EQ(CRun(text, {}, "t.ll").run({n}), n == 0 ? "exit" : "error") << n;
}

/// As optimised code has them behind loops. Each time, not once for all.
TEST(CCode, APhiWithOneWayInIsWhatComesThatWay) {
  const std::string text =
      "declare i32 @__VERIFIER_nondet_int()\ndeclare void @reach_error()\n"
      "define i32 @main() {\nstart:\n  br label %loop\n"
      "loop:\n  %before = phi i32 [ 0, %start ], [ %p, %good ]\n"
      "  %x = call i32 @__VERIFIER_nondet_int()\n  br label %next\n"
      "next:\n  %p = phi i32 [ %x, %loop ]\n  %sum = add i32 %before, %p\n"
      "  %is = icmp eq i32 %sum, 12\n  br i1 %is, label %bad, label %good\n"
      "bad:\n  call void @reach_error()\n  unreachable\n"
      "good:\n  %end = icmp eq i32 %x, 0\n  br i1 %end, label %out, label %loop\n"
      "out:\n  ret i32 0\n}\n";
  EXPECT_EQ(CRun(text, {}, "t.ll").run({5, 7}), "error");
  EXPECT_EQ(CRun(text, {}, "t.ll").run({5, 6, 0}), "exit");
}

/// Too large to be copied element by element; what has no value was once looked for in the target.
TEST(CCopies, OfATableIntoALocalVariable) {
  std::string rows;
  for (int i = 0; i < 300; ++i) rows += "{" + std::to_string(7 * i % 100) + ", 'x'}, ";
  for (long n : {0L, 42L, 299L})
    EXPECT_EQ(
        ends(asserting("struct row { int number; char letter; };",
                       "struct row table[300] = {" + rows + "}; table[7].number = n;",
                       "table[n].number == (n == 7 ? n : 7 * n % 100) && table[n].letter == 'x'"),
             n),
        "exit");
}

TEST(CNumbersAsPointers, AreApartFromAllObjects) {
  const std::string pool =
      "#include <stdint.h>\n#define FAILED ((char *)-1)\nstatic char pool[8];\n"
      "static void *table[] = {(void *)1, (void *)2, pool};\n"
      "static char *get(int n) { return n > 8 ? FAILED : n == 0 ? (char *)0 : pool; }\n";
  for (long n : {0L, 5L, 9L}) {
    EXPECT_EQ(ends(asserting(pool, "char *p = get(n);", "(p == FAILED) == (n > 8)"), n), "exit");
    EXPECT_EQ(ends(asserting(pool, "char *p = get(n);", "!p == (n == 0)"), n), "exit");
    EXPECT_EQ(ends(asserting(pool, "char *p = get(n);", "p == FAILED || !p || p == pool"), n),
              "exit");
  }
  EXPECT_EQ(ends(asserting(pool, "char *p = get(n);", "p != FAILED"), 9), "error");
  for (long n : {0L, 1L})
    EXPECT_EQ(ends(asserting(pool, "char *p = table[n];",
                             "(uintptr_t)p == n + 1 && p + 1 == (n ? (char *)3 : (char *)2)"),
                   n),
              "exit");
  EXPECT_EQ(ends(asserting(pool, "", "(uintptr_t)FAILED == (uintptr_t)-1")), "exit");
}

TEST(CCopies, OfAnySizeAndOverlap) {
  const std::string head = "#include <string.h>\n";
  for (long n : {0L, 1L, 5L})
    EXPECT_EQ(
        ends(asserting(head, "char a[16] = \"hello\", b[16] = {0}; memcpy(b, a, n); int i = n - 1;",
                       "b[n] == 0 && (n == 0 || b[i] == a[i])"),
             n),
        "exit");
  EXPECT_EQ(ends(asserting(head, "char a[8] = \"abcde\"; memmove(a + 1, a, 4 + n);",
                           "a[0] == 'a' && a[1] == 'a' && a[4] == 'd'")),
            "exit");
  EXPECT_EQ(ends(asserting(head, "char a[8] = \"abcde\"; memmove(a, a + 1, 4 + n);",
                           "a[0] == 'b' && a[3] == 'e'")),
            "exit");
  EXPECT_EQ(ends(asserting(head, "int a[4]; memset(a, n, sizeof a);", "a[3] == 0x03030303"), 3),
            "exit");
  EXPECT_EQ(
      ends(asserting(head, "char a[9] = \"12345678\"; char b[9]; memcpy(b, a, 5);", "b[4] == '5'")),
      "exit");
  EXPECT_EQ(ends(asserting("struct s { int x; char y; short z; };",
                           "struct s a[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}; a[0] = a[n];",
                           "a[0].x == 1 + 3 * n && a[0].z == 3 + 3 * n"),
                 2),
            "exit");
}

TEST(CBuiltins, OnIntegers) {
  EXPECT_EQ(ends(asserting("", "",
                           "__builtin_popcount(n) == 4 && __builtin_clz(n) == 24 && "
                           "__builtin_ctz(n) == 4 && __builtin_bswap32(n) == 0xf0000000u"),
                 0xf0),
            "exit");
  EXPECT_EQ(ends(asserting("", "int r; int over = __builtin_add_overflow(n, 1, &r);", "over")),
            "error");
  EXPECT_EQ(ends(asserting("", "int r; int over = __builtin_mul_overflow(n, 3, &r);", "over"),
                 0x40000000),
            "exit");
}

TEST(CStructs, AreReturnedAndPassed) {
  const std::string two =
      "struct two { long a, b; }; struct mixed { double d; int i; };\n"
      "static struct two make(long a) { struct two t = {a, a + 1}; return t; }\n"
      "static struct mixed twice(struct mixed m) { m.d *= 2; m.i *= 2; return m; }\n";
  EXPECT_EQ(ends(asserting(two, "struct two t = make(n);", "t.a == n && t.b == n + 1"), 4), "exit");
  EXPECT_EQ(
      ends(asserting(two, "struct mixed m = {1.5, n}; m = twice(m);", "m.d == 3.0 && m.i == 2 * n"),
           4),
      "exit");
}

// Integers --------------------------------------------------------------------------------------

TEST(CIntegers, UnsignedNumbersWrapAround) {
  auto run = [](const std::string& statements, const std::string& assertion, long input = 0) {
    return CRun(asserting("", statements, assertion), int_options()).run({input});
  };
  EXPECT_EQ(run("unsigned x = n; x--;", "x == 4294967295u && x > 0"), "exit");
  EXPECT_EQ(run("unsigned x = n; x--;", "x <= 0"), "error");
  EXPECT_EQ(run("unsigned x = n; x = x * 3 + 5;", "x == 1073741830u", 1789569707), "exit");
  EXPECT_EQ(run("unsigned x = n; x <<= 1;", "x == 4294967294u", 2147483647), "exit");
  EXPECT_EQ(run("unsigned char c = n; c++;", "c == 0", 255), "exit");
  EXPECT_EQ(run("signed char c = n; c++;", "c == -128", 127), "exit");
  EXPECT_EQ(run("unsigned u = -1; int i = u;", "i == -1 && u > 5 && u / 2 == 2147483647u"), "exit");
  EXPECT_EQ(run("int m = -n; unsigned u = m; long long l = u;", "l == 4294967293LL", 3), "exit");
  EXPECT_EQ(run("unsigned a = 3, b = n; int less = a - b < 0;", "!less", 5), "exit");
}

TEST(CIntegers, SignedNumbersDoNot) {
  EXPECT_EQ(CRun(asserting("", "int x = n + 1;", "x > n"), int_options()).run({2147483647}),
            "exit");
  EXPECT_FALSE(
      CRun(asserting("", "int x = n;", "x >= -2147483647 - 1 && x <= 2147483647"), int_options())
          .can_fail());
}

// Code outside of main --------------------------------------------------------------------------

TEST(CVolatile, ReadsAreInputs) {
  EXPECT_TRUE(CRun("volatile int flag;\nint main(void) { flag = 1; if (flag == 2) reach_error(); }")
                  .can_fail());
  EXPECT_FALSE(
      CRun("int main(void) { volatile int i = 1; if (i != 1) reach_error(); }").can_fail());
  const std::string device =
      "#define REG (*(volatile unsigned *)0x40001000)\n"
      "int main(void) { REG = 3; if (REG == 4) reach_error(); if (REG == 3) return 0; return 1; }";
  EXPECT_EQ(CRun(device).run({4}), "error");
  COptions memory;
  memory.devices = COptions::Devices::Memory;
  EXPECT_EQ(CRun(device, memory).run(), "exit");
  EXPECT_EQ(
      CRun("volatile int flag;\nint main(void) { flag = 1; if (flag == 2) reach_error(); }", memory)
          .run(),
      "exit");
}

TEST(CLibrary, HasModels) {
  const std::string head = "#include <ctype.h>\n#include <stdlib.h>\n#include <string.h>\n";
  EXPECT_EQ(ends(asserting(head, "char s[] = \"a-b\";",
                           "strlen(s) == 3 && strcmp(s, \"a-c\") < 0 && strchr(s, '-') == s + 1 && "
                           "memcmp(s, \"a-b\", 4) == 0")),
            "exit");
  EXPECT_EQ(ends(asserting(head, "char s[8]; strcpy(s, \"ab\"); strcat(s, \"cd\");",
                           "strcmp(s, \"abcd\") == 0 && strstr(s, \"bc\") == s + 1")),
            "exit");
  EXPECT_EQ(
      ends(asserting(head, "",
                     "isdigit('5') && !isalpha('5') && toupper('q') == 'Q' && isspace('\\n')")),
      "exit");
  EXPECT_EQ(ends(asserting(head, "char *end; long x = strtol(\" -42z\", &end, 10);",
                           "x == -42 && *end == 'z' && atoi(\"17\") == 17 && abs(-3) == 3")),
            "exit");
  EXPECT_EQ(ends(asserting(head + "static int up(const void *a, const void *b) {\n"
                                  "  return *(const int *)a - *(const int *)b; }\n",
                           "int a[4] = {3, 1, 4, 2}; qsort(a, 4, sizeof *a, up);",
                           "a[0] == 1 && a[1] == 2 && a[2] == 3 && a[3] == 4")),
            "exit");
}

TEST(CLibrary, AFunctionThatIsDefinedIsTheProgramsOwn) {
  EXPECT_EQ(ends("int abs(int x) { return 5; }\n" + asserting("", "", "abs(-3) == 5")), "exit");
}

TEST(CLibrary, ReallocKeepsWhatThereWas) {
  const std::string text = asserting("#include <stdlib.h>",
                                     "int *p = malloc(8); p[0] = 3; p[1] = 4;\n"
                                     "p = realloc(p, 16); p[3] = 5;",
                                     "p[0] == 3 && p[1] == 4 && p[3] == 5");
  EXPECT_EQ(ends(text), "exit");
  EXPECT_EQ(ends(asserting("#include <stdlib.h>", "int *p = realloc(0, 4); *p = n;", "*p == n"), 7),
            "exit");
  COptions options;
  options.checks = {CRule::Bounds};
  EXPECT_NE(c_error(text, options).find("call of 'realloc'"), std::string::npos);
}

/// Clang gives bit-fields their initial value byte by byte. The first byte of f1 and f2 is 0.
TEST(CBitFields, StartWithAllTheirBytes) {
  const std::string fields =
      "struct s { signed f0 : 25; signed f1 : 10; signed f2 : 4; signed : 0; unsigned f4 : 10; };\n"
      "static struct s one = {-1763, 0, 1, 24}, all[3] = {{1, -4, -1, 1}, {2}, {3, 0, 1, 24}};";
  EXPECT_EQ(ends(asserting(fields, "", "one.f2 == 1 && one.f1 == 0 && one.f0 == -1763")), "exit");
  for (long n : {0L, 2L})
    EXPECT_EQ(ends(asserting(fields, "", "all[n].f2 == (n ? 1 : -1)"), n), "exit");
}

TEST(CUndefined, ReturnsAnyValueIfWanted) {
  const std::string text =
      "int mystery(int);\nint main(void) { if (mystery(1) == 7) reach_error(); }";
  EXPECT_EQ(c_error(text), "t.c:9:22: error: unsupported: call of 'mystery', which is not defined");
  COptions any;
  any.undefined = COptions::Undefined::Nondet;
  EXPECT_EQ(CRun(text, any).run({7}), "error");
  EXPECT_EQ(CRun(text, any).run({8}), "exit");
  EXPECT_EQ(CRun(text, any).program().undefined, std::vector<std::string>{"mystery"});
}

TEST(CArguments, OfMainAreInputs) {
  const std::string text =
      "int main(int argc, char **argv) {\n"
      "  if (argc == 2 && argv[1][0] == '-' && argv[1][1] == 'v' && argv[2] == 0) reach_error();\n"
      "  return 0; }";
  COptions options;
  options.pointer_size = 3;
  std::vector<long> inputs(1 + 3 * 16, 0);
  inputs[0] = 2;
  inputs[17] = '-';
  inputs[18] = 'v';
  EXPECT_EQ(CRun(text, options).run(inputs), "error");
  inputs[18] = 'w';
  EXPECT_EQ(CRun(text, options).run(inputs), "exit");
  inputs[0] = 0;  // no program has fewer than one
  inputs[18] = 'v';
  EXPECT_EQ(CRun(text, options).run(inputs), "exit");
}

/// Proofs are about any number of strings of any length.
TEST(CArguments, BeyondTheirMemoryAreAnything) {
  CRun far("int main(int argc, char **argv) { if (argc > 9 && argv[9] != 0) reach_error(); }");
  EXPECT_TRUE(far.can_fail());
  CRun many("int main(int argc, char **argv) { if (argc == 1000) reach_error(); }");
  EXPECT_EQ(many.run({1000}), "error");
}

TEST(CArguments, ThatAreNotReadAreNoInputs) {
  EXPECT_TRUE(CRun("int main(int argc, char **argv) { return 0; }").program().inputs.empty());
}

/// Whether no run fails and some run ends: the address is any that suits, so some are stuck.
bool holds(const std::string& statements, const std::string& assertion) {
  CRun run(
      asserting("#include <stdint.h>\nstruct s { int a; char b; int c; } x; char c; int y;\n"
                "int array[8]; char bytes[64];",
                statements, assertion));
  bool ends = false;
  for (int i = 0; i < 400; ++i) {
    std::string end = run.run();
    if (end == "error") return false;
    ends = ends || end == "exit";
  }
  return ends;
}

TEST(CAddresses, AreAnyNumberThatSuits) {
  EXPECT_TRUE(holds("uintptr_t p = (uintptr_t)&x;", "(p & 3) == 0 && p != 0"));
  EXPECT_TRUE(holds("", "(uintptr_t)&x.c - (uintptr_t)&x == 8"));
  EXPECT_TRUE(holds("", "(uintptr_t)&x != (uintptr_t)&y"));
  EXPECT_FALSE(holds("", "((uintptr_t)&c & 3) == 0"));
  EXPECT_TRUE(
      holds("unsigned i = n; i %= 8;", "(uintptr_t)(array + i) == (uintptr_t)array + 4 * i"));
  EXPECT_TRUE(holds("int *p = n ? &y : 0;", "((uintptr_t)p == 0) == (n == 0)"));
}

/// Clang leaves the result to the linker: a constant, but no literal.
TEST(CAddresses, AreComparedInConstants) {
  EXPECT_EQ(ends(asserting("int a, b; static int same(long x) { return x + 1; }", "",
                           "same((long)(&a == &b)) == 1 && same(&a + 0 == &a) == 2")),
            "exit");
  EXPECT_EQ(ends(asserting("int a[4]; static int f(long x) { return x * 3; }", "",
                           "f(&a[1] == &a[2]) != 0")),
            "error");
}

TEST(CAddresses, AndBack) {
  EXPECT_TRUE(holds("uintptr_t p = (uintptr_t)&array[2]; *(int *)p = 5; *(int *)(p + 4) = 6;",
                    "array[2] == 5 && array[3] == 6"));
  EXPECT_FALSE(holds("uintptr_t p = (uintptr_t)&array[2]; *(int *)p = 5;", "array[2] == 6"));
  EXPECT_TRUE(holds("char *p = (char *)(((uintptr_t)bytes + 7) & ~(uintptr_t)7); *p = 9;",
                    "((uintptr_t)p & 7) == 0 && p - bytes < 8 && *p == 9"));
  EXPECT_TRUE(
      holds("int *tag = (int *)((uintptr_t)array | 1);\n"
            "int *p = (int *)((uintptr_t)tag & ~(uintptr_t)1); *p = 3;",
            "p == array && array[0] == 3"));
}

TEST(CCompileCommands, HaveTheFlagsOfAFile) {
  SourceFile program("t.c", std::string(kHead) +
                                "#include <limit.h>\nint main(void) "
                                "{ if (LIMIT + MORE != 9) reach_error(); return 0; }");
  std::string folder = program.path().substr(0, program.path().rfind('/'));
  std::ofstream(folder + "/limit.h") << "#define LIMIT 7\n";
  auto commands = [&](const std::string& command) {
    return "[{\"directory\": \"" + folder + "\", \"file\": \"" + program.path() +
           "\", \"command\": \"" + command + "\"}]";
  };
  SourceFile both("compile_commands.json",
                  commands("cc -O3 -Wall -I. '-DMORE=2' -o t.o -c " + program.path()));
  COptions options;
  options.compile_commands = both.path();
  EXPECT_EQ(CRun(OnDisk{program.path()}, options).run(), "exit");
  SourceFile apart("compile_commands.json", commands("cc -I . -D MORE=3 -c t.c"));
  options.compile_commands = apart.path();
  EXPECT_EQ(CRun(OnDisk{program.path()}, options).run(), "error");
  SourceFile elsewhere("limit.h", "#define LIMIT 7\n");
  SourceFile outside("compile_commands.json", commands("cc -I" + elsewhere.path() + "/.. -c t.c"));
  options.compile_commands = outside.path();
  EXPECT_NE(CRun(OnDisk{program.path()}, options).error().message.find("outside of the project"),
            std::string::npos);
  SourceFile other("other.c", "int main(void) { return 0; }");
  EXPECT_EQ(CRun(OnDisk{other.path()}, options).error().message,
            "no command for '" + other.path() + "'");
  SourceFile broken("compile_commands.json", "[");
  options.compile_commands = broken.path();
  EXPECT_EQ(CRun(OnDisk{program.path()}, options).error().message,
            "not a list of compile commands in JSON");
}

TEST(CFiles, AreOneProgram) {
  SourceFile other("other.c",
                   "static int hidden = 4; int shared = 3; int sum(void) "
                   "{ return hidden + shared; }");
  COptions options;
  options.files = {other.path()};
  const std::string text =
      "extern int shared; int sum(void); static int hidden = 1;\n"
      "int main(void) { shared = 5; if (sum() + hidden != 10) reach_error(); return 0; }";
  EXPECT_EQ(CRun(text, options).run(), "exit");
  options.flags = {"-D", "shared=other"};
  EXPECT_NE(c_error("int sum(void) { return 0; }\n" + text, options).find("sum"),
            std::string::npos);
}

}  // namespace
}  // namespace lem::c
