#!/usr/bin/env python3
"""The command line to the letter of the specification: verdict lines, exit codes, limits, signals,
bad input, evidence files. usage: cli_test.py [--build FOLDER] [TestClass.test_name]"""
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import time
import unittest

import support
from support import HARD, MIXED, SAFE, UNSAFE, ProgramTest, counter


class Verdicts(ProgramTest):
    def test_safe_property_exits_0(self):
        self.assertEqual(self.expect(0, "safe o0\n", "check", self.write("a.aag", SAFE)), "")

    def test_unsafe_property_exits_1(self):
        self.assertEqual(self.expect(1, "unsafe o0\n", "check", self.write("a.aag", UNSAFE)), "")

    def test_unsafe_outranks_safe_and_lines_keep_input_order(self):
        self.expect(1, "safe stays\nunsafe rises\n", "check", self.write("a.aag", MIXED))

    def test_property_option_checks_that_one_alone(self):
        model = self.write("a.aag", MIXED)
        self.expect(0, "safe stays\n", "check", model, "--property", "stays")
        self.expect(1, "unsafe rises\n", "check", model, "--property", "rises")

    def test_property_takes_several_and_patterns(self):
        model = self.write("a.aag", MIXED)
        self.expect(1, "safe stays\nunsafe rises\n", "check", model, "--property", "rises",
                    "--property", "stays")
        self.expect(1, "safe stays\nunsafe rises\n", "check", model, "--property", "*s*")
        self.expect(0, "safe stays\n", "check", model, "--property", "st?ys")

    def test_stream_prints_verdicts_as_they_come(self):
        # The first property needs a proof, the second fails in the simulation that comes first.
        self.expect(1, "unsafe rises\nsafe stays\n", "check", self.write("a.aag", MIXED),
                    "--stream")

    def test_a_property_without_end_does_not_hold_the_next_up(self):
        lines = HARD.split("\n")
        lines[0] = re.sub(r"1$", "2", lines[0])
        latch = lines[1].split()[0]
        lines.insert(66, latch)
        model = self.write("hard.aag", "\n".join(lines))
        self.expect(1, "unknown b0: timeout\nunsafe b1\n", "check", model, "--engine", "bmc",
                    "--timeout", "3")

    def test_bound_is_a_reason_and_exits_2(self):
        self.expect(2, "unknown o0: bound reached\n", "check", self.write("a.aag", SAFE),
                    "--engine", "bmc", "--set", "bmc.max-depth=3")

    def test_unsafe_outranks_unknown(self):
        self.expect(1, "unknown stays: bound reached\nunsafe rises\n", "check",
                    self.write("a.aag", MIXED), "--engine", "bmc", "--set", "bmc.max-depth=3")

    def test_every_engine_finds_the_shallow_bug(self):
        engines = self.engines()
        self.assertIn("bmc", engines)
        model = self.write("a.aag", counter(3, 5))
        for engine in engines:
            with self.subTest(engine=engine):
                self.expect(1, "unsafe b0\n", "check", model, "--engine", engine, timeout=60)

    def test_every_preset_finds_the_shallow_bug(self):
        model = self.write("a.aag", counter(3, 5))
        presets = re.findall(r"^(\w+:[\w-]+) ", self.run_program("engines")[1], re.M)
        engines = self.engines()
        presets = [preset for preset in presets if preset.split(":")[0] in engines]
        self.assertGreater(len(presets), 0)
        for preset in presets:
            with self.subTest(preset=preset):
                self.expect(1, "unsafe b0\n", "check", model, "--engine", preset)

    def test_no_certify_says_so_in_the_json(self):
        self.expect(0, "safe o0\n", "check", self.write("a.aag", SAFE), "--no-certify",
                    "--json", "out.json")
        result = json.loads((self.folder / "out.json").read_text())["results"][0]
        self.assertEqual((result["verdict"], result["certified"]), ("safe", False))

    def test_binary_model_gives_the_same_verdict(self):
        model = self.write("a.aag", counter(4, 9))
        self.expect(0, "", "convert", model, "-o", "a.aig")
        self.expect(1, "unsafe b0\n", "check", "a.aig")


