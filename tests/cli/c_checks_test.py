#!/usr/bin/env python3
"""What is checked in C programs: one property for each assertion, and for each place of undefined behaviour that
--check looks for; names, places, verdicts, traces. usage: c_checks_test.py [--build FOLDER] [TestClass.test_name]"""
import json
import shutil
import unittest

import support
from support import ProgramTest

HEAD = "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nextern unsigned __VERIFIER_nondet_uint(void);\n"
TWO = """#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  assert(x != 7);
  if (x > 3) assert(x >= 3);
  return 0;
}
"""
WRAPPED = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void __VERIFIER_assert(int holds) { if (!holds) reach_error(); }
int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assert(x != 7);
  __VERIFIER_assert(x == x);
  return 0;
}
"""


class Library(ProgramTest):
    """A failure inside of a function of the library is one of its call."""
    HEAD = ("#include <stdlib.h>\n#include <string.h>\nextern int __VERIFIER_nondet_int(void);\n"
            "int main(void) {\n  int n = __VERIFIER_nondet_int();\n")

    def fails(self, check, line, statements, call):
        program = self.write("call.c", self.HEAD + statements + "  return 0;\n}\n")
        _, out, err = self.run_program("check", program, "--check", check, "--timeout", 30)
        self.assertIn(f"unsafe {check} call.c:{line} {call}\n", out, out + err)

    def test_failures_are_confirmed_at_the_call(self):
        self.fails("bounds", 7, "  char b[4];\n  strcpy(b, n ? \"abc\" : \"abcd\");\n",
                   'strcpy(b, n ? "abc" : "abcd")')
        self.fails("bounds", 7, "  char b[4] = \"ab\";\n  strcat(b, n ? \"c\" : \"cd\");\n",
                   'strcat(b, n ? "c" : "cd")')
        self.fails("null", 7, "  char *s = n == 3 ? 0 : \"x\";\n  if (strlen(s) > 5) return 1;\n", "strlen(s)")
        self.fails("uninitialised", 7, "  char b[4];\n  if (strlen(b) == 2) return 1;\n", "strlen(b)")
        self.fails("leak", 6, "  char *s = strdup(\"x\");\n  if (n != 3) free(s);\n", 'strdup("x")')


class Assertions(ProgramTest):
    def test_each_assertion_is_a_property(self):
        program = self.write("two.c", TWO)
        self.expect(1, "unsafe assert two.c:5 x != 7\nsafe assert two.c:6 x >= 3\n", "check", program)
        self.expect(0, "safe assert two.c:6 x >= 3\n", "check", program, "--property", "assert two.c:6*")

    def test_assertions_on_one_line_are_told_apart(self):
        """The machine knows only the line; without the interpreter's word there is no verdict."""
        program = self.write("line.c", """#include <assert.h>
#include <stdint.h>
static int f(int x) { int l; return (int)((uintptr_t)&l >> 3) + x; }
int main(void) { assert(f(1) == f(1)); int y; assert((uintptr_t)&y < 100); return 0; }
""")
        _, out, _ = self.run_program("check", program, "--timeout", 10)
        self.assertNotIn("unsafe assert line.c:4 f(1) == f(1)", out)
        program = self.write("both.c", """#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) { int x = __VERIFIER_nondet_int(); if (x > 5) assert(x == 5); else assert(x < 6); return 0; }
""")
        self.expect(1, "unsafe assert both.c:3 x == 5\nsafe assert both.c:3 x < 6\n", "check", program)

    def test_calls_of_an_assertion_are_told_apart(self):
        program = self.write("w.c", WRAPPED)
        lines = "unsafe assert w.c:6 x != 7\nsafe assert w.c:7 x == x\n"
        self.expect(1, lines, "check", program)
        self.expect(1, lines, "check", program, "--native", "never")

    def test_a_run_fails_where_it_is_said_to(self):
        """The second assertion fails only where the first does: no run may be reported for it."""
        program = self.write("same.c", WRAPPED.replace("x == x", "x < 7 || x > 7"))
        out = self.run_program("check", program)[1]
        self.assertTrue(out.startswith("unsafe assert same.c:6 x != 7\n"), out)
        self.assertIn("same.c:7", out)

    def test_svcomp_has_one_property_and_its_own_words(self):
        program = self.write("two.c", TWO)
        self.expect(1, "false(unreach-call)\n", "check", program, "--svcomp")
        program = self.write("good.c", TWO.replace("x != 7", "x == x"))
        self.expect(0, "true\n", "check", program, "--svcomp")

    def test_evidence_is_about_one_property(self):
        program = self.write("two.c", TWO)
        bad, good = "assert two.c:5 x != 7", "assert two.c:6 x >= 3"
        self.assertEqual(self.run_program("check", program, "--property", bad, "--witness", "w.yml")[0], 1)
        self.expect(0, f"accepted {bad}\n", "validate", program, "--witness", "w.yml")
        self.assertEqual(self.run_program("validate", program, "--witness", "w.yml", "--property", good)[0], 70)
        self.assertEqual(self.run_program("check", program, "--property", good, "--certificate", "c.yml")[0], 0)
        self.expect(0, f"accepted {good}\n", "validate", program, "--certificate", "c.yml")

    def test_nothing_to_check(self):
        program = self.write("none.c", "int main(void) { return 0; }\n")
        code, out, err = self.run_program("check", program)
        self.assertEqual((code, out), (64, ""))
        self.assertIn("nothing to check (no assertion, no reach_error; --check memory,arithmetic looks for "
                      "undefined behaviour)", err)
        self.assertEqual(self.run_program("check", program, "--check", "all")[0], 64)

    def test_properties_are_listed(self):
        program = self.write("two.c", TWO)
        code, out, _ = self.run_program("properties", program)
        self.assertEqual((code, len(out.splitlines())), (0, 2))
        self.assertRegex(out, r"assert two\.c:5 x != 7 +assert +.*two\.c:5:3")


