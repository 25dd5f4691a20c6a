#!/usr/bin/env python3
"""`make bench NAME=sharing`: what sharing lemmas brings: several seeds of ic3 at once on one model, each for itself and with a common folder
(ic3.lemmas), until the first one answers. Its processor seconds count: the machine may have other work.
usage: sharing.py [--build DIR] [--runs N] [--seconds S] [--models FOLDER] [NAME...]"""
import argparse
import os
import pathlib
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "bench" / "lists" / "ic3_switches.txt"


def race(lemmata, model, options, folder):
    """(verdict, processor seconds of the first that answers); the others end with it."""
    def limit():
        seconds = int(options.seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    running = {}
    for seed in range(options.runs):
        command = [lemmata, "check", model, "--engine", "ic3", "--no-certify", "-q", "--set", f"ic3.seed={seed}"]
        if folder:
            command += ["--set", f"ic3.lemmas={folder}"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, preexec_fn=limit)
        running[process.pid] = process
    answer = ("unknown", options.seconds)
    while running:
        pid, status, used = os.wait4(-1, 0)
        process = running.pop(pid)
        words = process.stdout.read().split()
        process.stdout.close()
        process.returncode = status
        if answer[0] == "unknown" and os.WIFEXITED(status) and words and words[0] != "unknown":
            answer = (words[0], used.ru_utime + used.ru_stime)
            for other in running.values():
                os.kill(other.pid, signal.SIGKILL)  # Popen.kill() might reap it
    return answer


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--runs", type=int, default=4, help="seeds at once (default 4)")
    parser.add_argument("--seconds", type=float, default=20, help="processor seconds of each (default 20)")
    parser.add_argument("--models", type=pathlib.Path, default=ROOT.parent / "shared" / "benchmarks")
    parser.add_argument("names", nargs="*", metavar="NAME", help="models (default: the list of bench/ablation.py)")
    options = parser.parse_args()
    lines = LIST.read_text(encoding="utf-8").splitlines()
    names = options.names or [line for line in lines if line and not line.startswith("#")]
    lemmata = options.build.resolve() / "lemmata"
    both, ratios = [], []
    print(f"{'model':52} {'alone':>14} {'shared':>14}")
    for name in names:
        alone = race(lemmata, options.models / name, options, None)
        folder = tempfile.mkdtemp(prefix="lemmata-sharing-")
        shared = race(lemmata, options.models / name, options, folder)
        shutil.rmtree(folder, ignore_errors=True)
        print(f"{name:52} " + " ".join(f"{verdict:>7} {seconds:6.1f}" for verdict, seconds in (alone, shared)), flush=True)
        if {alone[0], shared[0]} == {"safe", "unsafe"}:
            sys.exit(f"sharing: the verdicts about {name} contradict each other")
        both.append((alone, shared))
        if "unknown" not in (alone[0], shared[0]) and max(alone[1], shared[1]) >= 0.5:
            ratios.append(shared[1] / alone[1])
    solved = [sum(pair[i][0] != "unknown" for pair in both) for i in (0, 1)]
    print(f"solved: {solved[0]} alone, {solved[1]} shared, of {len(both)}")
    if ratios:
        print(f"time shared / alone, median of {len(ratios)} that took half a second: {statistics.median(ratios):.2f}")


if __name__ == "__main__":
    main()
