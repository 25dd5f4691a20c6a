#!/usr/bin/env python3
"""The presets of treeic3 beside ic3ia and ic3cfa on the folders of C programs that [Cimatti14 5]
speaks of: what each solves, in which time, folder by folder.

The shared collection's C programs of those folders with a known verdict over bit-vectors, else
those of examples/ and of the folder LEM_BENCH_DIR. Configurations alternate file by file. Without
--all a small sample is drawn (--sample, --seed); a part writes to BUILD/bench/docs and leaves the
published page alone.
usage: treeic3.py [--build DIR] [--timeout S] [--jobs N] [--sample N --seed S | --all]
                  [--only PREFIX]... [--engine NAME]... [--docs DIR]"""
import os
import sys

import contest
import harness
import ic3cfa
import report

QUERIES = "treeic3.queries"
PRESETS = ["treeic3:concrete", "treeic3:itp", "treeic3:ia"]
# Congruences are interpolants by a template, so `concrete` has none; with them it is the control.
CONTROL = "treeic3:concrete+congruences"
ENGINES = [*PRESETS, CONTROL, "ic3ia", "ic3cfa"]
FOLDERS = ["c/ssh-simplified/", "c/locks/", "c/ntdrivers-simplified/", "c/bitvector/"]
TIMEOUT, SAMPLE = 20.0, 8


def totals(groups, timeout):
    rows = [[f"`{name}`", *report.figures(mine, timeout)] for name, mine in groups.items()]
    return report.markdown(["configuration", *report.TALLY], rows)


def by_folder(groups):
    """Solved files of each folder, a column for each configuration."""
    folders = sorted({os.path.dirname(row["file"]) for mine in groups.values() for row in mine})
    rows = []
    for folder in folders:
        here = [[row for row in mine if os.path.dirname(row["file"]) == folder]
                for mine in groups.values()]
        rows.append([folder, len(here[0]), *[sum(map(report.good, mine)) for mine in here]])
    return report.markdown(["folder", "files", *[f"`{name}`" for name in groups]], rows)


def ranking(groups):
    """Whether the paper's order holds: ia solves no fewer than itp, both more than concrete."""
    if not set(PRESETS) <= set(groups):
        return "Not all presets ran."
    concrete, itp, ia = [sum(map(report.good, groups[name])) for name in PRESETS]
    held = "holds" if ia >= itp > concrete and ia > concrete else "does not hold"
    control = (f" The control solves {sum(map(report.good, groups[CONTROL]))}."
               if CONTROL in groups else "")
    return (f"The paper's order (`ia` at least `itp`, both more than `concrete`) {held}: "
            f"{ia}, {itp}, {concrete}.{control}")


def arguments_of(engine):
    return "treeic3:concrete --set treeic3.congruences=2" if engine == CONTROL else engine


def arguments():
    ap = harness.parser(__doc__)
    ap.add_argument("--timeout", type=float, default=TIMEOUT, help=f"seconds ({TIMEOUT:g})")
    ap.add_argument("--all", action="store_true", help="every file instead of a sample")
    ap.add_argument("--only", action="append", metavar="PREFIX", help="files")
    ap.add_argument("--engine", action="append", metavar="NAME", help="configurations")
    return ap.parse_args()


def main():
    options = arguments()
    if not options.all and not options.sample:
        options.sample = SAMPLE
    partial = any([not options.all, options.only, options.engine, options.timeout != TIMEOUT,
                   not harness.collection()])
    target = harness.results_folder(options) / f"treeic3{'-part' * partial}.csv"
    engines = options.engine or ENGINES
    templates = {engine: f"check --engine {arguments_of(engine)} --timeout {{timeout}} "
                         "--stats {file}" for engine in engines}
    chosen = contest.pick(ic3cfa.files(options.only or FOLDERS), options)
    meta = harness.compare("treeic3", templates, chosen, options, target, [QUERIES])
    docs = harness.docs_folder(options, partial)
    rows = report.load(target)
    groups = report.by_contender(rows)
    parts = [report.conditions(meta), totals(groups, meta["timeout"]), by_folder(groups),
             ranking(groups), *report.flaws(rows)]
    text = "\n\n".join(parts)
    print(text)
    print(f"wrote {os.path.relpath(report.write_blocks(docs, {'treeic3': text}))}")
    return 1 if report.flaws(rows) else 0


if __name__ == "__main__":
    sys.exit(main())
