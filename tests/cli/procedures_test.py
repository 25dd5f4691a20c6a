#!/usr/bin/env python3
"""Nonlinear Horn clauses as a user sees them: verdicts with evidence that validate, Z3 and cvc5 accept,
damaged evidence refused, conversion, reports. usage: procedures_test.py [--build FOLDER] [Class.test]"""
import json
import shutil
import subprocess
import unittest

import support
from support import ROOT, ProgramTest

SAFE = [ROOT / "examples/procedures/mccarthy91_safe.smt2", ROOT / "tests/regress/chc/procedures_safe.smt2"]
UNSAFE = [ROOT / "examples/procedures/fibonacci_unsafe.smt2", ROOT / "tests/regress/chc/forms_unsafe.smt2",
          ROOT / "tests/regress/chc/rules_unsafe.smt2",
          ROOT / "tests/regress/chc/unused_argument_unsafe.smt2",
          ROOT / "tests/regress/chc/arrays_unsafe.smt2"]
SECONDS = 30


class Procedures(ProgramTest):
    def check(self, model, *options):
        return self.run_program("check", model, "--timeout", SECONDS, *options)

    def test_safe_systems_have_an_interpretation_that_others_accept(self):
        for model in SAFE:
            for engine in ("auto", "spacer", "spacer:cores"):
                with self.subTest(model=model.name, engine=engine):
                    proof = self.folder / "proof.smt2"
                    code, out, err = self.check(model, "--engine", engine, "--certificate", proof)
                    self.assertEqual((code, out), (0, "safe query\n"), err)
                    code, out, err = self.run_program("validate", model, "--certificate", proof)
                    self.assertEqual((code, out), (0, "accepted query\n"), err)
                    for solver in (["z3"], ["cvc5", "--incremental"]):
                        if not shutil.which(solver[0]):
                            continue
                        said = subprocess.run([*solver, str(proof)], capture_output=True, text=True,
                                              timeout=60, check=False)
                        self.assertEqual(set(said.stdout.split()), {"unsat"}, solver)

    def test_unsafe_systems_have_a_derivation(self):
        for model in UNSAFE:
            for engine in ("auto", "spacer", "spacer:last"):
                with self.subTest(model=model.name, engine=engine):
                    witness = self.folder / "derivation.txt"
                    code, out, err = self.check(model, "--engine", engine, "--witness", witness)
                    self.assertEqual((code, out), (1, "unsafe query\n"), err)
                    code, out, err = self.run_program("validate", model, "--witness", witness)
                    self.assertEqual((code, out), (0, "accepted query\n"), err)

    def test_damaged_evidence_is_refused(self):
        model = UNSAFE[0]
        witness = self.folder / "derivation.txt"
        self.check(model, "--witness", witness)
        text = witness.read_text()
        self.assertIn("(values (n 2)", text)
        witness.write_text(text.replace("(values (n 2)", "(values (n 3)"))
        code, out, _ = self.run_program("validate", model, "--witness", witness)
        self.assertEqual(code, 70)
        self.assertIn("rejected", out)
        model, proof = SAFE[0], self.folder / "proof.smt2"
        self.check(model, "--certificate", proof)
        start = proof.read_text().index("(define-fun mc")
        end = proof.read_text().index("; clause 1")
        weak = "(define-fun mc ((x0 Int) (x1 Int)) Bool true)\n"
        proof.write_text(proof.read_text()[:start] + weak + proof.read_text()[end:])
        code, out, _ = self.run_program("validate", model, "--certificate", proof)
        self.assertEqual(code, 70)
        self.assertIn("clause 3 fails", out)

    def test_json_has_the_facts_and_the_predicates(self):
        report = self.folder / "report.json"
        self.check(UNSAFE[0], "--json", report)
        result = json.loads(report.read_text())["results"][0]
        self.assertTrue(result["certified"])
        self.assertEqual(result["trace"][-1]["fact"], "false")
        for number, step in enumerate(result["trace"], 1):
            self.assertTrue(all(premise < number for premise in step["premises"]))
        self.check(SAFE[0], "--json", report)
        result = json.loads(report.read_text())["results"][0]
        self.assertEqual([row["predicate"] for row in result["invariant"]], ["mc"])

    def test_clauses_are_converted_to_clauses_alone(self):
        for model in SAFE + UNSAFE:
            with self.subTest(model=model.name):
                again = self.folder / "again.smt2"
                code, _, err = self.run_program("convert", model, "-o", again)
                self.assertEqual(code, 0, err)
                word = "safe" if model in SAFE else "unsafe"
                self.assertEqual(self.check(again)[1], f"{word} query\n")
        code, _, err = self.run_program("convert", SAFE[0], "-o", self.folder / "no.vmt")
        self.assertEqual(code, 64)
        self.assertIn("nonlinear Horn clauses are written as .smt2 alone", err)

    def test_engines_for_other_models_refuse_them(self):
        for engine in ("ic3", "ic3ia", "ic3cfa", "bmc"):
            code, _, err = self.check(SAFE[0], "--engine", engine)
            self.assertEqual(code, 64, engine)
            self.assertIn(f"engine '{engine}' works on", err)
        code, _, err = self.check(ROOT / "examples/chc/two_loops_safe.smt2", "--engine", "spacer")
        self.assertEqual(code, 64)
        self.assertIn("engine 'spacer' works on Horn clauses: the model has no predicates", err)

    def test_reports_show_derivations_and_predicates(self):
        for model, word in ((SAFE[0], "define-fun mc"), (UNSAFE[0], "(fib 8 21)")):
            page = self.folder / "report.html"
            self.check(model, "--report", page)
            self.assertIn(word, page.read_text())


if __name__ == "__main__":
    support.main()
