#!/usr/bin/env python3
"""Runs the transcripts of README.md for real and puts their output there.
usage: readme_transcripts.py path/to/lemmata"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RUNS = {
    "Safe": ["lemmata check examples/chc/two_loops_safe.smt2 --engine ic3ia --certificate proof.smt2",
             "lemmata validate examples/chc/two_loops_safe.smt2 --certificate proof.smt2",
             "z3 proof.smt2"],
    "Unsafe": ["lemmata check examples/vmt/thermostat_unsafe.vmt --engine bmc --witness bug.txt",
               "cat bug.txt",
               "lemmata validate examples/vmt/thermostat_unsafe.vmt --witness bug.txt"],
    "C programs": ["lemmata check examples/c/overflow_unsafe.c --witness bug.txt",
                   "cat bug.txt",
                   "lemmata check examples/c/overflow_unsafe.c --witness bug.c",
                   "gcc -fwrapv examples/c/overflow_unsafe.c bug.c -o run",
                   "./run",
                   "lemmata check examples/c/overflow_unsafe.c --arith int"],
}


def transcript(lemmata, commands):
    text = "```\n"
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "examples").symlink_to(ROOT / "examples")
        for command in commands:
            words = command.replace("lemmata ", f"{lemmata} ", 1).split()
            run = subprocess.run(words, cwd=folder, capture_output=True, text=True)
            text += f"$ {command}\n{run.stdout}{run.stderr}"
            if command.startswith("lemmata check"):
                text += f"$ echo $?\n{run.returncode}\n"
    return text + "```\n"


def main():
    lemmata = pathlib.Path(sys.argv[1]).resolve()
    page = ROOT / "README.md"
    new = page.read_text(encoding="utf-8")
    for title, commands in RUNS.items():
        fresh = f"## {title}\n\n" + transcript(lemmata, commands)
        new = re.sub(rf"## {title}\n\n(@\w+@\n|```\n.*?```\n)", lambda _: fresh, new, count=1, flags=re.S)
    page.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
