#!/usr/bin/env python3
"""Tests of the benchmark harness itself; a few seconds, no benchmark is run.
usage: selftest.py [--build FOLDER]"""
import argparse
import csv
import json
import os
import pathlib
import shutil
import sys
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree as xml

import ablation
import campaigns
import contest
import ctigar
import evidence
import figures
import harness
import instructions
import make_models
import report
import shares
import terms

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

    def results(self, name="r", rows=ROWS, meta=META, counters=()):
        """`rows` and what is left of them, the values of `counters`, as contest.py writes them."""
        path = self.folder / f"{name}.csv"
        with open(path, "w", newline="", encoding="utf-8") as f:
            table = csv.writer(f)
            table.writerow([*contest.COLUMNS, *counters])
            table.writerows([*row[:5], "", *row[5:]] for row in rows)
        path.with_suffix(".json").write_text(json.dumps(meta), encoding="utf-8")
        return path

    def hints(self, name):
        """Tooltips and titles of a plot."""
        root = xml.parse(self.folder / "plots" / f"{name}.svg").getroot()
        return [e.text for e in root.iter() if e.tag.endswith("title")]


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
        self.assertIn("ours: 2 solved", self.hints("cactus"))
        self.assertIn("aiger/a__y.aig: abc unsolved, ours 2.00 s", self.hints("scatter_ours"))


class Terms(InFolder):
    CHC = [("chc/f.smt2", "safe", "ic3ia", "safe", 1.0), ("chc/f.smt2", "safe", "z3", "unknown", 9)]
    LUSTRE = [("lustre/g.lus", "unsafe", "ic3ia", "unsafe", 3.0)]

    def suite(self, name, rows):
        commands = {contender: f"run {contender}" for contender in {row[2]: 0 for row in rows}}
        self.results(name, rows, {**META, "commands": commands})

    def test_table_is_made_of_the_suites_that_are_there(self):
        self.suite("chc", self.CHC)
        alone = terms.table(terms.load(self.folder))
        self.assertIn("| `chc` | `ic3ia` | 10 s | 1 of 1 | 1 | 0 | 0 | 0 | 1.00 | Z3 108", alone)
        self.assertIn("| `chc` | `z3` | 10 s | 0 of 1 | 0 | 0 | 0 | 0 | 20.00 |  |", alone)
        self.assertNotIn("`lustre`", alone)
        self.suite("lustre", self.LUSTRE)
        both = terms.table(terms.load(self.folder))
        kept = [line for line in alone.splitlines() if line.startswith(("| `chc`", "- Suite"))]
        self.assertEqual([line for line in kept if line not in both.splitlines()], [])
        self.assertIn("| `lustre` | `ic3ia` | 10 s | 1 of 1 | 0 | 1 |", both)

    def test_wrong_verdicts_are_named(self):
        self.suite("lustre", [("lustre/g.lus", "safe", "ic3ia", "unsafe", 3.0)])
        self.assertIn("- `ic3ia` on `lustre/g.lus`: expected safe, got unsafe",
                      terms.table(terms.load(self.folder)))

    def test_without_expected_verdicts_nothing_is_compared(self):
        self.suite("lustre", [("lustre/g.lus", "", "ic3ia", "unsafe", 3.0), ("lustre/h.lus", "unknown", "ic3ia", "safe", 1)])
        self.assertIn("| 2 of 2 | 1 | 1 | nothing compared | 0 |", terms.table(terms.load(self.folder)))

    def test_every_file_of_these_formats_is_in_one_suite(self):
        for row in harness.collection():
            if row["format"] in ("chc", "vmt", "lustre", "btor2"):
                held = [name for name, suite in terms.SUITES.items()
                        if row["file"].startswith(tuple(suite.prefixes))]
                self.assertEqual(len(held), 1, row["file"])

    def test_bundled_models_stand_in_for_every_suite(self):
        for name, suite in terms.SUITES.items():
            self.assertTrue(contest.models(suite.endings), name)


