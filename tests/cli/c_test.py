#!/usr/bin/env python3
"""C programs as a user sees them: every example under the engines that decide it, pictures, conversions,
errors with their place. usage: c_test.py [--build FOLDER] [TestClass.test_name]"""
import hashlib
import json
import unittest

import support
from support import ROOT, ProgramTest

SECONDS = 60
EXAMPLES = sorted((ROOT / "examples" / "c").glob("*.c"))
LOCK = ROOT / "examples/c/lock_safe.c"
OVERFLOW = ROOT / "examples/c/overflow_unsafe.c"


def expected(program):
    return "unsafe" if program.stem.endswith("_unsafe") else "safe"


class Verdicts(ProgramTest):
    def decide(self, verdict, program, *options):
        self.expect(1 if verdict == "unsafe" else 0, f"{verdict} unreach-call\n", "check", program,
                    "--timeout", SECONDS, *options)

    def test_auto_decides_every_example(self):
        for program in EXAMPLES:
            with self.subTest(program.name):
                self.decide(expected(program), program)

    def test_every_kind_of_engine_takes_programs(self):
        for engine in ("ic3cfa", "treeic3", "ic3ia", "ic3smt", "ic3"):
            with self.subTest(engine):
                self.decide("safe", LOCK, "--engine", engine)
        for engine in ("ic3cfa", "treeic3", "ic3ia", "bmc", "kind"):
            with self.subTest(engine):
                self.decide("unsafe", OVERFLOW, "--engine", engine)

    def test_mathematical_integers_do_not_wrap_around(self):
        self.decide("safe", OVERFLOW, "--arith", "int")

    def test_the_data_model_decides_the_size_of_long(self):
        program = self.write("long.c", "extern void reach_error(void);\n"
                            "int main(void) { if (sizeof(long) == 8) reach_error(); return 0; }\n")
        for model, verdict in (("ILP32", "safe"), ("LP64", "unsafe")):
            self.decide(verdict, program, "--data-model", model)

    def test_results_as_json(self):
        out = self.folder / "out.json"
        self.decide("unsafe", OVERFLOW, "--json", out)
        result = json.loads(out.read_text())["results"][0]
        self.assertTrue(result["certified"])
        names = {name for step in result["trace"] for name in step["changed"]}
        self.assertLessEqual({"main::low", "main::high"}, names)
        self.assertTrue(any("__VERIFIER_nondet_int" in step.get("inputs", []) for step in result["trace"]))
        self.decide("safe", LOCK, "--json", out)
        result = json.loads(out.read_text())["results"][0]
        self.assertTrue(any("held" in row["formula"] for row in result["invariant"]))


