#!/usr/bin/env python3
"""Regressions: every model in tests/regress and examples, under every engine, certified.

What is expected stands in a file beside the model with .expected appended (the verdict lines as
printed), or in the name: ..._safe means that all properties hold, ..._unsafe that some fails. The
default engine must give exactly that; the others get less time and may also say unknown, since some
are incomplete, or refuse a model that they cannot take. Files in a folder named "bad" are refused instead, with the error line that stands in
their .expected file. If the shared benchmark collection lies beside the project, its smallest models
of each format are checked against their known verdicts as well."""
import collections
import csv
import json
import re
import time
import unittest

import support
from support import EXTENSIONS, ROOT, ProgramTest

SECONDS = 20
SECONDS_OF_OTHERS = 0.6
SECONDS_OF_SHARED = 20  # for all models of a format
SHARED = ROOT.parent / "shared" / "benchmarks"


def expected_lines(model):
    """The verdict lines, or the one word that all of them start with."""
    beside = model.with_name(model.name + ".expected")
    if beside.is_file():
        return beside.read_text().splitlines()
    for word in ("unsafe", "safe"):
        if model.stem.endswith("_" + word):
            return word
    return None


def models():
    found = [p for folder in ("tests/regress", "examples") for p in sorted((ROOT / folder).rglob("*"))
             if p.suffix in EXTENSIONS]
    return [(p, expected_lines(p)) for p in found if p.parent.name != "bad"]


def words(lines):
    return [line.split()[0] for line in lines]


def overall(lines):
    """One verdict for the file, as its exit code has it."""
    verdicts = words(lines)
    return next((word for word in ("unsafe", "unknown") if word in verdicts), "safe")


class Regress(ProgramTest):
    def verdicts(self, model, engine, seconds):
        """The verdict lines; None if the engine cannot take the model."""
        report = self.folder / "report.json"
        code, out, err = self.run_program("check", model, "--engine", engine, "--timeout", seconds,
                                          "--json", report)
        if code == 64:
            self.assertRegex(err, f"error: engine '{engine}' works on ", model.name)
            self.assertNotEqual(engine, "auto")
            return None
        self.assertIn(code, (0, 1, 2), f"{engine}: {err}")
        # In a portfolio another engine makes a rejected answer good; it is a fault all the same.
        stats = json.loads(report.read_text())["stats"]
        for count in ("app.rejected", "portfolio.contradiction"):
            self.assertEqual(stats.get(count, 0), 0, f"{engine}, {count}: {err}")
        return out.splitlines()

    def test_every_model_has_an_expected_verdict(self):
        self.assertGreater(len(models()), 0)
        self.assertEqual([str(p) for p, expected in models() if expected is None], [])

    def test_default_engine_gives_the_expected_verdicts(self):
        for model, expected in models():
            with self.subTest(model=model.name):
                got = self.verdicts(model, "auto", SECONDS)
                self.assertEqual(overall(got) if isinstance(expected, str) else got, expected)

    def test_no_engine_contradicts_the_expected_verdicts(self):
        engines = self.engines()
        for model, expected in models():
            if model.is_relative_to(ROOT / "examples") and model.suffix != ".aag":
                continue  # formats_test.py has them, with their evidence
            for engine in engines:
                with self.subTest(model=model.name, engine=engine):
                    got = self.verdicts(model, engine, SECONDS_OF_OTHERS)
                    if got is None:
                        continue
                    if isinstance(expected, str):
                        self.assertIn(overall(got), (expected, "unknown"))
                    else:
                        self.assertTrue(all(g in (w, "unknown") for g, w in
                                            zip(words(got), words(expected), strict=True)), got)


class FuzzModels(ProgramTest):
    def test_are_what_their_names_say(self):
        """The libFuzzer targets rest on it: evidence against a name is a wrong answer there."""
        files = sorted(p for p in (ROOT / "tests/fuzz/models").iterdir())
        self.assertEqual(len(files), 8)
        for file in files:
            with self.subTest(file=file.name):
                _, out, _ = self.run_program("check", file, "--timeout", SECONDS)
                self.assertEqual(overall(out.splitlines()), expected_lines(file))


class BadInput(ProgramTest):
    def test_is_refused_with_place_and_cause(self):
        files = sorted(p for p in (ROOT / "tests/regress").rglob("bad/*") if p.suffix in EXTENSIONS)
        self.assertEqual({f.suffix for f in files} - {".aag", ".aig"},
                         {".btor2", ".vmt", ".smt2", ".lus"})
        for file in files:
            with self.subTest(file=file.name):
                code, out, err = self.run_program("check", file)
                expected = file.with_name(file.name + ".expected").read_text()
                empty = "nothing to check" in expected
                self.assertEqual((code, out), (64 if empty else 65, ""))
                self.assertEqual(err.replace(str(file.parent) + "/", ""), expected)


class Shared(ProgramTest):
    def test_small_known_models_get_no_wrong_verdict(self):
        if not (SHARED / "expected.csv").is_file():
            self.skipTest("the shared benchmarks are not here")
        with open(SHARED / "expected.csv", newline="") as file:
            rows = [(r["format"], SHARED / r["file"], r["expected"]) for r in csv.DictReader(file)
                    if r["expected"] in ("safe", "unsafe")]
        # Of the folders called like a format: the others have what is refused or unknown today, such as
        # liveness and nonlinear clauses.
        for name in ("aiger", "btor2", "vmt", "chc", "lustre"):
            models = [(path, expected) for kind, path, expected in rows
                      if kind == name and path.parent.name == name and path.suffix in EXTENSIONS and path.is_file()]
            self.check_models(name, sorted(models, key=lambda m: (m[0].stat().st_size, m[0]))[:40])

    def test_encodings_of_one_problem_get_one_verdict(self):
        """Twelve problems exist as Lustre, VMT and CHC (some twice)."""
        if not (SHARED / "expected.csv").is_file():
            self.skipTest("the shared benchmarks are not here")
        encodings = collections.defaultdict(list)
        for folder in ("lustre", "vmt", "chc"):
            for path in sorted((SHARED / folder).iterdir()):
                problem = path.stem.split("__", 1)[-1].removesuffix("_000")
                encodings[problem].append(path)
        shared = {problem: paths for problem, paths in encodings.items()
                  if {path.parent.name for path in paths} == {"lustre", "vmt", "chc"}}
        self.assertGreaterEqual(len(shared), 12)
        for problem, paths in shared.items():
            with self.subTest(problem=problem):
                verdicts = {path.name: overall(self.run_program(
                    "check", path, "--engine", "ic3ia", "--timeout", 60)[1].splitlines())
                    for path in paths}
                self.assertIn(set(verdicts.values()), ({"safe"}, {"unsafe"}), verdicts)

    def check_models(self, name, models):
        start, checked, solved = time.monotonic(), 0, 0
        for model, expected in models:
            if time.monotonic() - start > SECONDS_OF_SHARED:
                break
            with self.subTest(model=model.name):
                code, out, err = self.run_program("check", model, "--timeout", 3)
                if code == 64:  # other tools count a file that claims nothing as proved
                    self.assertIn("nothing to check", err)
                    continue
                self.assertIn(code, (0, 1, 2), err)
                got = overall(out.splitlines())
                self.assertIn(got, (expected, "unknown"))
                checked += 1
                solved += got != "unknown"
        print(f"shared, {name}: {solved} of {checked} small models solved, none wrong")
        # Short runs beside other work: how many are solved is measured in bench/, not here.
        with self.subTest(format=name):
            self.assertGreater(solved, checked // 4)


if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    support.main()
