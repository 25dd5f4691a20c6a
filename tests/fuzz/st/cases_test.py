#!/usr/bin/env python3
"""The programs of cases.py: `lemmata check` must agree with the interpreter on each of them, and accept it.

usage: cases_test.py [--build FOLDER] [--interpreter] [WORDS IN THE NAME...]
"""
import argparse
import pathlib
import sys
import tempfile

from cases import CASES
from explore import explore, names_of_assertions
from judge import Mismatch, Question, Skip, judge
from machine import Machine

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent


def decided(name, settings, text):
    """The search must decide every claim, and some must fail. A claim p was made by hand: it holds, unless it is
    about retained values."""
    found = explore(Machine(text, **settings))
    names = set(names_of_assertions(text))
    if found.exact and bool(names) == bool(found.failed) and ("p" in found.failed) == bool(settings):
        return []
    return [f"{name}: exact {found.exact}, fails {sorted(found.failed)} of {sorted(names)}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--interpreter", action="store_true", help="only look whether the programs show something")
    parser.add_argument("--limit", type=float, default=60, help="of one verdict, in seconds")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    wrong, count = [], 0
    with tempfile.TemporaryDirectory(prefix="st-cases-") as folder:
        for name, more, settings, text in CASES:
            if not all(word in name for word in options.words):
                continue
            count += 1
            wrong += decided(name, settings, text)
            if options.interpreter:
                continue
            try:
                compared = judge(Question(text, settings, more), options.build / "lemmata", folder, options.limit)
                if compared.unknown:
                    wrong.append(f"{name}: {compared.unknown} verdicts unknown")
            except (Mismatch, Skip) as reason:
                wrong.append(f"{name}: {reason}")
                print(wrong[-1], file=sys.stderr, flush=True)
    print("\n".join(wrong + [f"{count} programs, {len(wrong)} problems"]))
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
