#!/usr/bin/env python3
"""BTOR2, VMT, CHC and Lustre as a user sees them: every example under every engine that takes it, its
evidence validated, damaged evidence refused, certificates given to Z3 and cvc5, conversions between
all formats, limits. usage: formats_test.py [--build FOLDER] [TestClass.test_name]"""
import json
import re
import shutil
import signal
import subprocess
import time
import unittest

import support
from support import EXTENSIONS, ROOT, ProgramTest

SECONDS = 20
SECONDS_OF_OTHERS = 2
BOUNDS = ["--set", "bmc.max-depth=20", "--set", "kind.max-k=8"]
SHARED = ROOT.parent / "shared" / "benchmarks"

EXAMPLES = sorted(p for folder in ("btor2", "chc", "lustre", "vmt")
                  for p in (ROOT / "examples" / folder).iterdir() if p.suffix in EXTENSIONS)
# Over bit-vectors and small arrays; the others have integers or reals.
WORDS = {"average_unsafe", "ring_buffer_safe", "overflow_unsafe"}

BTOR2_SAFE = ROOT / "examples/btor2/ring_buffer_safe.btor2"
BTOR2_UNSAFE = ROOT / "examples/btor2/average_unsafe.btor2"
CHC_SAFE = ROOT / "examples/chc/two_loops_safe.smt2"
CHC_UNSAFE = ROOT / "examples/chc/overflow_unsafe.smt2"
LUSTRE_SAFE = ROOT / "examples/lustre/counter_safe.lus"
LUSTRE_UNSAFE = ROOT / "examples/lustre/counter_unsafe.lus"
VMT_SAFE = ROOT / "examples/vmt/bakery_safe.vmt"
VMT_UNSAFE = ROOT / "examples/vmt/thermostat_unsafe.vmt"
AIGER_SAFE = ROOT / "examples/aiger/peterson_safe.aag"
AIGER_UNSAFE = ROOT / "examples/aiger/mutex_race_unsafe.aag"

# Two factors of 32 bits that never change; their product is the largest prime below 2^62.
HARD = """1 sort bitvec 1
2 sort bitvec 32
3 sort bitvec 64
4 state 2 a
5 next 2 4 4
6 state 2 b
7 next 2 6 6
8 uext 3 4 32
9 uext 3 6 32
10 mul 3 8 9
11 constd 3 4611686018427387847
12 eq 1 10 11
13 one 2
14 ult 1 13 4
15 ult 1 13 6
16 and 1 14 15
17 and 1 12 16
18 bad 17
"""


def expected(model):
    return "unsafe" if model.stem.endswith("_unsafe") else "safe"


def overall(verdicts):
    return next((word for word in ("unsafe", "unknown") if word in verdicts), "safe")


def with_invariant(script, body):
    """The certificate with another definition of inv."""
    start = script.index("(define-fun inv ")
    params = script.index("(", start + 1)
    ends, depth = [], 0
    for at in range(start, len(script)):
        depth += {"(": 1, ")": -1}.get(script[at], 0)
        if depth == 1 and script[at] == ")" and not ends:
            ends.append(at + 1)
        if depth == 0:
            return (script[:start] + "(define-fun inv " + script[params:ends[0]] + f" Bool {body})"
                    + script[at + 1:])
    raise ValueError("the definition of inv does not end")


class TermTest(ProgramTest):
    def engines_on(self):
        """Names of engines, and of those among them that work on bits alone."""
        models = self.models_of_engines()
        names = self.engines()
        return names, {name for name in names if models[name] == "AIGER; others after bit-blasting"}

    def validate(self, model, option, path):
        """Both programs give the same answer: (exit code, standard output)."""
        one = self.run_program("validate", model, option, path)
        two = self.run_program(model, option, path, program="lemmata-validate")
        self.assertEqual(one[:2], two[:2], (one[2], two[2]))
        return one[:2]

    def accepted(self, model, option, path, name=None):
        """Returns the property that the evidence is accepted for."""
        code, out = self.validate(model, option, path)
        self.assertEqual(code, 0, out)
        self.assertRegex(out, r"\Aaccepted .+\n\Z")
        self.assertIn(name, (None, out[9:-1]))
        return out[9:-1]

    def refused(self, code, model, option, path):
        got, out = self.validate(model, option, path)
        self.assertEqual(got, code, out)
        self.assertEqual(out.startswith("rejected: "), code == 70, out)

    def check(self, model, *more, like=None):
        """Runs an engine that solves the model (made from `like`); returns standard output."""
        words = (like or model).suffix == ".aag" or (like or model).stem in WORDS
        code, out, err = self.run_program("check", model, "--timeout", SECONDS, "--engine",
                                          "ic3" if words else "ic3ia", *more)
        self.assertIn(code, (0, 1), f"{model.name}: {out}{err}")
        return out

    def text(self, name):
        return (self.folder / name).read_text()


