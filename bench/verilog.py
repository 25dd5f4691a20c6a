#!/usr/bin/env python3
"""The designs of tests/verilog, each as it is and with its bug (-D BUG): the verdicts of the Verilog, BTOR2 and AIGER
routes and of ABC's pdr must agree, a design must be safe without and unsafe with its bug, and every trace must be what
Icarus Verilog does.   usage: verilog.py [--build DIR] [--only NAME]... [--limit SECONDS]"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/cli"))
import icarus  # noqa: E402

DESIGNS = ROOT / "tests/verilog"
VERDICT = re.compile(r"^(safe|unsafe|unknown) (\S+(?: \S+)?)", re.M)


def designs(only=()):
    """Name and files of each design; a folder is a design of several files."""
    for path in sorted(DESIGNS.iterdir()):
        files = sorted(path.glob("*.*v"), key=lambda f: (f.suffix != ".sv", f)) if path.is_dir() else [path]
        if not only or path.stem in only:
            yield path.stem, files


class Campaign:
    def __init__(self, build, limit, folder):
        self.program, self.limit, self.folder = build / "lemmata", limit, folder
        self.problems = []

    def run(self, *arguments):
        return subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True,
                              timeout=self.limit + 60)

    def verdicts(self, *arguments):
        done = self.run("check", *arguments, "--timeout", self.limit)
        if done.returncode > 2:
            self.problems.append(f"{arguments[0]}: exit {done.returncode}: {done.stderr.strip()}")
        return [match.group(1) for match in VERDICT.finditer(done.stdout)]

    def abc(self, model, count):
        """pdr on one output after the other; constraints are folded in, free resets become inputs."""
        out = []
        for i in range(count):
            script = f"read {model}; undc; zero; fold; strash; cone -s -O {i}; scleanup; pdr -T {self.limit}"
            text = subprocess.run(["berkeley-abc", "-c", script], capture_output=True, text=True,
                                  timeout=self.limit + 60).stdout
            out.append("safe" if "Property proved" in text or "is a constant 0" in text else
                       "unsafe" if "was asserted in frame" in text else "unknown")
        return out

    def routes(self, name, files, options):
        """Verdicts of all routes as answers about bad states, a list for each."""
        rows = json.loads(self.run("properties", *files, *options, "--json", "-").stdout)["properties"]
        covers = [row["kind"] == "cover" for row in rows]
        flip = {"safe": "unsafe", "unsafe": "safe", "unknown": "unknown"}
        answers = self.verdicts(*files, *options)
        found = {"verilog": [flip[a] if c else a for a, c in zip(answers, covers)]}
        for route, extension in (("btor2", "btor2"), ("aiger", "aig")):
            model = self.folder / f"{name}.{extension}"
            done = self.run("convert", *files, *options, "-o", model)
            found[route] = self.verdicts(model) if done.returncode == 0 else [done.stderr.strip()]
        if shutil.which("berkeley-abc"):
            found["abc"] = self.abc(self.folder / f"{name}.aig", len(covers))
        reached = [row["name"] for row, answer in zip(rows, found["verilog"]) if answer == "unsafe"]
        return answers, found, reached

    def replay(self, name, files, options, reached):
        """Every trace in Icarus; the number of values that were compared."""
        if not reached or not shutil.which("iverilog"):
            return 0
        for old in self.folder.glob("w*"):
            old.unlink()
        # One engine and one property at a time give the same trace twice.
        for i, name_of_property in enumerate(reached):
            for extension in ("vcd", "v"):
                self.run("check", *files, *options, "--engine", "bmc", "--property", name_of_property,
                         "--timeout", self.limit, "--witness", self.folder / f"w{i}.{extension}")
        compared = 0
        for vcd in sorted(self.folder.glob("w*.vcd")):
            bench = vcd.with_suffix(".v")
            switches = ["-DBUG"] if options else []
            switches += [f"-I{files[0].parent}"]
            if "-DFORMAL" in bench.read_text():
                switches.append("-DFORMAL")
            top = vcd.read_text().split("$scope module ")[1].split()[0]
            try:
                theirs, _ = icarus.simulate(self.folder, bench, files, switches)
            except subprocess.CalledProcessError as error:
                self.problems.append(f"{name}: Icarus: {error.stderr}")
                continue
            # Undefined values, such as memory out of its range, stay x in simulation.
            wrong, same = icarus.differences(icarus.read_vcd(vcd, top), theirs, icarus.steps_of(vcd),
                                             ignore_x=True)
            compared += same
            if wrong or not same:
                self.problems.append(f"{name}: {vcd.name} differs from Icarus: {wrong[:4]}")
        return compared

    def design(self, name, files):
        for options in ([], ["-D", "BUG"]):
            start = time.time()
            answers, found, reached = self.routes(name, files, options)
            lists = list(found.values())
            agree = all(row == lists[0] for row in lists) and lists[0] and "unknown" not in lists[0]
            good = ("unsafe" in answers) == bool(options)
            compared = self.replay(name, files, options, reached)
            label = name + (" BUG" if options else "")
            if not agree or not good:
                self.problems.append(f"{label}: {answers} {found}")
            if options and not compared and shutil.which("iverilog"):
                self.problems.append(f"{label}: no trace was replayed")
            print(f"{label:<18} {len(answers):>3} properties, {answers.count('unsafe')} unsafe, "
                  f"{'routes agree' if agree else 'ROUTES DIFFER'}, {compared} values as in Icarus, "
                  f"{time.time() - start:.1f} s", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--limit", type=int, default=60, help="seconds for each check")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lemmata-verilog-") as folder:
        campaign = Campaign(args.build.resolve(), args.limit, pathlib.Path(folder))
        count = 0
        for name, files in designs(args.only):
            campaign.design(name, files)
            count += 1
    for problem in campaign.problems:
        print(problem, file=sys.stderr)
    print(f"{count} designs, {len(campaign.problems)} problems")
    sys.exit(1 if campaign.problems or not count else 0)


if __name__ == "__main__":
    main()
