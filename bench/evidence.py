#!/usr/bin/env python3
"""`make bench NAME=evidence`: is what Lemmata writes accepted by others? Files of the shared collection, some of each
format, are checked; every witness and certificate that is written goes to `lemmata validate`, to
`lemmata-validate`, and where an independent program is packaged, to that: the obligations in .smt2 to
Z3 and cvc5, traces of circuits to ABC, harnesses of C programs to gcc and the machine.

ABC gets the circuit with the trace's values in the place of its inputs and free latches, and must find
the bad state at the step at which the trace ends. gcc gets a copy of the program with the insertions
that the harness names. Harnesses run as long as --timeout says, with no
network and no files to write; of programs with --arith int only the proof is written.
Without the collection the bundled examples are used. Exit code 1 when something is rejected.
usage: evidence.py [--build DIR] [--count N] [--timeout S] [--budget S] [--seed S] [--format NAME]... [--json FILE]"""
import argparse
import collections
import json
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

import circuits
import harness

FORMATS = {"aiger": (".aag", ".aig"), "btor2": (".btor", ".btor2"), "vmt": (".vmt",), "chc": (".smt2",),
           "lustre": (".lus",), "c": (".c", ".i"), "st": (".st", ".scl")}
# What is written, by format: names of witnesses and of certificates.
WITNESSES = {"aiger": ["w.aiw"], "btor2": ["w.btw"], "c": ["w.yml", "w.c"], "st": ["w.txt", "w.json"]}
CERTIFICATES = {"aiger": ["p.aag"], "btor2": ["p.btor2", "p.smt2"], "c": ["p.yml"], "st": ["p.txt"]}


def run(command, limit, **more):
    """(exit code, standard output and error); -1 after `limit` seconds."""
    try:
        done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=limit, **more)
        return done.returncode, done.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired as late:
        return -1, (late.stdout or b"").decode(errors="replace")


def with_insertions(program, harness_text):
    """The program's text with what its harness asks for: `//   ROW:COLUMN, behind 'TOKEN':TEXT`. A character
    is a byte, as columns are."""
    lines = program.split("\n")
    places = re.findall(r"^//   (\d+):(\d+), behind '(.+?)':(.*)$", harness_text, re.M)
    # From the end, so that places before stay where they are; also those of insertions at one place.
    for row, column, token, words in sorted(reversed(places), key=lambda one: (int(one[0]), int(one[1])),
                                            reverse=True):
        line = lines[int(row) - 1]
        end = int(column) - 1 + len(token)
        if line[int(column) - 1:end] != token:
            raise ValueError(f"{row}:{column}: the program has no {token!r} there")
        lines[int(row) - 1] = line[:end] + words + line[end:]
    return "\n".join(lines)


class Tally:
    """What became of each file of evidence, by who looked at it."""

    def __init__(self):
        self.counts = collections.defaultdict(collections.Counter)
        self.rejected = []
        self.verdicts = collections.Counter()

    def add(self, who, outcome, model, name, text=""):
        self.counts[who][outcome] += 1
        if outcome == "rejected":
            self.rejected.append({"by": who, "model": model, "evidence": name, "says": text.strip()[-400:]})
            print(f"REJECTED by {who}: {model} {name}\n{text.strip()[-400:]}", flush=True)