class Examples(TermTest):
    def run_engine(self, model, engine, seconds, certificate=".smt2"):
        """Checks with all outputs on, validates every file of evidence; returns the verdicts."""
        for old in self.folder.iterdir():
            old.unlink()
        code, out, err = self.run_program(
            "check", model, "--engine", engine, "--timeout", seconds, *BOUNDS, "--witness", "w.txt",
            "--certificate", "c" + certificate, "--json", "r.json", "--report", "r.html")
        if code == 64:
            return err
        self.assertIn(code, (0, 1, 2), err)
        results = json.loads(self.text("r.json"))["results"]
        self.assertEqual([f"{r['verdict']} {r['property']}" + (f": {r['reason']}" if r["reason"] else "")
                          for r in results], out.splitlines())
        verdicts = [r["verdict"] for r in results]
        self.assertEqual(code, {"safe": 0, "unsafe": 1, "unknown": 2}[overall(verdicts)])
        self.assertEqual(len(list(self.folder.glob("w*"))), verdicts.count("unsafe"))
        self.assertEqual(len(list(self.folder.glob("c*"))), verdicts.count("safe"))
        proved = {"w": [], "c": []}
        for path in self.folder.glob("[wc]*"):
            option = "--witness" if path.name[0] == "w" else "--certificate"
            proved[path.name[0]].append(self.accepted(model, option, path.name))
        for kind, verdict in (("w", "unsafe"), ("c", "safe")):
            self.assertEqual(sorted(proved[kind]),
                             sorted(r["property"] for r in results if r["verdict"] == verdict))
        self.assertIn('"stats":[[', self.text("r.html"))
        return verdicts

    def test_default_engine_solves_them_with_evidence(self):
        self.assertGreaterEqual(len(EXAMPLES), 10)
        for model in EXAMPLES:
            with self.subTest(model=model.name):
                self.assertEqual(overall(self.run_engine(model, "auto", SECONDS)), expected(model))

    def test_every_engine_that_takes_them_gives_valid_evidence(self):
        engines, on_bits = self.engines_on()
        self.assertLessEqual({"ic3", "fsis"}, on_bits)
        for model in EXAMPLES:
            for engine in engines:
                with self.subTest(model=model.name, engine=engine):
                    got = self.run_engine(model, engine, SECONDS_OF_OTHERS)
                    if engine in on_bits and model.stem not in WORDS:
                        self.assertRegex(got, rf"^[^\n]+: error: engine '{engine}' works on bits: the "
                                              r"model has (integers|reals)\n$")
                    else:
                        self.assertIn(overall(got), (expected(model), "unknown"))

    def test_engines_on_words_give_witness_circuits(self):
        for engine in ("ic3", "ic3ia", "auto"):
            with self.subTest(engine=engine):
                verdicts = self.run_engine(BTOR2_SAFE, engine, SECONDS, ".btor2")
                self.assertEqual(overall(verdicts), "safe")
                self.assertRegex(self.text("c.btor2"), r"(?m)^; WITNESS b0 ring_buffer_safe\.btor2$")

    def test_engines_on_terms_take_aiger(self):
        for engine in ("ic3ia", "bmc", "kind"):
            self.expect(1, "unsafe both_critical\n", "check", AIGER_UNSAFE, "--engine", engine,
                        "--witness", f"{engine}.cex")
            self.accepted(AIGER_UNSAFE, "--witness", f"{engine}.cex")
        self.expect(0, "safe both_critical\n", "check", AIGER_SAFE, "--engine", "ic3ia",
                    "--certificate", "c.aag")
        self.accepted(AIGER_SAFE, "--certificate", "c.aag")


