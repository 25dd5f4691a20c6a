#!/usr/bin/env python3
"""What C leaves open or undefined: no proof rests on one choice of a compiler, each check finds what its row of
docs/c.md promises, alone too, and what is checked by clang's choice is said. Each program that is claimed to hold is
run as compiled by gcc and clang. usage: c_undefined_test.py [--build FOLDER] [TestClass.test_name]"""
import shutil
import subprocess
import unittest

import support
from support import ProgramTest

HEAD = """#include <assert.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
__attribute__((noinline)) void use(int *p, int v) { *p = v; }
"""
LINES = HEAD.count("\n")


class Undefined(ProgramTest):
    def check(self, text, *options, name="t.c"):
        program = self.write(name, text)
        code, out, err = self.run_program("check", program, "--timeout", 30, *options)
        self.assertIn(code, (0, 1, 2, 64, 65), out + err)
        return code, out, err

    def never_safe(self, text, *options, name="t.c"):
        """Any value is possible: a counterexample that the compiled program does not take is no verdict."""
        code, out, err = self.check(text, *options, name=name)
        self.assertIn(code, (1, 2), out + err)
        self.assertNotIn("safe ", out.replace("unsafe ", ""), err)

    def holds(self, text, *options):
        """Proved, and what the compiled program does."""
        code, out, err = self.check(text, *options)
        self.assertEqual(code, 0, out + err)
        inputs = "".join(f"{kind} __VERIFIER_nondet_{name}(void) {{ return 1; }}\n"
                         for kind, name in (("int", "int"), ("unsigned", "uint"), ("_Bool", "bool")))
        self.write("inputs.c", inputs)
        for compiler in ("gcc", "clang-14"):
            for level in ("-O0", "-O2"):
                made = subprocess.run([compiler, level, "-w", "-o", "native", "t.c", "inputs.c"], cwd=self.folder,
                                      capture_output=True, text=True, timeout=60)
                self.assertEqual(made.returncode, 0, made.stderr)
                self.assertEqual(subprocess.run([str(self.folder / "native")], timeout=60).returncode, 0,
                                 f"{compiler} {level}")


class BypassedLocals(Undefined):
    """A local is indeterminate at each entry of its block, also where a jump goes past its declaration."""
    LOOP = HEAD + "int main(void) {\n  for (int i = 0; i < 2; i++) {\n%s  }\n  return 0;\n}\n"
    BLOCKS = (
        "    { goto in; int x; in: if (i == 1) assert(x == 5); use(&x, 5); }\n",
        "    { if (i == 1) goto in; int x; x = 3; in: assert(x == 3); }\n",
        "    { if (__VERIFIER_nondet_bool()) goto in; int x = 3; in: assert(x == 3); }\n",
        "    switch (i) { int x; case 0: x = 5; break; case 1: assert(x == 5); }\n",
        "    switch (i) { int a[2]; case 0: a[1] = 5; break; default: assert(a[1] == 5); }\n",
        "    { goto in; struct { int a, b; } s; in: if (i == 1) assert(s.b == 5); s.b = 5; }\n",
        "    { goto in; int *p; static int g; in: if (i == 1) assert(p == &g); p = &g; }\n",
        "    int n = 0; { again:; int x; if (n == 1) assert(x == 5); x = 5; if (n++ == 0) goto again; }\n",
        "    { goto in; { int x; in: if (i == 1) assert(x == 5); use(&x, 5); } }\n",
    )

    def test_no_value_is_kept_from_an_earlier_round(self):
        for block in self.BLOCKS:
            with self.subTest(block):
                self.never_safe(self.LOOP % block)

    def test_what_is_assigned_is_kept(self):
        for block in ("    { goto in; int x; in: x = i; use(&x, x + 1); assert(x == i + 1); }\n",
                      "    { int n = 0; goto in; int x; in: if (n == 0) x = 5; assert(x == 5); if (n++ < 2) goto in; }\n",
                      "    switch (i) { int x; case 0: x = 5; default: x = 6; assert(x == 6); }\n",
                      "    int n = 0; { int x = 1; again:; assert(x == n + 1); x++; if (n++ == 0) goto again; }\n"):
            with self.subTest(block):
                self.holds(self.LOOP % block)

    def test_a_read_is_a_failure_under_check(self):
        for block in self.BLOCKS[:6]:
            with self.subTest(block):
                _, out, err = self.check(self.LOOP % block, "--check", "uninitialised")
                self.assertIn("unsafe uninitialised t.c", out, err)


