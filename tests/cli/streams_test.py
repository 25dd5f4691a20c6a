#!/usr/bin/env python3
"""`-` in the place of files: models and evidence from standard input, evidence to standard output."""
import json
import subprocess

from support import ARGS, ROOT, ProgramTest, main

EXAMPLES = ROOT / "examples"


class Streams(ProgramTest):
    def pipe(self, text, *words, program="lemmata"):
        """(exit code, standard output, standard error)"""
        data = text if isinstance(text, bytes) else text.encode()
        done = subprocess.run([ARGS.build / program, *map(str, words)], input=data, capture_output=True, check=False,
                              cwd=self.folder)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def test_models_of_every_format_are_read_from_standard_input(self):
        for name, code in (("aiger/peterson_safe.aag", 0), ("btor2/average_unsafe.btor2", 1),
                           ("vmt/thermostat_unsafe.vmt", 1), ("chc/two_loops_safe.smt2", 0),
                           ("lustre/counter_safe.lus", 0), ("st/tank_unsafe.scl", 1), ("c/overflow_unsafe.c", 1),
                           ("verilog/traffic_safe.sv", 0)):
            with self.subTest(name):
                file = EXAMPLES / name
                own = self.run_program("check", file)
                got = self.pipe(file.read_bytes(), "check", "-")
                self.assertEqual((got[0], own[0]), (code, code), got)
                self.assertEqual(got[1].replace("stdin.sv", file.name), own[1])

    def test_errors_are_about_standard_input(self):
        code, out, err = self.pipe("(set-logic HORN)\n(declare-fun p (Int Bool)\n", "check", "-")
        self.assertEqual((code, out), (65, ""))
        self.assertRegex(err, r"^-:\d+:\d+: error: ")
        code, out, err = self.pipe("hello", "check", "-")
        self.assertEqual((code, out), (64, ""))
        self.assertIn("--as", err)
        self.assertEqual(self.pipe("", "check", "-", "--as", "none")[0], 64)
        self.assertEqual(self.pipe("", "check", "-", "other.vmt")[0], 64)
        self.assertEqual(self.pipe("", "check", EXAMPLES / "vmt/bakery_safe.vmt", "--as", "vmt")[0], 64)
        self.assertEqual(self.pipe("", "validate", "-", "--witness", "-")[0], 64)

    def test_format_may_be_named(self):
        text = (EXAMPLES / "vmt/thermostat_unsafe.vmt").read_text()
        for name in ("vmt", ".vmt"):
            self.assertEqual(self.pipe(text, "check", "-", "--as", name)[:2], (1, "unsafe p0\n"))
        self.assertEqual(self.pipe(text, "check", "-", "--as", "lus")[0], 65)

    def test_evidence_goes_to_standard_output_and_comes_from_standard_input(self):
        for name, option in (("vmt/thermostat_unsafe.vmt", "--witness"), ("chc/two_loops_safe.smt2", "--certificate"),
                             ("aiger/counter_unsafe.aag", "--witness"), ("c/overflow_unsafe.c", "--witness"),
                             ("st/counter_wrap_unsafe.st", "--witness"), ("btor2/ring_buffer_safe.btor2", "--certificate")):
            with self.subTest(name):
                file = EXAMPLES / name
                code, evidence, err = self.run_program("check", file, "--witness", "-", "--certificate", "-")
                self.assertIn(code, (0, 1))
                self.assertNotRegex(evidence, r"(?m)^(un)?safe \w+$")
                self.assertRegex(err, r"(?m)^(un)?safe ")
                for program, words in (("lemmata", ["validate"]), ("lemmata-validate", [])):
                    got = self.pipe(evidence, *words, file, option, "-", program=program)
                    self.assertEqual((got[0], got[1][:9]), (0, "accepted "), got)
                self.assertEqual(list(self.folder.glob("-*")), [])

    def test_rejected_evidence_is_called_by_its_name(self):
        code, out, err = self.pipe("nothing", "validate", EXAMPLES / "vmt/thermostat_unsafe.vmt", "--witness", "-")
        self.assertEqual((code, out), (65, ""))
        self.assertRegex(err, r"^-(:\d+:\d+)?: error: ")

    def test_standard_output_takes_one_document(self):
        file = EXAMPLES / "vmt/thermostat_unsafe.vmt"
        self.assertEqual(self.run_program("check", file, "--witness", "-", "--json", "-")[0], 64)

    def test_other_commands(self):
        text = (EXAMPLES / "vmt/thermostat_unsafe.vmt").read_text()
        self.assertRegex(self.pipe(text, "properties", "-")[1], r"^p0  property  -:\d+:\d+\n$")
        self.assertEqual(self.pipe(text, "convert", "-", "-o", "out.smt2")[0], 0)
        self.assertTrue((self.folder / "out.smt2").is_file())
        code, _, _ = self.pipe(text, "check", "-", "--json", "out.json")
        self.assertEqual((code, json.loads((self.folder / "out.json").read_text())["file"]), (1, "-"))

    def test_nothing_is_left_behind(self):
        text = (EXAMPLES / "vmt/thermostat_unsafe.vmt").read_text()
        done = subprocess.run([ARGS.build / "lemmata", "check", "-"], input=text.encode(), capture_output=True,
                              check=False, env={"TMPDIR": str(self.folder), "PATH": "/usr/bin:/bin"})
        self.assertEqual(done.returncode, 1)
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    main()