class Conventions(ProgramTest):
    def both_models(self, verdict, program, *options):
        for model in ("ILP32", "LP64"):
            with self.subTest(model):
                self.expect(1 if verdict == "unsafe" else 0, f"{verdict} unreach-call\n", "check", program,
                            "--timeout", SECONDS, "--data-model", model, *options)

    def test_assertions_and_assumptions_of_cbmc_and_esbmc(self):
        for tool in ("CPROVER", "ESBMC"):
            program = self.write("harness.c", "int nondet_int();\n"
                                 "int main(void) {\n  int x = nondet_int();\n"
                                 f"  __{tool}_assume(x > 3);\n"
                                 f'  __{tool}_assert(x > LEAST, "more");\n  return 0;\n}}\n')
            name = 'assert harness.c:5 x > LEAST, "more"\n'
            self.expect(0, "safe " + name, "check", program, "-D", "LEAST=3")
            for native in ("sandbox", "never"):
                self.expect(1, "unsafe " + name, "check", program, "-D", "LEAST=4", "--native", native)

    def test_input_is_read_by_scanf_and_fgets(self):
        program = self.write("input.c", """#include <stdio.h>
extern void reach_error(void);
int main(void) {
  int a = 1, n;
  short h = 5;
  char word[4] = "x", line[8] = "";
  n = scanf("%d %*d %3s %hd", &a, word, &h);
  if (n < 3 || fgets(line, sizeof line, stdin) == NULL) return 0;
  if (a == 7 && word[0] == 'o' && word[1] == 'k' && word[2] == 0 && h == -2 && line[1] == '\\n') reach_error();
  return 0;
}
""")
        self.both_models("unsafe", program)
        self.both_models("unsafe", program, "--native", "never")

    def test_a_buffer_that_sprintf_overflows(self):
        program = self.write("buffer.c", """#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  char text[4];
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > MOST) return 0;
  sprintf(text, "%d", n);
  return 0;
}
""")
        for most, verdict in ((999, "safe"), (1000, "unsafe")):
            code, out, err = self.run_program("check", program, "--check", "bounds", "-D", f"MOST={most}",
                                              "--timeout", SECONDS)
            self.assertIn(f'{verdict} bounds buffer.c:7 sprintf(text, "%d", n)\n', out, err)

    def test_no_run_rests_on_arguments_that_are_no_inputs(self):
        program = self.write("arguments.c", "#include <assert.h>\nint main(int argc, char **argv) {\n"
                             "  for (int i = 1; i < argc; i++) assert(argv[i]);\n"
                             "  assert(argc < 3 || argv[2][1] != 'x');\n  return 0;\n}\n")
        code, out, err = self.run_program("check", program, "--timeout", 10)
        self.assertEqual((code, out.splitlines()[0].split()[0]), (1, "unknown"), out + err)
        self.assertIn("unsafe assert arguments.c:4", out)

    def test_variable_arguments_of_every_type(self):
        program = self.write("arguments.c", """#include <stdarg.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct pair { int a; double b; };
struct large { int a[7]; };
static int kinds(int first, ...) {
  va_list rest, copy;
  va_start(rest, first);
  va_copy(copy, rest);
  int one = va_arg(rest, int);
  long long two = va_arg(rest, long long);
  double three = va_arg(rest, double);
  struct pair four = va_arg(rest, struct pair);
  struct large five = va_arg(rest, struct large);
  const char *six = va_arg(rest, const char *);
  int again = va_arg(copy, int);
  va_end(rest);
  va_end(copy);
  return one == again && two == (1LL << 40) && three == 2.5 && four.a == 7 && four.b == 0.5 &&
         five.a[6] == 6 && six[1] == 'b';
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  struct pair p = {7, 0.5};
  struct large l = {{0, 1, 2, 3, 4, 5, 6}};
  if (kinds(1, n, 1LL << 40, 2.5, p, l, "ab") != EXPECTED) reach_error();
  return 0;
}
""")
        self.both_models("safe", program, "-D", "EXPECTED=1")
        self.both_models("unsafe", program, "-D", "EXPECTED=0")
        self.both_models("unsafe", program, "-D", "EXPECTED=0", "--native", "never")


class Unwinding(ProgramTest):
    SUM = """int main(void) {
  int a[4], s = 0;
  for (int i = 0; i < 4; i++) a[i] = __VERIFIER_nondet_int() & 7;
  for (int *p = a; p < a + 4; p++) s += *p;
  if (s > %d) reach_error();
  return 0;
}
"""

    def program(self, limit):
        return self.write("sum.c", "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n"
                          + self.SUM % limit)

    def test_bmc_proves_what_ends_and_validation_unwinds_it_again(self):
        proof, out = self.folder / "sum.yml", self.folder / "out.json"
        program = self.program(28)
        self.expect(0, "safe unreach-call\n", "check", program, "--engine", "bmc", "--certificate", proof,
                    "--json", out)
        rows = json.loads(out.read_text())["results"][0]["invariant"]
        self.assertEqual(max(row.get("rounds", 0) for row in rows), 5)  # the fifth leaves the loop
        self.assertIn("# loops are unwound, at most 5 rounds", proof.read_text())
        code, stdout, errors = self.run_program("validate", program, "--certificate", proof)
        self.assertEqual((code, stdout), (0, "accepted unreach-call\n"), errors)

    def test_a_proof_by_unwinding_of_a_wrong_program_is_rejected(self):
        proof, program = self.folder / "sum.yml", self.program(28)
        self.expect(0, "safe unreach-call\n", "check", program, "--engine", "bmc", "--certificate", proof)
        before = hashlib.sha256(program.read_bytes()).hexdigest()
        wrong = self.program(27)
        after = hashlib.sha256(wrong.read_bytes()).hexdigest()
        proof.write_text(proof.read_text().replace(before, after))
        code, stdout, errors = self.run_program("validate", wrong, "--certificate", proof)
        self.assertEqual(code, 70, errors)
        self.expect(1, "unsafe unreach-call\n", "check", wrong, "--engine", "bmc")


