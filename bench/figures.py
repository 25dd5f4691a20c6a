#!/usr/bin/env python3
"""Repeats two figures of [Cimatti14] on linear real arithmetic: the VMT set cav12 and the Lustre
programs over reals of the shared collection, else the VMT and Lustre models of examples/ and the
folder LEM_BENCH_DIR.

  abstraction   Figure 3: ic3ia against IC3 without abstraction, seconds
  minimization  Figure 5: ic3ia with all predicates against minimized ones, predicates and seconds

Contenders alternate file by file. Results go to BUILD/bench/FIGURE.csv as they arrive, a summary
and scatter plots to docs/benchmarks.md. A part or another list (--sample, --timeout, --only,
--logic, --against, or no collection) goes to BUILD/bench/FIGURE-part.csv and BUILD/bench/docs.
usage: figures.py abstraction|minimization [--build DIR] [--timeout S] [--jobs N]
                  [--only PREFIX]... [--logic NAME]... [--against ENGINE[:PRESET]]...
                  [--sample N --seed S] [--docs DIR]"""
import os
import statistics
import sys
from typing import NamedTuple

import contest
import harness
import plots
import report

OURS = "ic3ia"
PREDICATES = "ic3ia.predicates"
TIMEOUT = 30.0


class Figure(NamedTuple):
    against: str    # engine and preset
    counters: list  # statistics that are compared as well as time


FIGURES = {"abstraction": Figure("ic3smt", []),
           "minimization": Figure("ic3ia:all-predicates", [PREDICATES])}


def files(prefixes, logics):
    """(name, path, expected) of the collection's files with a known verdict; QF_LRA is LRA."""
    rows = harness.collection()
    if not rows:
        return contest.models((".vmt", ".lus"))
    return [(row["file"], harness.SHARED / row["file"], row["expected"]) for row in rows
            if row["file"].startswith(tuple(prefixes)) and row["expected"] in report.SOLVED
            and row["logic"].removeprefix("QF_") in logics]


def both(ours, theirs):
    """Pairs of rows of the files that both solved."""
    other = {row["file"]: row for row in theirs if report.good(row)}
    return [(row, other[row["file"]]) for row in ours
            if report.good(row) and row["file"] in other]


def compare(pairs, key):
    """What `pairs` say about the column `key`: both totals, the median of theirs by ours, and in
    how many files ours is less, more, the same. None when there is nothing to compare."""
    values = [(float(a[key]), float(b[key])) for a, b in pairs if a[key] != "" and b[key] != ""]
    ratios = [b / a for a, b in values if a > 0]
    if not ratios:
        return None
    less, more = sum(a < b for a, b in values), sum(a > b for a, b in values)
    return [f"{sum(a for a, _ in values):.6g}", f"{sum(b for _, b in values):.6g}",
            f"{statistics.median(ratios):.2f}", less, more, len(values) - less - more]


def summary(groups, timeout):
    """The table of contenders."""
    solved = {name: {r["file"] for r in mine if report.good(r)} for name, mine in groups.items()}
    rows = []
    for name, mine in groups.items():
        others = set().union(*(files for other, files in solved.items() if other != name))
        rows.append([f"`{name}`", *report.figures(mine, timeout), len(solved[name] - others)])
    return report.markdown(["contender", *report.TALLY, "only it"], rows)


def comparison(groups, other, counters):
    """The table of what ours and `other` needed where both came to an end."""
    pairs = both(groups[OURS], groups[other])
    rows = [[word(key), *found] for key in ["seconds", *counters]
            if (found := compare(pairs, key))]
    head = [f"{len(pairs)} files that both solved", f"`{OURS}`", f"`{other}`",
            "second by first, median", f"`{OURS}` less", "more", "the same"]
    return report.markdown(head, rows)


def word(key):
    """`predicates` for `ic3ia.predicates`."""
    return key.split(".")[-1]


def counted(pairs, counter):
    """For plots.scatter: the statistic of theirs and of ours."""
    return [(a["file"], float(b[counter]), float(a[counter]), a["verdict"])
            for a, b in pairs if a[counter] != "" and b[counter] != ""]


def pictures(groups, other, counters, figure, timeout, folder):
    """Ours upwards, so that what lies below the diagonal is our gain."""
    drawn = {"seconds": (report.points(groups[other], groups[OURS]), plots.seconds(timeout))}
    for counter in counters:
        marks = counted(both(groups[OURS], groups[other]), counter)
        drawn[word(counter)] = (marks, plots.count(word(counter),
                                                   [v for mark in marks for v in mark[1:3]]))
    text = []
    for what, (marks, measure) in drawn.items():
        name = f"{figure}_{other.replace(':', '-')}_{what}.svg"
        plots.scatter(folder / name, f"{what}: {OURS} against {other}", marks, (other, OURS),
                      measure)
        text.append(f"![Scatter plot: {what} of {OURS} against {what} of {other}, file by file]"
                    f"(plots/{name})")
    return text


def block(figure, groups, meta, folder):
    counters = FIGURES[figure].counters
    parts = [report.conditions(meta), summary(groups, meta["timeout"])]
    for other in (name for name in groups if name != OURS):
        parts.append(comparison(groups, other, counters))
        parts += pictures(groups, other, counters, figure, meta["timeout"], folder)
    found = report.flaws(row for mine in groups.values() for row in mine)
    return "\n\n".join(parts + (["\n".join(found)] if found else []))


def arguments():
    ap = harness.parser(__doc__)
    ap.add_argument("figure", choices=list(FIGURES))
    ap.add_argument("--timeout", type=float, default=TIMEOUT, help=f"seconds ({TIMEOUT:g})")
    ap.add_argument("--only", action="append", metavar="PREFIX",
                    help="files of the collection (default vmt/cav12 and lustre)")
    ap.add_argument("--logic", action="append", help="of the collection's files (default LRA)")
    ap.add_argument("--against", action="append", metavar="ENGINE[:PRESET]",
                    help="other contenders, for instance ic3smt:lra")
    return ap.parse_args()


def main():
    options = arguments()
    partial = any([options.sample, options.only, options.logic, options.against,
                   options.timeout != TIMEOUT, not harness.collection()])
    figure = FIGURES[options.figure]
    target = harness.results_folder(options) / f"{options.figure}{'-part' * partial}.csv"
    engines = [OURS, *(options.against or [figure.against])]
    templates = {engine: f"check --engine {engine} --timeout {{timeout}} --stats {{file}}"
                 for engine in engines}
    chosen = contest.pick(files(options.only or ["vmt/cav12", "lustre/"], options.logic or ["LRA"]),
                          options)
    lemmata = options.build / "lemmata"
    meta = harness.environment(options, engines)
    meta.update(files=len(chosen), commands={n: f"lemmata {t}" for n, t in templates.items()})
    print(f"{options.figure}: {len(chosen)} files, {' and '.join(engines)}", flush=True)
    contest.contest({name: f"{lemmata} {template}" for name, template in templates.items()},
                    chosen, options, target, figure.counters)
    harness.save_meta(target, meta)
    docs = harness.docs_folder(options, partial)
    rows = report.load(target)
    text = block(options.figure, report.by_contender(rows), meta, docs / "plots")
    print(text)
    print(f"wrote {os.path.relpath(report.write_blocks(docs, {options.figure: text}))}")
    return 1 if report.flaws(rows) else 0


if __name__ == "__main__":
    sys.exit(main())
