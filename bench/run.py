#!/usr/bin/env python3
"""`make bench`: our checker and ABC side by side in one run; writes docs/benchmarks.md.
With the shared collection beside the project its `score` runs the contest, else contest.py does on
examples/, bench/models/ and the folder LEM_BENCH_DIR. A part of the contest (--sample, --only,
--contender) writes to BUILD/bench/docs, so that published figures are those of a whole run.
usage: run.py [--build DIR] [--timeout S] [--jobs N] [--only PREFIX]... [--sample N --seed S]
              [--contender abc|ours|auto]... [--docs DIR]"""
import argparse
import csv
import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import contest
import report

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCORE = pathlib.Path("..") / "shared" / "tools" / "score"  # from the project's folder
OURS = {"ours": "check --engine ic3 --timeout {timeout} {file}",
        "auto": "check --timeout {timeout} {file}"}


def have_abc():
    """Installs ABC when it can; a contest without it is still a contest."""
    if not shutil.which("berkeley-abc"):
        subprocess.run([ROOT / "tools" / "install_deps.sh", "bench"], check=False)
    if shutil.which("berkeley-abc"):
        return True
    print("bench: ABC is not here and is left out; as root: apt-get install berkeley-abc",
          file=sys.stderr)
    return False


def make_wrapper(folder):
    """The program that notes peak memory; see peak.cpp."""
    source, target = ROOT / "bench" / "peak.cpp", folder / "peak"
    if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
        subprocess.run([os.environ.get("CXX", "g++"), "-std=c++20", "-O2", "-static", source, "-o",
                        target], check=True)
    return target


def contenders(options, folder):
    """name -> (template that runs, template that is shown); None is ABC."""
    wrapper = os.path.relpath(make_wrapper(folder), ROOT)
    log = os.path.relpath(folder / "memory.log", ROOT)
    lemmata = os.path.relpath(options.build / "lemmata", ROOT)
    known = {"abc": (None, "berkeley-abc: logic; undc; strash; zero; fold; pdr")}
    for name, rest in OURS.items():
        known[name] = (f"{wrapper} {log} {name} {{file}} {lemmata} {rest}", f"lemmata {rest}")
    wanted = options.contender or list(known)
    return {name: known[name] for name in wanted if name != "abc" or have_abc()}


def run_score(chosen, options, target):
    command = [sys.executable, SCORE, "--known", "--csv", target, "--show", "errors",
               "--timeout", f"{options.timeout:g}", "--jobs", str(options.jobs)]
    for prefix in options.only or ["aiger"]:
        command += ["--only", prefix]
    if options.sample:
        command += ["--sample", str(options.sample), "--seed", str(options.seed)]
    for name, (template, _) in chosen.items():
        command += ["--run", f"{name}={template}" if template else name]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def add_costs(target, log):
    """Joins what the wrapper noted to the table: columns peak_kb and cpu_seconds."""
    costs = {}
    if log.exists():
        for line in log.read_text(encoding="utf-8").splitlines():
            contender, rest = line.split(",", 1)
            file, peak, cpu = rest.rsplit(",", 2)
            costs[contender, os.path.normpath(file)] = (peak, cpu)
    with open(target, newline="", encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    for row in rows:
        ending = os.sep + os.path.normpath(row["file"])
        found = next((cost for (name, file), cost in costs.items()
                      if name == row["contender"] and (os.sep + file).endswith(ending)), ("", ""))
        row["peak_kb"], row["cpu_seconds"] = found
    with open(target, "w", newline="", encoding="utf-8") as f:
        table = csv.DictWriter(f, contest.COLUMNS + ["peak_kb", "cpu_seconds"])
        table.writeheader()
        table.writerows(rows)
    return len({row["file"] for row in rows})


def output(command):
    try:
        run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    except OSError:
        return ""
    return run.stdout.strip()


def environment(options):
    info = pathlib.Path("/proc/cpuinfo")
    model = re.search(r"model name\s*:\s*(.*)", info.read_text() if info.exists() else "")
    commit = output(["git", "rev-parse", "--short", "HEAD"])
    version = output([options.build / "lemmata", "--version"]).removeprefix("lemmata ")
    abc = output(["dpkg-query", "-W", "-f", "${Version}", "berkeley-abc"]) or "of unknown version"
    return {"date": datetime.date.today().isoformat(),
            "cpu": model.group(1) if model else "unknown CPU",
            "cores": os.cpu_count(), "load": os.getloadavg()[0], "abc": abc,
            "version": version + (f" ({commit})" if commit else ""),
            "timeout": options.timeout, "jobs": options.jobs, "sample": options.sample or 0,
            "seed": options.seed}


def arguments():
    ap = argparse.ArgumentParser(description=__doc__,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    ap.add_argument("--timeout", type=float, default=20)
    ap.add_argument("--jobs", type=int, default=1)
    ap.add_argument("--only", action="append", default=[])
    ap.add_argument("--sample", type=int)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--contender", action="append", choices=["abc", *OURS])
    ap.add_argument("--docs", type=pathlib.Path)
    return ap.parse_args()


def main():
    options = arguments()
    options.build = options.build.resolve()
    folder = options.build / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    target, log = folder / "aiger.csv", folder / "memory.log"
    log.unlink(missing_ok=True)
    chosen, meta = contenders(options, folder), environment(options)
    if (ROOT / SCORE).exists():
        code = run_score(chosen, options, target)
    else:
        print("bench: the shared collection is not here; our own models instead")
        os.chdir(ROOT)
        contest.contest({name: template for name, (template, _) in chosen.items()},
                        options.build / "lemmata", options, target)
        code = 0
    if not target.exists():
        sys.exit("bench: the contest left no results")
    meta["files"] = add_costs(target, log)
    meta["commands"] = {name: shown for name, (_, shown) in chosen.items()}
    target.with_suffix(".json").write_text(json.dumps(meta, indent=2) + "\n", encoding="utf-8")
    partial = options.sample or options.only or options.contender
    docs = options.docs or (folder / "docs" if partial else ROOT / "docs")
    print(f"bench: wrote {os.path.relpath(report.write(target, docs), ROOT)}")
    wrong = any(row["wrong"] for row in report.load(target))
    return 1 if code or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
