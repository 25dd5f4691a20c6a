#!/usr/bin/env python3
"""Turns the results of run.py into the generated parts of docs/benchmarks.md and into plots. Text
outside the markers is written by hand and survives.
usage: report.py [--csv build/bench/aiger.csv] [--docs docs]"""
import argparse
import collections
import csv
import json
import pathlib
import re

import plots

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOLVED = ("safe", "unsafe")
Tally = collections.namedtuple("Tally", "files solved safe unsafe wrong errors par2 peak_mb")
TALLY = ["solved", "safe", "unsafe", "wrong", "errors", "PAR-2"]
PAR2 = "PAR-2 is the mean time in seconds, with twice the limit for what was not solved."
SKELETON = """# Benchmarks

Measured by `make bench`; the parts between markers are written by it, the rest by hand.

## Hardware

"""


def replace_block(text, name, body):
    """`text` with the block between the markers of `name` replaced, or added at the end."""
    begin, end = f"<!-- begin generated: {name} -->", f"<!-- end generated: {name} -->"
    block = f"{begin}\n\n{body.strip()}\n\n{end}"
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.S)
    if pattern.search(text):
        return pattern.sub(lambda _: block, text, count=1)
    return text.rstrip() + "\n\n" + block + "\n"


def write_blocks(docs, blocks):
    page = docs / "benchmarks.md"
    docs.mkdir(parents=True, exist_ok=True)
    text = page.read_text(encoding="utf-8") if page.exists() else SKELETON
    for name, body in blocks.items():
        text = replace_block(text, name, body)
    page.write_text(text, encoding="utf-8")
    return page