class UndefinedValues(Undefined):
    """No pass concludes anything from an undefined value."""
    LL = """target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare i32 @__VERIFIER_nondet_int()
declare void @reach_error()
@table = constant [3 x i32] [i32 2, i32 4, i32 6]
@half = constant { i8, i32 } { i8 1, i32 undef }
define i32 @f(i32 %x) {
"""
    MAIN = """}
define i32 @main() {
  %x = call i32 @__VERIFIER_nondet_int()
  %r = call i32 @f(i32 %x)
  %bad = icmp ne i32 %r, 0
  br i1 %bad, label %err, label %ok
err:
  call void @reach_error()
  unreachable
ok:
  ret i32 0
}
"""
    BODIES = (
        "  %r = lshr i32 %x, %x\n  ret i32 %r\n",
        "  %r = shl i32 0, %x\n  ret i32 %r\n",
        "  %r = ashr i32 0, 40\n  ret i32 %r\n",
        "  %s = shl i32 %x, 32\n  %r = and i32 %s, 1\n  ret i32 %r\n",
        "  %r = and i32 undef, 1\n  ret i32 %r\n",
        "  %a = and i32 undef, %x\n  %r = and i32 %a, 1\n  ret i32 %r\n",
        "  %c = icmp ult i32 undef, 1\n  %r = zext i1 %c to i32\n  ret i32 %r\n",
        "  %r = select i1 undef, i32 1, i32 0\n  ret i32 %r\n",
        "  %r = select i1 true, i32 undef, i32 0\n  ret i32 %r\n",
        "  %r = xor i32 undef, undef\n  ret i32 %r\n",
        "  %r = freeze i32 poison\n  ret i32 %r\n",
        "  %c = icmp eq i32 %x, 0\n  br i1 %c, label %a, label %b\na:\n  br label %b\nb:\n"
        "  %r = phi i32 [ 0, %0 ], [ undef, %a ]\n  ret i32 %r\n",
        "  %v = load i32, i32* getelementptr ([3 x i32], [3 x i32]* @table, i32 0, i32 3)\n"
        "  %r = and i32 %v, 1\n  ret i32 %r\n",
        "  %p = getelementptr [3 x i32], [3 x i32]* @table, i32 0, i32 -1\n  %v = load i32, i32* %p\n"
        "  %r = and i32 %v, 1\n  ret i32 %r\n",
        "  %v = load i32, i32* getelementptr ({ i8, i32 }, { i8, i32 }* @half, i32 0, i32 1)\n"
        "  %r = and i32 %v, 1\n  ret i32 %r\n",
        "  %v = alloca i32\n  %a = load i32, i32* %v\n  %r = and i32 %a, 1\n  ret i32 %r\n",
        "  %i = fptosi double 1.0e20 to i32\n  %r = and i32 %i, 1\n  ret i32 %r\n",
        "  %e = extractelement <2 x i32> <i32 0, i32 0>, i32 7\n  %r = and i32 %e, 1\n  ret i32 %r\n",
        "  %y = add nsw i32 %x, 1\n  %c = icmp slt i32 %y, %x\n  %r = zext i1 %c to i32\n  ret i32 %r\n",
        "  %m = mul nsw i32 %x, 2\n  %d = sdiv i32 %m, 2\n  %r = sub i32 %d, %x\n  ret i32 %r\n",
        "  %s = lshr exact i32 %x, 1\n  %t = shl i32 %s, 1\n  %r = sub i32 %t, %x\n  ret i32 %r\n",
    )

    def test_code_of_llvm(self):
        for body in self.BODIES:
            with self.subTest(body):
                code, out, err = self.check(self.LL + body + self.MAIN, name="t.ll")
                self.assertIn(code, (1, 2, 65), out + err)
                self.assertNotIn("safe ", out.replace("unsafe ", ""), err)

    def test_jump_to_a_label_itself(self):
        body = ("  indirectbr i8* blockaddress(@f, %to), [label %to, label %other]\nto:\n  ret i32 1\n"
                "other:\n  ret i32 0\n")
        code, out, err = self.check(self.LL + body + self.MAIN, name="t.ll")
        self.assertEqual(code, 1, out + err)

    def test_programs(self):
        for text in (
            "static const int t[3] = {2, 4, 6};\nstatic int odd(void) { return t[3] & 1; }\n"
            "int main(void) { assert(odd() == 0); return 0; }\n",
            "static const int t[3] = {2, 4, 6};\nstatic int odd(int i) { return t[i] & 1; }\n"
            "int main(void) { assert(odd(5) == 0); return 0; }\n",
            "static const int t[3] = {2, 4, 6};\nstatic int odd(int i) { return t[i] & 1; }\n"
            "int main(void) { assert(odd(-1) == 0); return 0; }\n",
            "static const char t[2][2] = {{2, 4}, {6, 8}};\nstatic int odd(int i) { return t[1][i] & 1; }\n"
            "int main(void) { assert(odd(2) == 0); return 0; }\n",
            "static int t[20] = {2, 4, 6};\nint main(void) { assert(t[__VERIFIER_nondet_uint()] <= 6); return 0; }\n",
            "static int t[20];\nint main(void) { unsigned i = __VERIFIER_nondet_uint(); assert(t[i] == 0); return 0; }\n",
            "static struct { char c; long n; } t[20];\n"
            "int main(void) { unsigned i = __VERIFIER_nondet_uint(); assert(t[i].n == 0); return 0; }\n",
            "int main(void) { int t[20] = {1}; unsigned i = __VERIFIER_nondet_uint(); assert(t[i] <= 1); return 0; }\n",
            "int main(void) { int t[20]; memset(t, 0, sizeof t); unsigned i = __VERIFIER_nondet_uint() % 21;"
            " assert(t[i] == 0); return 0; }\n",
            "int main(void) { int *t = calloc(20, 4); unsigned i = __VERIFIER_nondet_uint(); assert(t[i] == 0); return 0; }\n",
            "int main(void) { unsigned n = __VERIFIER_nondet_uint() % 9 + 1; int *t = calloc(n, 4);"
            " assert(t[n] == 0); return 0; }\n",
            "static int t[20];\nint main(void) { unsigned i = __VERIFIER_nondet_uint(), k = __VERIFIER_nondet_uint();"
            " assert(i < 20 || k < 20 || t[i] == t[k]); return 0; }\n",
            "static unsigned f(unsigned x) { return x >> x; }\n"
            "int main(void) { assert(f(__VERIFIER_nondet_uint() | 32) == 0); return 0; }\n",
            "static int f(void) { int x; return x & 1; }\nint main(void) { assert(f() == 0); return 0; }\n",
            "static int f(int c) { int x; if (c) x = 0; return x; }\n"
            "int main(void) { assert(f(__VERIFIER_nondet_int()) == 0); return 0; }\n",
            "static int f(int c) { int *p; static int a[2]; if (c) p = a; return p == a; }\n"
            "int main(void) { assert(f(__VERIFIER_nondet_int())); return 0; }\n",
            "#include <stdint.h>\nint main(void) { uintptr_t u; int x = 1; if (__VERIFIER_nondet_bool()) u = (uintptr_t)&x;"
            " int *p = (int *)u; assert(p == &x); return 0; }\n",
        ):
            with self.subTest(text):
                code, out, err = self.check(HEAD + text)
                self.assertIn(code, (1, 2, 65), out + err)
                self.assertNotIn("safe ", out.replace("unsafe ", ""), err)

    def test_what_is_defined_is_still_known(self):
        for text in (
            "static const int t[3] = {2, 4, 6};\nstatic int odd(int i) { return t[i] & 1; }\n"
            "int main(void) { assert(odd(2) == 0); return 0; }\n",
            "static int t[20] = {2, 4, 6};\nint main(void) { assert(t[__VERIFIER_nondet_uint() % 20] <= 6); return 0; }\n",
            "static struct { char c; long n; } t[20];\n"
            "int main(void) { unsigned i = __VERIFIER_nondet_uint() % 20; t[i].c = 1; assert(t[i].n == 0); return 0; }\n",
            "int main(void) { unsigned n = __VERIFIER_nondet_uint() % 9 + 1; int *t = calloc(n, 4);"
            " assert(t[n - 1] == 0); return 0; }\n",
            "static int f(int x, unsigned k) { return x >> k; }\nint main(void) { assert(f(12, 2) == 3); return 0; }\n",
            "struct s { int a; char b; };\nstatic int f(struct s s) { s.a++; return s.a + s.b; }\n"
            "int main(void) { struct s s = {1, 2}; int y = f(s); assert(y == 4 && s.a == 1); return 0; }\n",
            "static int f(int n) { int a[n]; a[n - 1] = n; return a[n - 1]; }\n"
            "int main(void) { int s = 0; for (int i = 1; i < 4; i++) s += f(i); assert(s == 6); return 0; }\n",
            "static int f(int n) { return n <= 1 ? 1 : n * f(n - 1); }\nint main(void) { assert(f(5) == 120); return 0; }\n",
            "_Noreturn static void end(void) { exit(0); }\nstatic int f(int x) { if (x) end(); return 1; }\n"
            "int main(void) { assert(f(0) == 1); f(1); assert(0); return 0; }\n",
        ):
            with self.subTest(text):
                self.holds(HEAD + text)


