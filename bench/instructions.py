#!/usr/bin/env python3
"""Guards against slow-downs that timing on a busy machine cannot see: callgrind's instruction
counts of ic3 on the three models of bench/models, compared with bench/instructions.json. Fails when
one is more than 5 % above its record; --record rewrites it, and the diff says what a change cost.
Transforms with a clock budget are off, so that equal programs give equal counts. A record made with
another compiler is shown and not compared.   usage: instructions.py [--build DIR] [--record]"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import contest

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORD = ROOT / "bench" / "instructions.json"
TOLERANCE = 0.05
ARGUMENTS = ["check", "--engine", "ic3", "--no-certify", "--no-progress", "-q",
             "--set", "transform.latches=off", "--set", "transform.sweep=off"]


def compiler(build):
    """What built the program: first line of the compiler's version, and the build type's flags."""
    cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    entry = lambda name: (re.search(rf"^{name}:\w+=(.*)$", cache, re.M) or [None, ""])[1]
    program = entry("CMAKE_CXX_COMPILER") or "c++"
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    return f"{said.splitlines()[0]}, {entry('CMAKE_BUILD_TYPE') or 'Release'}"


def count(lemmata, model):
    """Instructions of one run; the verdict must be the one in the model's name."""
    run = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                          lemmata, *ARGUMENTS, model], capture_output=True, text=True, check=False)
    wanted = contest.verdict_in_name(model)
    if not re.search(rf"^{wanted}\b", run.stdout, re.M):
        sys.exit(f"instructions: {model.name}: expected {wanted}, got: "
                 f"{run.stdout.strip() or run.stderr.strip()[-300:]}")
    return int(re.search(r"Collected : (\d+)", run.stderr)[1])


def compare(counts, recorded):
    """Lines to print and the names of what became too expensive."""
    lines, slower = [f"{'model':<24} {'instructions':>15} {'record':>15} {'change':>8}"], []
    for name, now in counts.items():
        before = recorded.get(name)
        if before is None:
            lines.append(f"{name:<24} {now:>15,} {'none':>15}")
            slower.append(name)
            continue
        change = now / before - 1
        note = "   <-- too many" if change > TOLERANCE else ""
        lines.append(f"{name:<24} {now:>15,} {before:>15,} {change:>+8.1%}{note}")
        slower += [name] if change > TOLERANCE else []
    return lines, slower


def main():
    ap = argparse.ArgumentParser(description=__doc__,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    ap.add_argument("--record", action="store_true")
    a = ap.parse_args()
    if not shutil.which("valgrind"):
        sys.exit("instructions: valgrind is not here; as root: apt-get install valgrind")
    build = a.build.resolve()
    models = sorted((ROOT / "bench" / "models").glob("*.aag"))
    with ThreadPoolExecutor(2) as pool:
        counts = dict(zip([m.name for m in models],
                          pool.map(lambda m: count(build / "lemmata", m), models)))
    built_by = compiler(build)
    if a.record:
        RECORD.write_text(json.dumps({"compiler": built_by, "instructions": counts}, indent=2)
                          + "\n", encoding="utf-8")
        print(f"instructions: recorded {RECORD.relative_to(ROOT)}")
        return 0
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    lines, slower = compare(counts, record["instructions"])
    print("\n".join(lines))
    if built_by != record["compiler"]:
        print(f"instructions: not compared, recorded with {record['compiler']}, this is {built_by}")
        return 0
    if slower:
        print(f"instructions: more than {TOLERANCE:.0%} above the record; if that is the price of "
              "a gain elsewhere, say so in the commit and run: bench/instructions.py --record")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