class Figures(InFolder):
    OTHER = "ic3ia:all-predicates"
    RUNS = [("f", "safe", "ic3ia", "safe", 1.0, 10), ("f", "safe", OTHER, "safe", 3.0, 20),
            ("g", "safe", "ic3ia", "safe", 2.0, 30), ("g", "safe", OTHER, "safe", 2.0, 30),
            ("h", "unsafe", "ic3ia", "unsafe", 2.0, 7), ("h", "unsafe", OTHER, "unknown", 10, 99)]

    def groups(self):
        return report.by_contender(report.load(
            self.results(rows=self.RUNS, counters=[figures.PREDICATES])))

    def test_block_compares_what_both_solved(self):
        text = figures.block("minimization", self.groups(), META, self.folder / "plots")
        self.assertIn("| `ic3ia` | 3 of 3 | 2 | 1 | 0 | 0 | 1.67 | 1 |", text)
        self.assertIn("| 2 files that both solved |", text)
        self.assertIn("| seconds | 3 | 5 | 2.00 | 1 | 0 | 1 |", text)
        self.assertIn("| predicates | 40 | 50 | 1.50 | 1 | 0 | 1 |", text)

    def test_plots_hold_unsolved_files_for_time_only(self):
        figures.block("minimization", self.groups(), META, self.folder / "plots")
        seconds, predicates = (self.hints(f"minimization_ic3ia-all-predicates_{what}")
                               for what in ("seconds", "predicates"))
        self.assertIn(f"h: {self.OTHER} unsolved, ic3ia 2.00 s", seconds)
        self.assertIn(f"f: {self.OTHER} 20, ic3ia 10", predicates)
        self.assertFalse(any(hint.startswith("h:") for hint in predicates))

    def test_nothing_in_common_is_no_comparison(self):
        rows = [("f", "safe", "ic3ia", "unknown", 9), ("f", "safe", "ic3smt", "safe", 1.0)]
        groups = report.by_contender(report.load(self.results(rows=rows)))
        text = figures.block("abstraction", groups, META, self.folder / "plots")
        self.assertIn("| 0 files that both solved |", text)
        self.assertNotIn("| seconds |", text)

    def test_lists_real_arithmetic_with_known_verdicts(self):
        if not harness.collection():
            self.skipTest("the shared collection is not here")
        found = figures.files(["vmt/cav12", "lustre/"], ["LRA"])
        self.assertTrue(any(name.startswith("vmt/cav12") for name, _, _ in found))
        self.assertTrue(all(path.exists() and expected in report.SOLVED
                            for _, path, expected in found))


class Ctigar(InFolder):
    COUNTERS = [ctigar.PREDICATES, ctigar.LIFTINGS, ctigar.LIFTED, *ctigar.REFINED, ctigar.SPURIOUS]
    CTI = [("f", "safe", "ctigar:CAL", "safe", 0.5, 20, 0, 0, 0, 0, 0),
           ("g", "safe", "ctigar:CAL", "safe", 0.7, 20, 0, 0, 0, 0, 0),
           ("f", "safe", "ctigar:CAL search", "safe", 1.5, 20, 8, 6, 0, 2, 3),
           ("g", "safe", "ctigar:CAL search", "unknown", 10.0, 90, 50, 0, 0, 9, 9),
           ("f", "safe", "ctigar:LLE", "unsafe", 1.0, 10, 4, 1, 1, 0, 0),
           ("g", "safe", "ctigar:LLE", "safe", 2.0, 30, 4, 1, 3, 0, 0),
           ("f", "safe", "ctigar:LLE search", "unknown", 10.0, 10, 4, 1, 1, 0, 0),
           ("g", "safe", "ctigar:LLE search", "safe", 4.0, 30, 4, 1, 3, 0, 0)]

    def groups(self):
        path = self.results(rows=self.CTI, counters=self.COUNTERS)
        return report.by_contender(report.load(path))

    def searches(self):
        return ctigar.searches(self.groups())

    def test_table_has_the_search_and_the_papers_figures_beside_ours(self):
        text = ctigar.table(self.groups())
        self.assertIn("| `ctigar:CAL` | 2 of 2 | 100 % | 0 | 1.2 | 1 of 2 | 50 % | 0 | 1.5 "
                      "| 92 of 110 | 84 % | 5880.7 |", text)
        self.assertIn("| `ctigar:LLE` | 1 of 2 | 50 % | 1 | 2.0 | 1 of 2 | 50 % | 0 | 4.0 "
                      "| 87 of 110 | 79 % | 7061.7 |", text)

    def test_liftings_are_of_searches_that_ended(self):
        text = ctigar.liftings(self.searches())
        self.assertIn("| `ctigar:CAL` | 8 | 75 % | 0 | 2 | 3 |", text)
        self.assertIn("| `ctigar:LLE` | 4 | 25 % | 3 | 0 | 0 |", text)

    def test_picture_has_a_mark_for_every_search_that_ended(self):
        ctigar.picture(self.searches(), 10.0, self.folder / "plots")
        hints = self.hints("ctigar_predicates")
        self.assertIn("ctigar:CAL, f: 20, 1.50 s", hints)
        self.assertIn("ctigar:LLE, g: 30, 4.00 s", hints)
        self.assertFalse(any("CAL, g" in hint or "LLE, f" in hint for hint in hints))

    def test_programs_have_the_arithmetic_of_their_verdict(self):
        if not harness.collection():
            self.skipTest("the shared collection is not here")
        found, arithmetic = ctigar.files(ctigar.SETS)
        self.assertGreater(len(found), 40)
        self.assertEqual(set(arithmetic.values()), {"int", "bv"})
        self.assertEqual(contest.fill("check --arith {arith} {file}", "a.c", 1, "int"),
                         ["check", "--arith", "int", "a.c"])