class Frees(Undefined):
    """free takes null or the start of what is on the heap and exists, wherever the pointer comes from."""
    NODE = "struct s { int *x; int n; }; struct n { struct n *next; int v; };\n"
    FAIL = (
        "struct s *p = malloc(sizeof *p); p->x = malloc(4); free(p->x); free(p->x);",
        "struct s s; s.x = malloc(4); free(s.x); free(s.x);",
        "int *a[3]; a[1] = malloc(4); free(a[1]); free(a[1]);",
        "int **a = malloc(3 * sizeof *a); int i = __VERIFIER_nondet_uint() % 3; a[i] = malloc(4); free(a[i]); free(a[i]);",
        "struct s *p = malloc(sizeof *p); int l; p->x = &l; free(p->x);",
        "static int g; struct s *p = malloc(sizeof *p); p->x = &g; free(p->x);",
        "struct s *p = malloc(sizeof *p); p->x = malloc(8); p->x++; free(p->x);",
        "struct s *p = malloc(sizeof *p); p->x = malloc(8); free(&p->n);",
        "struct s *p = malloc(sizeof *p); p->x = (int *)\"abc\"; free(p->x);",
        "struct s *p = malloc(sizeof *p); free(p->x);",
        "int *q; if (__VERIFIER_nondet_bool()) q = malloc(4); free(q);",
        "struct n *h = 0; for (int i = 0; i < 2; i++) { struct n *m = malloc(sizeof *m); m->next = h; h = m; }"
        " free(h->next); free(h->next);",
        "struct s *p = calloc(1, sizeof *p); p->x = malloc(4); struct s c = *p; free(c.x); free(p->x);",
        "union { int *p; long n; } u; u.p = malloc(4); free(u.p); free(u.p);",
    )
    FINE = (
        "struct s *p = malloc(sizeof *p); p->x = malloc(4); free(p->x); free(p);",
        "struct s *p = malloc(sizeof *p); p->x = 0; free(p->x); free(p);",
        "int *a[3]; a[1] = malloc(4); free(a[1]); a[1] = 0; free(a[1]);",
        "struct s s; s.x = malloc(4); free(s.x); s.x = malloc(4); free(s.x);",
    )

    def test_failures(self):
        for body in self.FAIL:
            with self.subTest(body):
                _, out, err = self.check(HEAD + self.NODE + "int main(void) { " + body + " return 0; }\n",
                                         "--check", "double-free")
                self.assertIn("unsafe double-free", out, err)

    def test_what_is_fine(self):
        for body in self.FINE:
            with self.subTest(body):
                self.holds(HEAD + self.NODE + "int main(void) { " + body + " return 0; }\n", "--check", "double-free")


