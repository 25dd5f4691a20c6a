#!/usr/bin/env python3
"""`make bench NAME=shares`: how much of a run of ic3ia is spent outside the solvers, on the files
given, else on the ten longest solved runs of bench/terms.py (BUILD/bench/terms) or of tables --csv.

The timers of --stats say what the engine waited for: queries, refinement (simulation and
interpolation, our own work on both included), certification; what is left is outside. Where perf
may sample the process, its samples say which code ran: the solvers' libraries, our own program, or
what serves both (allocation, big numbers, kernel). These are the figures to go by.
Without FILE the table goes to docs/benchmarks.md as well; --csv and --count send it to
BUILD/bench/docs.
usage: shares.py [--build DIR] [--csv FILE]... [--contender NAME] [--count N] [--engine NAME]
                 [--timeout S] [--docs DIR] [FILE]..."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import contest
import harness
import report

SOLVERS = re.compile(r"lib(z3|cvc5|cln|cryptominisat\d*)\.so")  # the last two serve cvc5 only
HERTZ = "199"
TIMERS = {"queries": "ic3ia.solve", "refinement": "ic3ia.refine", "certification": "app.certify"}


def longest(rows, contender, count):
    """The names of the files that took `contender` longest to solve, longest first."""
    seconds = {}
    for row in rows:
        if row["contender"] == contender and report.good(row):
            seconds[row["file"]] = max(row["seconds"], seconds.get(row["file"], 0))
    return sorted(seconds, key=lambda file: (-seconds[file], file))[:count]


def locate(name):
    """A file's path: as given, of this project, of the shared collection."""
    for folder in (pathlib.Path(), harness.ROOT, harness.SHARED):
        if (folder / name).exists():
            return (folder / name).resolve()
    sys.exit(f"profile: no file {name}")


def perf_works(folder):
    """perf may be absent, or forbidden to sample."""
    if not shutil.which("perf"):
        return False
    return subprocess.run(["perf", "record", "-q", "-o", folder / "try", "true"],
                          capture_output=True, check=False).returncode == 0


def by_library(text):
    """Shares (0 to 1) of the samples in `perf report --sort dso`: solvers, lemmata, elsewhere."""
    shares = {"solvers": 0.0, "lemmata": 0.0, "elsewhere": 0.0}
    for percent, library in re.findall(r"^\s+([\d.]+)%\s+(\S+)", text, re.M):
        kind = "solvers" if SOLVERS.match(library) else library
        shares[kind if kind in shares else "elsewhere"] += float(percent) / 100
    return shares


def by_timer(stats):
    """Seconds: total, each of TIMERS, outside. The timers do not overlap."""
    total = stats.get("app.total", 0.0)
    parts = {name: stats.get(timer, 0.0) for name, timer in TIMERS.items()}
    return {"total": total, **parts, "outside": max(0.0, total - sum(parts.values()))}


def profile(command, timeout, folder):
    """(verdict, seconds by timer, shares by library or None); `folder` is perf's, None without."""
    if folder is None:
        verdict, _, _, stats = contest.judge(command, timeout)
        return verdict, by_timer(stats), None
    data = folder / "perf.data"
    verdict, _, _, stats = contest.judge(
        ["perf", "record", "-q", "-F", HERTZ, "-o", data, "--", *command], timeout)
    said = subprocess.run(["perf", "report", "--stdio", "--sort", "dso", "-i", data],
                          capture_output=True, text=True, check=False)
    return verdict, by_timer(stats), by_library(said.stdout)


def together(runs):
    """One run for all: seconds add up, shares are weighted by the seconds of their run."""
    timers = {key: sum(timer[key] for _, timer, _ in runs) for key in runs[0][1]}
    sampled = [(timer["total"], shares) for _, timer, shares in runs if shares]
    weight = sum(total for total, _ in sampled)
    if not weight:
        return "", timers, None
    return "", timers, {key: sum(total * shares[key] for total, shares in sampled) / weight
                        for key in sampled[0][1]}


def cells(name, verdict, timers, shares):
    total = timers["total"]
    parts = [f"{timers[key] / total:.0%}" if total else "" for key in (*TIMERS, "outside")]
    return [name, verdict, f"{total:.1f}", *parts,
            *([f"{share:.0%}" for share in shares.values()] if shares else [""] * 3)]


def table(runs):
    """Markdown of {file: (verdict, timers, shares)}, with a line for all of them."""
    rows = [cells(f"`{name}`", *run) for name, run in runs.items()]
    rows.append(cells("all", *together(list(runs.values()))))
    head = ["file", "verdict", "seconds", *TIMERS, "outside",
            "in Z3 and cvc5", "in lemmata", "elsewhere"]
    return report.markdown(head, rows)


def arguments():
    ap = argparse.ArgumentParser(description=__doc__,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("files", nargs="*", metavar="FILE")
    ap.add_argument("--build", type=pathlib.Path, default=harness.ROOT / "build")
    ap.add_argument("--csv", type=pathlib.Path, action="append",
                    help="tables of contests to choose files from")
    ap.add_argument("--contender", default="ic3ia", help="in these tables (default ic3ia)")
    ap.add_argument("--count", type=int, default=10, help="how many files (default 10)")
    ap.add_argument("--engine", default="ic3ia", help="ic3ia or a preset of it")
    ap.add_argument("--timeout", type=float, default=60, help="seconds (default 60)")
    ap.add_argument("--docs", type=pathlib.Path)
    return ap.parse_args()


def main():
    options = arguments()
    tables = options.csv or sorted((harness.results_folder(options) / "terms").glob("*.csv"))
    rows = [row for path in tables for row in report.load(path)]
    names = options.files or longest(rows, options.contender, options.count)
    if not names:
        sys.exit("profile: no solved run to look at; give files, or run bench/terms.py before")
    template = (f"{options.build.resolve() / 'lemmata'} check --engine {options.engine} "
                "--no-progress --stats --timeout {timeout} {file}")
    runs = {}
    with tempfile.TemporaryDirectory() as holder:
        folder = pathlib.Path(holder)
        if not perf_works(folder):
            print("profile: perf is not here or may not sample; timers only", file=sys.stderr)
            folder = None
        for name in names:
            runs[name] = profile(contest.fill(template, locate(name), options.timeout),
                                 options.timeout, folder)
            print(f"profile: {name}: {runs[name][0]}", file=sys.stderr, flush=True)
    text = table(runs)
    print(text)
    if not options.files:
        partial = options.count != 10 or options.csv or not harness.collection()
        page = report.write_blocks(harness.docs_folder(options, partial), {"profile": text})
        print(f"wrote {os.path.relpath(page)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
