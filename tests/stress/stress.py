#!/usr/bin/env python3
"""Many runs at a time on a busy machine, ended in every way there is: none may leave a process or a
file behind, and each must end with the exit code of its end.

    stress.py --build BUILD [--runs N] [--jobs N] [--load N] [--seed N] [--ending NAME]

`make stress RUNS=500`. A run that failed is repeated by run_once.py with its seed."""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import time

ONE = pathlib.Path(__file__).resolve().parent / "run_once.py"


def one(build, seed, ending):
    command = [sys.executable, str(ONE), "--build", str(build), "--seed", str(seed)]
    if ending:
        command += ["--ending", ending]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return {"seed": seed, "ending": ending or "?", "faults": [done.stderr[-500:]], "orphans": [],
                "leftovers": [], "code": None, "command": []}
    return json.loads(done.stdout)


def stress(build, runs, jobs, load, seed, ending=None):
    """The results of all runs, with `load` processes beside them that only use the processor."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(load)]
    try:
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            return list(pool.map(lambda n: one(build, seed + n, ending), range(runs)))
    finally:
        for process in busy:
            process.kill()
            process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=4 * (os.cpu_count() or 1))
    parser.add_argument("--load", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ending")
    args = parser.parse_args()
    start = time.monotonic()
    results = stress(args.build.resolve(), args.runs, args.jobs, args.load, args.seed, args.ending)
    endings = collections.Counter(result["ending"] for result in results)
    bad = [r for r in results if r["faults"] or r["orphans"] or r["leftovers"]]
    for result in bad:
        print(json.dumps(result))
    print(", ".join(f"{count} {name}" for name, count in sorted(endings.items())))
    print(f"{len(results)} runs in {time.monotonic() - start:.0f} s: "
          f"{sum(len(r['orphans']) for r in results)} orphans, "
          f"{sum(len(r['leftovers']) for r in results)} leftovers, "
          f"{sum(1 for r in results if r['faults'])} with another fault")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