class Uninitialised(Undefined):
    FAIL = (
        ("int *p, x = 1; if (__VERIFIER_nondet_bool()) p = &x; *p = 2;", "p"),
        ("int *p, x = 1; if (__VERIFIER_nondet_bool()) p = &x; return p == &x;", "p"),
        ("int *p, *q, x = 1; if (__VERIFIER_nondet_bool()) p = &x; q = p; return q == &x;", "p"),
        ("int *p; int x; for (int i = 0; i < 2; i++) { if (i == 1) return *p; if (__VERIFIER_nondet_bool()) p = &x; }", "p"),
        ("union { int i; short s; } u; u.s = 1; return u.i;", "u.i"),
        ("union { int i; char c[4]; } u; u.c[0] = u.c[1] = u.c[3] = 1; return u.i;", "u.i"),
        ("union { long long l; int i; } u; u.i = 1; return u.l != 0;", "u.l"),
        ("struct { int a, b; } s; s.a = 1; return s.b;", "s.b"),
        ("struct t { int a, b; } s, c; s.a = 1; c = s; return c.b;", "c.b"),
        ("struct { char c; int i; } s; s.c = 1; s.i = 2; return ((char *)&s)[1];", "((char *)&s)[1]"),
        ("int a[2]; a[0] = 1; return a[__VERIFIER_nondet_uint() & 1];", "a[__VERIFIER_nondet_uint() & 1]"),
        ("int *p = malloc(8); p[0] = 1; return p[1];", "p[1]"),
    )
    FINE = (
        "union { int i; short s; } u; u.s = 1; return u.s;",
        "union { int i; short s; } u; u.i = 1; u.s = 2; return u.i != 2;",
        "union { int i; short s[2]; } u; u.s[0] = 0; u.s[1] = 0; return u.i;",
        "int *p, x = 0; if (__VERIFIER_nondet_bool()) p = &x; else p = 0; return p ? *p : 0;",
        "int *p, x = 0; for (int i = 0; i < 3; i++) { if (i == 0) p = &x; if (*p) return 1; } return 0;",
        "struct t { int a, b; } s, c; s.a = 0; c = s; return c.a;",
        "struct t { char c; int i; } s, t; s.c = 1; s.i = 0; t = s; return t.i;",
        "int a[100]; memset(a, 0, sizeof a); return a[__VERIFIER_nondet_uint() % 100];",
    )

    def program(self, body):
        return HEAD + "int main(void) {\n" + body + "\nreturn 0; }\n"

    def test_failures(self):
        for body, what in self.FAIL:
            for model in ("ILP32", "LP64"):
                with self.subTest(body, model=model):
                    _, out, err = self.check(self.program(body), "--check", "uninitialised", "--data-model", model)
                    self.assertIn(f"unsafe uninitialised t.c:{LINES + 2} {what}\n", out, err)

    def test_what_is_fine(self):
        for body in self.FINE:
            with self.subTest(body):
                _, out, err = self.check(self.program(body), "--check", "uninitialised")
                self.assertFalse([line for line in out.splitlines() if not line.startswith("safe ")], out + err)

    def test_structs_are_passed_with_holes(self):
        """What is between the members of a struct has no value and is read by nobody."""
        text = (HEAD + "struct t { char c; int i; };\nstatic struct t f(struct t t) { t.i++; return t; }\n"
                "int main(void) { struct t s; s.c = 1; s.i = -1; return f(s).i; }\n")
        for model in ("ILP32", "LP64"):
            _, out, err = self.check(text, "--check", "uninitialised", "--data-model", model)
            self.assertFalse([line for line in out.splitlines() if not line.startswith("safe ")], out + err)

    def test_any_value_without_the_check(self):
        for text in ("union { int i; short s; } u; u.s = 1; assert(u.i == 1);",
                     "int *p, x = 1, y = 1; if (__VERIFIER_nondet_bool()) p = &x; *p = 2; assert(x == 2);",
                     "struct { char c; int i; } s; s.c = 0; s.i = 0; assert(((char *)&s)[1] == 0);"):
            with self.subTest(text):
                self.never_safe(self.program(text))


