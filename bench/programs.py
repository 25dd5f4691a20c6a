#!/usr/bin/env python3
"""`make bench NAME=programs`: the C programs of the shared collection, folder by folder, with the reason of
every program that is not solved.

Contenders: auto and ic3cfa, 60 s each. The results are BUILD/bench/programs/c.csv and .json; a part
(--sample, --timeout, or no collection) goes to BUILD/bench/programs-part and BUILD/bench/docs instead
of docs/benchmarks.md. Refused programs are no errors: the message says what is not supported.
Exit code 1 when a verdict was wrong.
usage: programs.py [--build DIR] [--timeout S] [--jobs N] [--sample N --seed S] [--contender NAME]...
                   [--render] [--docs DIR]"""
import collections
import json
import os
import re
import sys

import contest
import harness
import report

TIMEOUT = 60
OURS = {"auto": "check --arith {arith} --timeout {timeout} {file}",
        "ic3cfa": "check --engine ic3cfa --arith {arith} --timeout {timeout} {file}"}


def reason(row):
    """Why a program was not solved, in a few words."""
    found = re.search(r"error: (unsupported: .*)", row["message"])
    if found:
        return re.sub(r"'[^']*'", "…", found.group(1))
    if row["verdict"] == "unknown":
        return row["message"].split(": ", 1)[-1] if ": " in row["message"] else "timeout"
    return row["message"] or row["verdict"]


def folder_of(row):
    return row["file"].split("/")[-2]


def table(rows, meta):
    """Markdown: totals, a row for every folder, a line for every program that auto does not solve."""
    contenders = report.by_contender(rows)
    head = ["contender", *report.TALLY]
    totals = [[f"`{name}`", *report.figures(mine, meta["timeout"])] for name, mine in contenders.items()]
    folders = collections.defaultdict(lambda: collections.defaultdict(list))
    for row in rows:
        folders[folder_of(row)][row["contender"]].append(row)
    cells = []
    for folder, by_name in sorted(folders.items()):
        line = [f"`{folder}`", len(next(iter(by_name.values())))]
        line += [sum(map(report.good, by_name[name])) for name in contenders]
        open_ones = collections.Counter(reason(row) for row in by_name["auto"] if not report.good(row))
        cells.append(line + ["; ".join(f"{count} {why}" for why, count in open_ones.most_common())])
    text = [report.conditions(meta), "", report.markdown(head, totals), "",
            report.markdown(["folder", "files", *(f"`{name}`" for name in contenders), "unsolved by `auto`"],
                            cells), ""]
    text += [f"- `{name}`: `{command}`" for name, command in meta["commands"].items()]
    text += ["", "Programs that `auto` does not solve:", ""]
    text += [f"- `{row['file']}`: {reason(row)}" for row in contenders["auto"] if not report.good(row)]
    text += [f"- WRONG: `{row['contender']}` on `{row['file']}`" for row in rows if row["wrong"]]
    return "\n".join(text)


def arguments():
    ap = harness.parser(__doc__)
    ap.add_argument("--timeout", type=float, dest="limit", metavar="S", help="seconds for each program")
    ap.add_argument("--contender", action="append", choices=OURS, help="these alone (default: all)")
    ap.add_argument("--render", action="store_true",
                    help="run nothing, write the table of the results that are there")
    return ap.parse_args()


def main():
    options = arguments()
    partial = options.sample or options.limit or not harness.collection()
    folder = harness.results_folder(options) / ("programs-part" if partial else "programs")
    folder.mkdir(exist_ok=True)
    options.timeout = options.limit or TIMEOUT
    target = folder / "c.csv"
    if not options.render:
        ours = {name: OURS[name] for name in options.contender or OURS}
        harness.play(harness.contenders(ours, ours), options, ["c/"],
                     contest.models((".c", ".i")), target)
    if not target.exists():
        sys.exit("bench: no results yet")
    rows = report.load(target)
    meta = json.loads(target.with_suffix(".json").read_text(encoding="utf-8"))
    page = report.write_blocks(harness.docs_folder(options, partial), {"programs": table(rows, meta)})
    print(f"bench: wrote {os.path.relpath(page, harness.ROOT)}")
    return 1 if any(row["wrong"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