class WhatCounts(ProgramTest):
    """Code outside of main, bodies of library functions and names of files decide the verdict."""
    HEAD = "extern void reach_error(void);\nextern unsigned __VERIFIER_nondet_uint(void);\n"

    def decide(self, verdict, text, name="t.c", *options):
        self.write(name, self.HEAD + text)
        self.expect(1 if verdict == "unsafe" else 0, f"{verdict} unreach-call\n", "check", name,
                    "--timeout", SECONDS, *options)

    def test_constructors_and_destructors_are_run_and_confirmed(self):
        for model in ("ILP32", "LP64"):
            self.decide("unsafe", "int g; __attribute__((constructor)) void f(void) { g = 1; }\n"
                        "int main(void) { if (g) reach_error(); return 0; }\n", "t.c", "--data-model", model)
            self.decide("unsafe", "void exit(int); int g;\n"
                        "__attribute__((destructor)) void f(void) { if (g) reach_error(); }\n"
                        "int main(void) { g = 1; exit(0); }\n", "t.c", "--data-model", model)
            self.decide("safe", "void abort(void); int g;\n"
                        "__attribute__((destructor)) void f(void) { if (g) reach_error(); }\n"
                        "int main(void) { g = 1; abort(); }\n", "t.c", "--data-model", model)

    def test_bodies_of_library_functions_are_run_and_confirmed(self):
        for definition, use in (("void exit(int n) { }", "exit(0)"), ("void abort(void) { }", "abort()"),
                                ("void __VERIFIER_assume(int c) { }", "__VERIFIER_assume(0)"),
                                ("void _exit(int n) { }", "_exit(0)"),
                                ("int write(int f, const void *p, unsigned long n) { return -1; }", "write(1, 0, 0)")):
            with self.subTest(definition):
                self.decide("unsafe", f"{definition}\nint main(void) {{ {use}; reach_error(); return 0; }}\n",
                            "t.c", "--data-model", "LP64")
        self.decide("safe", "unsigned __VERIFIER_nondet_uint(void) { return 1; }\n"
                    "int main(void) { if (__VERIFIER_nondet_uint() != 1) reach_error(); return 0; }\n")

    def test_a_file_is_called_what_it_is_called(self):
        self.write("x.c", "x.txt")
        for name in ("@x.c", "-x.c", "a b.c", "a=b.c"):
            with self.subTest(name):
                self.write(name, self.HEAD + "int main(void) { reach_error(); return 0; }\n")
                self.expect(1, "unsafe unreach-call\n", "check", "--timeout", SECONDS, "--", name)

    def test_a_shift_by_too_much_is_no_proof(self):
        program = ("int main(void) { unsigned s = __VERIFIER_nondet_uint(), x = 1u << s;\n"
                   "if (s %s && x %s) reach_error(); return 0; }\n")
        self.decide("unsafe", program % ("== 33", "== 2"))  # as x86 has it
        self.decide("safe", program % ("< 32", "== 0"))
        program = self.write("t.c", self.HEAD + program % (">= 32", "== 0"))
        code, out, errors = self.run_program("check", program, "--engine", "bmc", "--timeout", SECONDS)
        self.assertEqual(code, 2, errors)
        self.assertRegex(out, "^unknown unreach-call: the counterexample does not run natively")

    def test_nothing_to_check(self):
        program = self.write("t.c", "int main(void) { return 0; }\n")
        errors = self.expect(64, "", "check", program)
        self.assertIn(f"{program}: error: nothing to check (no assertion, no reach_error; ", errors)