# Each group alone: what its row in docs/c.md promises, and what it leaves to others.
GROUPS = (
    ("division", "int x = __VERIFIER_nondet_int(), y = -1; return x / y;", "x / y"),
    ("division", "int x = __VERIFIER_nondet_int(), y = -1; return x % y;", "x % y"),
    ("division", "int x = __VERIFIER_nondet_int(); return x / -1;", "x / -1"),
    ("division", "int x = __VERIFIER_nondet_int(); x /= -1; return x;", "x /= -1"),
    ("division", "int x = __VERIFIER_nondet_int(); x %= __VERIFIER_nondet_int() | 1; return x;",
     "x %= __VERIFIER_nondet_int() | 1"),
    ("division", "long long x = __VERIFIER_nondet_int() * 4294967296LL; return (x << 0) / (__VERIFIER_nondet_int() | 1) != 0;",
     "(x << 0) / (__VERIFIER_nondet_int() | 1)"),
    ("division", "unsigned x = __VERIFIER_nondet_uint(); return 7u % x;", "7u % x"),
    ("shift", "int x = __VERIFIER_nondet_int(); return x << (__VERIFIER_nondet_uint() & 31);",
     "x << (__VERIFIER_nondet_uint() & 31)"),
    ("shift", "int x = __VERIFIER_nondet_int(); if (x > 0) return 0; return x << 1;", "x << 1"),
    ("shift", "int x = __VERIFIER_nondet_int() & 0x7fffffff; return x << 1;", "x << 1"),
    ("shift", "int k = __VERIFIER_nondet_int() & 31; return 1 << k;", "1 << k"),
    ("shift", "int k = __VERIFIER_nondet_int(); return 1u >> k;", "1u >> k"),
    ("shift", "int k = __VERIFIER_nondet_int() & 31; return 8 >> (k - 1);", "8 >> (k - 1)"),
    ("shift", "int x = __VERIFIER_nondet_int(); x <<= 3; return x;", "x <<= 3"),
    ("shift", "long long x = 1; return (x << (__VERIFIER_nondet_uint() & 127)) != 0;",
     "x << (__VERIFIER_nondet_uint() & 127)"),
    ("overflow", "int x = __VERIFIER_nondet_int(); return x - 1;", "x - 1"),
    ("overflow", "int x = __VERIFIER_nondet_int(); x++; return x;", "x++"),
    ("overflow", "int x = __VERIFIER_nondet_int(); --x; return x;", "--x"),
    ("overflow", "int x = __VERIFIER_nondet_int(); x += 5; return x;", "x += 5"),
    ("conversion", "int x = __VERIFIER_nondet_int(); unsigned u = x; return u != 0;", "x"),
    ("conversion", "double d = __VERIFIER_nondet_int() * 4.0; int x = d; return x;", "d"),
    ("null", "int *p = __VERIFIER_nondet_int() ? malloc(4) : 0; *p = 1;", "*p = 1"),
    ("use-after-free", "struct s { int *x; } *p = malloc(sizeof *p); p->x = malloc(4); free(p->x); *p->x = 1;",
     "*p->x = 1"),
    ("use-after-free", "char *p = malloc(4); free(p); memset(p, 0, 4);", "memset(p, 0, 4)"),
    ("leak", "int *p = malloc(4); p = 0; exit(0);", "malloc(4)"),
    ("leak", "for (int i = 0; i < 2; i++) { int *p = malloc(4); if (i == 1) free(p); }", "malloc(4)"),
)
NONE = (
    ("overflow", "int x = __VERIFIER_nondet_int(); return x / (__VERIFIER_nondet_int() | 1);"),
    ("division", "int x = __VERIFIER_nondet_int(); return x + 1 - (x << 3);"),
    ("division", "int x = __VERIFIER_nondet_int(); return x < 0 ? 0 : x / -1;"),
    ("shift", "int x = __VERIFIER_nondet_int(); return (x & 7) << 3;"),
    ("shift", "int x = __VERIFIER_nondet_int(); return x * x + x / 3;"),
)


