#!/usr/bin/env python3
"""Random programs in Structured Text against an interpreter that was written from the standard: it visits all
states of each program, so it knows which assertions some run violates and where overflows and the like occur.
Must agree with it: every verdict of `lemmata check`, and the values of every run that it shows. A mismatch is
a bug and is printed with its seed; what is refused or takes too long is counted by reason.

usage: campaign.py [--build FOLDER] [--count N] [--first SEED] [--size STATEMENTS] [--seconds S]
                   [--engine NAME] [--limit SECONDS] [--cycles N] [--runs] [--keep FOLDER] [--minimize]
"""
import argparse
import collections
import pathlib
import random
import sys
import tempfile
import time

from assertions import with_assertions, without_probes
from explore import explore
from generator import Generator
from judge import Mismatch, Question, Skip, judge
from kinds import TypeFault
from machine import Machine
from minimize import minimized
from runs import compare_runs

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
MISMATCH = "MISMATCH"


def question_of(seed, options):
    program = Generator(seed, options.size, for_runs=options.runs)
    try:
        machine = Machine(program.text, **program.settings)
    except TypeFault as fault:
        raise Skip(f"the generator breaks a rule of types: {str(fault).partition(': ')[2] or fault}") from None
    if options.runs:
        return Question(without_probes(program.text), program.settings, program.options)
    explored = explore(machine, options.cycles)
    text = with_assertions(program.text, explored, machine.probes, random.Random(seed))
    more = ["--engine", options.engine] if options.engine else []
    return Question(text, program.settings, program.options + more, options.cycles)


def outcome_of(seed, options, totals):
    """In words."""
    program = options.build / "lemmata"
    with tempfile.TemporaryDirectory(prefix="st-fuzz-") as folder:
        question = None
        try:
            question = question_of(seed, options)
            if options.runs:
                totals["runs"] += compare_runs(question, program, folder, seed)
                return "agrees"
            compared = judge(question, program, folder, options.limit)
        except Skip as reason:
            return str(reason)
        except Mismatch as wrong:
            print(f"seed {seed}: {wrong}", file=sys.stderr, flush=True)
            keep(seed, question, wrong, program, folder, options)
            return MISMATCH
        for name, count in vars(compared).items():
            totals[name] += count
        return "agrees" if compared.unknown == 0 else "agrees, some verdicts unknown"


def keep(seed, question, wrong, program, folder, options):
    if not options.keep:
        return
    options.keep.mkdir(parents=True, exist_ok=True)
    about = f"// {wrong}\n// options: {' '.join(question.options)}\n"
    (options.keep / f"{seed}.st").write_text(question.text + about, encoding="utf-8")
    if options.minimize:
        smaller = minimized(question, str(wrong), program, folder, options.limit)
        (options.keep / f"{seed}_small.st").write_text(smaller.text + about, encoding="utf-8")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0, help="begin no program after so many")
    parser.add_argument("--engine", default="")
    parser.add_argument("--limit", type=float, default=10, help="of one verdict, in seconds")
    parser.add_argument("--size", type=int, default=6, help="of a body, in statements")
    parser.add_argument("--cycles", type=int, default=4000, help="most cycles of the search of one program")
    parser.add_argument("--runs", action="store_true", help="no verdicts: runs of the interpreter must be accepted")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for programs with mismatches")
    parser.add_argument("--minimize", action="store_true", help="also keep a smaller program with the same mismatch")
    return parser.parse_args()


def main():
    options = arguments()
    options.build = options.build.resolve()
    counts, totals, started = collections.Counter(), collections.Counter(), time.monotonic()
    try:
        for seed in range(options.first, options.first + options.count):
            if options.seconds and time.monotonic() - started > options.seconds:
                break
            counts[outcome_of(seed, options, totals)] += 1
            counts["programs"] += 1
    except KeyboardInterrupt:  # what was done is still told
        pass
    for outcome, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        print(f"{count:6d}  {outcome}")
    print("verdicts: " + ", ".join(f"{count} {name}" for name, count in totals.items()))
    print(f"{time.monotonic() - started:8.1f} s")
    compared = totals["runs"] or (totals["safe"] and totals["unsafe"])
    return 1 if counts[MISMATCH] or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
