#!/usr/bin/env python3
"""Runs the libFuzzer targets and says what they did.

usage: fuzz.py BUILD --runs [N]                 the corpus and N inputs for each target, seed 1
       fuzz.py BUILD --minutes M [--target T]... all targets in turn, M minutes in total

With --minutes, inputs with new coverage go to BUILD/corpus/<target>, which later runs start from.
Inputs that fail are in BUILD/crashes/<target>, and the exit code is then 1."""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FUZZ = ROOT / "tests" / "fuzz"

# Seeds beside tests/fuzz/corpus/<target>, and the dictionary.
AIGER = ["examples/aiger", "tests/regress/aiger", "tests/fuzz/models"]
SEEDS = {
    "aiger_ascii": AIGER,
    "aiger_binary": AIGER,
    "btor2": ["examples/btor2", "tests/regress/btor2", "tests/fuzz/models"],
    "vmt": ["examples/vmt", "tests/regress/vmt", "tests/fuzz/models"],
    "chc": ["examples/chc", "tests/regress/chc"],
    "lustre": ["examples/lustre", "tests/regress/lustre"],
    "c_text": ["examples/c", "tests/fuzz/models"],
    "st": ["examples/st"],
}
DICTIONARIES = {
    "aiger_ascii": "aiger", "aiger_binary": "aiger", "aiger_certificate": "aiger",
    "btor2": "btor2", "btor2_certificate": "btor2", "btor2_witness": "btor2",
    "vmt": "smtlib", "chc": "smtlib", "smtlib": "smtlib", "smt_certificate": "smtlib",
    "table_witness": "smtlib", "json_witness": "smtlib", "lustre": "lustre", "options": "options",
    "c_text": "c", "c_expression": "c", "c_certificate": "yaml", "c_witness": "yaml",
    "st": "st",
}
# An input may take that long, that much memory and be that long: what users write by hand is
# smaller, and large files have tests of their own. Seconds are those of the clock, and in `make test`
# the machine may be busy.
SECONDS, PATIENT_SECONDS, MEGABYTES, BYTES = 20, 100, 2048, 4096
# About 45 s of processor time for all targets together; those that ask a solver have fewer inputs.
RUNS, RUNS_WITH_SOLVER = 2000, 300
WITH_SOLVER = {"aiger_certificate", "btor2_certificate", "smt_certificate", "c_certificate"}


@dataclass
class Outcome:
    target: str
    executions: int
    coverage: int
    corpus: int
    seconds: float
    crashes: list
    log: str


def targets(build):
    return sorted(p.name.removeprefix("fuzz_") for p in (build / "targets").glob("fuzz_*"))


def number(pattern, text):
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def run(build, target, limit, corpus):
    crashes = build / "crashes" / target
    crashes.mkdir(parents=True, exist_ok=True)
    before = set(crashes.iterdir())
    command = [str(build / "targets" / f"fuzz_{target}"), f"-artifact_prefix={crashes}/",
               f"-rss_limit_mb={MEGABYTES}", f"-max_len={BYTES}",
               "-print_final_stats=1", "-use_value_profile=1", *limit]
    if target in DICTIONARIES:
        command.append(f"-dict={FUZZ / 'dict' / DICTIONARIES[target]}.dict")
    command.append(str(corpus))
    folders = [FUZZ / "corpus" / target] + [ROOT / folder for folder in SEEDS.get(target, [])]
    command += [str(folder) for folder in folders if folder.is_dir()]
    began = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    found = sorted(set(crashes.iterdir()) - before)
    if done.returncode != 0 and not found:
        found = [f"exit code {done.returncode}"]
    return Outcome(target, number(r"stat::number_of_executed_units:\s*(\d+)", done.stderr),
                   number(r"cov: (\d+)", done.stderr), number(r"corp: (\d+)/", done.stderr),
                   time.monotonic() - began, found, done.stderr)


def smoke(build, runs, chosen):
    """One after the other on every core; what is found there is not kept."""
    def one(target):
        count = runs or (RUNS_WITH_SOLVER if target in WITH_SOLVER else RUNS)
        with tempfile.TemporaryDirectory(prefix="lemmata-fuzz-") as scratch:
            return run(build, target, [f"-runs={count}", "-seed=1", f"-timeout={PATIENT_SECONDS}"], scratch)
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return list(pool.map(one, chosen))


def long_run(build, minutes, chosen):
    """Each target has its share of the time; a target that stops at a failure goes on afterwards."""
    share = minutes * 60 / len(chosen)
    for target in chosen:
        corpus = build / "corpus" / target
        corpus.mkdir(parents=True, exist_ok=True)
        total = None
        left = share
        while left >= 1:
            limit = [f"-max_total_time={max(1, round(left))}", f"-timeout={SECONDS}"]
            part = run(build, target, limit, corpus)
            left -= max(part.seconds, 1)
            if total is not None:
                part.executions += total.executions
                part.seconds += total.seconds
                part.log = part.log if part.crashes else total.log
                part.crashes = total.crashes + part.crashes
            total = part
            if len(total.crashes) >= 5:
                break
        yield total


def cause(log):
    """What the sanitizer or the target said, without libFuzzer's own lines."""
    own = re.compile(r"#\d+\s|INFO:|stat::|Dictionary|\"|###|Done |MS: |0x[0-9a-f,]+$|\s*$")
    lines = [line[:160] for line in log.splitlines() if not own.match(line)]
    return "\n".join("  " + line for line in lines[:40])


def row(outcome):
    return (f"{outcome.target:18} {outcome.executions:>11,} {outcome.coverage:>9,} "
            f"{outcome.corpus:>7,} {outcome.seconds:>8.1f} {len(outcome.crashes):>8}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("--runs", type=int, nargs="?", const=0)
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--target", action="append")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    chosen = arguments.target or targets(build)
    if not chosen or (arguments.runs is None) == (arguments.minutes is None):
        parser.error("nothing to run" if not chosen else "give --runs or --minutes")
    outcomes = (smoke(build, arguments.runs, chosen) if arguments.minutes is None
                else long_run(build, arguments.minutes, chosen))
    print(f"{'target':18} {'executions':>11} {'coverage':>9} {'corpus':>7} {'seconds':>8} {'failures':>8}")
    failed = False
    for outcome in outcomes:
        print(row(outcome), flush=True)
        for crash in outcome.crashes:
            failed = True
            print(f"  {crash}")
        if outcome.crashes:
            print(cause(outcome.log))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
