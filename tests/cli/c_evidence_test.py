#!/usr/bin/env python3
"""Evidence about C programs as a user sees it: witnesses and certificates in YAML are written and
validated, damaged ones refused, harnesses compiled with the program and run.
usage: c_evidence_test.py [--build FOLDER] [TestClass.test_name]"""
import hashlib
import re
import shutil
import subprocess
import unittest

import support
from support import ROOT, ProgramTest

EXAMPLES = sorted((ROOT / "examples/c").glob("*.c"))
SECONDS = 30
REACHED = 107

# The error depends on a variable that has no value, and is a label.
UNINITIALISED = """extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned a;
  unsigned b = __VERIFIER_nondet_uint();
  if (a + b == 4294967295u && a == 7) goto ERROR;
  return 0;
ERROR: goto ERROR;
}
"""
COUNT = """extern void reach_error(void);
int main(void) {
  int x = 0;
  while (x < 10)
    x = x + 1;
  if (x != 10) reach_error();
  return 0;
}
"""
# What is around a loop decides where blocks of the automaton begin.
LOOPS = {
    "branches at the end": "while (x < n)\n if (__VERIFIER_nondet_int()) { x++; y++; } else x++;",
    "a branch at the end": "while (x < n)\n if (__VERIFIER_nondet_int()) x++;",
    "continue": "for (int i = 0; i < n; i++) {\n if (y) continue;\n if (x < n) x++; else y = 1; }",
    "break": "while (1) {\n if (x >= n || __VERIFIER_nondet_int()) break;\n x++; }",
    "at the end": "if (n > 0) do {\n x++; if (y) y = 0; else y = 1;\n } while (x < n);",
    "switch": "while (x < n)\n switch (__VERIFIER_nondet_int()) {\n case 0: x++; break; case 1: y++; }",
    "one in another": "while (x < n) {\n while (y < n)\n if (__VERIFIER_nondet_int()) y++; else break;"
                      "\n x++; if (y > 3) y = 0; }",
    "goto": "again: if (x < n) {\n if (y) x++; else { x++; y = 1; }\n goto again; }",
}
# Inputs that are no calls, next to one that is: the program's text, further options, and what validate
# ends with if the witness has another value of that one. Of a loop that may go on there is always one run more.
UNNAMED = {
    "volatile memory": ("""extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
volatile unsigned status;
int main(void) {
  int a = __VERIFIER_nondet_int();
  unsigned first = status;
  while (status < 8) first += 2;
  if (a == 41 && first == 77 && status == first + 1)
    reach_error();
  return 0;
}
""", [], 2),
    "a register at a fixed address": ("""extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int a = __VERIFIER_nondet_int();
  if (a == 41 && *(volatile unsigned *)0x40001000 == 0xCAFE)
    reach_error();
  return 0;
}
""", [], 70),
    "arguments": ("""extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int scale(int factor, const short *data, unsigned size) {
  int a = __VERIFIER_nondet_int();
  if (data && size == 2 && a == 41 && factor == -3 && data[1] * factor == 21)
    reach_error();
  return 0;
}
""", ["--entry", "scale"], 70),
    "the command line": ("""extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(int argc, char **argv) {
  int a = __VERIFIER_nondet_int();
  if (a == 41 && argc == 2 && argv[1][0] == '-' && argv[1][1] == 'v')
    reach_error();
  return 0;
}
""", [], 70),
}
# Two elements are read before they have a value, others have one or are not read.
ARRAY = """extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
struct pair { int first; int second; };
int main(void) {
  unsigned table[5000];
  struct pair pairs[10];
  unsigned index = __VERIFIER_nondet_uint();
  for (unsigned i = 0; i < 3; i++) table[i] = i;
  if (index < 10 && pairs[index].second == 9 && index == 2 && table[3] != 0 && table[1] == 1)
    reach_error();
  return 0;
}
"""