class ManyProperties(ProgramTest):
    def hard_and_easy(self):
        """b0 and b1 have no end, b2 fails at step 0."""
        lines = HARD.split("\n")
        lines[0] = re.sub(r"1$", "3", lines[0])
        bad = lines[65]
        lines[66:66] = [bad, lines[1].split()[0]]
        return self.write("hard.aag", "\n".join(lines))

    def test_a_worker_that_is_killed_costs_no_verdict(self):
        process = self.start("check", self.hard_and_easy(), "--timeout", "4", "--stats")
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
        killed = set()
        while len(killed) < 3 and process.poll() is None:
            for child in children.read_text().split() if children.exists() else []:
                if child not in killed:
                    killed.add(child)
                    os.kill(int(child), signal.SIGKILL)
                    break
            time.sleep(0.1)
        out, err = process.communicate(timeout=30)
        self.assertEqual((process.returncode, out),
                         (1, "unknown b0: timeout\nunknown b1: timeout\nunsafe b2\n"), err)
        self.assertRegex(err, r"portfolio\.crashed +[1-9]")

    def test_the_row_says_who_answered(self):
        self.run_program("check", self.write("a.aag", MIXED), "--json", "out.json")
        stays, rises = json.loads((self.folder / "out.json").read_text())["results"]
        self.assertIn(stays["engine"], ("auto: ic3", "auto: kind"))
        self.assertEqual(rises["engine"], "auto: simulation")
        self.run_program("check", self.write("b.aag", counter(4, 12)), "--json", "out.json")
        only = json.loads((self.folder / "out.json").read_text())["results"][0]
        self.assertRegex(only["engine"], "^auto: (ic3|kind|bmc|ipdr)$")
        self.run_program("check", "b.aag", "--engine", "ic3:ctg", "--json", "out.json")
        only = json.loads((self.folder / "out.json").read_text())["results"][0]
        self.assertEqual(only["engine"], "ic3:ctg")

    def test_properties_have_places(self):
        for name, text, rows in (
                ("a.aag", MIXED, ["stays  bad  a.aag:4:1", "rises  bad  a.aag:5:1"]),
                ("b.btor2", "1 sort bitvec 1\n2 state 1 s\n3 bad 2 top\n",
                 ["top  bad  b.btor2:3:1"]),
                ("c.lus", "node n(a: bool) returns (b: bool);\nlet b = a;\n"
                          "  check \"same\" b = a;\ntel\n", ["same  property  c.lus:3:3"]),
                ("d.vmt", "(declare-fun x () Bool)\n(declare-fun y () Bool)\n"
                          "(define-fun nx () Bool (! x :next y))\n"
                          "(define-fun i () Bool (! x :init true))\n"
                          "(define-fun t () Bool (! y :trans true))\n"
                          "(define-fun p () Bool (! x :invar-property 0))\n",
                 ["p0  property  d.vmt:6:28"])):
            self.write(name, text)
            self.expect(0, "\n".join(rows) + "\n", "properties", name)


