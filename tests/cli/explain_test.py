#!/usr/bin/env python3
"""`lemmata explain`, and the advice about properties that stay unknown: needed lemmas are a proof of
which no part can be dropped, needed inputs force the violation whatever the others are.
usage: explain_test.py [--build FOLDER] [TestClass.test_name]"""
import json
import random
import re
import shutil
import subprocess

import support
from support import ProgramTest, ROOT

EXAMPLES = ROOT / "examples"
# Properties that need no lemma beside the one that drops out, mutual support, and a real lemma.
SPARE = """(set-logic QF_LIA)
(declare-fun x () Int) (declare-fun x.next () Int)
(declare-fun y () Int) (declare-fun y.next () Int)
(declare-fun z () Int) (declare-fun z.next () Int)
(define-fun sx () Int (! x :next x.next))
(define-fun sy () Int (! y :next y.next))
(define-fun sz () Int (! z :next z.next))
(define-fun i () Bool (! (and (= x 0) (= y 0) (= z 0)) :init true))
(define-fun t () Bool (! (and (= x.next (+ x y)) (= y.next (+ y 1)) (= z.next (- z))) :trans true))
(define-fun p () Bool (! (>= x 0) :invar-property 0))
"""
# What a branch looks at is needed; what is only assumed, or read by nobody, is free.
PROGRAM = """extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  int c = __VERIFIER_nondet_int();
  __VERIFIER_assume(b > 0);
  int sum = 0;
  for (int i = 0; i < 3; i++) sum += __VERIFIER_nondet_int() & 1;
  if (a > 100 && b != 0) reach_error();
  return c + sum;
}
"""


class ExplainTest(ProgramTest):
    def evidence(self, model, kind, name, *options):
        """The path of the evidence, written by a check."""
        path = self.folder / name
        code, out, err = self.run_program("check", model, kind, path, "--timeout", "60", "-q", *options)
        self.assertIn(code, (0, 1), err)
        self.assertTrue(path.exists(), out + err)
        return path

    def explain(self, model, kind, path, *options):
        """(standard output, the same as JSON)"""
        target = self.folder / "explained.json"
        code, out, err = self.run_program("explain", model, kind, path, "--json", target, *options)
        self.assertEqual(code, 0, out + err)
        return out, json.loads(target.read_text())