class CEvidence(ProgramTest):
    def validate(self, model, option, path, *more):
        one = self.run_program("validate", model, option, path, *more)
        two = self.run_program(model, option, path, *more, program="lemmata-validate")
        self.assertEqual(one[:2], two[:2])
        return one

    def check(self, model, *options):
        return self.run_program("check", model, "--timeout", SECONDS, *options)

    def compile_and_run(self, model, harness):
        """With a C library where there is one for 32 bits, else with what the harness brings."""
        run = self.folder / "run"
        command = ["gcc", "-m32", "-w", "-fwrapv", model, harness, "-o", run]
        alone = ["-DLEMMATA_FREESTANDING", "-ffreestanding", "-fno-stack-protector", "-nostdlib",
                 "-static"]
        if subprocess.run(command, capture_output=True).returncode != 0:
            subprocess.run(command + alone, check=True, capture_output=True)
        return subprocess.run([run], capture_output=True, text=True, timeout=20)

    def test_examples(self):
        for model in EXAMPLES:
            with self.subTest(model=model.name):
                unsafe = model.stem.endswith("_unsafe")
                option = "--witness" if unsafe else "--certificate"
                path = self.folder / "evidence.yml"
                code, out, err = self.check(model, option, path)
                self.assertEqual(code, 1 if unsafe else 0, out + err)
                self.assertEqual(self.validate(model, option, path)[:2], (0, "accepted unreach-call\n"),
                                 path.read_text())
                path.unlink()

    def test_every_loop_has_its_invariant(self):
        for name, loop in LOOPS.items():
            model = self.write("loop.c", "extern void reach_error(void);\n"
                               "extern int __VERIFIER_nondet_int(void);\n"
                               "int main(void) { int n = __VERIFIER_nondet_int(), x = 0, y = 0;\n"
                               f"if (n < 0 || n > 50) return 0;\n{loop}\n"
                               "if (x > n) reach_error();\nreturn 0; }\n")
            path = self.folder / "loop.yml"
            for engine in ("ic3cfa", "ctigar"):
                with self.subTest(loop=name, engine=engine):
                    self.assertEqual(self.check(model, "--engine", engine, "--certificate", path)[0], 0)
                    self.assertEqual(self.validate(model, "--certificate", path)[:2],
                                     (0, "accepted unreach-call\n"))

    def test_harness_reaches_the_error(self):
        for model in EXAMPLES:
            if not model.stem.endswith("_unsafe"):
                continue
            with self.subTest(model=model.name):
                harness = self.folder / "cex.c"
                self.assertEqual(self.check(model, "--witness", harness)[0], 1)
                ran = self.compile_and_run(model, harness)
                self.assertEqual((ran.returncode, ran.stderr),
                                 (REACHED, "lemmata: error reached\n"))

    def test_values_that_no_function_gives(self):
        model = self.write("open.c", UNINITIALISED)
        witness = self.folder / "w.yml"
        self.assertEqual(self.check(model, "--witness", witness)[0], 1)
        self.assertEqual(self.validate(model, "--witness", witness)[:2], (0, "accepted unreach-call\n"))
        self.assertIn("a == 7", witness.read_text())
        harness = self.folder / "cex.c"
        self.check(model, "--witness", harness)
        self.assertIn("The run needs a copy of the program with these insertions", harness.read_text())
        self.assertNotIn("by hand", harness.read_text())

    def test_floats_come_back(self):
        """Of c/float-benchs/nan_float.c the writer had no words for the input, and the validator none for NaN."""
        for condition, words in (("x != x", r"\\result != \\result"), ("x == 0.1f", "== 0x1.99999ap-4f"),
                                 ("x > 1 && x == x + x", "> 0x1.fffffep+127f"),
                                 ("x == 0 && 1 / x < 0", r"1.0f / \\result < 0.0f"),
                                 ("y > 2.7f && y < 2.8f", "y == 0x1.")):
            model = self.write("f.c", "extern float __VERIFIER_nondet_float(void);\nextern void reach_error(void);\n"
                               "int main(void) {\n  float x = __VERIFIER_nondet_float();\n  float y;\n"
                               f"  if ({condition})\n    reach_error();\n  return 0; }}\n")
            code, _, errors = self.check(model, "--witness", "w.yml")
            self.assertEqual(code, 1, errors)
            text = (self.folder / "w.yml").read_text()
            self.assertIn(words, text)
            self.assertNotIn("cannot be said", text)
            self.assertEqual(self.validate(model, "--witness", "w.yml")[0], 0, text)
            wrong = re.sub(r'value: ".*"', lambda _: r'value: "\\result == 77.5f"', text, count=1)
            if condition.startswith("x"):
                self.write("w.yml", wrong)
                self.assertNotEqual(self.validate(model, "--witness", "w.yml")[0], 0)

    def test_floats_in_bytes_come_back(self):
        """The bits of a double in memory are open in the automaton; the validator took 0 for them."""
        model = self.write("b.c", "#include <string.h>\nextern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n"
                           "static unsigned char room[32];\nint main(void) {\n  int n = __VERIFIER_nondet_int();\n"
                           "  double in = n + 0.25, out;\n  memcpy(room + 9, &in, sizeof in);\n"
                           "  memcpy(&out, room + 9, sizeof out);\n  if (out == 4.25)\n    reach_error();\n  return 0; }\n")
        code, _, errors = self.check(model, "--witness", "w.yml")
        self.assertEqual(code, 1, errors)
        self.assertEqual(self.validate(model, "--witness", "w.yml")[0], 0)
        text = (self.folder / "w.yml").read_text()
        self.write("w.yml", text.replace("== 4", "== 5"))
        self.assertNotEqual(self.validate(model, "--witness", "w.yml")[0], 0)

    def test_inputs_that_are_not_calls(self):
        """YAML has no words for them: the writer says so, and the validator searches for them. It rejected them all."""
        for name, (text, options, expected) in UNNAMED.items():
            with self.subTest(inputs=name):
                model = self.write("unnamed.c", text)
                code, out, errors = self.check(model, *options, "--witness", "w.yml")
                self.assertEqual(code, 1, out + errors)
                self.assertEqual(errors.count("have words only for inputs that are calls"), 1, errors)
                self.assertIn("--witness FILE.txt", errors)
                ended = self.validate(model, "--witness", "w.yml", *options)
                self.assertEqual(ended[0], 0, ended)
                # What the witness does say counts: the other input has another value.
                wrong = re.sub(r"result == 41", "result == 40", (self.folder / "w.yml").read_text())
                self.write("w.yml", wrong)
                ended = self.validate(model, "--witness", "w.yml", *options)
                self.assertEqual(ended[0], expected, ended)
                errors = self.check(model, *options, "--witness", "w.txt")[2]
                self.assertNotIn("note", errors)
                errors = self.check(model, *options, "--witness", "w.c")[2]
                self.assertIn("to be put into the program by hand", errors)
                self.assertIn("to be put into the program by hand", (self.folder / "w.c").read_text())

    def test_inputs_that_are_not_found_are_undecided(self):
        """The register must have the right value more often than the validator asks for one."""
        model = self.write("often.c", """extern void reach_error(void);
volatile unsigned status;
int main(void) {
  for (unsigned i = 0; i < 2000; i++)
    if (status != i) return 0;
  reach_error();
  return 0;
}
""")
        easy = self.write("easy.c", model.read_text().replace("2000", "2"))
        self.assertEqual(self.check(easy, "--witness", "w.yml")[0], 1)
        text = (self.folder / "w.yml").read_text()
        hashes = [hashlib.sha256(one.read_bytes()).hexdigest() for one in (easy, model)]
        self.write("w.yml", text.replace(hashes[0], hashes[1]).replace("easy.c", "often.c"))
        code, out, _ = self.validate(model, "--witness", "w.yml")
        self.assertEqual(code, 2, out)
        self.assertRegex(out, r"^unknown .*often\.c: the format has no words for the input at line 5")

    def test_elements_of_arrays_without_values(self):
        """As in c/loop-crafted/simple_array_index_value_1-2.i, of which the witness was rejected."""
        model = self.write("array.c", ARRAY)
        self.assertEqual(self.check(model, "--witness", "w.yml")[0], 1)
        text = (self.folder / "w.yml").read_text()
        self.assertNotIn("cannot be said", text)
        self.assertRegex(text, r'value: "table\[3\] == ')
        self.assertRegex(text, r'value: "pairs\[2\]\.second == 9"')
        self.assertEqual(self.validate(model, "--witness", "w.yml")[:2], (0, "accepted unreach-call\n"), text)
        for old, new in (("second == 9", "second == 8"), ("table[3] ==", "table[4] =="),
                         ("table[3] ==", "table[99999999999999999999] ==")):
            self.assertIn(old, text)
            self.write("w.yml", text.replace(old, new))
            self.assertIn(self.validate(model, "--witness", "w.yml")[0], (65, 70), new)

    def test_damaged_evidence_is_refused(self):
        model = self.write("count.c", COUNT)
        path = self.folder / "c.yml"
        self.assertEqual(self.check(model, "--certificate", path)[0], 0)
        text = path.read_text()
        self.assertEqual(self.validate(model, "--certificate", path)[:2], (0, "accepted unreach-call\n"))
        path.write_text(text.replace("line: 4", "line: 5"))
        self.assertEqual(self.validate(model, "--certificate", path)[0], 65)
        path.write_text(text.replace("x < 11", "x < 12"))
        self.assertEqual(self.validate(model, "--certificate", path)[0], 70)
        path.write_text(text.replace("2.0", "1.0"))
        self.assertEqual(self.validate(model, "--certificate", path)[0], 65)
        path.write_text(text)
        model.write_text(COUNT + "\n")
        code, out, _ = self.validate(model, "--certificate", path)
        self.assertEqual(
            (code, out), (70, "rejected: the witness is about another file: its hash differs\n"))

    def test_damaged_waypoints_are_refused(self):
        model = self.write("twice.c", """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  if (a == 5 && b == 7)
    reach_error();
  return 0;
}
""")
        path = self.folder / "w.yml"
        self.assertEqual(self.check(model, "--witness", path)[0], 1)
        text = path.read_text()
        self.assertEqual(self.validate(model, "--witness", path)[:2], (0, "accepted unreach-call\n"))
        head, first, second, target = text.split("    - segment:\n")
        surplus = first.replace("line: 4", "line: 5")
        assumption = first.replace("function_return", "assumption").replace("line: 4", "line: 6") \
            .replace("column: 33", "column: 3").replace("\\\\result == 5", "{}")
        mutants = {
            "target line": [first, second, target.replace("line: 7", "line: 1")],
            "far target": [first, second, target.replace("line: 7", "line: 9999")],
            "surplus": [first, second, surplus, target],
            "missing": [first, target],
            "swapped": [second, first, target],
            "another type": [first.replace("== 5", "== 99999999999999"), second, target],
            "false": [first, second, assumption.format("0"), target],
            "no expression": [first, second, assumption.format("((( foo"), target],
            "wrong order": [first, assumption.format("a == 5"), second, target],
            "unknown type": [first.replace("function_return", "function_exit"), second, target],
            "another function": [first.replace('"main"', '"f"'), second, target],
            "two targets": [first, second, target, target],
        }
        for name, segments in {"good": [first, second, assumption.format("a == 5"), target],
                               **mutants}.items():
            with self.subTest(name=name):
                path.write_text("    - segment:\n".join([head, *segments]))
                code, out, err = self.validate(model, "--witness", path)
                self.assertIn(code, (0,) if name == "good" else (65, 70), out + err + path.read_text())
                if code != 0:
                    self.assertRegex(err, r"w\.yml:\d+:\d+: error: ")

    def test_options_of_c_reach_both_validators(self):
        model = self.write("wide.c", "extern long __VERIFIER_nondet_long(void);\n"
                           "extern void reach_error(void);\n"
                           "int main(void) {\n  long x = __VERIFIER_nondet_long();\n"
                           "  if (x > 2147483647L) reach_error();\n  return 0;\n}\n")
        self.assertEqual(self.check(model, "--data-model", "LP64", "--witness", "w.yml")[0], 1)
        for program, words in (("lemmata", ["validate"]), ("lemmata-validate", [])):
            more = [model, "--witness", "w.yml"]
            self.expect(0, "accepted unreach-call\n", *words, *more, "--data-model", "LP64",
                        "--property", "unreach-call", program=program)
            self.assertEqual(self.run_program(*words, *more, program=program)[:2], (
                70, "rejected: the witness is about another data model: LP64\n"))

    def test_loops_on_one_line(self):
        model = self.write("line.c", "extern void reach_error(void);\n"
                           "int main(void) {\n  int a = 0, b = 0;\n"
                           "  while (a < 3) a++; while (b < 5) b++;\n"
                           "  for (int i = 0; i < 4; i++) a++; for (int i = 0; i < 4; i++) b++;\n"
                           "  if (a < 3 || b < 5) reach_error();\n  return 0;\n}\n")
        for engine in ("ic3cfa", "ctigar"):
            with self.subTest(engine=engine):
                self.assertEqual(self.check(model, "--engine", engine, "--certificate", "c.yml")[0], 0)
                self.assertEqual(self.validate(model, "--certificate", "c.yml")[:2],
                                 (0, "accepted unreach-call\n"), (self.folder / "c.yml").read_text())

    def test_forms(self):
        model = self.write("count.c", COUNT)
        for option, name in (("--witness", "w.vcd"), ("--certificate", "c.smt2")):
            self.assertEqual(self.check(model, option, self.folder / name)[0], 64)
        steps = self.folder / "steps.txt"
        model = self.write("bad.c", COUNT.replace("x != 10", "x == 10"))
        self.assertEqual(self.check(model, "--witness", steps)[0], 1)
        self.assertIn("     5  x = x + 1;", steps.read_text())


if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    if shutil.which("clang-14") is None or shutil.which("gcc") is None:
        print("0 passed, 0 failed, 1 skipped")  # no C here
    else:
        support.main()