class Usage(ProgramTest):
    def test_misspelt_words_get_the_nearest_one(self):
        model = self.write("a.aag", SAFE)
        for words, said in [
            ([], "no command; `lemmata --help` lists them"),
            (["chek", model], "'chek' is no command; did you mean 'check'?"),
            ([model], f"'{model}' is a file: lemmata check {model}"),
            (["check", model, "--egine", "ic3"], "did you mean '--engine'?"),
        ]:
            self.assertIn(said, self.expect(64, "", *words))

    def test_help_is_a_command(self):
        for words in (["help"], ["help", "check"]):
            code, out, err = self.run_program(*words)
            self.assertEqual((code, err), (0, ""))
            self.assertIn("Usage: lemmata", out)

    def rejected(self, *arguments):
        code, out, err = self.run_program(*arguments)
        self.assertEqual((code, out), (64, ""), err)
        self.assertEqual(err.count("\n"), 1, "one line: " + err)
        self.assertTrue("error: " in err, err)
        return err

    def test_wrong_command_lines_exit_64_with_one_line(self):
        self.write("a.aag", SAFE)
        for arguments in ([], ["prove", "a.aag"], ["check"], ["check", "a.aag", "--frobnicate"],
                          ["validate", "a.aag", "b.aag", "--witness", "w"], ["check", "a.aag", "--timeout", "soon"],
                          ["check", "a.aag", "--timeout", "-1"], ["check", "a.aag", "--timeout", "nan"],
                          ["check", "a.aag", "--timeout", "0"],
                          ["check", "a.aag", "--memory", "0"], ["check", "a.aag", "--arith", "real"],
                          ["check", "a.aag", "--data-model", "LP16"], ["validate", "a.aag"],
                          ["validate", "a.aag", "--witness", "w", "--certificate", "c"],
                          ["convert", "a.aag"], ["engines", "extra"], ["options", "extra"],
                          ["engines", "ic3", "bmc"], ["formats", "aiger"]):
            with self.subTest(arguments=arguments):
                self.rejected(*arguments)

    def test_unknown_engine_is_named_with_those_there_are(self):
        self.assertRegex(self.rejected("check", self.write("a.aag", SAFE), "--engine", "magic"),
                         "unknown engine 'magic'.*bmc")

    def test_unknown_preset_is_named(self):
        self.assertIn("no preset 'magic'",
                      self.rejected("check", self.write("a.aag", SAFE), "--engine", "bmc:magic"))

    def test_settings_are_checked_before_the_run(self):
        model = self.write("a.aag", HARD)
        for setting in ("bmc.max-depth", "bmc.max-depth=-1", "bmc.max-depth=many", "bmc.magic=1"):
            with self.subTest(setting=setting):
                self.rejected("check", model, "--set", setting)

    def test_unknown_property_is_named(self):
        self.assertIn("'nothing'",
                      self.rejected("check", self.write("a.aag", SAFE), "--property", "nothing"))

    def test_names_near_an_unknown_property_are_listed(self):
        self.assertIn("near it: stays",
                      self.rejected("check", self.write("a.aag", MIXED), "--property", "stay"))

    def test_output_in_a_missing_folder_is_refused_before_the_run(self):
        model = self.write("a.aag", HARD)
        for option in ("--json", "--witness", "--certificate", "--report"):
            self.assertIn("no such folder", self.rejected("check", model, option, "nowhere/out"))

    def test_conversion_to_an_unknown_format_is_refused(self):
        model = self.write("a.aag", SAFE)
        for out in ("a.xyz", "a.lus", "a"):
            self.assertIn("cannot convert", self.rejected("convert", model, "-o", out))
        self.assertIn("control flow", self.rejected("convert", model, "-o", "a.svg"))

    def test_help_and_version_exit_0(self):
        self.expect(0, "lemmata 0.1.0\n", "--version")
        self.assertEqual(self.run_program("--help")[0], 0)
        code, out, _ = self.run_program("check", "--help")
        self.assertEqual(code, 0)
        self.assertIn("--certificate", out)

    def test_lists_name_what_there_is(self):
        engines = self.run_program("engines")[1]
        for line in (r"bmc +\S.*\[Biere99\]", r"bmc:shortest +\S", r"ic3cfa +\S.*\[Lange18\]", r"ic3cfa:Q +\S",
                     r"auto +\S.*default"):
            self.assertRegex(engines, rf"(?m)^{line}")
        self.assertLess(max(map(len, engines.splitlines())), 130, "one short line each")
        formats = self.run_program("formats")[1]
        for name, extension in (("aiger", ".aag"), ("btor2", ".btor"), ("vmt", ".vmt"),
                                ("chc", ".smt2"), ("lustre", ".lus")):
            self.assertRegex(formats, rf"(?m)^{name} +\{extension}")
        self.assertRegex(self.run_program("options")[1], r"(?m)^ic3ia\.\S+=\S+\n.*default ")
        self.assertRegex(self.run_program("options")[1], r"(?m)^bmc\.max-depth=0\.\.\d+\n.*default 1000000000")

    def test_an_engine_is_described_by_its_name(self):
        code, out, _ = self.run_program("engines", "ic3cfa")
        self.assertEqual(code, 0)
        self.assertRegex(out, r"^ic3cfa: \S.*\n +paper: \[Lange18\]\n +models: programs\n +options: \d")
        self.assertRegex(out, r"(?m)^ +ic3cfa:P  New-Gen All Interpolation\n +ic3cfa:O and ic3cfa\.interpolate=loops$")
        self.assertRegex(self.run_program("engines", "auto")[1], r"(?m)^ +models: all$")
        code, out, _ = self.run_program("options", "ic3cfa")
        self.assertEqual(code, 0)
        self.assertRegex(out, r"(?m)^ic3cfa\.edges=multi\|single\|incremental\n .*\(default incremental\)$")
        self.assertEqual({line.split(".")[0] for line in out.splitlines() if line[0] != " "}, {"ic3cfa"})
        self.assertIn("portfolio.workers=0..256\n", self.run_program("options", "auto")[1])

    def test_the_former_name_of_auto_is_one_for_the_command_line_alone(self):
        for command in ("engines", "options"):
            self.assertEqual(self.run_program(command, "portfolio"), self.run_program(command, "auto"))
        self.assertNotRegex(self.run_program("engines")[1], r"(?m)^portfolio")
        model = self.write("a.aag", SAFE)
        self.expect(0, "safe o0\n", "check", model, "--engine", "portfolio", "--json", "j.json")
        engine = json.loads((self.folder / "j.json").read_text())["results"][0]["engine"]
        self.assertTrue(engine.startswith("auto: "), engine)

    def test_the_first_step_alone_can_be_looked_at(self):
        unsafe = self.write("u.aag", UNSAFE)  # at the second step
        self.expect(2, "unknown o0: bound reached\n", "check", unsafe, "--depth", "1")
        self.expect(2, "unknown o0: bound reached\n", "check", unsafe, "--engine", "bmc", "--set", "bmc.max-depth=0")
        self.expect(1, "unsafe o0\n", "check", unsafe, "--depth", "2")
        self.assertIn("transforms, in the order", self.run_program("options", "transform")[1])

    def test_a_misspelled_name_is_answered_with_near_ones(self):
        model = self.write("a.aag", SAFE)
        for arguments in (["engines", "ic3cfaa"], ["options", "ic3cfaa"], ["check", model, "--engine", "ic3cfaa"]):
            self.assertIn("unknown engine 'ic3cfaa'; near it: ic3cfa", self.rejected(*arguments))
        self.assertIn("no preset 'pd'; near it: pdr",
                      self.rejected("check", model, "--engine", "ic3:pd"))
        self.assertIn("unknown option 'ic3.lfit'", self.rejected("check", model, "--set", "ic3.lfit=core"))
        self.assertIn("near it: bmc.max-depth", self.rejected("check", model, "--set", "bmc.maxdepth=1"))

    def test_model_options_of_other_languages_are_accepted(self):
        self.expect(0, "safe o0\n", "check", self.write("a.aag", SAFE), "--arith", "int",
                    "--data-model", "LP64")


