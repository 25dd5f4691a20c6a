#!/usr/bin/env python3
"""Tests of the benchmark harness itself; a few seconds, no benchmark is run.
usage: selftest.py [--build FOLDER]"""
import argparse
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

import ablation
import contest
import harness
import instructions
import make_models
import report

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
META = {"files": 3, "seed": 1, "sample": 0, "timeout": 10.0, "jobs": 1, "date": "d", "cpu": "c",
        "cores": 2, "load": 0.5, "version": "0", "peers": "ABC 1", "commands": {}}
ROWS = [  # file, expected, contender, verdict, seconds
    ("aiger/a__x.aig", "safe", "abc", "safe", 1.0), ("aiger/a__x.aig", "safe", "ours", "safe", 0.1),
    ("aiger/a__y.aig", "unsafe", "abc", "unknown", 10.0),
    ("aiger/a__y.aig", "unsafe", "ours", "unsafe", 2.0),
    ("aiger/b__z.aig", "safe", "abc", "unsafe", 1.0),
    ("aiger/b__z.aig", "safe", "ours", "error", 0.5)]


class InFolder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def results(self):
        path = self.folder / "r.csv"
        with open(path, "w", newline="", encoding="utf-8") as f:
            table = csv.writer(f)
            table.writerow(contest.COLUMNS)
            table.writerows([*row, ""] for row in ROWS)
        path.with_suffix(".json").write_text(json.dumps(META), encoding="utf-8")
        return path


class Report(InFolder):
    def test_tally_counts_wrong_and_errors_as_unsolved(self):
        groups = report.by_contender(report.load(self.results()))
        abc, ours = (report.tally(groups[name], 10) for name in ("abc", "ours"))
        self.assertEqual((abc.solved, abc.safe, abc.wrong, abc.errors), (1, 1, 1, 0))
        self.assertAlmostEqual(abc.par2, (1 + 20 + 20) / 3)
        self.assertEqual((ours.solved, ours.unsafe, ours.wrong, ours.errors), (2, 1, 0, 1))

    def test_alone_names_what_nobody_else_solved(self):
        text = report.alone(report.by_contender(report.load(self.results())))
        self.assertIn("Only `ours` (1): `aiger/a__y.aig`", text)
        self.assertIn("`abc` but not `ours` (0): none", text)
        self.assertIn("Nobody (1): `aiger/b__z.aig`", text)

    def test_hand_written_text_survives_and_a_second_report_changes_nothing(self):
        page = self.folder / "benchmarks.md"
        page.write_text("# Mine\n\n<!-- begin generated: families -->\nold\n"
                        "<!-- end generated: families -->\n\nnotes\n", encoding="utf-8")
        report.write(self.results(), self.folder)
        once = page.read_text(encoding="utf-8")
        report.write(self.results(), self.folder)
        self.assertEqual(once, page.read_text(encoding="utf-8"))
        self.assertTrue(once.startswith("# Mine\n"))
        self.assertIn("\nnotes\n", once)
        self.assertNotIn("old", once)
        self.assertLess(once.index("| a | 2 | 1 | 2 |"), once.index("notes"))

    def test_plots_are_xml_with_a_mark_for_every_file(self):
        report.write(self.results(), self.folder)
        for name in ("cactus", "scatter_ours"):
            root = xml.parse(self.folder / "plots" / f"{name}.svg").getroot()
            self.assertTrue(root.tag.endswith("svg"))
        hints = [e.text for e in root.iter() if e.tag.endswith("title")]
        self.assertTrue(any("a__y.aig: abc unsolved, ours 2.00 s" in hint for hint in hints))


