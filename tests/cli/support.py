"""What the end-to-end suites share: models as text, running the programs, the closing line."""
import argparse
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ARGS = argparse.Namespace(build=ROOT / "build")
EXTENSIONS = (".aag", ".aig", ".btor", ".btor2", ".vmt", ".smt2", ".lus")

# A latch that stays 0: the output is never 1.
SAFE = "aag 1 0 1 1 0\n2 2\n2\n"
# A latch that becomes 1 after the first step.
UNSAFE = "aag 1 0 1 1 0\n2 1\n2\n"
# Both, as bad states with names; the second one fails.
MIXED = "aag 2 0 2 0 0 2\n2 2\n4 1\n2\n4\nb0 stays\nb1 rises\n"


def counter(bits, bad_value, stop_at=None):
    """A binary counter; bad when it shows `bad_value`. Wraps to 0 after `stop_at` if given."""
    gates, latches = [], [2 * (i + 1) for i in range(bits)]
    top = bits

    def conj(a, b):
        nonlocal top
        top += 1
        gates.append((2 * top, max(a, b), min(a, b)))
        return 2 * top

    def equals(value):
        out = 1
        for i, latch in enumerate(latches):
            out = conj(out, latch if value >> i & 1 else latch ^ 1)
        return out

    carry, nexts = 1, []
    for latch in latches:
        both = conj(carry, latch)
        neither = conj(carry ^ 1, latch ^ 1)
        nexts.append(conj(both ^ 1, neither ^ 1))
        carry = both
    if stop_at is not None:
        reset = equals(stop_at)
        nexts = [conj(reset ^ 1, n) for n in nexts]
    bad = equals(bad_value)
    rows = [f"aag {top} 0 {bits} 0 {len(gates)} 1"]
    rows += [f"{latch} {n}" for latch, n in zip(latches, nexts)]
    rows += [str(bad)] + [" ".join(map(str, g)) for g in gates]
    return "\n".join(rows) + "\n"


def factoring(bits, product):
    """Latches that keep two free factors; bad when their product is `product`: for a prime, safe
    but out of reach of any engine here."""
    top, gates = 2 * bits, []

    def conj(a, b):
        nonlocal top
        top += 1
        gates.append((2 * top, max(a, b), min(a, b)))
        return 2 * top

    def xor(a, b):
        return conj(conj(a, b) ^ 1, conj(a ^ 1, b ^ 1) ^ 1)

    left = [2 * (i + 1) for i in range(bits)]
    right = [2 * (bits + i + 1) for i in range(bits)]
    total = [0] * (2 * bits)
    for i, a in enumerate(left):
        carry = 0
        for j, b in enumerate(right):
            term = conj(a, b)
            half = xor(total[i + j], term)
            out = xor(half, carry)
            carry = conj(conj(total[i + j], term) ^ 1, conj(half, carry) ^ 1) ^ 1
            total[i + j] = out
        total[i + bits] = carry
    bad = conj(conj(left[0], right[0]), 1)
    for factor in (left, right):  # both greater than 1
        none = 1
        for lit in factor[1:]:
            none = conj(none, lit ^ 1)
        bad = conj(bad, none ^ 1)
    for i, lit in enumerate(total):
        bad = conj(bad, lit if product >> i & 1 else lit ^ 1)
    rows = [f"aag {top} 0 {2 * bits} 0 {len(gates)} 1"]
    rows += [f"{lit} {lit} {lit}" for lit in left + right]
    rows += [str(bad)] + [" ".join(map(str, g)) for g in gates]
    return "\n".join(rows) + "\n"


def pipeline(width, depth, order=1):
    """The parity of `width` inputs, taken before `depth` stages of latches and, in an `order` by chance, after them; bad
    when they differ. Safe, by k-induction over the stages; an invariant has exponentially many clauses."""
    top, gates = 0, []

    def fresh(count):
        nonlocal top
        top += count
        return [2 * (top - count + i + 1) for i in range(count)]

    def conj(a, b):
        gate, = fresh(1)
        gates.append((gate, max(a, b), min(a, b)))
        return gate

    def parity(bits):
        out = bits[0]
        for bit in bits[1:]:
            out = conj(conj(out, bit) ^ 1, conj(out ^ 1, bit ^ 1) ^ 1)
        return out

    inputs = fresh(width)
    early = fresh(depth)
    late = [fresh(width) for _ in range(depth)]
    nexts = list(zip(early, [parity(inputs), *early]))
    for stage, before in zip(late, [inputs, *late]):
        nexts += list(zip(stage, before))
    last = list(late[-1])
    random.Random(order).shuffle(last)
    bad = parity([early[-1], parity(last)])
    rows = [f"aag {top} {width} {len(nexts)} 0 {len(gates)} 1", *map(str, inputs)]
    rows += [f"{latch} {n}" for latch, n in nexts] + [str(bad)] + [" ".join(map(str, g)) for g in gates]
    return "\n".join(rows) + "\n"


def clocks(first, second):
    """Lustre: two counters from 0, modulo `first` and `second`, that count at the same moments. They are never at 1 and 3,
    which differ modulo the greatest common divisor of the two; safe if that is above 2."""
    count = "0 -> if go then (if pre {0} = {1} then 0 else pre {0} + 1) else pre {0}"
    return (f"node top(go: bool) returns (OK: bool);\nvar x, y: int;\nlet\n  x = {count.format('x', first - 1)};\n"
            f"  y = {count.format('y', second - 1)};\n  OK = not (x = 1 and y = 3);\n  --%PROPERTY OK;\ntel\n")


# Two factors of 32 bits; the product is the largest prime below 2^62.
HARD = factoring(32, 4611686018427387847)


class ProgramTest(unittest.TestCase):
    """A fresh folder for each test, and the programs under test."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lemmata-cli-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name, text):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def start(self, *arguments, program="lemmata", **more):
        command = [str(ARGS.build / program), *map(str, arguments)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                stdin=subprocess.DEVNULL, text=True, cwd=self.folder, **more)

    def run_program(self, *arguments, program="lemmata", timeout=120, **more):
        process = self.start(*arguments, program=program, **more)
        out, err = process.communicate(timeout=timeout)
        return process.returncode, out, err

    def engines(self):
        """Names of the engines that take safety properties of circuits and transition systems."""
        others = ("programs", "nonlinear Horn clauses")
        return [name for name, models in self.models_of_engines().items()
                if models not in others and not models.startswith("justice")]

    def models_of_engines(self):
        """What each engine says about the models that it takes, by its name."""
        names = re.findall(r"^(\w+) ", self.run_program("engines")[1], re.M)
        return {name: re.search(r"^ +models: (.*)$", self.run_program("engines", name)[1], re.M).group(1)
                for name in names}

    def expect(self, code, out, *arguments, **more):
        """Runs, compares exit code and standard output, returns standard error."""
        got, stdout, stderr = self.run_program(*arguments, **more)
        self.assertEqual((got, stdout), (code, out), f"{arguments}: {stderr}")
        return stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    known, rest = parser.parse_known_args()
    ARGS.build = known.build.resolve()
    run = unittest.main(module="__main__", argv=[sys.argv[0], *rest], exit=False, verbosity=1)
    result = run.result
    # Subtests fail one by one; a test counts once.
    failed = len({getattr(test, "test_case", test).id() for test, _ in result.failures + result.errors})
    skipped = len(result.skipped)
    print(f"{result.testsRun - failed - skipped} passed, {failed} failed, {skipped} skipped")
    sys.exit(1 if failed else 0)