# What is looked for, a body of main that fails, the name, and a body that does not fail.
BROKEN = (
    ("overflow", "int x = __VERIFIER_nondet_int(); return x + 1;", "overflow t.c:5 x + 1",
     "int x = __VERIFIER_nondet_int(); return x > 100 ? 0 : x + 1;"),
    ("overflow", "int x = __VERIFIER_nondet_int(); return x * x;", "overflow t.c:5 x * x",
     "int x = __VERIFIER_nondet_int() & 255; return x * x;"),
    ("overflow", "int x = __VERIFIER_nondet_int(); return -x;", "overflow t.c:5 -x",
     "int x = __VERIFIER_nondet_int(); return x < 0 ? 0 : -x;"),
    ("overflow", "long long x = __VERIFIER_nondet_int(); x = x * 3000000000LL * 2000; return x != 0;",
     "overflow t.c:5 x * 3000000000LL * 2000",
     "long long x = __VERIFIER_nondet_int(); x = x * 3 * 2000; return x != 0;"),
    ("division", "int x = __VERIFIER_nondet_int(); return 10 / x;", "division t.c:5 10 / x",
     "int x = __VERIFIER_nondet_int(); return x != 0 ? 10 / x : 0;"),
    ("shift", "int x = __VERIFIER_nondet_int(); return 1u << x;", "shift t.c:5 1u << x",
     "int x = __VERIFIER_nondet_int(); return 1u << (x & 31);"),
    ("conversion", "unsigned x = __VERIFIER_nondet_uint(); unsigned char c = x; return c;", "conversion t.c:5 x",
     "unsigned x = __VERIFIER_nondet_uint(); unsigned char c = x & 255u; return c;"),
    ("bounds", "int a[4] = {0}; unsigned i = __VERIFIER_nondet_uint(); return a[i];", "bounds t.c:5 a[i]",
     "int a[4] = {0}; unsigned i = __VERIFIER_nondet_uint(); return a[i & 3];"),
    ("bounds", "int a[4] = {0}; int *p = a + __VERIFIER_nondet_int() % 5; return *p;", "bounds t.c:5 *p",
     "int a[4] = {0}; int *p = a + __VERIFIER_nondet_uint() % 4; return *p;"),
    ("bounds", "int a[4] = {0}; int *p = a + 4; return *p;", "bounds t.c:5 *p", "int a[4] = {0}; int *p = a + 3; return *p;"),
    ("bounds", "unsigned n = __VERIFIER_nondet_uint() % 8; char *p = malloc(n); p[n] = 1; return p[n];",
     "bounds t.c:5 p[n]",
     "unsigned n = __VERIFIER_nondet_uint() % 8; char *p = malloc(n + 1); p[n] = 1; return p[n];"),
    ("null", "int x = 0; int *p = __VERIFIER_nondet_int() ? &x : 0; return *p;", "null t.c:5 *p",
     "int x = 0; int *p = __VERIFIER_nondet_int() ? &x : 0; return p ? *p : 0;"),
    ("uninitialised", "int x; if (__VERIFIER_nondet_int()) x = 1; return x;", "uninitialised t.c:5 x",
     "int x; if (__VERIFIER_nondet_int()) x = 1; else x = 2; return x;"),
    ("uninitialised", "int a[20]; int i = __VERIFIER_nondet_int() & 15; a[i] = 1; return a[i + 1];",
     "uninitialised t.c:5 a[i + 1]", "int a[20]; int i = __VERIFIER_nondet_int() & 15; a[i] = 1; return a[i];"),
    ("use-after-free", "int *p = malloc(4); *p = 1; free(p); return *p;", "use-after-free t.c:5 *p",
     "int *p = malloc(4); *p = 1; int x = *p; free(p); return x;"),
    ("double-free", "int *p = malloc(4); free(p); if (__VERIFIER_nondet_int()) free(p); return 0;",
     "double-free t.c:5 free(p) #2", "int *p = malloc(4); free(p); p = 0; free(p); return 0;"),
    ("leak", "int *p = malloc(4); if (__VERIFIER_nondet_int()) free(p); return 0;", "leak t.c:5 malloc(4)",
     "int *p = malloc(4); free(p); return 0;"),
    ("unreachable", "if (__VERIFIER_nondet_int() == 7) __builtin_unreachable(); return 0;",
     "unreachable t.c:5 __builtin_unreachable()",
     "if ((__VERIFIER_nondet_int() & 1) == 2) __builtin_unreachable(); return 0;"),
)