class Forms(TermTest):
    def test_json_shows_traces_and_invariants_as_text(self):
        self.check(VMT_UNSAFE, "--json", "r.json")
        result = json.loads(self.text("r.json"))["results"][0]
        self.assertEqual((result["verdict"], result["certified"], result["invariant"]),
                         ("unsafe", True, None))
        self.assertEqual(result["trace"][0]["state"], {"heat": "false", "temp": "20.0"})
        self.assertEqual(list(result["trace"][0]["input"]), ["gain"])
        self.assertEqual(result["depth"], len(result["trace"]) - 1)
        self.check(VMT_SAFE, "--json", "r.json")
        result = json.loads(self.text("r.json"))["results"][0]
        self.assertEqual((result["verdict"], result["trace"]), ("safe", None))
        self.assertIsInstance(result["invariant"], (str, dict))

    def test_traces_of_lustre_show_outputs(self):
        self.check(LUSTRE_UNSAFE, "--witness", "w.txt", "--json", "r.json",
                   "--report", "r.html")
        self.assertRegex(self.text("w.txt"), r"(?m)^observed +n +0 +1 ")
        trace = json.loads(self.text("r.json"))["results"][0]["trace"]
        self.assertEqual(trace[-1]["observed"]["n"], "10")
        self.assertIn('"name":"n","scope":"","role":"derived","values":["0","1"', self.text("r.html"))

    def test_report_shows_traces_and_invariants(self):
        self.check(VMT_UNSAFE, "--report", "r.html")
        self.assertIn('"name":"temp","scope":"","role":"state","values":["20.0"', self.text("r.html"))
        self.check(CHC_SAFE, "--report", "r.html")
        self.assertRegex(self.text("r.html"), '"proof":{"kind":"[^"]*invariant[^"]*","places":')

    def test_waveforms_are_for_bits(self):
        for model in (BTOR2_UNSAFE, AIGER_UNSAFE):
            self.check(model, "--witness", "w.vcd")
            self.assertIn("$enddefinitions", self.text("w.vcd"))
        self.assertRegex(self.text("w.vcd"), r"(?m)^#0$")

    def test_form_that_does_not_fit_is_refused_before_the_run(self):
        hard = self.write("hard.btor2", HARD)
        wrong = [(VMT_UNSAFE, "--witness", "w.vcd"), (LUSTRE_UNSAFE, "--witness", "w.vcd"),
                 (CHC_UNSAFE, "--certificate", "c.aag"), (VMT_SAFE, "--certificate", "c.btor2"),
                 (hard, "--certificate", "c.aig"), (hard, "--witness", "w.json"),
                 (AIGER_SAFE, "--certificate", "c.smt2"), (AIGER_SAFE, "--witness", "w.json")]
        for model, option, path in wrong:
            with self.subTest(model=model.name, path=path):
                for command in (["check", model, option, path], ["validate", model, option, path]):
                    code, out, err = self.run_program(*command)
                    self.assertEqual((code, out), (64, ""), err)
                    self.assertRegex(err, r"^[^\n]+: error: evidence about \w+ models has another "
                                          r"form: [^\n]+\n$")
        self.assertEqual(self.run_program("validate", BTOR2_UNSAFE, "--witness", "w.vcd")[0], 64)

    def test_missing_evidence_exits_66(self):
        for model in (BTOR2_SAFE, CHC_SAFE, LUSTRE_SAFE, VMT_SAFE):
            for option, path in (("--witness", "nowhere"), ("--certificate", "nowhere.smt2")):
                self.assertEqual(self.validate(model, option, path), (66, ""))