def markdown(head, rows):
    """A table; the first column is left-aligned, the others right."""
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def load(path, clock="seconds"):
    """Rows of a contest, graded; `clock` is the column that time is taken from."""
    with open(path, newline="", encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    for row in rows:
        row["seconds"] = float(row[clock])
        row["solved"] = row["verdict"] in SOLVED
        row["wrong"] = (row["solved"] and row["expected"] in SOLVED
                        and row["verdict"] != row["expected"])
    return rows


def family(file):
    """The set that a file comes from: what stands before `__`, else its folder."""
    name = pathlib.PurePosixPath(file)
    return name.name.split("__")[0] if "__" in name.name else name.parent.name


def good(row):
    return row["solved"] and not row["wrong"]


def tally(rows, timeout):
    right = [r for r in rows if good(r)]
    peaks = [int(r["peak_kb"]) for r in rows if r.get("peak_kb")]
    return Tally(
        files=len(rows), solved=len(right),
        safe=sum(r["verdict"] == "safe" for r in right),
        unsafe=sum(r["verdict"] == "unsafe" for r in right),
        wrong=sum(r["wrong"] for r in rows), errors=sum(r["verdict"] == "error" for r in rows),
        par2=sum(r["seconds"] if good(r) else 2 * timeout for r in rows) / max(1, len(rows)),
        peak_mb=max(peaks) // 1024 if peaks else None)


def by_contender(rows):
    groups = collections.defaultdict(list)
    for row in rows:
        groups[row["contender"]].append(row)
    return groups


def machine(meta):
    peers = ", " + meta["peers"] if meta["peers"] else ""
    return (f"{meta['date']}, {meta['cpu']}, {meta['cores']} cores, load average "
            f"{meta['load']:.1f} at the start; lemmata {meta['version']}{peers}")


def conditions(meta):
    sample = f", a sample (seed {meta['seed']})" if meta["sample"] else ""
    clock = "processor" if meta.get("cpu_time") else "wall"
    return (f"{meta['files']} files{sample}, {meta['timeout']:g} s {clock} time and 3 GB address "
            f"space each, {meta['jobs']} at a time, contenders in turn file by file. "
            f"{machine(meta)}. {PAR2}")


def figures(mine, timeout):
    """The cells of a contender that every table has; TALLY is their head."""
    t = tally(mine, timeout)
    compared = any(row["expected"] in SOLVED for row in mine)
    return [f"{t.solved} of {t.files}", t.safe, t.unsafe, t.wrong if compared else "nothing compared", t.errors,
            f"{t.par2:.2f}"]


def flaws(rows):
    """One line for every wrong verdict and every error."""
    return [f"- `{r['contender']}` on `{r['file']}`: expected {r['expected']}, "
            f"got {r['verdict']} {r['message']}".rstrip()
            for r in rows if r["wrong"] or r["verdict"] == "error"]


def summary(groups, meta):
    rows = []
    for name, mine in groups.items():
        peak = tally(mine, meta["timeout"]).peak_mb
        rows.append([f"`{name}`", *figures(mine, meta["timeout"]),
                     "" if peak is None else f"{peak} MB"])
    text = [conditions(meta), "", markdown(["contender", *TALLY, "peak memory"], rows)]
    text += [""] + [f"- `{name}`: `{command}`" for name, command in meta["commands"].items()]
    base = tally(groups["abc"], meta["timeout"]).par2 if "abc" in groups else 0
    ratios = [f"`{name}` {tally(mine, meta['timeout']).par2 / base:.2f}"
              for name, mine in groups.items() if base and name != "abc"]
    if ratios:
        text += ["", "PAR-2 relative to ABC's: " + ", ".join(ratios) + "."]
    found = flaws(row for mine in groups.values() for row in mine)
    return "\n".join(text + ([""] + found if found else []))


def families(groups, timeout):
    names = list(groups)
    sets = collections.defaultdict(lambda: collections.defaultdict(list))
    for name, mine in groups.items():
        for row in mine:
            sets[family(row["file"])][name].append(row)
    table = []
    for kind in sorted(sets):
        tallies = [tally(sets[kind][name], timeout) for name in names]
        table.append([kind, tallies[0].files] + [t.solved for t in tallies]
                     + [f"{t.par2:.2f}" for t in tallies])
    head = ["family", "files"] + [f"`{n}` solved" for n in names] + [f"`{n}` PAR-2" for n in names]
    return markdown(head, table)


def alone(groups):
    """What one contender solved and no other; what nobody solved."""
    solved = {name: {r["file"]: r for r in mine if good(r)} for name, mine in groups.items()}
    text = []
    for name, mine in solved.items():
        others = {file for other, theirs in solved.items() if other != name for file in theirs}
        own = [f"`{file}` ({row['verdict']}, {row['seconds']:.1f} s)"
               for file, row in sorted(mine.items()) if file not in others]
        text.append(f"- Only `{name}` ({len(own)}): " + (", ".join(own) or "none"))
    for name in (n for n in solved if n != "abc" and "abc" in solved):
        for one, other in ((name, "abc"), ("abc", name)):
            more = [f"`{f}`" for f in sorted(solved[one]) if f not in solved[other]]
            text.append(f"- `{one}` but not `{other}` ({len(more)}): "
                        + (", ".join(more) or "none"))
    files = sorted({r["file"] for mine in groups.values() for r in mine})
    nobody = [f"`{f}`" for f in files if not any(f in mine for mine in solved.values())]
    text.append(f"- Nobody ({len(nobody)}): " + (", ".join(nobody) or "none"))
    return "\n".join(text)


def points(first, second):
    """For plots.scatter: what both contenders were given, with their seconds when solved."""
    other = {row["file"]: row for row in second}
    found = []
    for row in first:
        pair = (row, other[row["file"]])
        verdict = next((r["verdict"] for r in pair if good(r)), "unknown")
        found.append((row["file"], *(r["seconds"] if good(r) else None for r in pair), verdict))
    return found


def pictures(groups, meta, folder):
    timeout = meta["timeout"]
    plots.cactus(folder / "cactus.svg", f"Files solved within {timeout:g} s",
                 {name: [r["seconds"] for r in mine if good(r)] for name, mine in groups.items()},
                 timeout)
    text = ["![Cactus plot: files solved by each contender against seconds per file]"
            "(plots/cactus.svg)"]
    for name in (n for n in groups if n != "abc" and "abc" in groups):
        plots.scatter(folder / f"scatter_{name}.svg", f"{name} against abc",
                      points(groups["abc"], groups[name]), ("abc", name), plots.seconds(timeout))
        text.append(f"![Scatter plot: seconds of {name} against seconds of abc, file by file]"
                    f"(plots/scatter_{name}.svg)")
    return "\n\n".join(text)


def write(results, docs):
    rows = load(results)
    meta = json.loads(results.with_suffix(".json").read_text(encoding="utf-8"))
    groups = by_contender(rows)
    return write_blocks(docs, {
        "results": summary(groups, meta), "families": families(groups, meta["timeout"]),
        "alone": alone(groups), "plots": pictures(groups, meta, docs / "plots")})


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--csv", type=pathlib.Path, default=ROOT / "build" / "bench" / "aiger.csv")
    ap.add_argument("--docs", type=pathlib.Path, default=ROOT / "docs")
    a = ap.parse_args()
    print(f"wrote {write(a.csv, a.docs)}")


if __name__ == "__main__":
    main()