class BadInput(ProgramTest):
    def refused(self, code, path):
        got, out, err = self.run_program("check", path, "--json", "out.json", "--witness", "out.cex",
                                         "--certificate", "out.cert.aag", "--report", "out.html")
        self.assertEqual((got, out), (code, ""), err)
        self.assertEqual(err.count("\n"), 1, "one line: " + err)
        self.assertIn("error: ", err)
        self.assertEqual([p.name for p in self.folder.glob("out*")], [], "nothing is written")
        return err

    def test_ill_formed_models_exit_65_with_the_place(self):
        models = {
            "empty": "", "garbage": "hello\n", "no counts": "aag\n", "negative": "aag -1 0 0 0 0\n",
            "truncated": "aag 1 0 1 1 0\n2 2\n", "wrong counts": "aag 9 1 1 1 0\n2\n4 4\n",
            "out of range": "aag 1 0 1 1 0\n2 2\n99\n", "cycle": "aag 2 0 0 1 2\n2\n2 4 4\n4 2 2\n",
            "twice": "aag 2 2 0 1 0\n2\n2\n2\n", "justice": "aag 1 0 1 0 0 0 0 1 0\n2 2\n9\n2\n",
        }
        for name, text in models.items():
            with self.subTest(name=name):
                error = self.refused(65, self.write("bad.aag", text))
                self.assertRegex(error, r"bad\.aag(:\d+)*: error: ")

    def test_truncated_binary_exits_65(self):
        self.write("a.aag", counter(4, 9))
        self.expect(0, "", "convert", "a.aag", "-o", "a.aig")
        whole = (self.folder / "a.aig").read_bytes()
        for length in range(1, len(whole) - 12, 3):
            with self.subTest(length=length):
                self.refused(65, self.write("cut.aig", whole[:length]))

    def test_model_without_property_exits_64(self):
        self.assertIn("nothing to check",
                      self.refused(64, self.write("a.aag", "aag 1 0 1 0 0\n2 2\n")))

    def test_missing_file_exits_66(self):
        self.refused(66, "nowhere.aag")

    def test_folder_and_unreadable_file_are_refused(self):
        (self.folder / "folder.aag").mkdir()
        self.assertIn(self.run_program("check", "folder.aag")[0], (65, 66))
        model = self.write("secret.aag", SAFE)
        model.chmod(0)
        if os.access(model, os.R_OK):
            self.skipTest("running as root: every file is readable")
        self.refused(66, model)

    def test_unknown_extension_is_refused(self):
        self.assertIn(self.run_program("check", self.write("a.xyz", SAFE))[0], (64, 65))