class DamagedEvidence(TermTest):
    def each(self, model, option, name, mutants):
        for what, (code, text) in mutants.items():
            with self.subTest(model=model.name, what=what):
                self.write(name, text)
                self.refused(code, model, option, name)

    def test_witnesses_of_btor2(self):
        self.check(BTOR2_UNSAFE, "--witness", "w.txt")
        text = self.text("w.txt")
        last = text.rindex("\n#") + 1
        self.each(BTOR2_UNSAFE, "--witness", "m.txt", {
            "other start": (70, re.sub(r"(?m)^0 0{8}( low)", r"0 00000001\1", text, count=1)),
            "last frame missing": (70, text[:last] + ".\n"),
            "no end": (65, text.removesuffix(".\n")), "empty": (65, ""),
            "other property": (65, text.replace("\nb0\n", "\nb7\n")),
            "says unsat": (65, text.replace("sat", "unsat", 1)),
            "too wide": (65, text.replace("0 00000000", "0 000000000", 1)),
            "letters": (65, text.replace("0 00000000", "0 0000a000", 1)),
        })
        self.refused(65, BTOR2_UNSAFE, "--witness", BTOR2_UNSAFE)

    def test_tables(self):
        self.check(VMT_UNSAFE, "--witness", "w.txt")
        lines = self.text("w.txt").splitlines(keepends=True)
        rows = {line.split()[1]: i for i, line in enumerate(lines) if line.startswith("state")}

        def changed(name, edit):
            copy = list(lines)
            copy[rows[name]] = edit(copy[rows[name]])
            return "".join(copy)
        self.each(VMT_UNSAFE, "--witness", "m.txt", {
            "other start": (70, changed("heat", lambda row: row.replace("false", "true", 1))),
            "missing row": (65, changed("heat", lambda row: "")),
            "twice": (65, changed("heat", lambda row: row + row)),
            "another sort": (65, changed("temp", lambda row: row.replace("20.0", "true", 1))),
            "value missing": (65, changed("heat", lambda row: row.replace("false", "", 1))),
            "other property": (65, "".join(lines).replace("p0", "p1")),
            "garbage": (65, "hello\n"), "open": (65, "state ("), "empty": (65, ""),
        })

    def test_json_witnesses(self):
        self.check(LUSTRE_UNSAFE, "--witness", "w.json")
        self.accepted(LUSTRE_UNSAFE, "--witness", "w.json")
        good = json.loads(self.text("w.json"))

        def changed(edit):
            copy = json.loads(self.text("w.json"))
            edit(copy)
            return json.dumps(copy)
        self.assertEqual(good["property"], "below ten")
        self.each(LUSTRE_UNSAFE, "--witness", "m.json", {
            "cut": (65, self.text("w.json")[:100]), "empty": (65, ""), "a list": (65, "[]"),
            "shorter": (70, changed(lambda w: w["trace"].pop())),
            "no steps": (65, changed(lambda w: w["trace"].clear())),
            "false output": (70, changed(lambda w: w["trace"][3]["observed"].update(n="7"))),
            "other property": (65, changed(lambda w: w.update(property="above ten"))),
            "missing": (65, changed(lambda w: w["trace"][1]["state"].popitem())),
            "a number": (65, changed(lambda w: w["trace"][1]["observed"].update(n=1))),
        })

    def test_certificates_in_smt_lib(self):
        for model in (CHC_SAFE, VMT_SAFE, LUSTRE_SAFE, BTOR2_SAFE):
            self.check(model, "--certificate", "c.smt2")
            text = self.text("c.smt2")
            start = text.index("(define-fun inv ")
            self.each(model, "--certificate", "m.smt2", {
                "nothing reachable": (70, with_invariant(text, "false")),
                "cut": (65, text[:start + 20]), "no invariant": (65, text[:start]),
                "k is 0": (65, re.sub(r"lemmata-k \d+", "lemmata-k 0", text)),
                "other property": (65, re.sub(r"lemmata-property .*", "lemmata-property zz)", text)),
                "another sort": (65, with_invariant(text, "3")),
            })
            if model != LUSTRE_SAFE:  # whose property is inductive
                self.write("m.smt2", re.sub(r"lemmata-k \d+", "lemmata-k 1",
                                            with_invariant(text, "true")))
                self.refused(70, model, "--certificate", "m.smt2")

    def test_witness_circuits_of_btor2(self):
        self.check(BTOR2_SAFE, "--certificate", "c.btor2")
        text = self.text("c.btor2")
        bad = re.search(r"(?m)^\d+ bad (\d+)", text)
        self.each(BTOR2_SAFE, "--certificate", "m.btor2", {
            "the negation": (70, text.replace(bad[0], bad[0].replace(bad[1], f"-{bad[1]}"))),
            "no bad state": (65, text.replace(bad[0], "")), "cut": (65, text[:bad.start() + 8]),
            "other property": (65, text.replace("WITNESS b0", "WITNESS b3")),
        })
        self.write("itself.btor2", BTOR2_SAFE.read_text())
        self.refused(70, BTOR2_SAFE, "--certificate", "itself.btor2")

    def test_evidence_of_another_model_is_refused(self):
        self.check(CHC_SAFE, "--certificate", "c.smt2")
        self.refused(65, VMT_SAFE, "--certificate", "c.smt2")
        weaker = self.write("weaker.smt2", CHC_SAFE.read_text().replace("(+ y 2)", "(- y 2)"))
        self.refused(70, weaker, "--certificate", "c.smt2")