class Checker:
    def __init__(self, options, tally):
        self.options = options
        self.tally = tally
        self.lemmata = options.build / "lemmata"
        self.validator = options.build / "lemmata-validate"

    def check(self, file_format, name, path, extra):
        with tempfile.TemporaryDirectory(prefix="lemmata-evidence-") as folder:
            self.check_in(pathlib.Path(folder), file_format, name, path, extra)

    def check_in(self, folder, file_format, name, path, extra):
        witnesses = WITNESSES.get(file_format, ["w.txt", "w.json"])
        certificates = CERTIFICATES.get(file_format, ["p.smt2"])
        rounds = max(len(witnesses), len(certificates))
        for i in range(rounds):
            command = [self.lemmata, "check", path, "--timeout", self.options.timeout, "-q", *extra]
            if i < len(witnesses):
                command += ["--witness", folder / witnesses[i]]
            if i < len(certificates):
                command += ["--certificate", folder / certificates[i]]
            code, out = run(command, self.options.timeout + 30)
            if i == 0:
                words = {line.split(" ")[0] for line in out.splitlines()}
                verdict = next((w for w in ("unsafe", "unknown", "safe") if w in words), "refused")
                self.tally.verdicts[verdict] += 1
                if verdict in ("unknown", "refused") and "safe" not in words:
                    return
                if (verdict == "unsafe" and len(witnesses) == 1) or (verdict == "safe" and len(certificates) == 1):
                    break
        for one in sorted(folder.iterdir()):
            self.judge(file_format, name, path, one, extra)

    def judge(self, file_format, name, path, evidence, extra):
        kind = "--witness" if evidence.name.startswith("w") else "--certificate"
        if file_format == "c" and evidence.suffix == ".c":
            self.ask_gcc(name, path, evidence)
            return
        for who, program in (("lemmata validate", [self.lemmata, "validate"]),
                             ("lemmata-validate", [self.validator])):
            code, out = run([*program, path, kind, evidence, "--timeout", 60, *extra], 90)
            outcome = {0: "accepted", 2: "undecided", -1: "undecided"}.get(code, "rejected")
            self.tally.add(who, outcome, name, evidence.name, out)
        if evidence.suffix == ".smt2":
            self.ask_solver("z3", ["z3", "-T:60", evidence], name, evidence)
            self.ask_solver("cvc5", ["cvc5", "--incremental", "--tlimit-per=20000", evidence], name, evidence)
        if file_format == "aiger" and kind == "--witness":
            self.ask_abc(name, path, evidence)

    def ask_solver(self, who, command, name, evidence):
        code, out = run(command, 90)
        answers = [line for line in out.split("\n") if line in ("sat", "unsat", "unknown", "timeout")]
        wanted = evidence.read_text().count("(check-sat)")
        if "sat" in answers or "error" in out.replace("interrupted", ""):
            self.tally.add(who, "rejected", name, evidence.name, out)
        elif answers.count("unsat") == wanted and wanted > 0:
            self.tally.add(who, "accepted", name, evidence.name)
        else:
            self.tally.add(who, "undecided", name, evidence.name)

    def ask_abc(self, name, path, evidence):
        fixed = evidence.with_suffix(".fixed.aig")
        steps = circuits.fix_inputs(path, evidence, fixed)
        code, out = run(["berkeley-abc", "-c", f"read {fixed}; logic; undc; strash; zero; fold; bmc3 -F {steps}"], 60)
        found = re.search(r"asserted in frame (\d+)", out)
        if found and int(found.group(1)) <= steps - 1:
            self.tally.add("abc", "accepted", name, evidence.name)
        else:
            self.tally.add("abc", "rejected", name, evidence.name, out)

    def ask_gcc(self, name, path, evidence):
        program = evidence.with_suffix(".run")
        # Some runs need values of variables, which no function can give: the harness names what to insert.
        copy = evidence.with_suffix(".copy.c")
        text = with_insertions(path.read_text("latin-1"), evidence.read_text("latin-1"))
        copy.write_text(text, "latin-1")
        for width in (["-m32"], []):
            code, out = run(["gcc", "-w", "-fwrapv", *width, copy, evidence, "-o", program], 60)
            if code == 0:
                break
        if code != 0:
            self.tally.add("gcc", "rejected", name, evidence.name, out)
            return

        def confine():
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
            resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
            resource.setrlimit(resource.RLIMIT_CPU, (20, 20))

        network = ["unshare", "-n", "-r"] if run(["unshare", "-n", "-r", "true"], 5)[0] == 0 else []
        code, out = run([*network, program], 30, stdin=subprocess.DEVNULL, preexec_fn=confine)
        outcome = "accepted" if "lemmata: error reached" in out else "rejected"
        self.tally.add("gcc", outcome, name, evidence.name, f"exit {code}\n{out}")


def chosen(options):
    """(format, name, path, further options) of the models to check."""
    rows = harness.collection()
    models = collections.defaultdict(list)
    for row in rows:
        path = harness.SHARED / row["file"]
        if row["format"] in FORMATS and path.suffix in FORMATS[row["format"]]:
            extra = ["--arith", "int"] if row["format"] == "c" and row["logic"] == "int" else []
            models[row["format"]].append((row["file"], path, extra))
    folders = [(harness.SHARED / "st", "st")] if rows else []
    if not rows:
        folders = [(harness.ROOT / "examples" / name, name) for name in FORMATS]
    for folder, name in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in FORMATS[name]:
                models[name].append((f"{name}/{path.relative_to(folder)}", path, []))
    names = options.format or list(FORMATS)
    for name in names:
        random.Random(options.seed).shuffle(models[name])
    # In turn, so that a budget cuts all formats alike.
    return [(name, *models[name][i]) for i in range(options.count) for name in names if i < len(models[name])]


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--build", type=pathlib.Path, default=harness.ROOT / "build")
    ap.add_argument("--count", type=int, default=20, help="models of each format (default 20)")
    ap.add_argument("--timeout", type=float, default=10, help="seconds for each check (default 10)")
    ap.add_argument("--budget", type=float, help="seconds after which no further model is started")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--format", action="append", choices=list(FORMATS))
    ap.add_argument("--json", type=pathlib.Path, help="the numbers as a file")
    options = ap.parse_args()
    options.build = options.build.resolve()
    missing = [one for one in ("z3", "cvc5", "berkeley-abc", "gcc") if not shutil.which(one)]
    if missing:
        sys.exit(f"evidence.py: not installed: {', '.join(missing)} (tools/install_deps.sh bench)")
    tally = Tally()
    checker = Checker(options, tally)
    start = time.monotonic()
    models = chosen(options)
    done = 0
    for one in models:
        if options.budget and time.monotonic() - start > options.budget:
            break
        checker.check(*one)
        done += 1
    print(f"{done} models, {time.monotonic() - start:.0f} s: "
          + ", ".join(f"{count} {verdict}" for verdict, count in sorted(tally.verdicts.items())))
    for who, outcomes in sorted(tally.counts.items()):
        print(f"{who}: " + ", ".join(f"{outcomes[o]} {o}" for o in ("accepted", "undecided", "rejected")))
    if options.json:
        options.json.write_text(json.dumps({"verdicts": tally.verdicts, "by": tally.counts,
                                            "rejected": tally.rejected}, indent=2) + "\n")
    return 1 if tally.rejected else 0


if __name__ == "__main__":
    sys.exit(main())
