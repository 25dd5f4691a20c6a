#!/usr/bin/env python3
"""`lemmata check FILES…`: which files are one model, verdict lines, exit code, summary, outputs, signals."""
import json
import signal
import time
import unittest
import xml.etree.ElementTree as ElementTree

import support
from support import HARD, MIXED, SAFE, UNSAFE, ProgramTest

MAIN = "extern int f(int);\nextern void reach_error(void);\nint main(void) { if (f(1) != 2) reach_error(); }\n"
PART = "int f(int x) { return x + 1; }\n"
C_SAFE = "#include <assert.h>\nint main(void) { assert(1 + 1 == 2); }\n"
C_UNSAFE = "#include <assert.h>\nint main(void) { assert(1 + 1 == 3); }\n"


class Several(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("safe.aag", SAFE)
        self.write("unsafe.aag", UNSAFE)
        self.write("mixed.aag", MIXED)
        self.write("broken.aag", "aag 1 2\n")

    def check(self, *arguments, expect):
        code, out, err = self.run_program("check", *arguments, "--timeout", 60)
        self.assertEqual(code, expect, out + err)
        return out, err


class Rules(Several):
    def test_a_cluster_takes_one_model_and_writes_no_findings(self):
        self.write("a.aag", "aag 1 0 1 1 0\n2 2\n2\n")
        self.write("b.aag", "aag 1 0 1 1 0\n2 2\n2\n")
        for words in (["a.aag", "b.aag"], ["a.aag", "--sarif", "x.sarif"], ["a.aag", "--junit", "x.xml"]):
            code, out, errors = self.run_program("check", *words, "--on", "slurm:2")
            self.assertEqual((code, out), (64, ""), errors)
            self.assertIn("--on", errors)

    def test_each_file_of_a_format_without_parts_is_a_model(self):
        out, err = self.check("safe.aag", "mixed.aag", expect=1)
        self.assertEqual(out, "safe safe.aag: o0\nsafe mixed.aag: stays\nunsafe mixed.aag: rises\n")
        rows = [line.split() for line in err.splitlines()]
        self.assertEqual(rows[0], ["file", "safe", "unsafe", "unknown", "seconds"])
        self.assertEqual([row[:-1] for row in rows[1:]],
                         [["safe.aag", "1", "0", "0"], ["mixed.aag", "1", "1", "0"], ["2", "files", "2", "1", "0"]])

    def test_one_file_keeps_its_lines(self):
        out, err = self.check("mixed.aag", expect=1)
        self.assertEqual((out, err), ("safe stays\nunsafe rises\n", ""))
        out, _ = self.check("mixed.aag", "--each", expect=1)
        self.assertEqual(out, "safe stays\nunsafe rises\n")

    def test_several_files_of_c_are_one_program(self):
        self.write("main.c", MAIN)
        self.write("part.c", PART)
        out, err = self.check("main.c", "part.c", expect=0)
        self.assertEqual((out, err), ("safe unreach-call\n", ""))

    def test_each_makes_them_several(self):
        self.write("good.c", C_SAFE)
        self.write("bad.c", C_UNSAFE)
        out, _ = self.check("--each", "good.c", "bad.c", expect=1)
        self.assertEqual(out, "safe good.c: unreach-call\nunsafe bad.c: assert bad.c:2 1 + 1 == 3\n")

    def test_one_file_of_c_beside_other_formats(self):
        self.write("good.c", C_SAFE)
        out, _ = self.check("good.c", "safe.aag", expect=0)
        self.assertEqual(len(out.splitlines()), 2)

    def test_one_program_or_two_must_be_said(self):
        self.write("main.c", MAIN)
        self.write("part.c", PART)
        out, err = self.check("main.c", "safe.aag", "part.c", expect=64)
        self.assertEqual(out, "")
        self.assertIn("--each", err)

    def test_quiet_has_no_table(self):
        self.assertEqual(self.check("safe.aag", "safe.aag", "-q", expect=0)[1], "")

    def test_competition_command_line_is_still_that(self):
        code, out, _ = self.run_program("check", "--hwmcc", "unsafe.aag", "w.txt")
        self.assertEqual((code, out), (1, "sat\n"))
        self.assertTrue((self.folder / "w.txt").exists())


class Codes(Several):
    def test_the_worst_counts_and_the_others_are_checked(self):
        for files, expect in ((("safe.aag", "safe.aag"), 0), (("unsafe.aag", "safe.aag"), 1),
                              (("broken.aag", "unsafe.aag"), 65), (("broken.aag", "none.aag", "safe.aag"), 66),
                              (("safe.aag", "x.unknown"), 66)):
            with self.subTest(files):
                out, err = self.check(*files, expect=expect)
                verdicts = sum(name in ("safe.aag", "unsafe.aag") for name in files)
                self.assertEqual(len(out.splitlines()), verdicts, err)

    def test_unsafe_is_worse_than_unknown(self):
        self.write("hard.aag", HARD)
        code, out, _ = self.run_program("check", "hard.aag", "safe.aag", "--timeout", 1)
        self.assertEqual(code, 2)
        self.assertRegex(out, r"^unknown hard\.aag: \w+: timeout\nsafe safe\.aag: o0\n$")
        code, _, _ = self.run_program("check", "hard.aag", "unsafe.aag", "--timeout", 1)
        self.assertEqual(code, 1)

    def test_a_wrong_command_line_is_said_once(self):
        _, err = self.check("safe.aag", "unsafe.aag", "--engine", "nosuch", expect=64)
        self.assertEqual(err.count("error:"), 1)


class Outputs(Several):
    def test_documents_are_about_all_files(self):
        self.check("safe.aag", "broken.aag", "unsafe.aag", "--sarif", "x.sarif", "--junit", "x.xml", "--json", "x.json",
                   expect=65)
        suites = ElementTree.parse(self.folder / "x.xml").getroot()
        self.assertEqual([(suite.get("name"), suite.get("tests"), suite.get("failures"), suite.get("errors"))
                          for suite in suites],
                         [("safe.aag", "1", "0", "0"), ("broken.aag", "1", "0", "1"), ("unsafe.aag", "1", "1", "0")])
        run = json.loads((self.folder / "x.sarif").read_text())["runs"][0]
        self.assertEqual(len(run["results"]), 1)
        invocation = run["invocations"][0]
        self.assertFalse(invocation["executionSuccessful"])
        self.assertIn("broken.aag:1:", invocation["toolExecutionNotifications"][0]["message"]["text"])
        files = json.loads((self.folder / "x.json").read_text())["files"]
        self.assertEqual([one["file"] for one in files], ["safe.aag", "unsafe.aag"])
        self.assertNotIn("places", files[0]["results"][0])

    def test_standard_output_takes_a_document(self):
        out, err = self.check("safe.aag", "unsafe.aag", "--junit", "-", expect=1)
        self.assertEqual(len(ElementTree.fromstring(out)), 2)
        self.assertIn("unsafe unsafe.aag: o0\n", err)

    def test_evidence_goes_to_folders(self):
        self.check("safe.aag", "unsafe.aag", "--witness", "w/", "--certificate", "w/", expect=1)
        for file, option in (("unsafe.aag", "--witness"), ("safe.aag", "--certificate")):
            (path,) = (self.folder / "w" / file).iterdir()
            code, out, err = self.run_program("validate", file, option, path)
            self.assertEqual((code, out), (0, "accepted o0\n"), err)

    def test_outputs_of_one_model_are_refused(self):
        for option, value in (("--report", "x.html"), ("--witness", "w.txt"), ("--certificate", "c.aag")):
            with self.subTest(option):
                out, _ = self.check("safe.aag", "unsafe.aag", option, value, expect=64)
                self.assertEqual(out, "")


class Signals(Several):
    def test_an_interrupt_ends_the_current_and_skips_the_rest(self):
        self.write("hard.aag", HARD)
        process = self.start("check", "safe.aag", "hard.aag", "unsafe.aag", "--junit", "x.xml")
        self.assertEqual(process.stdout.readline(), "safe safe.aag: o0\n")
        time.sleep(0.5)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 2, out + err)
        self.assertRegex(out, r"^unknown hard\.aag: \w+: interrupted\nunknown unsafe\.aag: interrupted\n$")
        suites = ElementTree.parse(self.folder / "x.xml").getroot()
        self.assertEqual([suite.get("errors") for suite in suites], ["0", "1", "1"])

    def test_a_killed_parent_takes_the_check_along(self):
        self.write("hard.aag", HARD)
        process = self.start("check", "hard.aag", "safe.aag", start_new_session=True)
        time.sleep(1.0)
        process.kill()
        # The streams end when the last process that has them is gone.
        out, _ = process.communicate(timeout=30)
        self.assertEqual(out, "")


if __name__ == "__main__":
    support.main()
