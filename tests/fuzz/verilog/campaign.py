#!/usr/bin/env python3
"""Random SystemVerilog designs with assertions in every syntactic place, against Icarus Verilog. Every design is
written twice: with assertions for `lemmata check`, and with explicit checkers for Icarus, in which a bench visits every
reachable state under all inputs. An assertion must be `unsafe` exactly when some step fails it, a cover `safe` exactly
when some step reaches it, and each statement must be there as often as the elaborated design has it. Test benches that
`lemmata` writes for failures are replayed in Icarus. A mismatch is a bug and is printed with its seed; what is
refused, and what the judge leaves open, is counted by reason.

usage: campaign.py [--build FOLDER] [--count N] [--first SEED] [--size ITEMS] [--seconds S] [--limit SECONDS]
                   [--keep FOLDER] [--without FEATURE]...
"""
import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from generator import FEATURES, Generator
from judge import Judge, NoJudgement
from replay import replayed

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
MISMATCH, REFUSED = "MISMATCH", "refused: "
VERDICT = re.compile(r"^(safe|unsafe|unknown) \S*design\.sv:(\d+)(?::\d+)?(?: (.*?))?(?: \((\d+)\))?(?:: .*)?$")


class Mismatch(Exception):
    """What is wrong."""


class Skip(Exception):
    """Neither side is wrong: the reason."""


class Case:
    def __init__(self, seed, folder, options):
        self.seed, self.folder, self.options = seed, folder, options
        self.counts = collections.Counter()

    def judged(self):
        """The judgement of the first size that is small enough."""
        for size in (self.options.size, self.options.size // 2, 2):
            self.design = Generator(self.seed, size, self.options.without)
            text = self.design.texts()
            try:
                judgement = Judge(self.design, text.sim, self.folder).judge()
            except NoJudgement as reason:
                if str(reason) == "too large" and size > 2:
                    continue
                raise Skip(f"no judgement: {reason}") from None
            (self.folder / "design.sv").write_text(text.real, encoding="utf-8")
            return text.real, judgement
        raise AssertionError("one of the sizes is the last")

    def lemmata(self, *arguments):
        command = [self.options.build / "lemmata", *arguments, "--timeout", self.options.limit, "--no-progress"]
        try:
            return subprocess.run([str(part) for part in command], cwd=self.folder, capture_output=True, text=True,
                                  timeout=20 * self.options.limit + 60, check=False)
        except subprocess.TimeoutExpired:
            raise Mismatch("lemmata does not end") from None

    def verdicts(self):
        """{line: [(verdict, name), ...]} as lemmata says."""
        done = self.lemmata("check", "design.sv", "--top", "top")
        if done.returncode == 65 and not done.stdout.strip():
            raise Skip(REFUSED + reason_of(done.stderr))
        found = {}
        for line in done.stdout.splitlines():
            match = VERDICT.match(line)
            if re.match(r"unknown \S+: (timeout|memory)", line):
                raise Skip("the front end takes too long")
            if not match:
                raise Mismatch(f"cannot read the line '{line}'")
            found.setdefault(int(match[2]), []).append((match[1], match[3] or ""))
        if done.returncode not in (0, 1, 2) and not any(v == "unknown" for l in found.values() for v, _ in l):
            raise Mismatch(f"exit code {done.returncode}: {done.stderr.strip()[:400]}")
        return found

    def check(self):
        text, judgement = self.judged()
        rows = text.splitlines()
        lines = {int(number): line for line, row in enumerate(rows, 1)
                 for number in re.findall(r"// P(\d+)\.$", row)}
        found = self.verdicts()
        for line in list(found):  # a label on the line before may be the place as well
            if re.fullmatch(r"\w+:", rows[line - 1].split()[-1] if rows[line - 1].split() else ""):
                found.setdefault(line + 1, []).extend(found.pop(line))
        wrong = []
        for prop in self.design.properties:
            if prop.kind == "assume":
                continue
            mine = [(k, path) for k, (number, path) in enumerate(judgement.instances) if number == prop.number]
            problem = self.compared(prop, mine, judgement, found.pop(lines[prop.number], []))
            if problem:
                wrong.append(f"line {lines[prop.number]}, {prop.kind} in {prop.place}: {problem}")
        wrong += [f"line {line}: {said} of no property" for line, said in found.items()]
        if wrong:
            raise Mismatch("; ".join(wrong))
        self.replay(judgement, lines)
        self.misspelt(text, {number for number, _ in judgement.instances})

    def misspelt(self, text, elaborated):
        """A name in an assertion that nothing declares is an error, never a free value."""
        marks = [mark for mark in re.finditer(r"(?m)\bassert(?: property)? \((.*)\);  // P(\d+)\.$", text)
                 if int(mark[2]) in elaborated and " else " not in mark[0]]
        if self.seed % 5 or not marks:
            return
        at = marks[self.seed % len(marks)].end(1)
        (self.folder / "misspelt.sv").write_text(text[:at] + " || no_such_name" + text[at:], encoding="utf-8")
        done = self.lemmata("check", "misspelt.sv", "--top", "top")
        if done.returncode != 65:
            raise Mismatch(f"misspelt.sv, with a name that is not declared, is read: {done.stdout[:200]}")
        self.counts["names not declared, refused"] += 1

    def compared(self, prop, mine, judgement, said):
        """What is wrong with the verdicts on one statement, or nothing."""
        bad, good = ("unsafe", "safe") if prop.kind == "assert" else ("safe", "unsafe")
        possible = []
        for k, _ in mine:
            how = "hit" if k in judgement.must else "open" if k in judgement.may else "not hit"
            possible.append({"hit": {bad}, "open": {good, bad}, "not hit": {good}}[how])
            for counted in ("properties", f"{prop.kind} {how}", f"place {prop.place}"):
                self.counts[counted] += 1
        verdicts = [verdict for verdict, _ in said]
        if "unknown" in verdicts:
            self.counts["unknown"] += verdicts.count("unknown")
            return None
        if prop.several:
            whole = {bad if {bad} in possible else None} - {None} or set.union(set(), *possible)
            verdicts, possible = [bad if bad in verdicts else good] if verdicts else [], [whole] if possible else []
        missing = len(possible) - len(verdicts)
        if missing > 0 and verdicts.count(bad) >= sum(want == {bad} for want in possible) and \
                sum(good in want for want in possible) >= missing:
            self.counts[f"{prop.kind} in dead code, not reported"] += missing
            verdicts += [good] * missing
            said = []
        if len(verdicts) != len(possible):
            return f"{len(verdicts)} properties instead of {len(possible)}"
        names = {label_of(path, prop.label): want for (_, path), want in zip(mine, possible)}
        if not prop.several and set(names) == {name for _, name in said} and len(names) == len(said):
            different = [f"{verdict} {name}" for verdict, name in said if verdict not in names[name]]
            return f"{', '.join(different)} is wrong" if different else None
        for verdict in (bad, good):
            least = sum(want == {verdict} for want in possible)
            if verdicts.count(verdict) < least:
                return f"{verdicts.count(verdict)} times {verdict} instead of {least}"
        return None

    def replay(self, judgement, lines):
        """Lemmata's test bench for one failure must show it in Icarus."""
        failing = sorted({judgement.instances[k][0] for k in judgement.must})
        failing = [prop for prop in self.design.properties if prop.number in failing and prop.kind == "assert"
                   and prop.place != "initial" and not prop.several]
        counted = collections.Counter(number for number, _ in judgement.instances)
        failing = [prop for prop in failing if counted[prop.number] == 1]
        if not failing or not self.design.replayable:
            return
        prop = failing[self.seed % len(failing)]
        name = f"design.sv:{lines[prop.number]}" + (f" {self.path_of(prop, judgement)}" if prop.label else "")
        pattern = re.sub(r"[\[\]]", "?", name)
        done = self.lemmata("check", "design.sv", "--top", "top", "--property", pattern, "--witness", "tb.v")
        if not (self.folder / "tb.v").exists():
            self.counts["no test bench"] += 1
            return
        problem = replayed(self.folder, self.design, prop)
        if problem:
            raise Mismatch(f"test bench of {name}: {problem} {done.stderr[:200]}")
        self.counts["test benches replayed"] += 1

    def path_of(self, prop, judgement):
        path = next(path for number, path in judgement.instances if number == prop.number)
        return label_of(path, prop.label)


def label_of(path, label):
    """The name of a property below the top module, from the path of its scope in Icarus."""
    return ".".join([*path.split(".")[2:], label])


def reason_of(errors):
    """The first error without what differs from design to design."""
    line = next((line for line in errors.splitlines() if "error" in line.lower()), errors.strip()[:120])
    line = re.sub(r"^\S*?(:\d+)*: ", "", line)
    return re.sub(r"[`'\"\\][^`'\"]*['\"]|\d+", "_", line)[:110]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0, help="begin no design after so many")
    parser.add_argument("--limit", type=float, default=10, help="of one property, in seconds")
    parser.add_argument("--size", type=int, default=6, help="items with assertions of the top module")
    parser.add_argument("--without", action="append", default=[], choices=sorted(FEATURES),
                        help="a feature that no design has")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for designs with mismatches or refused")
    return parser.parse_args()