class OtherSolvers(TermTest):
    """What we prove, Z3 and cvc5 prove as well, from our files alone."""

    def answers(self, name):
        solvers = {"z3": ["z3", name], "cvc5": ["cvc5", "--incremental", name]}
        found = {s: c for s, c in solvers.items() if shutil.which(s)}
        if not found:
            self.skipTest("neither z3 nor cvc5 is installed")
        return {solver: subprocess.run(command, capture_output=True, text=True, cwd=self.folder,
                                       timeout=120).stdout.split() for solver, command in found.items()}

    def test_they_answer_unsat_to_every_obligation(self):
        for model in EXAMPLES:
            if expected(model) == "unsafe":
                continue
            for old in self.folder.glob("*.smt2"):
                old.unlink()
            self.check(model, "--certificate", "c.smt2")
            for path in sorted(self.folder.glob("*.smt2")):
                for solver, words in self.answers(path.name).items():
                    with self.subTest(model=model.name, file=path.name, solver=solver):
                        self.assertGreaterEqual(len(words), 3)
                        self.assertEqual(set(words), {"unsat"})

    def test_k_induction_is_proved_alike(self):
        self.expect(0, "safe ok\n", "check", LUSTRE_SAFE, "--engine", "kind", "--certificate", "c.smt2")
        for solver, words in self.answers("c.smt2").items():
            self.assertEqual(set(words), {"unsat"}, solver)

    def test_they_do_not_for_a_false_invariant(self):
        self.check(CHC_SAFE, "--certificate", "c.smt2")
        for body in ("true", "false"):
            self.write("m.smt2", with_invariant(self.text("c.smt2"), body))
            for solver, words in self.answers("m.smt2").items():
                self.assertIn("sat", words, solver)


