#!/usr/bin/env python3
"""One run of the checker, ended in one of many ways by chance; says what it left behind.

    run_once.py --build BUILD --seed N [--ending NAME]

This process adopts whatever the run leaves behind (it is the subreaper of its descendants), so that
an orphan is found whatever it did to its session, group or environment. Prints one line of JSON."""
import argparse
import ctypes
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import models  # noqa: E402

PR_SET_CHILD_SUBREAPER = 36
MS_NOSUID = 2
LIBC = ctypes.CDLL(None, use_errno=True)
PATIENCE = 60.0  # for the run; a machine under load is slow
SETTLE = 15.0    # for what still winds up when the run has ended
VERDICT = {0, 1, 2}


def children():
    """Processes that are ours or became ours, as {pid: state and command}."""
    found = {}
    for task in pathlib.Path("/proc/self/task").iterdir():
        for pid in (task / "children").read_text().split():
            try:
                stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
                command = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ")
            except OSError:
                continue
            found[int(pid)] = stat[stat.rindex(")") + 2] + " " + command.decode(errors="replace")
    return found


def orphans():
    """Waits until everything ended; what does not is killed and returned."""
    deadline = time.monotonic() + SETTLE
    while left := children():
        for pid in left:
            os.waitpid(pid, os.WNOHANG)
        if time.monotonic() > deadline:
            break
        time.sleep(0.02)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return [text for text in left.values() if not text.startswith("Z")]


class SmallDisk:
    """A file system of a few pages; where mounting is not allowed, nothing is full."""

    def __init__(self, folder, kilobytes):
        self.folder = folder
        folder.mkdir()
        self.mounted = os.geteuid() == 0 and LIBC.mount(
            b"tmpfs", str(folder).encode(), b"tmpfs", MS_NOSUID,
            f"size={kilobytes}k".encode()) == 0

    def close(self):
        if self.mounted:
            LIBC.umount2(str(self.folder).encode(), 2)


class Run:
    """The parts of one run: what is checked, how it is started, how it is ended."""

    def __init__(self, build, seed, folder):
        self.random = random.Random(seed)
        self.program = str(build / "lemmata")
        self.folder = folder
        self.cwd, self.tmp = folder / "cwd", folder / "tmp"
        self.cwd.mkdir()
        self.tmp.mkdir()
        self.arguments, self.allowed, self.disks = [], VERDICT, []
        self.limits = None
        self.signal, self.delay, self.twice = None, 0.0, False
        self.stdout = "pipe"

    def check(self, pool, *more, json_file="out.json"):
        name = self.random.choice(sorted(pool))
        (self.cwd / name).write_text(pool[name])
        self.arguments = ["check", name, "--json", json_file, "--report", "out.html", *more]
        if name.endswith(".aag"):
            self.arguments += ["--witness", "out.cex", "--certificate", "out.cert.aag"]

    # The ways in which a run ends.
    def normal(self):
        self.check(models.EASY)
        self.allowed = {0, 1}

    def timeout(self):
        self.check(models.HARDEST, "--timeout", f"{self.random.uniform(0.01, 1.2):.3f}")
        self.allowed = {2}

    def memory(self):
        self.check(models.HARDEST, "--memory", str(self.random.choice([1, 8, 40, 80])),
                   "--timeout", "5")
        self.allowed = {2}

    def signalled(self, number):
        self.check({**models.EASY, **models.HARDEST}, "--timeout", "20")
        self.signal, self.delay = number, self.random.uniform(0, 1.0) ** 2
        self.twice = self.random.random() < 0.3
        self.allowed = VERDICT | {70, -number}  # -number: before it could be caught

    def sigint(self):
        self.signalled(signal.SIGINT)

    def sigterm(self):
        self.signalled(signal.SIGTERM)

    def sighup(self):
        self.signalled(signal.SIGHUP)

    def sigkill(self):
        self.signalled(signal.SIGKILL)

    def lost_output(self):
        self.check(models.EASY)
        self.stdout = self.random.choice(["closed", "full", "broken"])
        self.allowed = {70}

    def full_disk(self):
        disk = SmallDisk(self.folder / "disk", 4)
        self.disks.append(disk)
        if disk.mounted:
            (disk.folder / "filler").write_bytes(b"x" * 4096)
        self.check(models.EASY, json_file=str(disk.folder / "out.json"))
        self.allowed = {70} if disk.mounted else {0, 1}

    def full_tmpdir(self):
        disk = SmallDisk(self.folder / "disk", 4)
        self.disks.append(disk)
        if disk.mounted:
            (disk.folder / "filler").write_bytes(b"x" * 4096)
        self.tmp = disk.folder
        self.check({name: text for name, text in models.EASY.items() if name.endswith(".c")})
        self.allowed = {0, 1, 2, 70}  # what can be done without is done

    def file_size(self):
        self.check(models.EASY)
        limit = self.random.choice([0, 100, 5000])
        self.limits = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        self.allowed = {0, 1, 2, 65, 70}

    ENDINGS = ["normal", "timeout", "memory", "sigint", "sigterm", "sighup", "sigkill",
               "lost_output", "full_disk", "file_size", "full_tmpdir"]

    def start(self):
        def before():
            if self.stdout == "closed":
                os.close(1)
            if self.limits:
                self.limits()
        stdout = subprocess.PIPE
        if self.stdout == "full":
            stdout = open("/dev/full", "w")
        if self.stdout == "broken":
            read_end, stdout = os.pipe()
            os.close(read_end)
        return subprocess.Popen([self.program, *self.arguments], cwd=self.cwd, stdout=stdout,
                                stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, preexec_fn=before,
                                env={**os.environ, "TMPDIR": str(self.tmp)})

    def end(self, process):
        if self.signal is None:
            return
        time.sleep(self.delay)
        process.send_signal(self.signal)
        if self.twice:
            time.sleep(self.random.uniform(0, 0.1))
            process.send_signal(self.signal)

    def leftovers(self):
        kept = {"out.json", "out.html", "filler"}
        left = []
        for folder in {self.cwd, self.tmp, *[disk.folder for disk in self.disks]}:
            for path in folder.rglob("*"):
                name = path.name
                fine = name in kept or name.startswith(("out.", "lemmata-rejected-"))
                if ".tmp-" in name or not (fine or name in models.EASY or name in models.HARDEST):
                    left.append(str(path.relative_to(self.folder)))
                elif name.endswith(".json") and not path.read_text().endswith("}\n"):
                    left.append(f"{name} is not whole")
        return left


def run_once(build, seed, ending=None):
    LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="lemmata-stress-"))
    run = Run(build, seed, folder)
    ending = ending or run.random.choice(Run.ENDINGS)
    getattr(run, ending)()
    faults = []
    try:
        process = run.start()
        run.end(process)
        try:
            _, err = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            faults.append("does not end, or something keeps its output open")
            process.kill()
            err = b""
        if process.returncode not in run.allowed:
            faults.append(f"exit code {process.returncode}: {err.decode(errors='replace')[:300]}")
        if process.returncode >= 64 and not err:
            faults.append(f"exit code {process.returncode} without a message")
        left_running = orphans()
        return {"seed": seed, "ending": ending, "command": run.arguments, "faults": faults,
                "code": process.returncode, "orphans": left_running, "leftovers": run.leftovers()}
    finally:
        for disk in run.disks:
            disk.close()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--ending", choices=Run.ENDINGS)
    args = parser.parse_args()
    print(json.dumps(run_once(args.build.resolve(), args.seed, args.ending)))


if __name__ == "__main__":
    main()