class Limits(ProgramTest):
    def test_timeout_ends_the_run_in_time(self):
        model = self.write("hard.aag", HARD)
        for engine in self.engines():
            with self.subTest(engine=engine):
                start = time.monotonic()
                self.expect(2, "unknown b0: timeout\n", "check", model, "--timeout", "0.7",
                            "--engine", engine)
                self.assertLess(time.monotonic() - start, 0.7 + 1.0)

    def test_timeout_covers_all_properties(self):
        lines = HARD.split("\n")
        lines[0] = re.sub(r"1$", "2", lines[0])
        lines.insert(65, lines[65])
        self.expect(2, "unknown b0: timeout\nunknown b1: timeout\n", "check",
                    self.write("hard.aag", "\n".join(lines)), "--timeout", "0.5")

    def test_timeout_is_in_the_json(self):
        self.expect(2, "unknown b0: timeout\n", "check", self.write("hard.aag", HARD), "--timeout",
                    "0.5", "--json", "out.json")
        result = json.loads((self.folder / "out.json").read_text())["results"][0]
        self.assertEqual((result["verdict"], result["reason"]), ("unknown", "timeout"))

    def test_memory_limit_ends_the_run(self):
        self.expect(2, "unknown b0: memory\n", "check", self.write("hard.aag", HARD), "--memory",
                    "4", "--timeout", "20")

    def test_full_address_space_is_no_crash(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (200 << 20, 200 << 20))
        model = self.write("deep.aag", counter(40, (1 << 40) - 1))
        code, out, err = self.run_program("check", model, "--engine", "bmc", "--set", "bmc.step=1000",
                                          "--timeout", "100", preexec_fn=limit)
        self.assertEqual((code, out), (2, "unknown b0: memory\n"), err)

    def test_signals_end_the_run_within_a_second(self):
        model = self.write("hard.aag", HARD)
        for engine in ("auto", "bmc"):
            for number in (signal.SIGINT, signal.SIGTERM):
                with self.subTest(engine=engine, signal=number):
                    process = self.start("check", model, "--engine", engine)
                    time.sleep(0.4)
                    start = time.monotonic()
                    process.send_signal(number)
                    out, err = process.communicate(timeout=10)
                    self.assertLess(time.monotonic() - start, 1.0)
                    self.assertEqual((process.returncode, out), (2, "unknown b0: interrupted\n"), err)

    def test_crash_exits_70_with_one_line(self):
        model = self.write("hard.aag", HARD)
        for number in (signal.SIGSEGV, signal.SIGABRT):
            process = self.start("check", model, "--engine", "bmc")
            time.sleep(0.3)
            process.send_signal(number)
            out, err = process.communicate(timeout=10)
            self.assertEqual((process.returncode, out), (70, ""))
            self.assertRegex(err, r"^error: internal error: [^\n]+\n$")

    def test_kill_leaves_no_files_and_no_workers(self):
        model = self.write("hard.aag", HARD)
        process = self.start("check", model, "--json", "out.json", "--witness", "out.cex",
                             "--certificate", "out.cert.aag", "--report", "out.html",
                             start_new_session=True)
        time.sleep(0.5)
        process.kill()
        process.communicate(timeout=10)
        time.sleep(0.3)
        self.assertEqual([p.name for p in self.folder.iterdir()], ["hard.aag"])
        group = subprocess.run(["ps", "-o", "pid=,stat=", "-g", str(process.pid)],
                               capture_output=True, text=True) if shutil.which("ps") else None
        if group:
            alive = [row for row in group.stdout.splitlines() if "Z" not in row]
            self.assertEqual(alive, [])


class Results(ProgramTest):
    def results(self, model, *more):
        self.run_program("check", model, "--json", "out.json", *more)
        return json.loads((self.folder / "out.json").read_text())

    def test_json_has_the_keys_of_the_specification(self):
        document = self.results(self.write("a.aag", MIXED))
        self.assertEqual(list(document), ["tool", "version", "file", "format", "results", "stats"])
        self.assertEqual((document["tool"], document["version"], document["format"]),
                         ("lemmata", "0.1.0", "aiger"))
        self.assertTrue(document["file"].endswith("a.aag"))
        for result in document["results"]:
            self.assertEqual(list(result), ["property", "verdict", "reason", "engine", "seconds",
                                            "depth", "certified", "trace", "invariant"])
            self.assertTrue(result["certified"])
        safe, unsafe = document["results"]
        self.assertEqual((safe["verdict"], safe["trace"], safe["reason"]), ("safe", None, None))
        self.assertIsInstance(safe["invariant"], (list, dict))
        self.assertEqual((unsafe["verdict"], unsafe["invariant"]), ("unsafe", None))
        self.assertEqual(unsafe["depth"], 1)

    def test_json_trace_has_one_row_a_step(self):
        trace = self.results(self.write("a.aag", counter(3, 5)))["results"][0]["trace"]
        self.assertEqual(trace["latches"], ["l0", "l1", "l2"])
        self.assertEqual((trace["initial"], trace["steps"]), ("000", [""] * 6))

    def test_json_on_standard_output_stands_alone(self):
        code, out, err = self.run_program("check", self.write("a.aag", UNSAFE), "--json", "-")
        self.assertEqual((code, err), (1, "unsafe o0\n"))
        self.assertEqual(json.loads(out)["results"][0]["verdict"], "unsafe")

    def test_report_is_a_page_with_the_verdicts(self):
        self.run_program("check", self.write("a.aag", MIXED), "--report", "out.html")
        page = (self.folder / "out.html").read_text()
        self.assertIn("unsafe", page)
        self.assertIn("rises", page)
        self.assertIn("default-src 'none'", page)  # report_test.py opens pages in a browser

    def test_stats_go_to_standard_error(self):
        err = self.expect(1, "unsafe o0\n", "check", self.write("a.aag", UNSAFE), "--stats")
        self.assertRegex(err, r"app\.total +\d+\.\d+ s")

    def test_log_goes_to_standard_error(self):
        err = self.expect(1, "unsafe o0\n", "check", self.write("a.aag", UNSAFE), "-v")
        self.assertIn("o0: evidence accepted", err)
        self.assertEqual(self.expect(1, "unsafe o0\n", "check", "a.aag", "-q"), "")


