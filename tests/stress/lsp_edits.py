#!/usr/bin/env python3
"""Random edits in the language server: nothing crashes, leaks or is stale.

    lsp_edits.py [--build BUILD] [--edits N] [--seed N]

A few documents (AIGER, Lustre, C) are edited, saved, closed and opened at random, sometimes while they are
checked. The client knows which verdict each text has, so that every diagnostic can be held against the text of its
version. Afterwards no process may be left, and the memory of the server must be what it was after a tenth of the
edits, within a margin."""
import argparse
import pathlib
import random
import shutil
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/cli"))
import support  # noqa: E402
from lsp_client import LspClient, descendants  # noqa: E402

LUSTRE = """node main(up: bool) returns (n: int);
let
  n = 0 -> if up and pre n < 3 then pre n + 1 else pre n;
  --%PROPERTY "small" n < LIMIT;
tel
"""
C = """#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_int();
  assert(a * 2 != LIMIT);
}
"""
SECONDS = 3  # the budget of a check
MARGIN_KB = 16 * 1024


def texts():
    """By extension: texts, and how many diagnostics each has. None: it runs into its budget or not."""
    lustre = [(LUSTRE.replace("LIMIT", str(limit)), 1 if limit <= 3 else 0) for limit in range(1, 8)]
    lustre += [(LUSTRE.replace("LIMIT", "("), 1), ("", 1)]
    program = [(C.replace("LIMIT", str(limit)), 1 if limit % 2 == 0 else 0) for limit in range(4)]
    program += [(C.replace("LIMIT", ""), 1)]
    aiger = [(support.SAFE, 0), (support.UNSAFE, 1), (support.MIXED, 1), ("aag 1 2\n", 1), (support.HARD, 1)]
    aiger += [(support.counter(4, bad, 9), 1 if bad <= 9 else 0) for bad in range(5, 14)]
    return {".lus": lustre, ".c": program, ".aag": aiger}


def resident_kb(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise AssertionError("the server has ended")


class Stress:
    def __init__(self, build, folder, seed):
        self.random = random.Random(seed)
        self.client = LspClient(build / "lemmata", "--native", "never", options={"timeout": SECONDS})
        self.texts = texts()
        self.paths = [folder / f"m{i}{extension}" for i, extension in enumerate((".lus", ".aag", ".aag", ".c"))]
        self.open, self.version = {}, {}
        self.history = {}  # (uri, version): how many diagnostics its text has
        self.seen = 0

    def step(self):
        path = self.random.choice(self.paths)
        text, count = self.random.choice(self.texts[path.suffix])
        text = "".join(text)
        if path not in self.open:
            path.write_text(text)
            self.remember(path, text, count)
            self.client.open(path, self.version[path], text)
            return
        action = self.random.choices(("edit", "edit and save", "save", "close", "hover"), (4, 8, 2, 1, 3))[0]
        if action.startswith("edit"):
            self.remember(path, text, count)
            self.client.change(path, text, self.version[path])
        if action.endswith("save"):
            path.write_text(self.open[path])
            self.client.save(path, self.open[path] if self.random.random() < 0.5 else None)
        if action == "close":
            self.client.close(path)
            del self.open[path]
        if action == "hover":
            self.client.hover(path, self.random.randint(1, 6))

    def remember(self, path, text, count):
        self.version[path] = self.version.get(path, 0) + 1
        self.open[path] = text
        self.history[self.client.uri(path), self.version[path]] = count

    def judge(self):
        """Holds everything that was published since against what the texts deserve."""
        for params in self.client.published[self.seen:]:
            key = (params["uri"], params.get("version"))
            count = len(params["diagnostics"])
            assert key in self.history, f"a version that was never sent: {key}"
            assert count in (0, self.history[key]), f"stale: {key} has {count}: {params}"
        self.seen = len(self.client.published)

    def finish(self):
        """In the end all is saved, and each document gets exactly what its text deserves."""
        for path in self.paths:
            if path in self.open:
                path.write_text(self.open[path])
                self.client.save(path)
        want = {self.client.uri(path): self.version[path] for path in self.open}
        self.client.settle(1)
        self.client.wait(lambda: all(
            self.client.diagnostics.get(uri, (None, []))[0] == version
            and len(self.client.diagnostics[uri][1]) == self.history[uri, version]
            for uri, version in want.items()), timeout=30 + 4 * SECONDS)


def run(build, edits, seed):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="lemmata-lsp-"))
    stress = Stress(build, folder, seed)
    client = stress.client
    early = 0
    start = time.monotonic()
    try:
        for i in range(edits):
            stress.step()
            client.settle(stress.random.choice((0, 0, 0.01, 0.05, 0.3)))
            stress.judge()
            assert client.process.poll() is None, f"the server has ended: {client.stderr}"
            if i == edits // 10:
                early = resident_kb(client.process.pid)
        stress.finish()
        stress.judge()
        late = resident_kb(client.process.pid)
        assert late < early + MARGIN_KB, f"memory grew from {early} to {late} kB"
        below = descendants(client.process.pid)
        code = client.shut_down()
        assert code == 0, f"exit code {code}"
        deadline = time.monotonic() + 15
        while left := [pid for pid in below if pathlib.Path(f"/proc/{pid}").exists()]:
            assert time.monotonic() < deadline, f"processes are left: {left}"
            time.sleep(0.05)
        print(f"{edits} edits, {len(client.published)} publications, {time.monotonic() - start:.0f} s, "
              f"memory {early} kB early, {late} kB late: nothing stale, nothing left")
    finally:
        if client.process.poll() is None:
            client.process.kill()
        client.process.wait()
        client.close_streams()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--edits", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    run(given.build.resolve(), given.edits, given.seed)