class Groups(Undefined):
    def program(self, body):
        return HEAD + "int main(void) {\n" + body + "\nreturn 0; }\n"

    def test_each_finds_what_it_promises_alone(self):
        for group, body, what in GROUPS:
            with self.subTest(body):
                _, out, err = self.check(self.program(body), "--check", group)
                self.assertIn(f"unsafe {group} t.c:{LINES + 2} {what}\n", out, err)
                self.assertFalse([line for line in out.splitlines() if line.split()[1] != group], out)

    def test_and_nothing_else(self):
        for group, body in NONE:
            with self.subTest(body):
                code, out, err = self.check(self.program(body), "--check", group)
                self.assertIn(code, (0, 64), out + err)


class Pointers(Undefined):
    """Equality of pointers to different objects, where C lets them be equal."""

    def test_behind_an_object(self):
        for text in ("int a[2] = {1, 2}, b[2] = {3, 4};\nint main(void) { int *p = a + 2; assert(p != b); return 0; }\n",
                     "int a[2] = {1, 2}, b[2] = {3, 4};\nint main(void) { int *p = b + 2; assert(p != a); return 0; }\n",
                     "int main(void) { int a[2], b; int *p = a + 2; assert(p != &b); return 0; }\n",
                     "int x, y;\nint main(void) { int *p = &x + 1; assert(&y != p); return 0; }\n",
                     "int a[9], b[9];\nint main(void) { int *p = a; for (unsigned i = __VERIFIER_nondet_uint() % 10; i > 0;"
                     " i--) p++; assert(p != b); return 0; }\n",
                     "struct s { char c[4]; } a, b;\nint main(void) { assert((char *)(&a + 1) != b.c); return 0; }\n",
                     "int main(void) { char *p = malloc(4), *q = malloc(4); assert(p + 4 != q); return 0; }\n"):
            with self.subTest(text):
                self.never_safe(HEAD + text)

    def test_elsewhere_they_differ(self):
        for text in ("int a[2] = {1, 2}, b[2] = {3, 4};\nint main(void) { assert(a + 1 != b && a != b + 1); return 0; }\n",
                     "int a[2], b[2];\nint main(void) { int *p = a + 2; assert(p != b + 1 && p != 0); return 0; }\n",
                     "int main(void) { int *p = malloc(4), *q = malloc(4); assert(p != q); return 0; }\n",
                     "static int f(void) { return 1; } static int g(void) { return 2; }\n"
                     "int main(void) { int (*p)(void) = f; assert(p != g && p() == 1); return 0; }\n",
                     "int a[9];\nint main(void) { int n = 0; for (int *p = a; p != a + 9; p++) n++; assert(n == 9); return 0; }\n"):
            with self.subTest(text):
                self.holds(HEAD + text)

    def test_literals_may_overlap(self):
        for text in ("const char *a = \"xabc\", *b = \"abc\"; assert(a + 1 != b);",
                     "const char *a = \"abc\", *b = \"abc\"; assert(a == b);",
                     "const char *a = \"abc\", *b = \"abc\"; assert(a != b);",
                     "const char *t[2] = {\"abc\", \"abc\"}; assert(t[0] == t[1]);",
                     "const char *a = \"\", *b = \"abc\"; assert(a != b + 3);",
                     "const char *a = \"abc\\0def\", *b = \"def\"; assert(a + 4 != b);"):
            with self.subTest(text):
                self.never_safe(HEAD + "int main(void) { " + text + " return 0; }\n")

    def test_literals_that_differ_are_apart(self):
        for text in ("const char *a = \"abc\", *b = \"abd\"; assert(a != b);",
                     "const char *a = \"abc\"; const char *b = a; assert(a == b && a[1] == 'b');",
                     "const char *a = \"abc\", *b = \"bc\"; assert(a != b);"):
            with self.subTest(text):
                self.holds(HEAD + "int main(void) { " + text + " return 0; }\n")


