#!/usr/bin/env python3
"""Table 2 and figures 3 and 4(a) of CTIGAR [Birgmeier14]: what each configuration of section 4.3
solves and in which time, predicates against time, and the share of abstract liftings that succeed,
beside the paper's figures. Each configuration runs as it is and with the search alone, without the
invariants found beforehand (ctigar.invariants=0): the figures are those of the search.

The files of the shared collection that come from the paper's sets (VMT files of CTIGAR itself, C
programs of Dagger and InvGen), C programs over the arithmetic that their verdict is about; else the
VMT files and C programs of examples/ and of the folder LEM_BENCH_DIR. Configurations alternate file
by file. A part (--sample, --only, --preset, --timeout, or no collection) writes to BUILD/bench/docs
and leaves the published page alone.
usage: ctigar.py [--build DIR] [--timeout S] [--jobs N] [--sample N --seed S]
                 [--only PREFIX]... [--preset NAME]... [--docs DIR]"""
import os
import sys
from typing import NamedTuple

import contest
import harness
import plots
import report

ENGINE = "ctigar"
PREDICATES = f"{ENGINE}.predicates"
LIFTINGS, LIFTED = f"{ENGINE}.liftings", f"{ENGINE}.liftings-successful"
REFINED = [f"{ENGINE}.refinements-lifting", f"{ENGINE}.refinements-consecution"]
SPURIOUS = f"{ENGINE}.spurious-transitions"
TIMEOUT = 20.0
ALONE = " search"  # after a configuration's name: without invariants found beforehand
SETS = ["vmt/ctigar__", "c/dagger/", "c/invgen/", "c/loop-invgen/"]


class Paper(NamedTuple):
    """Table 2: 110 files, 1200 s each."""
    solved: int
    seconds: float


PAPER = {"LLE": Paper(87, 7061.68), "LLL": Paper(86, 7547.85), "LCE": Paper(83, 8516.06),
         "LCL": Paper(87, 7745.06), "CCE": Paper(86, 5414.57), "CCL": Paper(91, 8150.29),
         "CAE": Paper(91, 6154.33), "CAL": Paper(92, 5880.74)}
PAPER_FILES = 110
PAPER_LIFTED = "60 % to 80 %"


def files(prefixes):
    """(name, path, expected) of files with a known verdict, and the arithmetic of C programs."""
    rows = harness.collection()
    if not rows:
        return contest.models((".vmt", ".c", ".i")), {}
    chosen = [row for row in rows if row["file"].startswith(tuple(prefixes))
              and row["expected"] in report.SOLVED]
    return ([(row["file"], harness.SHARED / row["file"], row["expected"]) for row in chosen],
            {row["file"]: row["logic"] for row in chosen if row["file"].startswith("c/")})


def total(rows, key):
    return sum(float(row[key] or 0) for row in rows)


def share(part, whole):
    return f"{100 * part / whole:.0f} %" if whole else "–"


def tally(mine):
    """Solved, share of all, wrong, seconds of what was solved."""
    right = [row for row in mine if report.good(row)]
    return [f"{len(right)} of {len(mine)}", share(len(right), len(mine)),
            sum(row["wrong"] for row in mine), f"{total(right, 'seconds'):.1f}"]


def table(groups):
    """Solved and cumulative time, as Table 2 has them."""
    rows = []
    for name in [each for each in groups if not each.endswith(ALONE)]:
        paper = PAPER[name.split(":")[1]]
        rows.append([f"`{name}`", *tally(groups[name]), *tally(groups[name + ALONE]),
                     f"{paper.solved} of {PAPER_FILES}", share(paper.solved, PAPER_FILES),
                     f"{paper.seconds:.1f}"])
    return report.markdown(["configuration", "solved", "share", "wrong", "cumulative s",
                            "search alone: solved", "share", "wrong", "cumulative s",
                            "paper: solved", "share", "cumulative s"], rows)


def searches(groups):
    return {name.removesuffix(ALONE): mine for name, mine in groups.items()
            if name.endswith(ALONE)}


def liftings(groups):
    """Figure 4(a), with refinements and spurious transitions, over all searches that ended."""
    rows = []
    for name, mine in groups.items():
        ended = [row for row in mine if report.good(row)]
        rows.append([f"`{name}`", f"{total(ended, LIFTINGS):.0f}",
                     share(total(ended, LIFTED), total(ended, LIFTINGS)),
                     *(f"{total(ended, key):.0f}" for key in [*REFINED, SPURIOUS])])
    return report.markdown(["configuration", "abstract liftings",
                            f"successful (paper: {PAPER_LIFTED})", "lifting refinements",
                            "consecution refinements", "spurious transitions"], rows)


def picture(groups, timeout, folder):
    """Figure 3: predicates against time of all runs that ended."""
    points = {name: [(row["file"], float(row[PREDICATES]), row["seconds"]) for row in mine
                     if report.good(row) and row[PREDICATES] not in ("", "0")]
              for name, mine in groups.items()}
    counts = [x for mine in points.values() for _, x, _ in mine]
    plots.cloud(folder / "ctigar_predicates.svg", "predicates against time", points,
                plots.count("predicates in the domain", counts), plots.seconds(timeout))
    return "![Predicates in the domain against seconds, all configurations](plots/ctigar_predicates.svg)"


def arguments():
    ap = harness.parser(__doc__)
    ap.add_argument("--timeout", type=float, default=TIMEOUT, help=f"seconds ({TIMEOUT:g})")
    ap.add_argument("--only", action="append", metavar="PREFIX", help="files of the collection")
    ap.add_argument("--preset", action="append", metavar="NAME", choices=list(PAPER),
                    help="configurations (default: all of them)")
    return ap.parse_args()


def main():
    options = arguments()
    partial = any([options.sample, options.only, options.preset, options.timeout != TIMEOUT,
                   not harness.collection()])
    target = harness.results_folder(options) / f"ctigar{'-part' * partial}.csv"
    templates = {}
    for engine in [f"{ENGINE}:{preset}" for preset in options.preset or PAPER]:
        for name, setting in [(engine, ""), (engine + ALONE, f"--set {ENGINE}.invariants=0 ")]:
            templates[name] = (f"check --engine {engine} --arith {{arith}} --timeout {{timeout}} "
                               f"--stats {setting}{{file}}")
    everything, arithmetic = files(options.only or SETS)
    chosen = contest.pick(everything, options)
    meta = harness.compare("ctigar", templates, chosen, options, target,
                           [PREDICATES, LIFTINGS, LIFTED, *REFINED, SPURIOUS], arithmetic)
    docs = harness.docs_folder(options, partial)
    rows = report.load(target)
    groups = report.by_contender(rows)
    alone = searches(groups)
    parts = [report.conditions(meta), table(groups), liftings(alone),
             picture(alone, meta["timeout"], docs / "plots"), *report.flaws(rows)]
    text = "\n\n".join(parts)
    print(text)
    print(f"wrote {os.path.relpath(report.write_blocks(docs, {'ctigar': text}))}")
    return 1 if report.flaws(rows) else 0


if __name__ == "__main__":
    sys.exit(main())
