#!/usr/bin/env python3
"""Table 5.1 of the thesis [Lange18] on C programs: what each configuration of ic3cfa (presets A to Q)
and its default solve, in which time and with how many queries, and the scatter plots of section
5.2.2: pairs of configurations that differ in one technique, by seconds and by queries.

The shared collection's C programs with a known verdict over bit-vectors, else those of examples/
and of the folder LEM_BENCH_DIR. Configurations alternate file by file. Without --all a small sample
is drawn (--sample, --seed); a part writes to BUILD/bench/docs and leaves the published page alone.
usage: ic3cfa.py [--build DIR] [--timeout S] [--jobs N] [--sample N --seed S | --all]
                 [--cpu] [--only PREFIX]... [--preset NAME]... [--docs DIR]"""
import os
import sys

import contest
import figures
import harness
import plots
import report

QUERIES = "ic3cfa.queries"
PRESETS = "ABCDEFGHIJKLMNOPQ"
DEFAULT = "ic3cfa"
TIMEOUT, SAMPLE = 10.0, 8
# Section 5.2.2: (before, after, technique); figures 5.2 to 5.12.
PAIRS = [("A", "B", "generalization along all edges"), ("B", "C", "edge by edge"),
         ("C", "D", "incrementally"), ("E", "D", "smallest first instead of largest"),
         ("F", "D", "smallest first instead of random"), ("D", "G", "reuse of obligations"),
         ("G", "H", "don't-care literals"), ("H", "I", "wep-based inductivity"),
         ("H", "J", "predecessor cubes"), ("H", "K", "upper bounds"), ("K", "L", "lower bounds"),
         ("L", "M", "extended contexts"), ("H", "N", "interpolation"), ("H", "O", "all of them"),
         ("O", "P", "all and interpolation"), ("O", "Q", "semantic blocking")]


def files(prefixes):
    """(name, path, expected) of C programs with a known verdict."""
    rows = harness.collection()
    if not rows:
        return contest.models((".c", ".i"))
    return [(row["file"], harness.SHARED / row["file"], row["expected"]) for row in rows
            if row["file"].startswith(tuple(prefixes)) and row["expected"] in report.SOLVED
            and row["logic"] == "bv"]


def name_of(preset):
    return f"{DEFAULT}:{preset}" if preset else DEFAULT


def table(groups, timeout):
    """Solved, time and queries of each configuration; queries of files that all solved."""
    solved = [{row["file"] for row in mine if report.good(row)} for mine in groups.values()]
    common = set.intersection(*solved)
    rows = []
    for name, mine in groups.items():
        queries = sum(int(row[QUERIES] or 0) for row in mine if row["file"] in common)
        rows.append([f"`{name}`", *report.figures(mine, timeout), queries])
    return report.markdown(["configuration", *report.TALLY,
                            f"queries in {len(common)} files that all solved"], rows)


def techniques(groups):
    """One row for each pair: what the technique changes where both came to an end."""
    rows = []
    for before, after, what in PAIRS:
        ours, theirs = groups.get(name_of(after)), groups.get(name_of(before))
        if not ours or not theirs:
            continue
        pairs = figures.both(ours, theirs)
        for key in ["seconds", QUERIES]:
            if found := figures.compare(pairs, key):
                rows.append([what, f"{after} against {before}", figures.word(key), len(pairs),
                             *found])
    head = ["technique", "configurations", "what", "files both solved", "with", "without",
            "second by first, median", "less", "more", "the same"]
    return report.markdown(head, rows)


def pictures(groups, timeout, folder):
    text = []
    for before, after, what in PAIRS:
        ours, theirs = groups.get(name_of(after)), groups.get(name_of(before))
        if not ours or not theirs:
            continue
        marks = figures.counted(figures.both(ours, theirs), QUERIES)
        drawn = {"seconds": (report.points(theirs, ours), plots.seconds(timeout)),
                 "queries": (marks, plots.count("queries", [v for m in marks for v in m[1:3]]))}
        for key, (points, measure) in drawn.items():
            if not points:
                continue
            name = f"ic3cfa_{after}_{before}_{key}.svg"
            plots.scatter(folder / name, f"{what}: {key}", points, (before, after), measure)
            text.append(f"![Scatter plot: {what}, {key} of {after} against {before}]"
                        f"(plots/{name})")
    return text


def arguments():
    ap = harness.parser(__doc__)
    ap.add_argument("--timeout", type=float, default=TIMEOUT, help=f"seconds ({TIMEOUT:g})")
    ap.add_argument("--cpu", action="store_true",
                    help="count processor seconds, for machines with other work; one file at a time")
    ap.add_argument("--all", action="store_true", help="every file instead of a sample")
    ap.add_argument("--only", action="append", metavar="PREFIX", help="files (default c/)")
    ap.add_argument("--preset", action="append", metavar="NAME",
                    help="configurations (default: all of them and the default)")
    options = ap.parse_args()
    if options.cpu and options.jobs != 1:
        ap.error("--cpu needs --jobs 1")
    return options


def main():
    options = arguments()
    if not options.all and not options.sample:
        options.sample = SAMPLE
    partial = any([not options.all, options.only, options.preset, options.timeout != TIMEOUT,
                   not harness.collection()])
    target = harness.results_folder(options) / f"ic3cfa{'-part' * partial}.csv"
    engines = [name_of(preset) for preset in options.preset or ["", *PRESETS]]
    templates = {engine: f"check --engine {engine} --timeout {{timeout}} --stats {{file}}"
                 for engine in engines}
    chosen = contest.pick(files(options.only or ["c/"]), options)
    meta = harness.compare("ic3cfa", templates, chosen, options, target, [QUERIES], cpu_time=options.cpu)
    docs = harness.docs_folder(options, partial)
    rows = report.load(target)
    groups = report.by_contender(rows)
    parts = [report.conditions(meta), table(groups, meta["timeout"]), techniques(groups),
             *pictures(groups, meta["timeout"], docs / "plots"), *report.flaws(rows)]
    text = "\n\n".join(parts)
    print(text)
    print(f"wrote {os.path.relpath(report.write_blocks(docs, {'ic3cfa': text}))}")
    return 1 if report.flaws(rows) else 0


if __name__ == "__main__":
    sys.exit(main())