class Choices(Undefined):
    """What is checked by clang's choice is said."""

    def warns(self, text, words, *options):
        code, out, err = self.check(text, *options)
        self.assertIn(words, err, out)
        self.assertIn("warning: ", err)
        self.assertIn(code, (0, 1))
        return code

    def silent(self, text, *options):
        _, _, err = self.check(text, *options)
        self.assertNotIn("warning", err)

    F = HEAD + "int x = 5, a[3];\nstatic int f(void) { x = 1; return 2; }\nstatic int *g(int *p) { *p = 7; return p; }\n"
    ORDER = "the result may depend on the order"

    def test_order_of_evaluation(self):
        for line in ("int y = x + f(); assert(y != 0);", "int y = f() - x; assert(y != 9);",
                     "a[x] = f(); assert(a[0] == 0);", "x += f(); assert(x > 0);",
                     "int y = x == f(); assert(y < 2);", "use(a + x, f()); assert(x == 1);",
                     "int l = 1; int y = l + *g(&l); assert(y > 0);",
                     "int l = 1; int y = l + (l ? *g(&l) : 0); assert(y > 0);"):
            with self.subTest(line):
                self.warns(self.F + "int main(void) { " + line + " return 0; }\n", self.ORDER)

    def test_order_that_does_not_matter(self):
        for line in ("int y = f() + 1; assert(y == 3);", "int y = a[0] + f(); assert(y == 2);",
                     "int y = f(); y += x; assert(y == 3);", "int y = x && f(); assert(y == 1);",
                     "int l = 1, m = 1; int y = l + *g(&m); assert(y == 8);"):
            with self.subTest(line):
                self.silent(self.F + "int main(void) { " + line + " return 0; }\n")

    def test_unsequenced_changes(self):
        self.warns(HEAD + "int main(void) { int i = 1; i = i++ + i; assert(i != 0); return 0; }\n", "unsequenced")

    def test_excess_precision(self):
        text = ("extern void reach_error(void);\ndouble a = 1.0, b = 3.0;\n"
                "int main(void) { double c = a / b; if (c != a / b) reach_error(); return 0; }\n")
        self.warns(text, "rounded to their type")
        self.silent(text, "--data-model", "LP64")

    def test_macros_of_the_compiler(self):
        text = HEAD + "#ifdef __OPTIMIZE__\nenum { plain = 0 };\n#else\nenum { plain = 1 };\n#endif\n"
        self.assertEqual(self.warns(text + "int main(void) { assert(!plain); return 0; }\n", "'__OPTIMIZE__' depends"), 1)
        self.assertEqual(self.warns(text + "int main(void) { assert(plain); return 0; }\n", "'__OPTIMIZE__' depends"), 0)


