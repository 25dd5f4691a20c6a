#!/usr/bin/env python3
"""docs/ci.md as written: the workflow parses and its command works, the pre-commit hook stops what it should."""
import os
import pathlib
import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree

import support
from support import HARD, ROOT, SAFE, UNSAFE, ProgramTest

try:
    import yaml
except ImportError:
    yaml = None

HOOK = ROOT / "contrib/pre-commit/lemmata-check"
C_SAFE = "#include <assert.h>\nint main(void) { assert(1 + 1 == 2); }\n"
C_UNSAFE = "#include <assert.h>\nint main(void) { assert(1 + 1 == 3); }\n"


def yaml_blocks():
    """The YAML of docs/ci.md, as text."""
    return re.findall(r"^```yaml\n(.*?)^```$", (ROOT / "docs/ci.md").read_text(), re.M | re.S)


def run_steps(text):
    """The scripts of `run:` without a YAML reader: name of the step -> script."""
    steps = {}
    for match in re.finditer(r"^( *)- name: (.+)\n(?:\1  if: .*\n)?\1  run: (\|\n(?:\1    .*\n)+|.*\n)", text, re.M):
        script = match[3]
        steps[match[2]] = re.sub(r"^ +", "", script[2:], flags=re.M) if script.startswith("|") else script
    return steps


class Workflow(ProgramTest):
    def test_the_check_step_works_as_written(self):
        script = run_steps(yaml_blocks()[0])["Check"]
        for folder in (".lemmata/build", "programs", "models"):
            (self.folder / folder).mkdir(parents=True)
        (self.folder / ".lemmata/build/lemmata").symlink_to(support.ARGS.build / "lemmata")
        self.write("programs/good.c", C_SAFE)
        shutil.copy(ROOT / "examples/lustre/counter_safe.lus", self.folder / "models")
        run = subprocess.run(["sh", "-e", "-c", script], cwd=self.folder, capture_output=True, text=True, timeout=120)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.write("programs/bad.c", C_UNSAFE)
        run = subprocess.run(["sh", "-e", "-c", script], cwd=self.folder, capture_output=True, text=True, timeout=120)
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        suites = ElementTree.parse(self.folder / "lemmata.xml").getroot()
        self.assertEqual(sorted(suite.get("name") for suite in suites),
                         ["models/counter_safe.lus", "programs/bad.c", "programs/good.c"])
        self.assertTrue((self.folder / "lemmata.sarif").exists())

    def test_steps_build_what_the_makefile_has(self):
        script = run_steps(yaml_blocks()[0])["Build Lemmata"]
        target = re.fullmatch(r"make -C \.lemmata (\w+)\n", script)[1]
        self.assertIn(f"\n{target}:", (ROOT / "Makefile").read_text())

    @unittest.skipUnless(yaml, "no YAML reader")
    def test_the_yaml_parses(self):
        workflow, hook = (yaml.safe_load(text) for text in yaml_blocks())
        steps = workflow["jobs"]["check"]["steps"]
        # What the other tests run is what a YAML reader sees.
        self.assertEqual({step["name"]: step["run"].split() for step in steps if "run" in step},
                         {name: script.split() for name, script in run_steps(yaml_blocks()[0]).items()})
        self.assertTrue(all("uses" in step or "run" in step for step in steps))
        entry = hook["repos"][0]["hooks"][0]
        self.assertTrue((ROOT / entry["entry"]).is_file())
        self.assertTrue(re.search(entry["files"], "src/main.c") and not re.search(entry["files"], "main.cpp"))


class PreCommit(ProgramTest):
    def hook(self, *files, **more):
        environment = {**os.environ, "LEMMATA": str(support.ARGS.build / "lemmata"), **more}
        run = subprocess.run([HOOK, *files], cwd=self.folder, env=environment, capture_output=True, text=True,
                             timeout=120)
        return run.returncode, run.stdout, run.stderr

    def test_an_unsafe_file_stops_and_says_where(self):
        self.write("good.aag", SAFE)
        self.write("bad.c", C_UNSAFE)
        self.write("notes.txt", "hello")
        self.write("plain.c", "int f(void) { return 1; }\n")
        code, out, err = self.hook("good.aag", "bad.c", "notes.txt", "plain.c")
        self.assertEqual(code, 1, err)
        self.assertIn("bad.c:2:", out)
        self.assertEqual(self.hook("good.aag", "notes.txt")[0], 0)
        self.assertEqual(self.hook("notes.txt")[:2], (0, ""))

    def test_unknown_passes_unless_strict(self):
        self.write("hard.aag", HARD)
        code, out, err = self.hook("hard.aag", LEMMATA_ARGUMENTS="--timeout 1")
        self.assertEqual((code, "warning" in out, "not decided" in err), (0, True, True))
        self.assertEqual(self.hook("hard.aag", LEMMATA_ARGUMENTS="--timeout 1", LEMMATA_STRICT="1")[0], 2)

    def test_a_missing_program_is_said(self):
        code, _, err = self.hook("x.aag", LEMMATA="/no/such")
        self.assertEqual(code, 1)
        self.assertIn("LEMMATA", err)

    @unittest.skipUnless(shutil.which("git"), "no git")
    def test_staged_files_are_what_git_would_commit(self):
        def git(*arguments):
            subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], cwd=self.folder,
                           check=True, capture_output=True)
        git("init", "-q")
        self.write("with blank.aag", UNSAFE)
        git("add", ".")
        code, out, _ = self.hook()
        self.assertEqual(code, 1)
        self.assertIn("with blank.aag:", out)
        git("rm", "-q", "-f", "with blank.aag")
        self.assertEqual(self.hook()[0], 0)


if __name__ == "__main__":
    support.main()