class Shares(InFolder):
    STATS = ("ic3ia.predicates                             17\n[ perf record: Woken up 1 times ]\n"
             "app.certify                               0.500 s\n"
             "app.total                                 4.000 s\n"
             "ic3ia.refine                              1.000 s\n"
             "ic3ia.solve                               2.000 s\n")
    PERF = ("# Overhead  Shared Object\n#\n    70.50%  libz3.so.4\n     4.50%  libcvc5.so.1\n"
            "    10.00%  lemmata\n    15.00%  libc.so.6\n\n#\n# (Tip: 5% of it)\n")

    def test_statistics_are_counters_and_timers(self):
        stats = contest.statistics(self.STATS)
        self.assertEqual((stats["ic3ia.predicates"], stats["app.total"], len(stats)), (17, 4.0, 5))

    def test_outside_is_what_no_timer_has(self):
        timers = shares.by_timer(contest.statistics(self.STATS))
        self.assertEqual((timers["refinement"], timers["outside"]), (1.0, 0.5))

    def test_samples_are_shared_out_by_library(self):
        found = shares.by_library(self.PERF)
        self.assertEqual([round(share, 3) for share in found.values()], [0.75, 0.1, 0.15])

    def test_table_weighs_runs_by_their_time(self):
        timers = shares.by_timer(contest.statistics(self.STATS))
        longer = {key: 3 * value for key, value in timers.items()}
        text = shares.table({
            "f": ("safe", timers, shares.by_library(self.PERF)),
            "g": ("safe", longer, {"solvers": 0.95, "lemmata": 0.05, "elsewhere": 0.0})})
        self.assertIn("| `f` | safe | 4.0 | 50% | 25% | 12% | 12% | 75% | 10% | 15% |", text)
        self.assertIn("| all |  | 16.0 | 50% | 25% | 12% | 12% | 90% | 6% | 4% |", text)

    def test_longest_solved_runs_of_one_contender(self):
        rows = report.load(self.results(rows=[
            ("f", "safe", "ic3ia", "safe", 1.0), ("g", "safe", "ic3ia", "safe", 5.0),
            ("h", "safe", "ic3ia", "unknown", 9.0), ("i", "safe", "auto", "safe", 8.0)]))
        self.assertEqual(shares.longest(rows, "ic3ia", 10), ["g", "f"])
        self.assertEqual(shares.longest(rows, "ic3ia", 1), ["g"])


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