class OwnAssertions(Undefined):
    MAIN = "int main(void) { %s(__VERIFIER_nondet_int() == 5); return 0; }\n"
    USER = "extern int __VERIFIER_nondet_int(void);\nextern void abort(void);\nextern void reach_error(void);\n"

    def test_a_function_without_a_report_checks_nothing(self):
        for name in ("assert", "__VERIFIER_assert", "sassert", "__CPROVER_assert"):
            for head in ("void %s(int holds) {", "static void %s(int holds) {", "void %s(holds) int holds; {",
                         "__attribute__((noinline)) void %s(int holds) {"):
                with self.subTest(head % name):
                    code, out, err = self.check(self.USER + head % name + " if (!holds) abort(); }\n" + self.MAIN % name)
                    self.assertEqual((code, out), (64, ""), err)
                    self.assertIn(f"'{name}' is a function of the program", err)

    def test_macros_without_a_report_check_nothing(self):
        code, out, err = self.check(self.USER + "#define assert(x) ((x) ? (void)0 : abort())\n" + self.MAIN % "assert")
        self.assertEqual((code, out), (64, ""), err)

    def test_in_another_file(self):
        self.write("own.c", self.USER + "void assert(int holds) { if (!holds) abort(); }\n")
        program = self.write("t.c", self.USER + "void assert(int);\n" + self.MAIN % "assert")
        code, out, err = self.run_program("check", program, str(self.folder / "own.c"))
        self.assertEqual((code, out), (64, ""), err)

    def test_a_function_that_reports_is_an_assertion(self):
        code, out, err = self.check(self.USER + "void assert(int holds) { if (!holds) reach_error(); }\n" + self.MAIN % "assert")
        self.assertEqual(code, 1, err)
        self.assertIn("unsafe", out)

    def test_it_is_said_where_others_are_checked(self):
        text = (self.USER + "void assert(int holds) { if (!holds) abort(); }\n"
                "int main(void) { assert(__VERIFIER_nondet_int() == 5); if (__VERIFIER_nondet_int() == 6) reach_error();"
                " return 0; }\n")
        code, _, err = self.check(text)
        self.assertEqual(code, 1)
        self.assertIn("calls of it are no assertions", err)


class OddCode(Undefined):
    """LLVM code that C programs have none of: refused by place, never an abort."""
    HEAD = ('target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"\n'
            'target triple = "x86_64-pc-linux-gnu"\ndeclare void @reach_error()\n')
    STEPS = "declare <vscale x 4 x i32> @llvm.experimental.stepvector.nxv4i32()\n"
    BODY = "define i32 @main() {\nentry:\n%s  call void @reach_error()\n  ret i32 0\n}\n"

    def test_vectors_of_unknown_length(self):
        for row, text in (
            (6, self.BODY % "  %p = alloca <vscale x 4 x i32>\n"),
            (6, self.BODY % "  %p = getelementptr <vscale x 4 x i32>, <vscale x 4 x i32>* null, i64 1\n"),
            (6, self.BODY % "  %v = load <vscale x 4 x i32>, <vscale x 4 x i32>* null\n"),
            (6, self.BODY % "  %v = call <vscale x 4 x i32> @llvm.experimental.stepvector.nxv4i32()\n" + self.STEPS),
            (4, "declare void @f(<vscale x 4 x i32>)\n" + self.BODY % ""),
        ):
            with self.subTest(text):
                code, out, err = self.check(self.HEAD + text, name="t.ll")
                self.assertEqual((code, out), (65, ""), err)
                self.assertRegex(err, rf"t\.ll:{row}:\d+: error: unsupported: vector of unknown length")

    def test_other_odd_code(self):
        for body in ("  %p = alloca x86_mmx\n", "  %p = alloca i32, i64 -1\n  store i32 1, i32* %p\n",
                     "  %p = alloca i8388607\n", "  %p = alloca [0 x i32]\n", "  %x = fadd <2 x float> zeroinitializer, undef\n",
                     "  %p = alloca fp128\n  %x = load fp128, fp128* %p\n", "  fence seq_cst\n",
                     "  %x = cmpxchg i32* null, i32 0, i32 1 seq_cst seq_cst\n", "  switch i1 undef, label %x []\nx:\n",
                     "  %x = inttoptr i64 -9 to i32 addrspace(3)*\n  store i32 1, i32 addrspace(3)* %x\n",
                     "  %x = udiv i32 1, 0\n", "  %x = srem i129 7, -1\n", "  %x = va_arg i8* null, i32\n",
                     "  %x = getelementptr i8, i8* null, i64 9223372036854775807\n  store i8 1, i8* %x\n"):
            with self.subTest(body):
                code, out, err = self.check(self.HEAD + self.BODY % body, name="t.ll")
                self.assertIn(code, (0, 1, 2, 65), out + err)
                self.assertNotIn("Assertion", err)


if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    if shutil.which("clang-14") is None or shutil.which("gcc") is None:
        print("0 passed, 0 failed, 1 skipped")  # no C here
    else:
        support.main()
