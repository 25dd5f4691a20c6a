#!/usr/bin/env python3
"""Functions of the C library: what the standard leaves open is open, what it defines holds, and what it calls undefined is
found by --check. Programs without inputs are also compiled and run: one that fails on this machine is never said to be safe.
usage: c_library_test.py [--build FOLDER] [TestClass.test_name]"""
import subprocess

import support
from support import ProgramTest

HEAD = """#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
extern int __VERIFIER_nondet_int(void);
extern double __VERIFIER_nondet_double(void);
"""
COUNTED = """static int calls;
static int compare(const void *a, const void *b) { calls++; return *(const int *)a - *(const int *)b; }
"""
PURE = "static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }\n"
PAIRS = """struct pair { int key, other; };
static int compare(const void *a, const void *b) {
  return ((const struct pair *)a)->key - ((const struct pair *)b)->key; }
"""


class LibraryTest(ProgramTest):
    def fails_here(self, program):
        """Whether the compiled program aborts; programs with inputs are not run."""
        binary = program.with_suffix(".run")
        made = subprocess.run(["clang-14", "-w", "-O0", "-fwrapv", "-o", binary, program, "-lm"], capture_output=True,
                              check=False)
        if made.returncode != 0:
            return False
        return subprocess.run([binary], capture_output=True, stdin=subprocess.DEVNULL, timeout=20,
                              check=False).returncode == -6

    def answer(self, text, *more, head=HEAD):
        program = self.write("p.c", head + text)
        _, out, err = self.run_program("check", program, "--timeout", 60, *more)
        return out, err, program

    def check(self, verdict, before, statements, condition, *more):
        """`assert(condition)` at the end of main."""
        text = f"{before}int main(void) {{\n{statements}\nassert({condition});\nreturn 0; }}\n"
        out, err, program = self.answer(text, *more)
        self.assertTrue(out.startswith(verdict + " "), f"{text}{out}{err}")
        if verdict == "safe":
            self.assertFalse(self.fails_here(program), text)

    def open(self, before, statements, *conditions):
        """Each may hold or not."""
        for condition in conditions:
            self.check("unsafe", before, statements, condition)


