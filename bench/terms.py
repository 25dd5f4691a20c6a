#!/usr/bin/env python3
"""`make bench NAME=terms`: suites of transition systems, contenders in turn file by file.

  chc     constrained Horn clauses, 15 s: ic3ia (one core), auto, Z3's Spacer
  vmt     the VMT sets cav12, ctigar and lustre, 30 s: ic3ia
  lustre  Lustre programs, 30 s: ic3ia
  btor2   word-level hardware, 30 s: auto
  hwmcc   word-level hardware that took the best published tool 1 to 900 s, 60 s: auto
  rest    all other VMT files, arrays among them, 30 s: auto
  horn    nonlinear Horn clauses, arrays and data types, 15 s: auto, Z3's Spacer
  live    liveness of transition systems, 30 s: auto

Every contest is a campaign: on the files of the shared collection with known verdicts if it is beside
the project, else on the models of these formats in examples/ and the folder LEM_BENCH_DIR. A suite's results are BUILD/bench/terms/SUITE.csv and .json; the table in
docs/benchmarks.md is made of all that are there, so that one suite can be run by itself. A part
(--sample, --timeout, or no collection) goes to BUILD/bench/terms-part and BUILD/bench/docs instead.
Exit code 1 when a verdict was wrong or a run ended in an error.
usage: terms.py [--build DIR] [--suite NAME]... [--timeout S] [--jobs N] [--sample N --seed S]
                [--render] [--docs DIR]"""
import json
import os
import sys
from typing import NamedTuple

import contest
import harness
import report

OURS = {"ic3ia": "check --engine ic3ia --timeout {timeout} {file}",
        "auto": "check --timeout {timeout} {file}"}


class Suite(NamedTuple):
    prefixes: list  # in the shared collection
    endings: tuple  # of the models that stand in for it
    timeout: float
    contenders: list
    others: str = ""  # what other checkers solved


SUITES = {
    "chc": Suite(["chc/"], (".smt2",), 15, ["ic3ia", "auto", "z3"],
                 "Z3 108, Golem's spacer 97 of 170"),
    "vmt": Suite(["vmt/cav12", "vmt/ctigar", "vmt/lustre"], (".vmt",), 30, ["ic3ia"]),
    "lustre": Suite(["lustre/"], (".lus",), 30, ["ic3ia"]),
    "btor2": Suite(["btor2/"], (".btor2",), 30, ["auto"],
                   "rIC3 62 %, Pono's ic3ia 53 % of a sample of 45 at 10 s"),
    "hwmcc": Suite(["hwmcc-btor2/"], (".btor2",), 60, ["auto"]),
    "rest": Suite(["vmt/bv", "vmt/conc", "vmt/euforia", "vmt-array/"], (".vmt",), 30, ["auto"]),
    "horn": Suite(["chc-nonlin/", "chc-arrays/", "chc-adt/"], (".smt2",), 15, ["auto", "z3"]),
    "live": Suite(["live/"], (".vmt",), 30, ["auto"])}


def load(folder):
    """suite -> (rows, conditions) of the results in `folder`."""
    return {name: (report.load(folder / f"{name}.csv"),
                   json.loads((folder / f"{name}.json").read_text(encoding="utf-8")))
            for name in SUITES if (folder / f"{name}.json").exists()}


def table(results):
    """Markdown: a row for every suite and contender, the conditions of every suite, what failed."""
    rows, notes, commands, found = [], [], {}, []
    for name, (runs, meta) in results.items():
        for contender, mine in report.by_contender(runs).items():
            first = contender == next(iter(meta["commands"]))
            rows.append([f"`{name}`", f"`{contender}`", f"{meta['timeout']:g} s",
                         *report.figures(mine, meta["timeout"]),
                         SUITES[name].others if first else ""])
        sample = f", a sample (seed {meta['seed']})" if meta["sample"] else ""
        notes.append(f"- Suite `{name}`: {meta['files']} files{sample}, {meta['jobs']} at a time. "
                     f"{report.machine(meta)}.")
        commands.update(meta["commands"])
        found += report.flaws(runs)
    head = ["suite", "contender", "limit", *report.TALLY, "others"]
    text = [f"Wall time, 3 GB address space. {report.PAR2}", "", report.markdown(head, rows), ""]
    text += notes + [f"- `{name}`: `{command}`" for name, command in commands.items()]
    return "\n".join(text + found)


def play(name, options, folder):
    suite = SUITES[name]
    options.timeout = options.limit or suite.timeout
    print(f"bench: {name}, {options.timeout:g} s each", flush=True)
    harness.play(harness.contenders(suite.contenders, OURS), options, suite.prefixes,
                 contest.models(suite.endings), folder / f"{name}.csv")


def arguments():
    ap = harness.parser(__doc__)
    ap.add_argument("--suite", action="append", choices=list(SUITES),
                    help="run this one (may be repeated; default: all)")
    ap.add_argument("--timeout", type=float, dest="limit", metavar="S",
                    help="seconds for each file in place of the suite's own limit")
    ap.add_argument("--render", action="store_true",
                    help="run nothing, write the table of the results that are there")
    return ap.parse_args()


def main():
    options = arguments()
    partial = options.sample or options.limit or not harness.collection()
    folder = harness.results_folder(options) / ("terms-part" if partial else "terms")
    folder.mkdir(exist_ok=True)
    played = [] if options.render else options.suite or list(SUITES)
    for name in played:
        play(name, options, folder)
    results = load(folder)
    if not results:
        sys.exit("bench: no results yet")
    missing = [name for name in SUITES if name not in results]
    if missing:
        print(f"bench: not in the table, for lack of results: {', '.join(missing)}")
    page = report.write_blocks(harness.docs_folder(options, partial), {"terms": table(results)})
    print(f"bench: wrote {os.path.relpath(page, harness.ROOT)}")
    return 1 if any(report.flaws(runs) for runs, _ in results.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