def outcome_of(seed, options, totals):
    """In words."""
    with tempfile.TemporaryDirectory(prefix="verilog-fuzz-") as name:
        case = Case(seed, pathlib.Path(name), options)
        try:
            case.check()
            outcome = "designs as Icarus has them"
        except Skip as reason:
            outcome = str(reason)
        except Mismatch as wrong:
            print(f"seed {seed}: {wrong}", file=sys.stderr, flush=True)
            outcome = MISMATCH
        totals.update(case.counts)
        if options.keep and (outcome == MISMATCH or outcome.startswith(REFUSED)):
            kept = options.keep / f"{seed}"
            os.makedirs(kept, exist_ok=True)
            for source in pathlib.Path(name).glob("*.*v"):
                (kept / source.name).write_bytes(source.read_bytes())
            (kept / "outcome").write_text(outcome + "\n", encoding="utf-8")
        return outcome


def main():
    options = arguments()
    options.build = options.build.resolve()
    counts, totals, started = collections.Counter(), collections.Counter(), time.monotonic()
    try:
        for seed in range(options.first, options.first + options.count):
            if options.seconds and time.monotonic() - started > options.seconds:
                break
            counts[outcome_of(seed, options, totals)] += 1
            counts["designs"] += 1
    except KeyboardInterrupt:  # what was done is still told
        pass
    for some in (counts, totals):
        for outcome, count in sorted(some.items(), key=lambda item: (-item[1], item[0])):
            print(f"{count:6d}  {outcome}")
    print(f"{time.monotonic() - started:8.1f} s")
    return 1 if counts[MISMATCH] or counts["designs as Icarus has them"] == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