class Lemmas(ExplainTest):
    def with_lemmas(self, path, lemmas):
        """The SMT-LIB certificate with these lemmas alone; no obligations."""
        text = path.read_text()
        start = text.index("(define-fun inv ")
        params = re.match(r"\(define-fun inv (\(\(.*?\)\)|\(\)) Bool", text[start:]).group(1)
        infos = "\n".join(re.findall(r"^\(set-info :lemmata-.*\)$", text, re.M))
        body = "(and true true " + " ".join(lemmas) + ")"
        return self.write("part.smt2", f"{infos}\n(define-fun inv {params} Bool {body})\n")

    def check_minimal(self, model, *options):
        """Validates the needed lemmas, and everything but one of them. Returns the explanation."""
        path = self.evidence(model, "--certificate", "proof.smt2", *options)
        _, found = self.explain(model, "--certificate", path)
        self.assertTrue(found["minimal"])
        needed = [one["smt"] for one in found["lemmas"] if one["needed"]]
        self.assertEqual(len(needed), found["needed"])
        self.assertEqual(len(found["lemmas"]), found["total"])
        self.expect(0, f"accepted {found['property']}\n", "validate", model, "--certificate",
                    self.with_lemmas(path, needed))
        for lost in needed:
            fewer = [one for one in needed if one != lost]
            code, out, err = self.run_program("validate", model, "--certificate",
                                              self.with_lemmas(path, fewer))
            self.assertEqual(code, 70, f"{model} without {lost}: {out}{err}")
            self.assertRegex(out, "rejected: .*(initiation|consecution|safety|base|induction)")
        return found

    def test_none_can_be_dropped(self):
        spare = self.write("spare.vmt", SPARE)
        for model in (EXAMPLES / "vmt" / "bakery_safe.vmt", EXAMPLES / "chc" / "two_loops_safe.smt2",
                      EXAMPLES / "lustre" / "counter_safe.lus",
                      ROOT / "tests" / "regress" / "chc" / "parity_safe.smt2", spare):
            for engine in ("ic3ia", "ctigar"):
                with self.subTest(model=model.name, engine=engine):
                    self.check_minimal(model, "--engine", engine)

    def test_superfluous_lemmas_are_named(self):
        model = self.write("spare.vmt", SPARE)
        path = self.evidence(model, "--certificate", "proof.smt2", "--engine", "ic3ia")
        lemmas = ["(>= x 0)", "(>= y 0)", "(= z 0)", "(>= (+ x y) 0)", "(or (= z 0) (> x 5))"]
        part = self.with_lemmas(path, lemmas)
        out, found = self.explain(model, "--certificate", part)
        self.assertEqual((found["needed"], found["total"]), (2, 5), out)
        self.assertEqual([one["needed"] for one in found["lemmas"]].count(True), 2)
        self.assertIn("p0: 2 of 5 lemmas are needed", out)
        self.assertRegex(out, r"1  x > -1\n +excludes the violation; kept by 1, 2")
        self.assertRegex(out, r"2  y > -1\n +kept by 2")
        self.assertNotIn("z", out)

    def test_of_k_induction(self):
        model = EXAMPLES / "lustre" / "counter_safe.lus"
        path = self.evidence(model, "--certificate", "proof.smt2", "--engine", "kind")
        out, found = self.explain(model, "--certificate", path)
        if ":lemmata-k 1)" not in path.read_text() and ":lemmata-k" in path.read_text():
            self.assertIn("-induction", found["note"])
        self.assertTrue(found["minimal"], out)

    def test_of_circuits_in_the_names_of_the_file(self):
        for name, extension in (("aiger/peterson_safe.aag", "aag"), ("aiger/counter_mod6_safe.aag", "aig"),
                                ("btor2/ring_buffer_safe.btor2", "btor2")):
            with self.subTest(model=name):
                model = EXAMPLES / name
                path = self.evidence(model, "--certificate", f"proof.{extension}")
                out, found = self.explain(model, "--certificate", path)
                self.assertTrue(found["minimal"])
                self.assertGreater(found["needed"], 0)
                if "peterson" in name:
                    self.assertIn("!critical0 || !critical1", out)

    def test_of_programs_at_their_lines(self):
        model = EXAMPLES / "c" / "lock_safe.c"
        path = self.evidence(model, "--certificate", "proof.yml")
        out, found = self.explain(model, "--certificate", path)
        self.assertIn("line 20: held == 0", out)
        text = path.read_text().replace('value: "(held == 0)"', 'value: "(held == 0) && (held < 7)"')
        path.write_text(text)
        out, found = self.explain(model, "--certificate", path)
        self.assertEqual((found["needed"], found["total"]), (1, 2), out)
        self.assertIn("line 20: held == 0", out)

    def test_of_plc_programs_in_structured_text(self):
        model = self.write("count.st", """PROGRAM Count
VAR_INPUT up : BOOL; END_VAR
VAR n, m, spare : INT; END_VAR
IF up AND n < 10 THEN n := n + 1; m := n; ELSE n := 0; END_IF;
//#ASSERT m <= 10 : bounded
END_PROGRAM
""")
        path = self.write("proof.txt", "PROPERTY bounded\nINVARIANT n <= 10;\nINVARIANT m <= 10;\n"
                          "INVARIANT spare = 0;\n")
        out, found = self.explain(model, "--certificate", path)
        self.assertTrue(found["minimal"])
        self.assertEqual((found["needed"], found["total"]), (1, 3), out)
        self.assertRegex(out, r"between cycles: m <= 10|between cycles: 10 >= m|m < 11")


