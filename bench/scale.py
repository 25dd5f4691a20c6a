#!/usr/bin/env python3
"""`make bench NAME=scale`: what a run, a row, a task and a submission of a campaign cost, in processor time and in seconds, and what that makes
for 100,000 runs on 1,000 nodes (docs/scale.md). The figures about Slurm need its packages and root.
usage: scale.py [--build DIR] [--rows N] [--runs N]"""
import argparse
import json
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "cli"))
import cluster  # noqa: E402

SAFE = "aag 1 0 1 1 0\n2 2\n2\n"


class Clock:
    """Seconds of the wall and of the processor, of children, between two moments."""

    def __init__(self):
        self.wall, self.cpu = time.monotonic(), self.used()

    @staticmethod
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    def read(self):
        return time.monotonic() - self.wall, self.used() - self.cpu


def say(what, per, wall, cpu, note=""):
    print(f"{what:34} {1000 * wall / per:9.3f} ms {1000 * cpu / per:9.3f} ms cpu  {note}", flush=True)


def folder_size(folder):
    files = [p for p in folder.rglob("*") if p.is_file()]
    return len(files), sum(p.stat().st_size for p in files)


def measure_runs(lemmata, folder, count):
    """Runs that do nothing: what is left is the campaign's own work."""
    (folder / "m.aag").write_text(SAFE)
    plan = {"inputs": ["m.aag"], "contenders": [{"name": "true", "command": "true {file}"}], "seeds": list(range(count))}
    (folder / "plan.yml").write_text(json.dumps(plan))
    clock = Clock()
    subprocess.run([lemmata, "campaign", "plan.yml", "--db", "runs.db", "--on", "local:1"], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL)
    say("local run of `true`", count, *clock.read())
    clock = Clock()
    for _ in range(50):
        subprocess.run([lemmata, "check", "m.aag", "--engine", "ic3", "-q"], cwd=folder, stdout=subprocess.DEVNULL, check=True)
    say("`lemmata check`, smallest model", 50, *clock.read())
    plan = {"inputs": ["m.aag"], "configurations": ["ic3"], "seeds": list(range(100))}
    (folder / "ours.yml").write_text(json.dumps(plan))
    clock = Clock()
    subprocess.run([lemmata, "campaign", "ours.yml", "--db", "ours.db", "--on", "local:1"], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL)
    files, size = folder_size(folder / "ours.db.files" / "evidence")
    say("the same in a campaign", 100, *clock.read(), f"{files / 100:g} files, {size / 100:.0f} bytes of evidence")


def measure_rows(lemmata, folder, count):
    """Journals that are full already: reading them and writing the database."""
    seeds = 1000
    for i in range(count // seeds):
        (folder / f"r{i}.aag").write_text(SAFE)
    plan = {"inputs": ["r*.aag"], "contenders": [{"name": "true", "command": "true {file}"}], "seeds": list(range(seeds))}
    (folder / "rows.yml").write_text(json.dumps(plan))
    journals = folder / "rows.db.files" / "journals"
    journals.mkdir(parents=True)
    size = 0
    for journal in range(count // 20):
        lines = []
        for run in range(20 * journal + 1, 20 * journal + 21):
            lines.append(json.dumps({"start": run, "host": "node0001", "boot": "b"}))
            lines.append(json.dumps({
                "end": run, "verdict": "safe", "reason": "", "seconds": 1.5, "processor_seconds": 1.4, "memory_kb": 50000,
                "engine": "ic3", "version": "0.1.0", "host": "node0001", "evidence": f"evidence/{journal}.0/{run}/b0.aag",
                "evidence_hash": "0" * 64, "attempts": 1, "finished": 1700000000, "properties": [
                    {"property": "b0", "verdict": "safe", "reason": "", "engine": "ic3", "seconds": 1.5}]}))
        text = "\n".join(lines) + "\n"
        size += len(text)
        (journals / f"{journal}.0.jsonl").write_text(text)
    clock = Clock()
    subprocess.run([lemmata, "campaign", "rows.yml", "--db", "rows.db"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    database = (folder / "rows.db").stat().st_size
    say("row: plan, collect, commit", count, *clock.read(),
        f"{size / count:.0f} bytes of journal, {database / count:.0f} of database")
    clock = Clock()
    subprocess.run([lemmata, "campaign", "report", "rows.db", "-o", "rows.html"], cwd=folder, check=True)
    say("row of a report", count, *clock.read(), f"{(folder / 'rows.html').stat().st_size / count:.0f} bytes of page")


def measure_cluster(lemmata, folder, tasks=1000):
    why_not = cluster.why_not()
    if why_not:
        return print(f"no cluster: {why_not}")
    folder.chmod(0o755)
    slurm = cluster.Cluster(folder / "cluster")
    try:
        (folder / "job.sh").write_text("#!/bin/sh\ntrue\n")
        clock = Clock()
        number = slurm.run("sbatch", "--parsable", "--hold", f"--array=0-{tasks - 1}", "-o", "/dev/null", folder / "job.sh").strip()
        say("submitting an array of 1000", 1, *clock.read())
        clock = Clock()
        lines = len(slurm.queue())
        say("task in an answer of squeue", lines, *clock.read(), f"{lines} tasks")
        clock = Clock()
        slurm.run("scancel", number)
        say("cancelling the array", 1, *clock.read())
        slurm.wait(lambda: not slurm.queue(), "the end of the array", 60)
        clock = Clock()
        slurm.run("sbatch", "--wait", "--array=0-59", "-o", "/dev/null", folder / "job.sh")
        say("task that does nothing, 4 at a time", 60, *clock.read())
        plan = {"inputs": ["m.aag"], "contenders": [{"name": "true", "command": "true {file}"}], "seeds": list(range(400)),
                "slurm": {"bundle": 20}}
        (folder / "bundles.yml").write_text(json.dumps(plan))
        clock = Clock()
        subprocess.run([lemmata, "campaign", "bundles.yml", "--db", "bundles.db", "--on", "slurm"], cwd=folder, check=True,
                       env=slurm.environment, stdout=subprocess.DEVNULL)
        files, size = folder_size(folder / "bundles.db.files")
        say("run of `true` in bundles of 20", 400, *clock.read(), f"{files / 20:g} files, {size / 400:.0f} bytes a run")
    finally:
        slurm.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--rows", type=int, default=20000)
    parser.add_argument("--runs", type=int, default=300)
    options = parser.parse_args()
    lemmata = options.build.resolve() / "lemmata"
    folder = pathlib.Path(tempfile.mkdtemp(prefix="lemmata-scale-"))
    try:
        measure_runs(lemmata, folder, options.runs)
        measure_rows(lemmata, folder, options.rows)
        measure_cluster(lemmata, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