class Checks(ProgramTest):
    def lines(self, body, *options):
        program = self.write("t.c", HEAD + "int main(void) {\n" + body + "\n}\n")
        code, out, err = self.run_program("check", program, "--timeout", 60, *options)
        self.assertIn(code, (0, 1, 64), out + err)
        return code, out.splitlines(), err

    def test_what_fails_is_found_and_named(self):
        for rule, bad, name, _ in BROKEN:
            with self.subTest(bad):
                code, lines, err = self.lines(bad, "--check", rule)
                self.assertIn(f"unsafe {name}", lines, err)
                self.assertEqual(code, 1)

    def test_what_is_fine_is_proved(self):
        for rule, _, _, good in BROKEN:
            with self.subTest(good):
                code, lines, err = self.lines(good, "--check", rule)
                self.assertFalse([line for line in lines if not line.startswith("safe ")], err)
                self.assertIn(code, (0, 64))

    def test_both_data_models(self):
        for rule, bad, name, _ in BROKEN[::3]:
            with self.subTest(bad):
                self.assertIn(f"unsafe {name}", self.lines(bad, "--check", rule, "--data-model", "LP64")[1])

    def test_without_native_execution(self):
        for rule, bad, name, _ in BROKEN[::4]:
            with self.subTest(bad):
                self.assertIn(f"unsafe {name}", self.lines(bad, "--check", rule, "--native", "never")[1])

    def test_groups(self):
        body = "int a[2] = {0}; int i = __VERIFIER_nondet_int(); return a[i & 1] + i;"
        kinds = lambda group: {line.split()[1] for line in self.lines(body, "--check", group)[1]}
        self.assertIn("bounds", kinds("memory"))
        self.assertNotIn("overflow", kinds("memory"))
        self.assertLessEqual({"overflow"}, kinds("arithmetic"))
        self.assertLessEqual({"overflow", "bounds"}, kinds("all"))

    def test_unknown_names_are_refused(self):
        code, _, err = self.lines("return 0;", "--check", "bouds")
        self.assertEqual(code, 64)
        self.assertIn("bounds", err)

    def test_json_has_rule_and_place(self):
        self.lines("int x = __VERIFIER_nondet_int(); return x + 1;", "--check", "overflow", "--json", "out.json")
        row = json.loads((self.folder / "out.json").read_text())["results"][0]
        self.assertEqual((row["rule"], row["line"], row["column"], row["text"]), ("overflow", 5, 43, "x + 1"))
        self.assertTrue(row["file"].endswith("t.c"))

    def test_checks_do_not_hide_assertions(self):
        """A division by zero ends the run, but its check comes first."""
        body = "int x = __VERIFIER_nondet_int(); int y = 10 / x; if (x == 0) abort(); return y;"
        self.assertIn("unsafe division t.c:5 10 / x", self.lines(body, "--check", "division")[1])


class Traces(ProgramTest):
    TEXT = """#include <assert.h>
extern int __VERIFIER_nondet_int(void);
enum color { RED, GREEN };
static enum color color;
static char letter;
static void paint(int how) {
  color = how ? GREEN : RED;
  letter = how ? 'g' : 'r';
}
int main(void) {
  if (__VERIFIER_nondet_int() == 42)
    paint(1);
  int x = 0;
  while (x < 2) x++;
  assert(color != GREEN || x != 2);
  return 0;
}
"""

    def test_people_can_read_it(self):
        program = self.write("paint.c", self.TEXT)
        self.assertEqual(self.run_program("check", program, "--witness", "w.txt")[0], 1)
        text = (self.folder / "w.txt").read_text()
        rows = text.splitlines()
        self.assertIn("__VERIFIER_nondet_int() = 42", text)
        self.assertIn("color = GREEN", text)
        self.assertIn("letter = 'g'", text)
        self.assertIn("    12  paint(1);", text)
        self.assertTrue(any(row.startswith("     7    color = how") for row in rows), text)
        self.assertIn("assertion fails: color != GREEN || x != 2", rows[-1])
        self.assertIn("x = 1", text)
        self.assertIn("x = 2", text)
        self.assertFalse([row for row in rows if row.startswith("     0")])


if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    if shutil.which("clang-14") is None or shutil.which("gcc") is None:
        print("0 passed, 0 failed, 1 skipped")  # no C here
    else:
        support.main()
