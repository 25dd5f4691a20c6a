#!/usr/bin/env python3
"""`make bench NAME=spread`: a model that `auto` on one core does not decide in 20 s, given to a cluster with two nodes on this machine
(`lemmata check --on slurm:4`). Needs the packages of Slurm, and root.
usage: spread.py [--build DIR] [--seconds S]"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "cli"))
import cluster  # noqa: E402
import support  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--seconds", type=float, default=20)
    options = parser.parse_args()
    why_not = cluster.why_not()
    if why_not:
        sys.exit(f"bench/spread.py: {why_not}")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="lemmata-spread-"))
    folder.chmod(0o755)
    slurm = None
    try:
        (folder / "m.lus").write_text(support.clocks(28, 42))
        slurm = cluster.Cluster(folder / "cluster")
        answers = {}
        for name, more in (("auto on one core", ["--set", "portfolio.workers=1"]), ("--on slurm:4", ["--on", "slurm:4"])):
            start = time.monotonic()
            run = subprocess.run([options.build.resolve() / "lemmata", "check", "m.lus", "--timeout", f"{options.seconds:g}",
                                  "--json", "out.json", *more], cwd=folder, env=slurm.environment, capture_output=True, text=True,
                                 check=False)
            answers[name] = run.stdout.strip()
            print(f"{name:18} {time.monotonic() - start:6.1f} s  {answers[name]}", flush=True)
        start = time.monotonic()
        slurm.wait(lambda: not slurm.queue(), "the end of the other tasks")
        print(f"queue empty after  {time.monotonic() - start:6.1f} s")
        return 0 if list(answers.values()) == ["unknown OK: timeout", "safe OK"] else 1
    finally:
        if slurm:
            slurm.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