class Inputs(ExplainTest):
    def test_free_inputs_of_a_table_may_have_any_value(self):
        """Completed at random and validated: the trace stays one that violates the property."""
        model = self.write("m.vmt", """(set-logic QF_LIA)
(declare-fun x () Int) (declare-fun x.next () Int)
(declare-fun i () Int) (declare-fun j () Int)
(define-fun sx () Int (! x :next x.next))
(define-fun a () Bool (! (= x 0) :init true))
(define-fun t () Bool (! (= x.next (ite (> i 3) (+ x 1) x)) :trans true))
(define-fun p () Bool (! (< x 3) :invar-property 0))
""")
        path = self.evidence(model, "--witness", "bug.json")
        out, found = self.explain(model, "--witness", path)
        needed = [(one["name"], one["place"]) for one in found["values"] if one["needed"]]
        self.assertEqual(needed, [("i", "step 0"), ("i", "step 1"), ("i", "step 2")])
        self.assertIn("no run is shorter (bmc)", out)
        pick = random.Random(1)
        for _ in range(10):
            trace = json.loads(path.read_text())
            for step in trace["trace"]:
                step["input"]["j"] = str(pick.randrange(100))
            trace["trace"][-1]["input"]["i"] = str(pick.randrange(100))
            other = self.write("other.json", json.dumps(trace))
            self.expect(0, "accepted p0\n", "validate", model, "--witness", other)

    def test_free_inputs_of_a_circuit_may_have_any_value(self):
        for name in ("mutex_race_unsafe.aag", "uninitialised_unsafe.aag", "counter_unsafe.aag"):
            with self.subTest(model=name):
                model = EXAMPLES / "aiger" / name
                path = self.evidence(model, "--witness", "bug.aiw")
                _, found = self.explain(model, "--witness", path)
                self.assertTrue(found["minimal"])
                lines = path.read_text().split("\n")
                free = [one for one in found["values"] if not one["needed"]]
                inputs = [one for one in found["values"] if one["place"].startswith("step")]
                width = len(lines[3])
                pick = random.Random(2)
                for _ in range(10):
                    rows = [list(row) for row in lines]
                    for i, one in enumerate(inputs):
                        if one in free:
                            rows[3 + i // width][i % width] = pick.choice("01")
                    other = self.write("other.aiw", "\n".join("".join(row) for row in rows))
                    code, out, err = self.run_program("validate", model, "--witness", other)
                    # A run that breaks a constraint is none of the model's.
                    self.assertTrue(code == 0 or "constraint" in out, f"{out}{err}{rows}")

    def test_of_a_program_are_run_with_other_values(self):
        model = self.write("p.c", PROGRAM)
        path = self.evidence(model, "--witness", "bug.yml")
        out, found = self.explain(model, "--witness", path)
        needed = [(one["place"], one["name"]) for one in found["values"] if one["needed"]]
        self.assertEqual(needed, [("line 5", "__VERIFIER_nondet_int()")], out)
        self.assertIn("line 10, time 3", [one["place"] for one in found["values"]])
        gcc = shutil.which("gcc") or self.skipTest("no gcc")
        value = next(one["value"] for one in found["values"] if one["needed"])
        pick = random.Random(3)
        for _ in range(5):
            values = [value, str(pick.randrange(1, 1000))] + [str(pick.randrange(1000)) for _ in range(4)]
            self.write("rest.c", "#include <stdlib.h>\nstatic int k, v[] = {" + ",".join(values) + "};\n"
                       "int __VERIFIER_nondet_int(void) { return v[k++]; }\n"
                       "void __VERIFIER_assume(int c) { if (!c) exit(2); }\n"
                       "void reach_error(void) { exit(7); }\n")
            subprocess.run([gcc, "-w", "p.c", "rest.c", "-o", "p"], cwd=self.folder, check=True)
            self.assertEqual(subprocess.run(["./p"], cwd=self.folder, check=False).returncode, 7)

    def test_of_a_plc_program_by_cycle(self):
        model = EXAMPLES / "st" / "danger_range_unsafe.st"
        path = self.evidence(model, "--witness", "bug.txt")
        out, found = self.explain(model, "--witness", path)
        self.assertTrue(found["minimal"])
        self.assertRegex(out, r"cycle 1  PosMulti = -?\d+")

    def test_a_shorter_run_is_mentioned(self):
        model = self.write("m.vmt", """(set-logic QF_LIA)
(declare-fun x () Int) (declare-fun x.next () Int) (declare-fun i () Bool)
(define-fun sx () Int (! x :next x.next))
(define-fun a () Bool (! (= x 0) :init true))
(define-fun t () Bool (! (= x.next (ite i 5 x)) :trans true))
(define-fun p () Bool (! (< x 5) :invar-property 0))
""")
        steps = [("false", 0), ("false", 0), ("true", 0), ("false", 5)]
        path = self.write("bug.json", json.dumps({"property": "p0", "trace": [
            {"state": {"x": str(x)}, "input": {"i": i}} for i, x in steps]}))
        out, found = self.explain(model, "--witness", path)
        self.assertIn("this run has 4 steps; bmc knows one with 2", found["shortest"])
        self.assertEqual([(one["place"], one["value"]) for one in found["values"] if one["needed"]],
                         [("step 2", "true")])


class Refused(ExplainTest):
    def test_rejected_evidence_is_not_explained(self):
        model = EXAMPLES / "vmt" / "bakery_safe.vmt"
        path = self.evidence(model, "--certificate", "proof.smt2")
        text = path.read_text()
        path.write_text(text[:text.index("(define-fun inv ")] + "(define-fun inv () Bool true)\n")
        code, out, err = self.run_program("explain", model, "--certificate", path)
        self.assertEqual(code, 70)
        self.assertRegex(out, "^rejected: ")

    def test_usage(self):
        model = self.write("m.aag", support.SAFE)
        self.assertEqual(self.run_program("explain", model)[0], 64)
        self.assertEqual(self.run_program("explain", model, "--witness", "a", "--certificate", "b")[0], 64)
        self.assertEqual(self.run_program("explain", model, "--witness", "missing.aiw")[0], 66)
        path = self.evidence(model, "--certificate", "proof.aag")
        self.assertEqual(self.run_program("explain", model, "--certificate", path, "--json", model)[0], 64)

    def test_a_limit_ends_it(self):
        model = EXAMPLES / "btor2" / "ring_buffer_safe.btor2"
        path = self.evidence(model, "--certificate", "proof.btor2")
        code, out, err = self.run_program("explain", model, "--certificate", path, "--timeout", "0.001")
        self.assertEqual(code, 2, out + err)
        self.assertRegex(out, "^unknown .*: timeout|there may be fewer")


class Advice(ExplainTest):
    def test_of_a_timeout(self):
        model = self.write("hard.aag", support.HARD)
        code, out, err = self.run_program("check", model, "--timeout", "2", "--json", "r.json")
        self.assertEqual((code, out), (2, "unknown b0: timeout\n"), err)
        self.assertIn("b0: try --timeout 8", err)
        advice = json.loads((self.folder / "r.json").read_text())["results"][0]["advice"]
        self.assertEqual([f"b0: {line}" for line in advice], err.strip().split("\n"))
        code, out, err = self.run_program("check", model, "--timeout", "2", "-q")
        self.assertEqual((code, err), (2, ""))

    def test_of_a_timeout_says_how_far_the_engine_got(self):
        model = self.write("long.aag", support.counter(24, 2 ** 24 - 1))
        code, out, err = self.run_program("check", model, "--engine", "bmc", "--timeout", "2")
        self.assertEqual((code, out), (2, "unknown b0: timeout\n"), err)
        self.assertRegex(err, r"b0: reached bmc: step \d+")
        self.assertIn("b0: try --engine auto", err)

    def test_of_a_bound(self):
        model = self.write("safe.aag", support.SAFE)
        code, out, err = self.run_program("check", model, "--depth", "5")
        self.assertEqual((code, out), (2, "unknown o0: bound reached\n"), err)
        self.assertIn("--depth 10", err)

    def test_of_memory(self):
        model = self.write("hard.aag", support.HARD)
        code, out, err = self.run_program("check", model, "--memory", "30", "--timeout", "60")
        self.assertEqual((code, out), (2, "unknown b0: memory\n"), err)
        self.assertIn("--memory 60", err)


if __name__ == "__main__":
    support.main()