class Conversions(TermTest):
    TARGETS = ("a.aag", "a.btor2", "a.vmt", "a.smt2")

    def convertible(self, model, target):
        bits = target.endswith((".aag", ".btor2"))
        return not bits or model.suffix == ".aag" or model.stem in WORDS

    def test_verdicts_stay_between_all_formats(self):
        for model in (AIGER_SAFE, AIGER_UNSAFE, BTOR2_SAFE, BTOR2_UNSAFE, CHC_SAFE, CHC_UNSAFE,
                      LUSTRE_SAFE, LUSTRE_UNSAFE, VMT_SAFE, VMT_UNSAFE):
            for target in self.TARGETS:
                if not self.convertible(model, target):
                    continue
                with self.subTest(model=model.name, target=target):
                    self.expect(0, "", "convert", model, "-o", target)
                    out = self.check(self.folder / target, like=model)
                    self.assertEqual(overall([row.split()[0] for row in out.splitlines()]),
                                     expected(model))

    def test_round_trips_keep_the_verdict(self):
        for model in (BTOR2_SAFE, BTOR2_UNSAFE, CHC_UNSAFE):
            last = model
            for target in ("a.vmt", "b.btor2", "c.smt2", "d.aig", "e.btor2", "f.aag"):
                self.expect(0, "", "convert", last, "-o", target)
                last = self.folder / target
            out = self.check(last, like=model)
            self.assertEqual(out.split()[0], expected(model), model.name)

    def test_properties_keep_order_and_where_possible_names(self):
        model = ROOT / "tests/regress/btor2/two_properties.btor2"
        for target, lines in (("a.aag", "safe five\nunsafe three\n"), ("a.vmt", "safe p0\nunsafe p1\n"),
                              ("a.btor2", "safe five\nunsafe three\n"), ("a.smt2", "unsafe query\n")):
            self.expect(0, "", "convert", model, "-o", target)
            self.assertEqual(self.check(self.folder / target, like=BTOR2_SAFE), lines)

    def test_names_with_line_ends_survive_or_change(self):
        model = self.write("m.vmt", "(declare-fun |a\nb| () Bool) (declare-fun |;\nj| () Bool)"
                           "(define-fun s () Bool (! |a\nb| :next |n|))"
                           "(define-fun i () Bool (! (not |a\nb|) :init true))"
                           "(define-fun t () Bool (! (= n |;\nj|) :trans true))"
                           "(define-fun p () Bool (! (not |a\nb|) :invar-property 0))")
        for target in (*self.TARGETS, "a.aig"):
            self.expect(0, "", "convert", model, "-o", target)
            self.assertRegex(self.check(self.folder / target), r"^unsafe \w+\n$")

    def test_what_a_format_cannot_say_is_a_usage_error(self):
        for model in (CHC_SAFE, LUSTRE_SAFE, VMT_SAFE, VMT_UNSAFE):
            for target in ("a.aag", "a.aig", "a.btor2"):
                code, out, err = self.run_program("convert", model, "-o", target)
                self.assertEqual((code, out), (64, ""))
                self.assertRegex(err, r": error: cannot write (AIGER|BTOR2): the model has [^\n]*\n$")
        code, out, err = self.run_program("convert", CHC_SAFE, "-o", "a.lus")
        self.assertEqual((code, out), (64, ""))
        self.assertIn("cannot convert to '.lus'", err)
        self.assertEqual(list(self.folder.iterdir()), [])


