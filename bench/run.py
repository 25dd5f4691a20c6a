#!/usr/bin/env python3
"""`make bench`: our checker and ABC side by side in one run; writes docs/benchmarks.md.
A campaign on the shared collection if it is beside the project, else on examples/, bench/models/ and the
folder LEM_BENCH_DIR. A part of the contest (--sample, --only,
--contender) writes to BUILD/bench/docs, so that published figures are those of a whole run.
usage: run.py [--build DIR] [--timeout S] [--jobs N] [--only PREFIX]... [--sample N --seed S]
              [--contender abc|ours|auto]... [--docs DIR]"""
import os
import sys

import contest
import harness
import report

OURS = {"ours": "check --engine ic3 --timeout {timeout} {file}",
        "auto": "check --timeout {timeout} {file}"}


def arguments():
    ap = harness.parser(__doc__)
    ap.add_argument("--timeout", type=float, default=20)
    ap.add_argument("--only", action="append", default=[])
    ap.add_argument("--contender", action="append", choices=["abc", *OURS])
    return ap.parse_args()


def main():
    options = arguments()
    target = harness.results_folder(options) / "aiger.csv"
    chosen = harness.contenders(options.contender or ["abc", *OURS], OURS)
    models = [m for m in contest.models() if m[0].startswith(tuple(options.only or [""]))]
    harness.play(chosen, options, options.only or ["aiger"], models, target)
    docs = harness.docs_folder(options, options.sample or options.only or options.contender)
    print(f"bench: wrote {os.path.relpath(report.write(target, docs), harness.ROOT)}")
    return 1 if any(row["wrong"] for row in report.load(target)) else 0


if __name__ == "__main__":
    sys.exit(main())