class WhatIsOpen(LibraryTest):
    def test_classes_of_characters_are_any_number_but_zero(self):
        self.open("", "", "isdigit('7') == 1", "isalpha('x') == isalpha('y')", "isspace(' ') + isspace('a') == 8",
                  "isxdigit('f') > 0", "(isupper('A') & 1) == 0")
        self.open("static int twice(int (*f)(int)) { return f('1') + f('2'); }\n", "", "twice(isdigit) == 2")
        self.check("safe", "", "", "isdigit('7') && !isdigit('a') && isalpha('q') != 0 && ispunct('!') && !isspace('x')")
        self.check("safe", "", "int d = isdigit('7'), e = isprint('\\n');", "d != 0 && e == 0")

    def test_orders_of_strings_are_any_number_of_their_sign(self):
        self.open("", 'char a[2] = "a", b[2] = "c";', "strcmp(a, b) == -2", "strncmp(b, a, 1) == 1", "memcmp(a, b, 2) == -2",
                  "memcmp(a, b, 2) + 1 < 0", "strcmp(a, b) == strcmp(a, b)")
        self.open("", "", 'strcmp("a", "c") == -1')
        self.check("safe", "", 'char a[2] = "a", b[2] = "c"; int o = strcmp(a, b);',
                   'o < 0 && strcmp(b, a) > 0 && memcmp(a, "a", 2) == 0 && strncmp(a, "ab", 1) == 0')

    def test_seeds_repeat_their_sequence_and_nothing_else_is_known(self):
        self.check("safe", "", "srand(7); int a = rand(), b = rand(); srand(7);", "a == rand() && b == rand()")
        self.check("safe", "", "int a = rand(); srand(1);", "a == rand()")
        self.check("safe", "", "int a = rand(); srand(time(0));", "a >= 0 && rand() <= RAND_MAX")
        self.check("safe", "static int roll(unsigned s) { srand(s); return rand(); }\n", "unsigned s = __VERIFIER_nondet_int();",
                   "roll(s) == roll(s)")
        self.open("", "srand(7); int a = rand(); srand(8);", "a == rand()", "a != rand()")
        self.open("", "srand(7); int a = rand();", "a == rand()", "a != rand()", "a > 0")
        self.open("", "", "time(0) > 0", "clock() <= clock()", "time(0) != -1")

    def test_random_may_be_the_generator_of_rand(self):
        self.open("", "srand(3); int a = rand(); srand(3); random();", "a == rand()", "a != rand()")
        self.open("", "srand(3); rand(); srandom(4); int b = rand(); srand(3); rand();", "b == rand()")
        self.check("safe", "", "srandom(3); long a = random(); srandom(3);", "a == random()")
        out, err, _ = self.answer("int main(void) { srand(9); int s = 0, t = 0; for (int i = 0; i < 40; i++) s ^= rand();\n"
                                  "srand(9); for (int i = 0; i < 40; i++) t ^= rand(); assert(s == t); return 0; }\n")
        self.assertNotIn("unsafe", out, err)

    def test_memory_is_as_open_through_pointers(self):
        self.open("static void *(*make)(size_t) = malloc;\n", "", "make(0) != 0", "make(0) == 0")
        self.open("static void *(*make)(size_t, size_t) = calloc;\n", "", "make(0, 4) != 0")
        self.check("safe", "static void *(*make)(size_t, size_t) = calloc;\n", "int *p = make(2, 4);",
                   "p[1] == 0 && make(4, (size_t)-1) == 0")

    def test_memory_of_size_zero_is_null_or_not(self):
        self.open("", "char *p = malloc(8), *q = realloc(p, 0);", "q != 0", "q == 0")
        self.open("", "", "malloc(0) != 0", "malloc(0) == 0", "calloc(0, 4) != 0", "realloc(0, 0) != 0")
        self.open("", "int n = __VERIFIER_nondet_int();", "malloc(n) != 0")
        self.check("safe", "", "", "malloc((size_t)-1) == 0 && calloc((size_t)-1, 2) == 0 && realloc(0, 8) != 0")

    def test_realloc_stays_or_moves(self):
        self.open("", "char *p = malloc(8), *q = realloc(p, 16);", "q == p", "q != p")
        self.open("", "char *p = malloc(8), *q = realloc(p, 4);", "q == p")
        self.open("", "char *p = malloc(8); p[0] = 1; char *q = realloc(p, 16); q[0] = 2;", "p[0] == 1", "p[0] == 2")
        grown = "int *p = malloc(8); p[0] = 3; p[1] = 4; p = realloc(p, 16); p[2] = 5; p[3] = 6;"
        self.check("safe", "", grown, "p[0] == 3 && p[1] == 4 && p[2] == 5 && p[3] == 6")
        self.open("", grown, "p[3] != 6")
        grown = "int main(void) { int *p = calloc(%d, 4); p = realloc(p, 400); int n = %d; assert(p[n] == 0); return 0; }\n"
        for made, read in ((1, 1), (1, 2), (20, 20)):
            out, err, _ = self.answer(grown % (made, read))
            self.assertNotIn("safe a", out.replace("unsafe", ""), err)
        self.check("safe", "", "int *p = calloc(2, 4); p = realloc(p, 16); p[3] = 6;", "p[1] == 0 && p[3] == 6")
        self.assertNotIn("safe a", self.answer("int main(void) { int *p = malloc(4); p = realloc(p, 8);\n"
                                               "assert(p[1] == 0); }\n")[0].replace("unsafe", ""))

    def test_sorting_compares_as_it_likes(self):
        sorts = "int a[4] = {%s}; qsort(a, 4, sizeof *a, compare);"
        self.open(COUNTED, sorts % "1, 2, 3, 4", "calls == 3", "calls < 5")
        self.open(COUNTED, sorts % "4, 3, 2, 1", "calls > 4", "calls == 6")
        self.check("safe", COUNTED, "int a[2] = {2, 1}; qsort(a, 2, sizeof *a, compare);", "calls > 0 && a[0] == 1 && a[1] == 2")
        self.check("safe", PURE, "int a[3] = {3, 1, 2}; qsort(a, 3, sizeof *a, compare);", "a[0] == 1 && a[1] == 2 && a[2] == 3")
        self.open(PAIRS, "struct pair a[2] = {{1, 5}, {1, 6}}; qsort(a, 2, sizeof *a, compare);", "a[0].other == 5",
                  "a[0].other == 6")

    def test_searching_finds_any_of_those_that_are_equal(self):
        finds = "int a[2] = {%s}, k = 2; int *p = bsearch(&k, a, 2, sizeof *a, compare);"
        self.open(PURE, finds % "2, 2", "p == a", "p == a + 1")
        self.check("safe", PURE, finds % "1, 2", "p == a + 1")
        self.check("safe", PURE, finds % "1, 3", "p == 0")
        self.open(COUNTED, finds % "1, 2", "calls < 2", "calls > 1")

    def test_a_solver_that_aborts_costs_no_run(self):
        """cvc5's share of checking this proof once ended the whole program."""
        find = ("int x = __VERIFIER_nondet_int(), k = x == 0 ? 4 : x == 1 ? 1 : 3, a[3] = {1, 2, 3};\n"
                "int *p = bsearch(&k, a, 3, sizeof *a, compare); int r = p ? p - a : -1;")
        out, err, _ = self.answer(f"{PURE}int main(void) {{ {find}\nassert(r == -1 || r == 0 || r == 2); return 0; }}\n",
                                  "--data-model", "LP64")
        self.assertRegex(out, "^(safe|unknown) ", err)


