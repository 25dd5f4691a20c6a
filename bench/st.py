#!/usr/bin/env python3
"""PLC programs: every property with a published or hand-made verdict, and which files are accepted.

    bench/st.py [--build build] [--timeout 60] [--only TEXT] [--csv FILE]

Reads ../shared/benchmarks/st: verdicts.csv (file, pattern, expression, verdict) and all .st, .scl, .xml
and .TcPOU files. Prints one line for each property, a summary, and the files that are refused with the
reason. docs/plc.md explains the differences.
"""
import argparse
import csv
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILES = ROOT.parent / "shared/benchmarks/st"
EXPRESSION = "expression (| separates pattern params)"
PATTERNS = {"during": "during-cycle", "between": "between-cycles", "reach": "reachability"}
# Properties of a block that a program in the same file uses ("FB entry, all inputs free").
ENTRY = {"ppu/Scenario0_Final.st": "Crane"}
WORDS = {"HOLDS": "safe", "VIOLATED": "unsafe", "REACHABLE": "safe", "UNKNOWN": None}


def run(build, *args, timeout):
    start = time.monotonic()
    done = subprocess.run([build / "lemmata", "check", *args, "--timeout", str(timeout)], text=True,
                          capture_output=True, timeout=timeout + 30)
    return done, time.monotonic() - start


def properties():
    """Rows of verdicts.csv that name a property; with what the command line says."""
    for row in csv.DictReader((FILES / "verdicts.csv").open()):
        word = row["verdict"].split()[0] if row["verdict"] else ""
        if word not in WORDS:
            continue
        if row["pattern"] == "asserts":
            claim = []
        elif row["pattern"] == "index-in-range":
            claim = ["--check", "bounds"]
        else:
            pattern = PATTERNS.get(row["pattern"], row["pattern"])
            claim = ["--require", f"{pattern}: {row[EXPRESSION]}", "--property", "R1"]
        if row["file"] in ENTRY:
            claim += ["--entry", ENTRY[row["file"]]]
        yield row, word, claim


def check_verdicts(options):
    rows, right, wrong, decided, open_ones = [], 0, [], 0, 0
    for row, word, claim in properties():
        if options.only not in row["file"] + row["property"]:
            continue
        done, seconds = run(options.build, FILES / row["file"], *claim, timeout=options.timeout)
        words = {line.split()[0] for line in done.stdout.splitlines()}
        found = "unsafe" if "unsafe" in words else "unknown" if "unknown" in words else "safe" if words else "error"
        vacuous = "vacuous" in done.stderr
        expected = WORDS[word]
        if expected is None:
            open_ones += 1
            decided += found in ("safe", "unsafe")
        elif found == expected:
            right += 1
        else:
            why = done.stderr.strip().splitlines()
            wrong.append((row["file"], row["property"], row["verdict"], found, why[-1] if why else ""))
        rows.append([row["file"], row["property"], row["pattern"], word, found, "vacuous" if vacuous else "",
                     f"{seconds:.2f}"])
        print(f"{row['file']:42} {row['property']:7} {word:10} {found:8} {'vacuous' if vacuous else '':8}"
              f"{seconds:7.2f} s", flush=True)
    print(f"\nwith a verdict: {right} of {right + len(wrong)} agree; without: {decided} of {open_ones} decided")
    for line in wrong:
        print("  differs:", *line)
    return rows


def check_files(options):
    accepted, refused = 0, []
    names = sorted(p for p in FILES.rglob("*") if p.suffix in (".st", ".scl", ".xml", ".TcPOU"))
    for path in names:
        name = str(path.relative_to(FILES))
        if options.only not in name:
            continue
        done = subprocess.run([options.build / "lemmata", "properties", path, "--require", "invariant: TRUE"],
                              text=True, capture_output=True, timeout=60)
        error = (done.stderr.strip().splitlines() or [""])[-1]
        several = done.returncode == 64 and "give --entry with one of" in error
        if several:  # the first candidate will do
            entry = error.split("one of ")[1].split(",")[0]
            done = subprocess.run([options.build / "lemmata", "properties", path, "--entry", entry,
                                   "--require", "invariant: TRUE"], text=True, capture_output=True, timeout=60)
            error = (done.stderr.strip().splitlines() or [""])[-1]
        if done.returncode == 0:
            accepted += 1
        else:
            refused.append((name, done.returncode, error.replace(str(FILES) + "/", "")))
    print(f"\nfiles: {accepted} of {accepted + len(refused)} accepted")
    for line in refused:
        print("  refused:", *line)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--only", default="")
    parser.add_argument("--csv", type=pathlib.Path)
    options = parser.parse_args()
    if not FILES.exists():
        sys.exit("bench/st.py needs ../shared/benchmarks/st")
    check_files(options)
    rows = check_verdicts(options)
    if options.csv:
        with options.csv.open("w", newline="") as out:
            csv.writer(out).writerows([["file", "property", "pattern", "expected", "found", "vacuous", "seconds"]] + rows)


if __name__ == "__main__":
    main()