class Evidence(unittest.TestCase):
    """The harness of c/loop-crafted/simple_array_index_value_1-2.i was compiled without its insertions."""

    def test_insertions_go_where_the_harness_says(self):
        program = "int main() {\n  int a; int b;\nERROR: goto ERROR;\n}\n"
        harness_text = ("int x;\n//   2:8, behind ';': { a = 1; }\n//   2:15, behind ';': { b = 2; }\n"
                        "//   2:15, behind ';': { c(); }\n//   3:6, behind ':': { error(); }\n")
        self.assertEqual(evidence.with_insertions(program, harness_text),
                         "int main() {\n  int a; { a = 1; } int b; { b = 2; } { c(); }\n"
                         "ERROR: { error(); } goto ERROR;\n}\n")

    def test_no_insertions_no_change(self):
        self.assertEqual(evidence.with_insertions("int a;\r\n", "// nothing\n"), "int a;\r\n")

    def test_insertions_for_another_program_are_refused(self):
        with self.assertRaises(ValueError):
            evidence.with_insertions("int a;\n", "//   1:5, behind ';': x\n")


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
                         "broken": "false"}, chosen, options, target)
        rows = [(r["contender"], r["verdict"], r["wrong"]) for r in report.load(target)]
        self.assertEqual(rows, [("ours", "safe", False), ("broken", "error", False)])

    def test_campaigns_write_the_same_table(self):
        options = argparse.Namespace(timeout=10.0, jobs=1, build=BUILD)
        target = self.folder / "r.csv"
        chosen = [m for m in contest.models() if "peterson" in m[0]]
        shown = "lemmata check --engine ic3 --timeout {timeout} {file}"
        peers = {"echo": {"command": "echo proved {file}", "safe": "proved"}, "mute": {"command": "true {file}"}}
        with unittest.mock.patch.dict(campaigns.PEERS, peers):
            files = campaigns.contest_by_campaign(
                {"ours": shown, "echo": "", "mute": ""}, options, chosen, target)
        self.assertEqual(files, 1)
        rows = [(r["file"], r["contender"], r["verdict"], r["wrong"]) for r in report.load(target)]
        name = "examples/aiger/peterson_safe.aag"
        self.assertEqual(rows, [(name, "ours", "safe", False), (name, "echo", "safe", False),
                                (name, "mute", "unknown", False)])
        self.assertTrue(all(int(r["peak_kb"]) > 0 for r in report.load(target)))

    def test_programs_over_integers_are_a_campaign_of_their_own(self):
        shown = "lemmata check --arith {arith} --timeout {timeout} {file}"
        self.assertEqual(campaigns.configuration("auto", shown, "int"), {"name": "auto", "arguments": ["--arith", "int"]})
        with unittest.mock.patch.object(campaigns, "run", side_effect=lambda c, o, m, t, a: [[m[0][0], "safe", a]]):
            files = campaigns.contest_by_campaign({"auto": shown}, None, [("c/a.c", "a.c", "safe"), ("c/b.c", "b.c", "safe")],
                                                  self.folder / "c.csv", {"c/b.c": "int"})
        self.assertEqual(files, 2)
        self.assertEqual((self.folder / "c.csv").read_text().splitlines()[1:], ["c/a.c,safe,bv", "c/b.c,safe,int"])

    def test_peers_answer_as_expected(self):
        """The commands as they are; ABC gets ASCII AIGER, which it does not read, converted."""
        clauses = self.folder / "up_to_five_safe.smt2"
        clauses.write_text("(set-logic HORN)\n(declare-fun P (Int) Bool)\n(assert (forall ((x Int)) (=> (= x 0) (P x))))\n"
                           "(assert (forall ((x Int) (y Int)) (=> (and (P x) (< x 5) (= y (+ x 1))) (P y))))\n"
                           "(assert (forall ((x Int)) (=> (and (P x) (> x 5)) false)))\n(check-sat)\n")
        listed = [*contest.models((".aag", ".smt2")), ("up_to_five_safe.smt2", clauses, "safe")]
        for peer, program, names in (("abc", "berkeley-abc", ("peterson_safe.aag", "counter_unsafe.aag")),
                                     ("z3", "z3", ("overflow_unsafe.smt2", "up_to_five_safe.smt2"))):
            with self.subTest(peer):
                if not shutil.which(program):
                    self.skipTest(f"{program} is not here")
                chosen = [m for m in listed if pathlib.Path(m[0]).name in names]
                self.assertEqual(len(chosen), 2)
                options = argparse.Namespace(timeout=20.0, jobs=1, build=BUILD)
                target = self.folder / f"{peer}.csv"
                campaigns.contest_by_campaign({peer: ""}, options, chosen, target)
                rows = report.load(target)
                self.assertEqual(len(rows), 2)
                self.assertEqual([r["verdict"] for r in rows], [r["expected"] for r in rows])


if __name__ == "__main__":
    if "--build" in sys.argv:
        at = sys.argv.index("--build")
        BUILD = pathlib.Path(sys.argv[at + 1]).resolve()
        del sys.argv[at:at + 2]
    unittest.main()