class Names(LibraryTest):
    """A model never calls a function of the program's."""
    def test_of_the_program_are_not_those_of_the_library(self):
        self.open("int rand(void) { return 4; }\n", "", "random() == 4")
        self.open("int isupper(int c) { return 1; }\n", "", "tolower('1') == 'Q'")
        self.check("safe", "char *strchr(const char *s, int c) { return 0; }\n", "",
                   'strcspn("ab", "b") == 1 && strspn("ab", "a") == 1 && strpbrk("xy", "y") != 0')
        self.check("safe", "size_t strlen(const char *s) { return 7; }\n", 'char b[8] = "a"; strcat(b, "b");', "b[1] == 'b'")
        self.check("safe", "long strtol(const char *s, char **e, int b) { return 5; }\n", "", 'atoi("12") == 12')
        self.check("safe", "int strncmp(const char *a, const char *b, size_t n) { return 0; }\n", "", 'strstr("abc", "c") != 0')

    def test_of_inputs_and_assumptions_are_the_programs_too(self):
        self.open("int __VERIFIER_nondet_int(void) { return 4; }\nvoid __VERIFIER_assume(int x) { }\n", "", "rand() == 4")
        out, err, _ = self.answer("void *malloc(size_t n) { static char b[64]; return b; }\n"
                                  'int main(void) { char *s = strdup("x"); assert(s[0] == 0); return 0; }\n')
        self.assertEqual(out, "")
        self.assertIn("call of 'malloc of the library'", err)


