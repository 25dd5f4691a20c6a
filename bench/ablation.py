#!/usr/bin/env python3
"""Measures the switches of ic3 one by one: the default, and each single option at another value.
The configurations come from `lemmata options`, so that a new switch is measured with no edit here.
Time is processor time, limit included: wall time says little on a busy machine. Configurations
alternate file by file. Results go to BUILD/bench/ablation.csv as they arrive; --resume continues
(same program, same limit). A part (--only, --limit-files) writes to BUILD/bench/docs.
usage: ablation.py [--build DIR] [--list FILE] [--cpu S] [--seeds 1,2] [--jobs N] [--only SWITCH]...
                   [--limit-files N] [--resume] [--docs DIR | --no-docs]"""
import argparse
import collections
import csv
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import contest
import harness
import report

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = ["file", "expected", "switch", "seed", "verdict", "cpu_seconds", "peak_kb"]
# Numbers have no list of values: those worth a look.
NUMBERS = {"ic3.ctg-chain": [4], "ic3.ctg-count": [1, 8], "ic3.ctg-depth": [0, 2],
           "ic3.drop-obligation": [0], "ic3.lift-rounds": [1, 4], "ic3.mic-failures": [3]}
SKIPPED = {"ic3.seed"}
WALL_PER_CPU = 8  # a run that waits this long for its processor time is given up


def switches(lemmata):
    """[''] for the default, then every `option=value` that differs from it."""
    text = subprocess.run([lemmata, "options"], capture_output=True, text=True, check=True).stdout
    found = [""]
    rows = re.findall(r"^((?:ic3|transform)\.\S+?)=(\S+)\n.*\(default (\S+)\)$", text, re.M)
    for name, values, default in rows:
        if name in SKIPPED:
            continue
        choices = NUMBERS.get(name, []) if ".." in values else values.split("|")
        found += [f"{name}={value}" for value in choices if str(value) != default]
    return found


def files(list_file):
    """(name, path, expected); our own models when the shared folder is absent."""
    expected = {row["file"]: row["expected"] for row in harness.collection()}
    if not expected:
        return contest.models()
    names = [line.strip() for line in list_file.read_text(encoding="utf-8").splitlines()
             if line.strip() and not line.startswith("#")]
    return [(name, harness.SHARED / name, expected.get(name, "unknown")) for name in names]


def measure(command, cpu):
    """(stdout, exit code, processor seconds, peak kB). The kernel ends the run at its limit."""
    def limits():
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
        resource.setrlimit(resource.RLIMIT_AS, (contest.ADDRESS_SPACE, contest.ADDRESS_SPACE))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    read, write = os.pipe()
    process = subprocess.Popen(command, stdout=write, stderr=subprocess.DEVNULL,
                               stdin=subprocess.DEVNULL, preexec_fn=limits)
    os.close(write)
    with os.fdopen(read, encoding="utf-8", errors="replace") as pipe:
        out = pipe.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)  # wait4 reaped it, not Popen
    return out, process.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss


def run_one(lemmata, model, switch, seed, cpu):
    name, path, expected = model
    command = [lemmata, "check", "--engine", "ic3", "--no-progress", "-q", "--timeout",
               str(WALL_PER_CPU * cpu), "--set", f"ic3.seed={seed}"]
    if switch:
        command += ["--set", switch]
    out, code, seconds, peak = measure([*command, path], cpu)
    words = re.findall(r"^(safe|unsafe|unknown)\b", out, re.M)
    verdict = next((w for w in ("unsafe", "unknown", "safe") if w in words), "")
    if not verdict:  # ended by a limit, or an error of ours
        verdict = "unknown" if -code in (signal.SIGXCPU, signal.SIGKILL) else "error"
    return dict(zip(COLUMNS, [name, expected, switch or "default", seed, verdict,
                              f"{seconds:.3f}", peak]))


