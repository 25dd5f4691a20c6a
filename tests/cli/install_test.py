#!/usr/bin/env python3
"""What `make install` puts where, and whether shells and man can use it."""
import os
import shutil
import subprocess
import tempfile
import unittest
import pathlib

import support
from support import ARGS, ROOT


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="lemmata-install-")
        cls.addClassCleanup(cls.folder.cleanup)
        done = subprocess.run(["cmake", "--install", ARGS.build, "--prefix", "/usr"], capture_output=True,
                              text=True, check=False, env={**os.environ, "DESTDIR": cls.folder.name})
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        cls.usr = pathlib.Path(cls.folder.name) / "usr"

    def test_programs_run_from_where_they_are(self):
        for name in ("lemmata", "lemmata-validate"):
            done = subprocess.run([self.usr / "bin" / name, "--help"], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
        model = self.usr / "share" / "doc" / "lemmata" / "examples"
        self.assertTrue(list(model.rglob("*.aag")), "no example is installed")

    def test_manual_has_every_command_and_option(self):
        page = (self.usr / "share" / "man" / "man1" / "lemmata.1").read_text(encoding="utf-8")
        self.assertTrue(page.startswith(".TH LEMMATA 1"))
        for word in ("LEMMATA check", "LEMMATA campaign", r"\fB\-\-engine\fR", r"\fB\-\-certificate\fR"):
            self.assertIn(word, page)
        groff = shutil.which("groff")
        if groff:
            done = subprocess.run([groff, "-man", "-Tascii", "-ww", "-z"], input=page, capture_output=True,
                                  text=True, check=False)
            self.assertEqual(done.stderr, "")

    def complete(self, *words):
        script = self.usr / "share" / "bash-completion" / "completions" / "lemmata"
        line = f'source {script}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lemmata; printf "%s\\n" "${{COMPREPLY[@]}}"'
        done = subprocess.run(["bash", "--norc", "-c", line, "bash", *words], capture_output=True, text=True,
                              check=False, cwd=ROOT)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_bash_completes_commands_options_engines_and_files(self):
        self.assertEqual(self.complete("lemmata", "che"), ["check"])
        self.assertEqual(self.complete("lemmata", "check", "--engi"), ["--engine"])
        self.assertEqual(self.complete("lemmata", "check", "--engine", "ic3c"), ["ic3cfa"])
        self.assertEqual(self.complete("lemmata", "check", "READ"), ["README.md"])
        self.assertIn("--witness", self.complete("lemmata", "validate", "--wi"))

    def test_other_shells_accept_their_scripts(self):
        scripts = {"zsh": self.usr / "share" / "zsh" / "vendor-completions" / "_lemmata",
                   "fish": self.usr / "share" / "fish" / "vendor_completions.d" / "lemmata.fish"}
        for shell, script in scripts.items():
            self.assertIn("lemmata", script.read_text(encoding="utf-8"))
            if shutil.which(shell):
                done = subprocess.run([shell, "-n", script], capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_program_in_cpp_is_built_against_what_is_installed(self):
        """The example that docs/api.md shows: a proof, a run, a wrong file, and a stop."""
        here = pathlib.Path(self.folder.name)
        finds = {**os.environ, "PKG_CONFIG_PATH": str(next(self.usr.rglob("lemmata.pc")).parent)}
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "lemmata"], capture_output=True, text=True,
                               check=True, env=finds).stdout.split()
        examples = self.usr / "share" / "doc" / "lemmata" / "examples"
        subprocess.run(["g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", examples / "api" / "check_files.cpp", *flags,
                        "-o", here / "check_files"], check=True)
        (here / "wrong.vmt").write_text("(declare-fun\n", encoding="utf-8")
        runs = {**os.environ, "LD_LIBRARY_PATH": str(next(self.usr.rglob("liblemmata.so")).parent)}
        runs.pop("LEMMATA_PROGRAM", None)

        def check_files(seconds, *files):
            return subprocess.run([here / "check_files", seconds, *files], capture_output=True, text=True, check=False,
                                  env={**runs, "PATH": "/usr/bin:/bin"}, cwd=here)
        done = check_files("100", examples / "vmt" / "thermostat_unsafe.vmt", examples / "aiger" / "peterson_safe.aag")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"thermostat_unsafe\.vmt: p0: unsafe by auto")
        self.assertRegex(done.stdout, r"peterson_safe\.aag: \w+: safe by auto")
        self.assertEqual(done.stdout.count(", accepted"), 2, done.stdout)
        self.assertIn("p0 is unsafe", done.stderr)
        done = check_files("100", here / "wrong.vmt")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"wrong\.vmt:\d+:\d+: error: .* \(line \d\)")
        done = check_files("0", examples / "vmt" / "bakery_safe.vmt")
        self.assertIn("unknown by auto interrupted", done.stdout)

    def test_unknown_shell_is_a_usage_error(self):
        done = subprocess.run([ARGS.build / "lemmata", "completion", "tcsh"], capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.returncode, done.stdout), (64, ""))
        self.assertIn("bash, zsh, fish", done.stderr)


if __name__ == "__main__":
    support.main()