class Costs(InFolder):
    def test_wrapper_passes_the_exit_code_on_and_notes_the_peak(self):
        peak = harness.make_wrapper(self.folder)
        log = self.folder / "log"
        hungry = "x = bytearray(64 << 20); raise SystemExit(3)"
        done = subprocess.run([peak, log, "ours", "a,b.aig", sys.executable, "-S", "-c", hungry])
        self.assertEqual(done.returncode, 3)
        contender, rest = log.read_text().strip().split(",", 1)
        file, kb, cpu = rest.rsplit(",", 2)
        self.assertEqual((contender, file), ("ours", "a,b.aig"))
        self.assertGreater(int(kb), 64 << 10)
        self.assertGreater(float(cpu), 0)

    def test_costs_join_by_contender_and_file(self):
        target, log = self.results(), self.folder / "log"
        log.write_text("ours,../s/benchmarks/aiger/a__x.aig,2048,0.5\n")
        self.assertEqual(harness.add_costs(target, log), 3)
        peaks = [(r["file"], r["contender"], r["peak_kb"]) for r in report.load(target)
                 if r["peak_kb"]]
        self.assertEqual(peaks, [("aiger/a__x.aig", "ours", "2048")])


class Switches(InFolder):
    def test_processor_limit_ends_a_run(self):
        spin = [sys.executable, "-S", "-c", "while True: pass"]
        _, code, seconds, _ = ablation.measure(spin, 1)
        self.assertLess(code, 0)
        self.assertLess(seconds, 2)

    def test_default_comes_first_and_is_no_switch_itself(self):
        found = ablation.switches(BUILD / "lemmata")
        self.assertEqual(found[0], "")
        self.assertIn("ic3.lift=none", found)
        self.assertNotIn("ic3.infinity=on", found)

    def test_table_compares_with_the_default(self):
        target = self.folder / "a.csv"
        rows = [("f", "safe", "default", 1, "safe", 2.0, 1),
                ("f", "safe", "x=on", 1, "safe", 1.0, 1),
                ("g", "safe", "default", 1, "unknown", 5.0, 1),
                ("g", "safe", "x=on", 1, "safe", 4.0, 1)]
        with open(target, "w", newline="", encoding="utf-8") as f:
            csv.writer(f).writerows([ablation.COLUMNS, *rows])
        self.assertIn("| `x=on` | 2 of 2 | +1 −0 | 0 | 2.50 | 0.42 |",
                      ablation.table_of(target, 5))


class Instructions(InFolder):
    def test_more_than_the_tolerance_is_too_many(self):
        self.assertEqual(instructions.compare({"m": 104}, {"m": 100})[1], [])
        self.assertEqual(instructions.compare({"m": 106}, {"m": 100})[1], ["m"])
        self.assertEqual(instructions.compare({"new": 1}, {})[1], ["new"])

    def test_models_are_what_the_generator_makes_and_all_have_a_record(self):
        record = json.loads(instructions.RECORD.read_text(encoding="utf-8"))["instructions"]
        self.assertEqual(sorted(record), sorted(make_models.MODELS))
        for name, make in make_models.MODELS.items():
            self.assertEqual((ROOT / "bench" / "models" / name).read_text(), make(), name)


class Contest(InFolder):
    def test_lists_the_extra_folder_by_its_table(self):
        (self.folder / "expected.csv").write_text("file,expected\nm.aig,safe\nm.btor2,safe\n")
        os.environ["LEM_BENCH_DIR"] = str(self.folder)
        self.addCleanup(os.environ.pop, "LEM_BENCH_DIR")
        found = contest.models()
        self.assertEqual(found[-1], ("m.aig", self.folder / "m.aig", "safe"))
        self.assertIn("examples/aiger/peterson_safe.aag", [name for name, _, _ in found])

    def test_contenders_meet_on_the_same_files(self):
        options = argparse.Namespace(timeout=10.0, jobs=1)
        target = self.folder / "r.csv"
        lemmata = BUILD / "lemmata"
        chosen = [m for m in contest.models() if "peterson" in m[0]]
        contest.contest({"ours": f"{lemmata} check --engine ic3 --timeout {{timeout}} {{file}}",
                         "broken": "false"}, lemmata, chosen, options, target)
        rows = [(r["contender"], r["verdict"], r["wrong"]) for r in report.load(target)]
        self.assertEqual(rows, [("ours", "safe", False), ("broken", "error", False)])


if __name__ == "__main__":
    if "--build" in sys.argv:
        at = sys.argv.index("--build")
        BUILD = pathlib.Path(sys.argv[at + 1]).resolve()
        del sys.argv[at:at + 2]
    unittest.main()