class Exits(LibraryTest):
    END = "int g;\n__attribute__((destructor)) static void at_end(void) { assert(g == 3); }\n"
    HANDLER = "int g;\nstatic void at_end(void) { assert(g == 3); }\nstatic void set(void) { g = 3; }\n"

    def ends(self, verdict, text):
        out, err, program = self.answer(text)
        self.assertTrue(out.startswith(verdict + " "), text + out + err)
        if verdict == "safe":
            self.assertFalse(self.fails_here(program), text)

    def test_through_pointers_run_destructors(self):
        self.ends("unsafe", self.END + "int main(void) { void (*quit)(int) = exit; g = 1; quit(0); }\n")
        self.ends("safe", self.END + "int main(void) { void (*quit)(int) = exit; g = 3; quit(0); }\n")
        self.ends("unsafe", self.END + "static void call(void (*f)(int)) { f(2); }\nint main(void) { call(exit); }\n")
        self.ends("unsafe", self.END + "void (*table[2])(int) = {_Exit, exit};\n"
                  "int main(void) { table[__VERIFIER_nondet_int() & 1](0); }\n")
        self.ends("safe", self.END + "int main(void) { void (*quit)(int) = _Exit; quit(0); }\n")
        self.ends("safe", self.END + "int main(void) { void (*quit)(void) = abort; if (__VERIFIER_nondet_int()) quit(); _exit(0); }\n"
                  .replace("_exit", "_Exit"))
        self.ends("unsafe", self.END + "static int cmp(const void *a, const void *b) { exit(0); }\n"
                  "int main(void) { int a[2] = {1, 2}; qsort(a, 2, sizeof *a, cmp); g = 3; return 0; }\n")

    def test_run_handlers_last_first(self):
        self.ends("unsafe", self.HANDLER + "int main(void) { atexit(at_end); return 0; }\n")
        self.ends("safe", self.HANDLER + "int main(void) { atexit(at_end); atexit(set); return 0; }\n")
        self.ends("unsafe", self.HANDLER + "int main(void) { atexit(set); atexit(at_end); exit(0); }\n")
        self.ends("safe", self.HANDLER + "int main(void) { atexit(at_end); _Exit(0); }\n")
        self.ends("safe", self.HANDLER + "int main(void) { atexit(at_end); quick_exit(0); }\n")
        self.ends("unsafe", self.HANDLER + "int main(void) { at_quick_exit(at_end); quick_exit(0); }\n")
        self.ends("safe", self.HANDLER + "int main(void) { at_quick_exit(at_end); exit(0); }\n")
        self.ends("safe", self.END + "static void set(void) { g = 3; }\nint main(void) { atexit(set); return 0; }\n")


class Errors(LibraryTest):
    def test_set_errno(self):
        self.open("", 'errno = 0; FILE *f = fopen("none", "r");', "f != 0 || errno != ENOENT", "f != 0 || errno == ENOENT",
                  "f != 0")
        self.check("safe", "", 'errno = 0; FILE *f = fopen("none", "r");', "f != 0 || errno > 0")
        self.check("safe", "", "errno = 0; void *p = malloc((size_t)-1);", "p == 0 && errno > 0")
        self.open("static int tries(const char *n) { return fopen(n, \"r\") != 0; }\n", 'errno = 0; int f = tries("x");',
                  "f || errno != EACCES")
        self.open("", 'errno = 0; printf("x");', "errno == 0")
        self.check("safe", "", 'errno = 0; int n = puts("x");', "n >= 0 || (n == EOF && errno > 0)")
        self.check("safe", "", 'errno = 0; long x = strtol("12", 0, 10);', "x == 12 && errno == 0")
        self.check("safe", "", 'errno = 0; long long x = strtoll("99999999999999999999", 0, 10);',
                   "x == LLONG_MAX && errno == ERANGE")
        self.check("safe", "", "errno = 5; int n = strlen(\"ab\");", "errno == 5 && n == 2")
        self.open("", "errno = 0; FILE *f = fopen(\"a\", \"w\"); int n = f ? fclose(f) : 0;", "n == 0", "errno == 0")


    def test_of_mathematics_and_output(self):
        for call in ("sqrt(x)", "sqrtf((float)x)", "sqrtl(x)"):
            self.open("", f"errno = 0; double x = -1; double y = {call};", "errno == 0", "errno == EDOM")
            self.check("safe", "", f"errno = 0; double x = 4; double y = {call};", "errno == 0 && y == 2")
        self.check("safe", "", "errno = 7; double x = -1; double y = sqrt(x);", "errno == 7 || errno == EDOM")
        self.open("", "errno = 0; double (*f)(double) = sqrt; double y = f(-1);", "errno == 0")
        self.open("", "errno = 0; int (*f)(const char *) = puts; f(\"x\");", "errno == 0")
        self.open("", "errno = 0; int c = getchar();", "c == EOF || errno == 0")
        self.open("", 'int n = printf("x");', "n >= 0", "n == 1", "n >= -1")
        self.check("safe", "", 'errno = 0; int n = printf("x");', "n >= 0 || errno > 0")


