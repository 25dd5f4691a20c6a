#!/usr/bin/env python3
"""C programs as a user sees them: every example under the engines that decide it, pictures, conversions,
errors with their place. usage: c_test.py [--build FOLDER] [TestClass.test_name]"""
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


class Refusals(ProgramTest):
    def refused(self, text, place, words):
        program = self.write("bad.c", text)
        errors = self.expect(65, "", "check", program)
        self.assertIn(f"{program}:{place}", errors)
        self.assertIn(words, errors)

    def test_what_is_no_c(self):
        self.refused("int main(void) { return x; }\n", "1:25: error:", "undeclared identifier")

    def test_unbounded_recursion(self):
        self.refused("extern int __VERIFIER_nondet_int(void);\n"
                     "int f(int n) { return n <= 0 ? 0 : 1 + f(n - 1); }\n"
                     "int main(void) { return f(__VERIFIER_nondet_int()); }\n", "2:", "recursion")

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