class Refusals(TermTest):
    def refusal(self, code, *arguments):
        got, out, err = self.run_program(*arguments)
        self.assertEqual((got, out), (code, ""), err)
        self.assertRegex(err, r"^[^\n]*error: [^\n]+\n$", "one line")
        return err

    def test_a_bit_level_engine_refuses_integers_before_it_runs(self):
        text = "node top(a: bool; n: int) returns (x: bool; s: int);\nlet\n  x = true -> pre x or a;\n" \
               "  s = 0 -> pre s + n;\n  check \"flag\" x;\n  check \"sum\" s < 10;\ntel\n"
        model = self.write("mixed.lus", text)
        self.assertIn("engine 'ic3' works on bits: the model has integers",
                      self.refusal(64, "check", model, "--engine", "ic3", "--json", "r.json"))
        self.assertEqual([p.name for p in self.folder.iterdir()], ["mixed.lus"])
        # The other property needs no integers.
        self.expect(0, "safe flag\n", "check", model, "--engine", "ic3", "--property", "flag")

    def test_integers_in_a_property_over_bits_are_seen(self):
        model = self.write("m.vmt", """(declare-fun x () Bool) (declare-fun x.n () Bool)
            (declare-fun y () Bool) (declare-fun y.n () Bool)
            (define-fun a () Bool (! x :next x.n)) (define-fun b () Bool (! y :next y.n))
            (define-fun i () Bool (! (and x y) :init true))
            (define-fun t () Bool (! (and (= x.n (not y)) (= y.n x)) :trans true))
            (define-fun p () Bool (! (< (mod (+ (ite x 1 2) (ite y 5 2)) 3) 3) :invar-property 0))""")
        self.refusal(64, "check", model, "--engine", "ic3")
        self.refusal(64, "convert", model, "-o", "m.aag")
        self.expect(0, "safe p0\n", "check", model, "--engine", "ic3ia")

    def test_wrong_words_are_usage_errors(self):
        self.assertIn("'nothing'", self.refusal(64, "check", VMT_SAFE, "--property", "nothing"))
        self.assertIn("no preset", self.refusal(64, "check", VMT_SAFE, "--engine", "ic3ia:magic"))
        self.refusal(64, "check", VMT_SAFE, "--set", "ic3ia.magic=1")
        self.refusal(64, "check", self.write("a.btor3", HARD))
        self.refusal(66, "check", "nowhere.vmt")

    def test_truncated_files_are_refused_or_say_less(self):
        """No crash, whatever the place; what is cut off may be a whole model again."""
        for model in (BTOR2_SAFE, CHC_UNSAFE, LUSTRE_SAFE, VMT_UNSAFE):
            text = model.read_bytes()
            for length in range(0, len(text), max(1, len(text) // 25)):
                path = self.write("cut" + model.suffix, text[:length])
                code, _, err = self.run_program("check", path, "--engine", "bmc", "--timeout", "2",
                                                "--set", "bmc.max-depth=1")
                self.assertIn(code, (64, 65, 0, 1, 2), f"{model.name} at {length}: {err}")
                if code == 65:
                    self.assertRegex(err, r"^[^\n]+: error: [^\n]+\n$")

    def test_malformed_benchmarks_are_refused(self):
        files = sorted((SHARED / "malformed").glob("*.btor2"))
        if not files:
            self.skipTest("the shared benchmarks are not here")
        for file in files:
            with self.subTest(file=file.name):
                self.assertRegex(self.refusal(65, "check", file), r":\d+:\d+: error: ")


class Limits(TermTest):
    def test_timeout_ends_every_engine_in_time(self):
        model = self.write("hard.btor2", HARD)
        for engine in self.engines():
            with self.subTest(engine=engine):
                start = time.monotonic()
                self.expect(2, "unknown b0: timeout\n", "check", model, "--engine", engine,
                            "--timeout", "0.7", "--witness", "w", "--certificate", "c.smt2")
                self.assertLess(time.monotonic() - start, 0.7 + 1.0)
        self.assertEqual([p.name for p in self.folder.iterdir()], ["hard.btor2"])

    def test_verdicts_before_the_timeout_are_in_the_json(self):
        lines = HARD + "19 ult 1 4 4\n20 bad 19 never\n"
        self.write("hard.btor2", lines.replace("18 bad 17\n", "").replace("20 bad 19 never\n",
                                                                         "18 bad 19 never\n20 bad 17\n"))
        self.expect(2, "safe never\nunknown b1: timeout\n", "check", "hard.btor2", "--engine", "kind",
                    "--timeout", "1", "--json", "r.json")
        first, second = json.loads(self.text("r.json"))["results"]
        self.assertIsNotNone(first["invariant"])
        self.assertEqual((second["verdict"], second["reason"]), ("unknown", "timeout"))

    def test_signals_end_the_run_within_a_second(self):
        model = self.write("hard.btor2", HARD)
        for engine in ("auto", "ic3ia", "kind"):
            with self.subTest(engine=engine):
                process = self.start("check", model, "--engine", engine)
                time.sleep(0.5)
                start = time.monotonic()
                process.send_signal(signal.SIGINT)
                out, err = process.communicate(timeout=10)
                self.assertLess(time.monotonic() - start, 1.0)
                self.assertEqual((process.returncode, out), (2, "unknown b0: interrupted\n"), err)


class Vacuous(TermTest):
    """A proof that says little says so; one that says something does not."""

    def reason(self, name, text):
        model = self.write(name, text)
        code, out, err = self.run_program("check", model, "--json", "r.json", "--report", "r.html")
        self.assertEqual(code, 0, err)
        row = json.loads(self.text("r.json"))["results"][0]
        self.assertEqual("vacuous" in row, "vacuous" in err)
        self.assertEqual("vacuous" in row, bool(re.search('"vacuous":"[^"]', self.text("r.html"))))
        if "vacuous" not in row:
            return ""
        self.assertIs(row["vacuous"], True)
        self.assertIn(f"{row['property']}: vacuous: {row['vacuous_because']}\n", err)
        # Not even -q hides it.
        self.assertIn("vacuous", self.run_program("check", model, "-q")[2])
        return row["vacuous_because"]

    def test_aiger(self):
        head = "aag 1 1 0 0 0 1 {}\n2\n2\n"
        self.assertIn("no run", self.reason("m.aag", head.format(2) + "2\n3\n"))
        self.assertEqual(self.reason("m.aag", head.format(1) + "3\n"), "")
        # The latch rises after the first step and must not.
        text = "aag 2 1 1 0 0 1 {}\n2\n4 1\n0\n5\n"
        self.assertIn("beyond its first step", self.reason("m.aag", text.format(1)))

    def test_btor2(self):
        head = "1 sort bitvec 1\n2 input 1\n3 bad 2\n"
        self.assertIn("no run", self.reason("m.btor2", head + "4 constraint 2\n5 constraint -2\n"))
        self.assertEqual(self.reason("m.btor2", head + "4 constraint -2\n"), "")
        text = ("1 sort bitvec 3\n2 sort bitvec 1\n3 zero 1\n4 state 1 n\n5 init 1 4 3\n6 one 1\n"
                "7 constd 1 {}\n8 ult 2 4 7\n9 add 1 4 6\n10 ite 1 8 9 3\n11 next 1 4 10\n"
                "12 constd 1 6\n13 eq 2 4 12\n14 input 2\n15 implies 2 13 {}\n16 bad -15\n")
        self.assertIn("the premise", self.reason("m.btor2", text.format(4, 14)))
        self.assertEqual(self.reason("m.btor2", text.format(7, 13)), "")

    def test_vmt(self):
        text = ("(declare-fun x () Int) (declare-fun y () Int)\n"
                "(define-fun s () Int (! x :next y))\n(define-fun i () Bool (! {} :init true))\n"
                "(define-fun t () Bool (! {} :trans true))\n"
                "(define-fun p () Bool (! {} :invar-property 0))\n")
        bound = "(<= 0 x)"
        self.assertIn("no run", self.reason("m.vmt", text.format("(and (> x 1) (< x 1))", "true",
                                                                bound)))
        self.assertIn("beyond its first step",
                      self.reason("m.vmt", text.format("(= x 0)", "(and (= y x) (> x 5))", bound)))
        self.assertEqual(self.reason("m.vmt", text.format("(= x 0)", "(= y (+ x 1))", bound)), "")
        self.assertIn("the premise", self.reason("m.vmt", text.format(
            "(= x 0)", "(= y (+ x 1))", "(=> (= x (- 3)) (> x 7))")))

    def test_chc_assumes_nothing(self):
        text = "(set-logic HORN)\n(declare-fun p (Int) Bool)\n{}(check-sat)\n"
        rule = "(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))\n"
        self.assertEqual(self.reason("m.smt2", text.format(rule)), "")


class NothingToCheck(TermTest):
    FILES = (("m.aag", "aag 1 1 0 0 0\n2\n", "a bad state, a justice property or an output"),
             ("m.btor2", "1 sort bitvec 1\n2 input 1\n3 output 2\n", "a line 'bad'"),
             ("m.vmt", "(declare-fun x () Int)(define-fun s () Int (! x :next y))\n(define-fun i () "
                       "Bool (! (= x 0) :init true))(define-fun t () Bool (! (= y x) :trans true))",
              "a term with :invar-property"),
             ("m.lus", "node top(x: int) returns (y: int); let y = x; tel", "a property"),
             ("m.smt2", "(set-logic HORN)\n(check-sat)\n", "a clause"))

    def test_is_a_usage_error_in_every_format(self):
        for name, text, needs in self.FILES:
            with self.subTest(file=name):
                model = self.write(name, text)
                for command in (("check", model), ("validate", model, "--certificate", "c.smt2")):
                    code, out, err = self.run_program(*command)
                    self.assertEqual((code, out), (64, ""))
                    self.assertRegex(err, rf"m\.\w+: error: nothing to check \(it would need {needs}")

    def test_still_converts(self):
        model = self.write(*self.FILES[0][:2])
        code, _, err = self.run_program("convert", model, "-o", self.folder / "out.btor2")
        self.assertEqual(code, 0, err)
        self.assertNotIn("bad", self.text("out.btor2"))

    def test_horn_clauses_without_a_query_are_satisfiable(self):
        model = self.write("m.smt2", "(set-logic HORN)\n(declare-fun p (Int) Bool)\n"
                                     "(assert (p 1))\n(check-sat)\n")
        code, out, err = self.run_program("check", model, "--certificate", "c.smt2")
        self.assertEqual((code, out), (0, "safe query\n"), err)
        self.assertEqual(self.run_program("validate", model, "--certificate", "c.smt2")[0], 0)


if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    support.main()