class Scanf(LibraryTest):
    def reads(self, verdict, declared, call, condition):
        self.check(verdict, "", f"{declared} int n = {call};", condition)

    def test_takes_what_fits_the_format(self):
        self.reads("safe", "char c = 'a';", 'scanf(" %c", &c)', "c != ' ' && c != '\\n'")
        self.reads("unsafe", "char c = 'a';", 'scanf("%c", &c)', "c != ' '")
        self.reads("safe", "int x = 3;", 'scanf("%1d", &x)', "x >= 0 && x <= 9")
        self.reads("unsafe", "int x = 3;", 'scanf("%2d", &x)', "x > -9")
        self.reads("safe", "int d = 1, y = 1;", 'scanf("%2d/%4d", &d, &y)', "d <= 99 && y >= -999 && y <= 9999")
        self.reads("safe", "int x = 3;", 'scanf("%3d", &x)', "x >= -99 && x <= 999")
        self.reads("safe", "unsigned x = 3;", 'scanf("%2x", &x)', "x <= 255 || x >= -15u")
        self.reads("safe", 'char b[4] = "a";', 'scanf("%3[a-c]", b)', "b[0] >= 'a' && b[0] <= 'c'")
        self.reads("unsafe", 'char b[4] = "a";', 'scanf("%3[^a-c]", b)', "b[0] >= 'a' && b[0] <= 'c'")
        self.reads("safe", 'char b[3] = "a";', 'scanf("%2s", b)', "b[0] != ' ' && b[0] != '\\n'")
        self.reads("safe", "int x; char c = 'q';", 'scanf("%d%c", &x, &c)', "c < '0' || c > '9'")
        self.reads("safe", "int x = 1; char c = 'q';", 'scanf("%*d %c", &c)', "x == 1 && c != ' '")

    def test_returns_how_many_were_assigned(self):
        self.reads("safe", "char c;", 'scanf("%c", &c)', "n == 1 || n == EOF")
        self.reads("safe", "char b[4]; int x;", 'scanf("%3s%d", b, &x)', "n == 1 || n == 2 || n == EOF")
        self.reads("unsafe", "int x;", 'scanf("%d", &x)', "n != 0")
        self.reads("safe", "int x;", 'scanf("%*d%n", &x)', "n == 0 || n == EOF")
        self.reads("unsafe", "int x, y;", 'scanf("%d,%d", &x, &y)', "n != 1")
        self.reads("safe", "", 'scanf(" ")', "n == 0")

    def test_counts_characters(self):
        self.reads("safe", "char c; int at = 1;", 'scanf("%c%n", &c, &at)', "at == 1")
        self.reads("safe", "char b[9]; int at = 2;", 'scanf("ab%n", &at)', "at == 2")
        self.reads("unsafe", "int x; int at = 1;", 'scanf("%d%n", &x, &at)', "at == 1")
        self.reads("safe", "int x, at = 1;", 'scanf("%d%n", &x, &at)', "at >= 1")
        self.reads("safe", "char b[4]; int at = 1;", 'scanf("%3[a-z]%n", b, &at)', "at >= 1 && at <= 3")