def campaign(options, chosen, models, target):
    done = set()
    if options.resume and target.exists():
        with open(target, newline="", encoding="utf-8") as f:
            done = {(r["file"], r["switch"], r["seed"]) for r in csv.DictReader(f)}
    todo = [(model, switch, seed) for model in models for seed in options.seeds
            for switch in chosen if (model[0], switch or "default", seed) not in done]
    print(f"ablation: {len(todo)} runs of at most {options.cpu} s processor time", flush=True)
    lock = threading.Lock()
    with open(target, "a" if done else "w", newline="", encoding="utf-8") as f:
        table = csv.DictWriter(f, COLUMNS)
        if not done:
            table.writeheader()

        def job(item):
            row = run_one(options.build / "lemmata", *item, options.cpu)
            with lock:
                table.writerow(row)
                f.flush()

        with ThreadPoolExecutor(options.jobs) as pool:
            for finished in [pool.submit(job, item) for item in todo]:
                finished.result()


def table_of(target, cpu):
    """Markdown: solved, PAR-2 and the gain over the default, best first."""
    rows = report.load(target, "cpu_seconds")
    groups = collections.defaultdict(dict)
    for row in rows:
        groups[row["switch"]][row["file"], row["seed"]] = row
    base = groups.get("default", {})
    tallies = {name: report.tally(list(mine.values()), cpu) for name, mine in groups.items()}
    lines = []
    for name in sorted(groups, key=lambda n: (-tallies[n].solved, tallies[n].par2, n)):
        t, mine = tallies[name], groups[name]
        common = [key for key in mine if key in base]
        gained = sum(report.good(mine[k]) and not report.good(base[k]) for k in common)
        lost = sum(report.good(base[k]) and not report.good(mine[k]) for k in common)
        against = report.tally([base[k] for k in common], cpu).par2
        ours = report.tally([mine[k] for k in common], cpu).par2
        versus = "" if name == "default" or not against else f"{ours / against:.2f}"
        change = "" if name == "default" else f"+{gained} −{lost}"
        lines.append([f"**{name}**" if name == "default" else f"`{name}`",
                      f"{t.solved} of {t.files}", change, t.wrong + t.errors, f"{t.par2:.2f}",
                      versus])
    seeds = sorted({row["seed"] for row in rows})
    count = len({row["file"] for row in rows})
    head = (f"One switch changed at a time: {count} files of `bench/lists/ic3_switches.txt`, seeds "
            f"{', '.join(seeds)}, {cpu} s of processor time each, certification included. "
            "PAR-2 in processor seconds; below 1.00 against the default is faster than it.")
    return head + "\n\n" + report.markdown(
        ["switch", "solved", "gained, lost", "wrong or error", "PAR-2", "against default"], lines)


def arguments():
    ap = argparse.ArgumentParser(description=__doc__,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    ap.add_argument("--list", type=pathlib.Path,
                    default=ROOT / "bench" / "lists" / "ic3_switches.txt")
    ap.add_argument("--cpu", type=int, default=10)
    ap.add_argument("--seeds", type=lambda text: text.split(","), default=["1", "2"])
    ap.add_argument("--jobs", type=int, default=1)
    ap.add_argument("--only", action="append", default=[],
                    help="measure these (prefixes, e.g. ic3.lift) and the default")
    ap.add_argument("--limit-files", type=int)
    ap.add_argument("--resume", action="store_true")
    ap.add_argument("--docs", type=pathlib.Path)
    ap.add_argument("--no-docs", action="store_true", help="print the table only")
    return ap.parse_args()


def main():
    options = arguments()
    options.build = options.build.resolve()
    chosen = [s for s in switches(options.build / "lemmata")
              if not s or not options.only or any(s.startswith(p) for p in options.only)]
    target = options.build / "bench" / "ablation.csv"
    target.parent.mkdir(parents=True, exist_ok=True)
    campaign(options, chosen, files(options.list)[:options.limit_files], target)
    text = table_of(target, options.cpu)
    print(text)
    if not options.no_docs:
        docs = harness.docs_folder(options, options.only or options.limit_files)
        print(f"wrote {os.path.relpath(report.write_blocks(docs, {'ic3 switches': text}))}")
    bad = any(row["verdict"] == "error" or row["wrong"]
              for row in report.load(target, "cpu_seconds"))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