class Evidence(ProgramTest):
    def check(self, text):
        model = self.write("model.aag", text)
        self.run_program("check", model, "--witness", "out.cex", "--certificate", "out.cert.aag")
        return model

    def accepted(self, model, option, path, *more, name="b0"):
        for program, words in (("lemmata", ["validate"]), ("lemmata-validate", [])):
            self.expect(0, f"accepted {name}\n", *words, model, option, path, *more, program=program)

    def refused(self, model, option, path):
        """Rejected or ill-formed; both programs agree. Returns the exit code."""
        one = self.run_program("validate", model, option, path)
        two = self.run_program(model, option, path, program="lemmata-validate")
        self.assertEqual(one[:2], two[:2])
        self.assertIn(one[0], (65, 70), one)
        self.assertEqual(one[1].startswith("rejected: "), one[0] == 70, one)
        return one[0]

    def test_witness_is_written_and_accepted(self):
        model = self.check(counter(3, 5))
        self.assertEqual((self.folder / "out.cex").read_text().splitlines()[:3], ["1", "b0", "000"])
        self.assertFalse((self.folder / "out.cert.aag").exists())
        self.accepted(model, "--witness", "out.cex")

    def test_certificate_is_written_and_accepted(self):
        model = self.check(counter(3, 7, stop_at=5))
        self.assertFalse((self.folder / "out.cex").exists())
        self.accepted(model, "--certificate", "out.cert.aag")

    def test_binary_certificate_is_accepted(self):
        model = self.write("model.aag", counter(3, 7, stop_at=5))
        self.expect(0, "safe b0\n", "check", model, "--certificate", "out.aig")
        self.assertTrue((self.folder / "out.aig").read_bytes().startswith(b"aig "))
        self.accepted(model, "--certificate", "out.aig")

    def test_every_engine_writes_acceptable_evidence(self):
        safe = self.write("safe.aag", counter(3, 7, stop_at=5))
        unsafe = self.write("unsafe.aag", counter(3, 5))
        for engine in self.engines():
            with self.subTest(engine=engine):
                self.expect(1, "unsafe b0\n", "check", unsafe, "--engine", engine,
                            "--witness", f"{engine}.cex")
                self.accepted(unsafe, "--witness", f"{engine}.cex")
                if engine == "bmc":
                    continue
                self.expect(0, "safe b0\n", "check", safe, "--engine", engine,
                            "--certificate", f"{engine}.aag")
                self.accepted(safe, "--certificate", f"{engine}.aag")

    def test_value_change_dump_is_written_for_vcd_names(self):
        self.run_program("check", self.write("a.aag", counter(3, 5)), "--witness", "out.vcd")
        self.assertIn("$enddefinitions", (self.folder / "out.vcd").read_text())

    def test_several_properties_get_a_file_each(self):
        self.check(MIXED)
        self.assertEqual(sorted(p.name for p in self.folder.glob("out*")),
                         ["out.cert.stays.aag", "out.rises.cex"])
        self.accepted("model.aag", "--witness", "out.rises.cex", name="rises")
        self.accepted("model.aag", "--certificate", "out.cert.stays.aag", name="stays")

    def test_a_folder_gets_a_file_for_each_property(self):
        self.run_program("check", self.write("model.aag", MIXED), "--witness", "runs/",
                         "--certificate", "proofs/", "--json", "out.json")
        rows = json.loads((self.folder / "out.json").read_text())["results"]
        self.assertEqual({row["property"]: row["evidence"] for row in rows},
                         {"rises": "runs/rises.wit", "stays": "proofs/stays.aag"})
        self.assertEqual([p.name for p in (self.folder / "runs").iterdir()], ["rises.wit"])
        self.assertEqual([p.name for p in (self.folder / "proofs").iterdir()], ["stays.aag"])
        self.accepted("model.aag", "--witness", "runs/rises.wit", name="rises")
        self.accepted("model.aag", "--certificate", "proofs/stays.aag", name="stays")

    def test_evidence_is_about_a_property(self):
        self.check(MIXED)
        cert = "out.cert.stays.aag"
        self.accepted("model.aag", "--certificate", cert, "--property", "stays", name="stays")
        for program, words in (("lemmata", ["validate"]), ("lemmata-validate", [])):
            self.expect(70, "rejected: the evidence is about property 'stays', not 'rises'\n", *words,
                        "model.aag", "--certificate", cert, "--property", "rises", program=program)
            self.expect(64, "", *words, "model.aag", "--certificate", cert, "--property", "other",
                        program=program)
        unnamed = (self.folder / cert).read_text().replace("WITNESS b0 model.aag\n", "")
        self.write("unnamed.aag", unnamed)
        self.accepted("model.aag", "--certificate", "unnamed.aag", name="stays")
        code, out, _ = self.run_program("validate", "model.aag", "--certificate", "unnamed.aag",
                                        "--property", "rises")
        self.assertEqual((code, out[:10]), (70, "rejected: "))
        self.write("twice.aag", (self.folder / cert).read_text() + "WITNESS b1 model.aag\n")
        self.assertEqual(self.refused("model.aag", "--certificate", "twice.aag"), 65)

    def test_evidence_without_a_property_is_tried_on_all(self):
        model = self.write("two.aag", "aag 2 0 2 0 0 3\n2 2\n4 1\n2\n2\n4\nb0 a\nb1 b\nb2 c\n")
        self.write("cert.aag", "aag 2 0 2 0 0 1\n2 2\n4 1\n2\n")
        self.accepted(model, "--certificate", "cert.aag", name="a\naccepted b")

    def test_implausible_bounds_are_refused_at_once(self):
        model = self.write("a.aag", "aag 1 0 1 0 0 1\n2 2\n2\n")
        self.write("c.aag", "aag 1 0 1 0 0 1\n2 2\n2\nc\nlemmata k-inductive k=60000000 simple-path\n")
        self.write("m.vmt", "(declare-fun x () Int)\n(declare-fun y () Int)\n"
                            "(define-fun .x () Int (! x :next y))\n"
                            "(define-fun .i () Bool (! (= x 0) :init true))\n"
                            "(define-fun .t () Bool (! (= y x) :trans true))\n"
                            "(define-fun .p () Bool (! (= x 0) :invar-property 0))\n")
        self.write("m.btor2", "1 sort bitvec 1\n2 state 1\n3 zero 1\n4 init 1 2 3\n5 next 1 2 2\n6 bad 2\n")
        inv = "(define-fun inv ((x Int)) Bool true)\n"
        cases = [(model, "c.aag", "c.aag: error: unsupported: k=60000000 is more than 10000\n")]
        for k in ("4294967295", "99999999999999999999"):
            self.write(f"k{k}.smt2", f"(set-info :lemmata-k {k})\n" + inv)
            cases.append(("m.vmt", f"k{k}.smt2", f"k{k}.smt2:1:22: error: unsupported: k=4294967295 is "
                          "more than 10000\n"))
        self.write("c.btor2", "; lemmata k-inductive k=4000000000\n1 sort bitvec 1\n2 state 1\n6 bad 2\n")
        cases.append(("m.btor2", "c.btor2", "c.btor2: error: unsupported: k=4000000000 is more than 10000\n"))
        for path, evidence, message in cases:
            with self.subTest(evidence=evidence):
                code, out, err = self.run_program(path, "--certificate", evidence, timeout=20,
                                                  program="lemmata-validate")
                self.assertEqual((code, out, err), (65, "", message))

    def test_limits_end_a_validation(self):
        model = self.write("hard.aag", HARD)
        for program, words in (("lemmata", ["validate"]), ("lemmata-validate", [])):
            for option, value, cause in (("--timeout", 1, "timeout"), ("--memory", 1, "memory")):
                self.expect(2, f"unknown {model}: {cause}\n", *words, model, "--certificate", model,
                            option, value, program=program, timeout=30)
            self.expect(64, "", *words, model, "--certificate", model, "--timeout", "nan",
                        program=program)

    def test_mutated_witnesses_are_refused(self):
        model = self.check(counter(3, 5))
        lines = (self.folder / "out.cex").read_text().splitlines()
        mutants = {
            "shortened": lines[:3] + lines[4:], "other start": lines[:2] + ["010"] + lines[3:],
            "too wide": lines[:3] + ["1"] + lines[4:], "cut": lines[:-1],
            "other property": [lines[0], "b7", *lines[2:]], "empty": [],
            "no claim": ["0", *lines[1:]], "letters": lines[:2] + ["0a0"] + lines[3:],
        }
        for name, mutant in mutants.items():
            with self.subTest(name=name):
                self.write("mutant.cex", "".join(line + "\n" for line in mutant))
                self.refused(model, "--witness", "mutant.cex")

    def test_witness_of_a_safe_model_is_rejected(self):
        self.write("w.cex", "1\nb0\n0\n\n.\n")
        self.assertEqual(self.refused(self.write("a.aag", SAFE), "--witness", "w.cex"), 70)

    def test_certificates_of_an_unsafe_model_are_rejected(self):
        self.check(counter(3, 7, stop_at=5))
        other = self.write("other.aag", counter(3, 7, stop_at=7))
        self.assertEqual(self.refused(other, "--certificate", "out.cert.aag"), 70)
        self.assertEqual(self.refused(other, "--certificate", "other.aag"), 70)

    def test_missing_evidence_exits_66(self):
        model = self.write("a.aag", SAFE)
        self.assertEqual(self.run_program("validate", model, "--witness", "nowhere.cex")[:2], (66, ""))
        self.assertEqual(self.run_program("validate", model, "--certificate", "nowhere.aag")[:2],
                         (66, ""))

    def test_validator_is_linked_without_engines(self):
        if not shutil.which("nm"):
            self.skipTest("nm is not installed")
        names = subprocess.run(["nm", "-C", support.ARGS.build / "lemmata-validate"],
                               capture_output=True, text=True, check=True).stdout
        self.assertIn("lem::app::validate_evidence", names)
        for word in ("lem::engine::", "lem::transform::", "all_engines", "all_transforms"):
            self.assertNotIn(word, names)