class Checks(LibraryTest):
    """Undefined behaviour inside of a call is a failure of the call."""
    def found(self, verdict, rule, statements, call, before=""):
        text = f"{before}int main(void) {{\nint n = __VERIFIER_nondet_int();\n{statements}\nreturn 0; }}\n"
        out, err, _ = self.answer(text, "--check", rule)
        line = next((one for one in out.splitlines() if one.endswith(" " + call)), "")
        self.assertTrue(line.startswith(f"{verdict} {rule} p.c:"), text + out + err)

    def test_of_division_look_into_calls(self):
        self.found("unsafe", "division", "int q = div(7, n).quot;", "div(7, n).quot")
        self.found("unsafe", "division", "if (n) { long q = ldiv(LONG_MIN, n).rem; }", "ldiv(LONG_MIN, n).rem")
        self.found("safe", "division", "if (n > 0) { long long q = lldiv(7, n).rem; }", "lldiv(7, n).rem")
        self.found("unsafe", "division", "div_t (*f)(int, int) = div; int q = f(7, n).quot;", "f(7, n).quot")

    def test_of_overflow_look_into_calls(self):
        self.found("unsafe", "overflow", "int a = abs(n);", "abs(n)")
        self.found("safe", "overflow", "int a = n > INT_MIN ? abs(n) : 0;", "abs(n)")
        self.found("unsafe", "overflow", 'int a = atoi(n ? "1" : "2147483648");', 'atoi(n ? "1" : "2147483648")')

    def test_of_memory_read_what_is_printed(self):
        made = "char *p = malloc(4); strcpy(p, \"a\");"
        self.found("unsafe", "use-after-free", made + " free(p); puts(p);", "puts(p)")
        self.found("safe", "use-after-free", made + " puts(p); free(p);", "puts(p)")
        self.found("unsafe", "use-after-free", made + " free(p); printf(\"%d %s\", n, p);", 'printf("%d %s", n, p)')
        self.found("unsafe", "use-after-free", "struct { char *p; } x = {strdup(\"a\")}; free(x.p); fprintf(stderr, \"%s\", x.p);",
                   'fprintf(stderr, "%s", x.p)')
        self.found("unsafe", "use-after-free", made + " free(p); int (*f)(const char *) = puts; f(p);", "f(p)")
        self.found("unsafe", "bounds", "char b[2] = {'a', 'b'}; printf(\"%s\", b);", 'printf("%s", b)')
        self.found("safe", "bounds", "char b[2] = {'a', 'b'}; printf(\"%.2s\", b);", 'printf("%.2s", b)')
        self.found("unsafe", "uninitialised", "char b[2]; fputs(b, stdout);", "fputs(b, stdout)")
        self.found("unsafe", "null", "char *s = n ? \"x\" : 0; puts(s);", "puts(s)")
        self.found("unsafe", "bounds", "char b[4] = \"abc\"; fwrite(b, 1, n & 7, stdout);", "fwrite(b, 1, n & 7, stdout)")
        self.found("unsafe", "bounds", "char b[4] = \"abc\"; n = memcmp(b, \"xbcdefgh\", 8);", 'memcmp(b, "xbcdefgh", 8)')
        self.found("unsafe", "bounds", "n = isdigit(n);", "isdigit(n)")


class Numbers(LibraryTest):
    def test_of_mathematics_are_confirmed(self):
        for model in ("ILP32", "LP64"):
            for function, wrong in (("floor", "1.0"), ("round", "7.0"), ("ceil", "0.0"), ("trunc", "1.0")):
                text = ("int main(void) { double x = __VERIFIER_nondet_double();\n"
                        f"if (x > 0.4 && x < 0.6) assert({function}(x) == {wrong}); return 0; }}\n")
                out, err, _ = self.answer(text, "--data-model", model)
                self.assertTrue(out.startswith("unsafe "), model + text + out + err)


if __name__ == "__main__":
    support.main()