class Refusals(ProgramTest):
    def refused(self, text, place, words):
        program = self.write("bad.c", text)
        errors = self.expect(65, "", "check", program)
        self.assertIn(f"{program}:{place}", errors)
        self.assertIn(words, errors)

    def test_places_in_the_second_file_have_its_name(self):
        """A function of another file had the name of the first one: a.c:3 for b.c:3."""
        self.write("a.c", "int helper(int x);\nint main(void) { return helper(1); }\n")
        self.write("b.c", "#include <assert.h>\n\nint helper(int x, ...) {\n  assert(x != 1);\n  return x;\n}\n")
        code, _, errors = self.run_program("check", "a.c", "b.c", "--entry", "helper")
        self.assertEqual((code != 0, errors.split(" ")[0]), (True, "b.c:3:"), errors)
        code, _, errors = self.run_program("check", "b.c", "a.c", "--entry", "helper")
        self.assertEqual((code != 0, errors.split(" ")[0]), (True, "b.c:3:"), errors)
        self.write("b.c", "#include <assert.h>\n\nint helper(int x) {\n  assert(x != 1);\n  return x;\n}\n")
        for files in (("a.c", "b.c"), ("b.c", "a.c")):
            _, out, _ = self.run_program("check", *files)
            self.assertEqual(out, "unsafe assert b.c:4 x != 1\n")

    def test_what_is_no_c(self):
        self.refused("int main(void) { return x; }\n", "1:25: error:", "undeclared identifier")

    def test_unbounded_recursion(self):
        self.refused("extern int __VERIFIER_nondet_int(void);\n"
                     "int f(int n) { return n <= 0 ? 0 : 1 + f(n - 1); }\n"
                     "int main(void) { return f(__VERIFIER_nondet_int()); }\n", "2:", "recursion")

    def test_what_would_run_unseen(self):
        head = "extern void reach_error(void);\n"
        main = "int main(void) { return 0; }\nvoid f(void) { reach_error(); }\n"
        self.refused(head + main + "void (*p)(void) __attribute__((section(\".init_array\"))) = f;\n", "4: error:",
                     "'p' in section '.init_array'")
        self.refused(head + main + "__asm__(\".section .init_array\\n .quad f\");\n", "4:", "assembly outside")
        self.refused(head + "int printf(const char *, ...);\nint main(void) { int x = 0;\n"
                     "printf(\"ab%n\", &x); if (x) reach_error(); return 0; }\n", "4:1", "printf with %n")

    def test_engines_on_programs_refuse_circuits(self):
        errors = self.expect(64, "", "check", ROOT / "examples/aiger/peterson_safe.aag", "--engine", "ic3cfa")
        self.assertIn("no control flow", errors)


class Conversions(ProgramTest):
    def test_pictures(self):
        svg, dot = self.folder / "lock.svg", self.folder / "lock.dot"
        for out in (svg, dot):
            self.expect(0, "", "convert", LOCK, "-o", out)
        self.assertIn("digraph", dot.read_text())
        self.assertIn("<svg", svg.read_text())

    def test_the_same_verdict_from_other_formats(self):
        for extension in (".vmt", ".btor2", ".aag"):
            out = self.folder / f"lock{extension}"
            self.expect(0, "", "convert", LOCK, "-o", out)
            code, _, errors = self.run_program("check", out, "--timeout", SECONDS)
            self.assertEqual(code, 0, errors)


if __name__ == "__main__":
    support.main()