class Convert(ProgramTest):
    def test_round_trip_keeps_names_and_meaning(self):
        self.write("a.aag", MIXED)
        self.expect(0, "", "convert", "a.aag", "-o", "b.aig")
        self.expect(0, "", "convert", "b.aig", "-o", "c.aag")
        self.expect(1, "safe stays\nunsafe rises\n", "check", "c.aag")

    def test_missing_input_exits_66_and_writes_nothing(self):
        self.assertEqual(self.run_program("convert", "nowhere.aag", "-o", "b.aig")[0], 66)
        self.assertEqual(list(self.folder.iterdir()), [])


class LiveLine(ProgramTest):
    def on_terminal(self, *arguments):
        """Runs with standard error on a pseudo terminal; returns what was painted there."""
        master, slave = os.openpty()
        command = [str(support.ARGS.build / "lemmata"), "check", "hard.aag", "--timeout", "1",
                   *arguments]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=slave, cwd=self.folder)
        os.close(slave)
        painted = b""
        try:
            while chunk := os.read(master, 4096):
                painted += chunk
        except OSError:  # the other end was closed
            pass
        process.communicate(timeout=10)
        os.close(master)
        return painted.decode()

    def test_terminal_gets_a_live_line_that_is_wiped(self):
        self.write("hard.aag", HARD)
        painted = self.on_terminal()
        self.assertRegex(painted, r"\d+\.\d s +\d+ MB")
        line, _, advice = painted.rpartition("\r\x1b[K")
        self.assertRegex(line, r" MB")
        self.assertNotIn(" MB", advice, "the line is wiped before the advice is given")
        self.assertIn("b0: try --timeout", advice)

    def test_live_line_says_what_is_settled_and_what_runs(self):
        lines = HARD.split("\n")
        lines[0] = re.sub(r"1$", "3", lines[0])
        lines[66:66] = [lines[65], lines[1].split()[0]]
        self.write("hard.aag", "\n".join(lines))
        painted = self.on_terminal()
        self.assertIn("1 of 3 settled", painted)
        self.assertRegex(painted, r"b[01]( \+1)? \(")

    def test_live_line_can_be_switched_off(self):
        self.write("hard.aag", HARD)
        self.assertNotRegex(self.on_terminal("--no-progress"), r"\x1b|\d+ MB")
        self.assertEqual(self.on_terminal("-q"), "")


if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    support.main()
