#!/usr/bin/env python3
"""Reports as their readers see them: pages of every kind of model in headless Chromium.

The browser is that of browser.py. Without one its tests are skipped and say why; LEMMATA_PICTURES=DIR keeps
screenshots. `make bench NAME=reports` opens 40 pages."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import browser
import support
from support import ROOT, ProgramTest

EXAMPLES = ROOT / "examples"

CALLS = (ROOT / "tests" / "reports" / "calls_unsafe.c").read_text(encoding="utf-8").split("\n", 1)[1]  # without its comment
GEAR = """-- <script>window.injected = true</script>
type gear = enum { Park, Drive, Reverse };
node hold(lever: gear; brake: bool) returns (now: gear);
let
  now = Park -> if brake then lever else pre now;
tel
node top(lever: gear; brake: bool) returns (now: gear; moves: int);
let
  now = hold(lever, brake);
  moves = 0 -> if now <> pre now then pre moves + 1 else pre moves;
  --%PROPERTY "few moves" moves < 3;
  --%MAIN;
tel
"""
# Names that would be markup if they were not escaped.
HOSTILE = """(set-logic QF_LIA)
(declare-fun |x</script><img src=q onerror=injected=true>| () Int)
(declare-fun |x'| () Int)
(define-fun .n () Int (! |x</script><img src=q onerror=injected=true>| :next |x'|))
(define-fun .i () Bool (! (= |x</script><img src=q onerror=injected=true>| 0) :init true))
(define-fun .t () Bool (! (= |x'| (+ |x</script><img src=q onerror=injected=true>| 1)) :trans true))
(define-fun |<b>p</b>| () Bool (! (< |x</script><img src=q onerror=injected=true>| 3) :invar-property 0))
"""


def wide_counter(variables, steps):
    """A BTOR2 model with that many states and a counterexample of that many steps."""
    rows = ["1 sort bitvec 32", "2 zero 1", "3 one 1"]
    number = 4
    for i in range(variables):
        state = number
        rows += [f"{state} state 1 s{i}", f"{state + 1} init 1 {state} 2",
                 f"{state + 2} constd 1 {i + 1}", f"{state + 3} add 1 {state} {state + 2}",
                 f"{state + 4} next 1 {state} {state + 3}"]
        number += 5
    rows += [f"{number} sort bitvec 1", f"{number + 1} constd 1 {steps - 1}",
             f"{number + 2} eq {number} 4 {number + 1}", f"{number + 3} bad {number + 2}"]
    return "\n".join(rows) + "\n"


MODELS = {  # name of the page: file, text or example, arguments
    "c_bug": ("overflow_unsafe.c", EXAMPLES / "c/overflow_unsafe.c", []),
    "c_calls": ("calls.c", CALLS, []),
    "c_safe": ("lock_safe.c", EXAMPLES / "c/lock_safe.c", []),
    "verilog_bug": ("arbiter_unsafe.sv", EXAMPLES / "verilog/arbiter_unsafe.sv", []),
    "lustre_bug": ("gear.lus", GEAR, []),
    "c_two_files": ("queue_main.c", ROOT / "tests/reports/queue_main.c", [ROOT / "tests/reports/queue_part.c"]),
    "st_bug": ("tank_unsafe.scl", EXAMPLES / "st/tank_unsafe.scl", []),
    "st_safe": ("traffic_light_safe.st", EXAMPLES / "st/traffic_light_safe.st", []),
    "aiger_bug": ("token_ring_unsafe.aag", EXAMPLES / "aiger/token_ring_unsafe.aag", []),
    "vmt_bug": ("thermostat_unsafe.vmt", EXAMPLES / "vmt/thermostat_unsafe.vmt", ["--engine", "bmc"]),
    "chc_safe": ("two_loops_safe.smt2", EXAMPLES / "chc/two_loops_safe.smt2", ["--engine", "ic3ia"]),
    "verilog_safe": ("fifo_safe.sv", EXAMPLES / "verilog/fifo_safe.sv", []),
    "btor2_safe": ("ring_buffer_safe.btor2", EXAMPLES / "btor2/ring_buffer_safe.btor2", []),
    "chc_bug": ("overflow_unsafe.smt2", EXAMPLES / "chc/overflow_unsafe.smt2", []),
    "vmt_safe": ("bakery_safe.vmt", EXAMPLES / "vmt/bakery_safe.vmt", ["--engine", "ic3ia"]),
    "aiger_safe": ("peterson_safe.aag", EXAMPLES / "aiger/peterson_safe.aag", ["--engine", "ic3"]),
    "hostile": ("hostile.vmt", HOSTILE, ["--engine", "bmc"]),
    "many_steps": ("wide.btor2", wide_counter(200, 200), ["--engine", "bmc"]),
}


class Pages(ProgramTest):
    """All pages, made once."""
    made = None

    @classmethod
    def setUpClass(cls):
        if Pages.made is not None:
            return
        Pages.made = pathlib.Path(tempfile.mkdtemp(prefix="lemmata-report-"))
        unittest.addModuleCleanup(shutil.rmtree, Pages.made, ignore_errors=True)
        for name, (file, text, arguments) in MODELS.items():
            model = Pages.made / file
            model.write_text(text.read_text() if isinstance(text, pathlib.Path) else text)
            run = subprocess.run([support.ARGS.build / "lemmata", "check", file, "--report", f"{name}.html",
                                  *arguments], cwd=Pages.made, capture_output=True, text=True, timeout=300)
            assert run.returncode in (0, 1), f"{name}: {run.stderr}"

    def text(self, name):
        return (Pages.made / f"{name}.html").read_text()

    def data(self, name):
        found = re.search(r'<script type="application/json" id="data">(.*?)</script>', self.text(name), re.S)
        return json.loads(found.group(1))


class Data(Pages):
    def test_page_is_one_file_that_loads_nothing(self):
        for name in MODELS:
            page = self.text(name)
            self.assertRegex(page, r'<meta http-equiv="Content-Security-Policy" content="default-src \'none\';')
            self.assertNotRegex(page, r"<(?:link|img|iframe)\b|<script[^>]*\bsrc=")

    def test_large_trace_is_small_enough(self):
        self.assertEqual(self.data("many_steps")["results"][0]["trace"]["length"], 200)
        self.assertLess((Pages.made / "many_steps.html").stat().st_size, 3 << 20)

    def test_names_and_sources_add_no_markup(self):
        for name in ("hostile", "lustre_bug"):
            page = self.text(name)
            self.assertEqual(page.count("<script"), 2)
            self.assertEqual(page.count("</script"), 2)
            self.assertNotIn("<img", page)

    def test_command_and_versions_are_there(self):
        data = self.data("vmt_bug")
        self.assertEqual(data["command"],
                         "lemmata check thermostat_unsafe.vmt --report vmt_bug.html --engine bmc")
        self.assertEqual(dict(data["versions"])["lemmata"], data["version"])
        self.assertIn("bmc", " ".join(row[0] for row in data["options"]))

    def test_growth_has_the_engine_that_answered(self):
        data = self.data("c_safe")
        engines = {series["engine"].split("{")[0] for series in data["growth"]}
        self.assertIn(data["results"][0]["engine"].replace("auto: ", ""), engines)
        for series in data["growth"]:
            times = [sample["t"] for sample in series["samples"]]
            self.assertEqual(times, sorted(times))

    def test_lustre_has_enumerators_by_name(self):
        trace = self.data("lustre_bug")["results"][0]["trace"]
        values = {variable["name"]: variable["values"] for variable in trace["variables"]}
        self.assertLessEqual(set(values["now"]), {"Park", "Drive", "Reverse"})
        self.assertLessEqual(set(values["lever"]), {"Park", "Drive", "Reverse"})
        self.assertLessEqual(set(values["hold~1.pre.now"]), {"Park", "Drive", "Reverse"})  # was a number

    def test_reals_are_decimals(self):
        trace = self.data("vmt_bug")["results"][0]["trace"]
        values = {variable["name"]: variable["values"] for variable in trace["variables"]}
        self.assertRegex(" ".join(values["temp"]), r"^\d+\.\d+( \d+\.\d+)*$")

    def test_c_inputs_have_their_numbers(self):
        steps = self.data("c_bug")["results"][0]["trace"]["steps"]
        inputs = [text for step in steps for text in step.get("inputs", [])]
        self.assertEqual(len(inputs), 2)
        for text in inputs:
            self.assertRegex(text, r"^__VERIFIER_nondet_int\(\) = -?\d+$")

    def test_needed_lemmas_come_first_and_the_others_apart(self):
        proof = self.data("vmt_safe")["results"][0]["proof"]
        self.assertTrue(proof["minimal"])
        needed, others = ({text for place in proof[key] for text in place["formulas"]}
                          for key in ("places", "others"))
        self.assertTrue(others)
        self.assertGreater(len(needed), 3)
        self.assertFalse(needed & others)

    def test_proof_of_every_format_says_what_is_needed(self):
        for name in ("vmt_safe", "aiger_safe", "chc_safe", "c_safe", "st_safe"):
            proof = self.data(name)["results"][0]["proof"]
            if sum(place.get("count", 0) for place in proof["places"]) > 0:
                self.assertIn("minimal", proof, name)

    def test_report_of_a_run_that_was_stopped(self):
        self.write("hard.aag", support.HARD)
        code, out, _ = self.run_program("check", "hard.aag", "--timeout", "1", "--report", "r.html")
        self.assertEqual((code, out), (2, "unknown b0: timeout\n"))
        if (self.folder / "r.html").exists():  # not if the run had to be ended by force
            self.assertIn('"reason":"timeout"', (self.folder / "r.html").read_text())


class Browser(Pages):
    seen = None
    missing = ""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if Browser.seen is not None:
            return
        found, Browser.missing = browser.find_browser()
        if found is None:
            raise unittest.SkipTest(Browser.missing)
        Browser.seen = browser.visit(found, Pages.made, os.environ.get("LEMMATA_PICTURES"))
        for name, page in Browser.seen.items():
            assert "failed" not in page, f"{name}: {page['failed']}"

    def scenario(self, name):
        return Browser.seen[name]["scenario"]

    def test_no_page_has_a_fault(self):
        """Errors, requests, text beyond the screen or without contrast, a verdict that one must scroll to."""
        self.assertEqual(set(Browser.seen), set(MODELS))
        for name, page in Browser.seen.items():
            self.assertEqual(browser.faults(page), [], name)
            self.assertGreater(min(page["light"]["count"], page["dark"]["count"]), 20, name)

    def test_c_bug_starts_at_the_failure(self):
        start = self.scenario("c_bug")["start"]
        self.assertEqual(start["line"], 11)
        self.assertIn("reach_error", start["lineText"])
        self.assertTrue(start["lineInView"])
        self.assertRegex(start["reason"], r"^Violated\. overflow_unsafe\.c:11: .*nondet_int\(\) = ")
        self.assertTrue(any(row.startswith("middle-") for row in start["values"]), start["values"])

    def test_stepping_by_button_key_slider_and_click(self):
        seen = self.scenario("c_bug")
        self.assertEqual((seen["first"]["slider"], seen["first"]["line"]), (0, 7))
        self.assertEqual((seen["button"]["slider"], seen["button"]["line"]), (1, 8))
        self.assertEqual((seen["key"]["slider"], seen["key"]["line"]), (2, 9))
        self.assertEqual((seen["keyBack"]["slider"], seen["keyBack"]["line"]), (1, 8))
        self.assertEqual((seen["slider"]["slider"], seen["slider"]["line"]), (3, 10))
        self.assertEqual((seen["click"]["slider"], seen["click"]["line"]), (0, 7))
        self.assertEqual((seen["end"]["line"], seen["lineClick"]["line"]), (11, 11))
        self.assertEqual(seen["button"]["changed"], ["high"])
        self.assertEqual(seen["slider"]["changed"], ["middle"])
        self.assertEqual(len(seen["first"]["values"]), 1)  # what is not set yet is not shown
        self.assertEqual((seen["first"]["badges"], seen["end"]["badges"]), (["input"], ["input", "input"]))
        self.assertGreater(seen["flowNodes"], 2)

    def test_bug_in_the_second_file_is_shown_there(self):
        look = Browser.seen["c_two_files"]["look"]
        self.assertEqual(look["line"], 11)
        self.assertIn("assert(sum >= 0)", look["lineText"])
        self.assertIn("queue_part.c:11", look["where"])
        self.assertRegex(look["reason"], r"^Violated\. queue_part\.c:11: ")

    def test_calls_are_a_stack(self):
        start = self.scenario("c_calls")["start"]
        self.assertEqual(start["stack"], ["main at line 17", "add at line 11"])
        self.assertTrue(any(row.startswith("total") for row in start["values"]))
        self.assertFalse(any(row.startswith("x") for row in start["values"]))  # of clamp, which has returned

    def test_waveform_zooms_searches_pins_and_changes_the_base(self):
        seen = self.scenario("verilog_bug")
        self.assertGreater(seen["signals"], 4)
        self.assertAlmostEqual(seen["zoomed"] / seen["width"], 1.5, delta=0.1)
        self.assertAlmostEqual(seen["back"], seen["width"], delta=2)
        self.assertEqual(seen["found"], ["grant[3:0]"])
        self.assertEqual(seen["pinned"], seen["lastName"])
        self.assertEqual(seen["onlyPinned"], [seen["lastName"]])
        for base, form in (("hex", r"0x[0-9a-f]"), ("dec", r"\d+"), ("bin", r"0b[01]{4}")):
            self.assertTrue(any(re.fullmatch(form, text) for text in seen["radix"][base]), seen["radix"])
        self.assertEqual(seen["clicked"]["slider"], 0)
        self.assertIn("assert", seen["start"]["lineText"])

    def test_table_has_frozen_names_and_sets_the_step(self):
        seen = self.scenario("lustre_bug")
        self.assertEqual((seen["cell"]["slider"], seen["cell"]["column"]), (0, "0"))
        self.assertLess(abs(seen["frozen"]), 3)
        self.assertIn("few moves", seen["start"]["lineText"])

    def test_plc_runs_are_steps_and_cycles(self):
        look = Browser.seen["st_bug"]["look"]
        self.assertGreater(look["line"], 0)
        self.assertTrue(any("that matters" in badge or badge == "input" for badge in look["badges"])
                        or "cycle" in look["where"])
        self.assertIn("All cycles", look["headings"])

    def test_proofs_are_at_their_lines(self):
        for name in ("c_safe", "st_safe", "chc_safe", "vmt_safe", "aiger_safe"):
            self.assertRegex(Browser.seen[name]["look"]["reason"], r"^Proved\. The property ", name)
        self.assertIn("How the proof grew", Browser.seen["chc_safe"]["look"]["headings"])

    def test_lemmas_that_are_not_needed_are_folded(self):
        look = Browser.seen["vmt_safe"]["look"]
        self.assertRegex(look["reason"], r"None of them can be left out\. \d+ more lemmas, below, are not needed\.")
        seen = self.scenario("vmt_safe")
        self.assertLess(seen["before"], seen["after"])
        self.assertRegex(seen["summary"], r"^\d+ more lemmas that the proof does not need$")

    def test_hostile_names_run_nothing(self):
        seen = self.scenario("hostile")
        self.assertEqual((seen["injected"], seen["images"]), (False, 0))
        self.assertTrue(any("</script><img" in row for row in seen["start"]["values"]))

    def test_stepping_is_fast(self):
        self.assertLess(self.scenario("many_steps")["milliseconds"], 50)


if __name__ == "__main__":
    support.main()
