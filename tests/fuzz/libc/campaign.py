#!/usr/bin/env python3
"""Random calls of the C library against the compiled program, over all small inputs.

Values: the machine says which values a program can end with. Where it is asserted that one of them never occurs, `lemmata
check` must not say safe; where it is asserted that nothing else occurs, it must not say unsafe, unless the standard leaves
the value open (calls.py knows where). Memory: where AddressSanitizer finds an error for some input, --check memory must not
find everything safe; where it finds none, it must find nothing but what the sanitizer does not look for. A mismatch is
printed with its seed; what is refused or takes too long is counted by reason.

usage: campaign.py [--build FOLDER] [--count N] [--first SEED] [--seconds S] [--limit SECONDS] [--keep FOLDER]
"""
import argparse
import collections
import itertools
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from calls import VALUES, Calls, Memory

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
MISMATCH = "MISMATCH"
# What the sanitizer does not see: values that were never given, and how much of an object memcmp may read.
UNSEEN = ("uninitialised",)

INPUTS = """
extern int printf(const char *, ...);
extern void exit(int);
extern char *getenv(const char *);
int __VERIFIER_nondet_int(void) {
  static int taken;
  return getenv("INPUTS")[taken++] - '0';
}
void __VERIFIER_assume(int holds) { if (!holds) exit(9); }
"""


class Mismatch(Exception):
    """The program is named in the message."""


class Skip(Exception):
    """Neither side is wrong: the reason."""


def run(command, limit, **more):
    try:
        return subprocess.run([str(part) for part in command], capture_output=True, timeout=limit, check=False,
                              stdin=subprocess.DEVNULL, **more)
    except subprocess.TimeoutExpired:
        raise Skip(f"{pathlib.Path(str(command[0])).name} takes too long") from None


class Case:
    def __init__(self, seed, folder, options):
        self.seed, self.folder, self.options = seed, folder, options
        self.program = Memory(seed) if seed % 3 == 0 else Calls(seed)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def native(self, text, *flags):
        """How the program ends for each combination of inputs."""
        source, inputs = self.write("native.c", text), self.write("inputs.c", INPUTS)
        done = run(["gcc", "-w", "-O0", "-fwrapv", "-fno-builtin", *flags, "-o", self.folder / "native", source, inputs, "-lm"], 60)
        if done.returncode != 0:
            raise Mismatch("the generator makes no C: " + done.stderr.decode()[:400])
        for one in itertools.product(range(VALUES), repeat=self.program.inputs):
            yield run([self.folder / "native"], 20, env={"INPUTS": "".join(map(str, one)) + "0",
                                                         "ASAN_OPTIONS": "detect_leaks=0"})

    def verdicts(self, text, *more):
        source = self.write("program.c", text)
        done = run([self.options.build / "lemmata", "check", source, "--data-model", "LP64", "--timeout", self.options.limit,
                    "--no-progress", *more], 6 * self.options.limit + 60)
        if done.returncode == 65:
            raise Skip("refused: " + re.sub(r"^.*?error: ", "", done.stderr.decode().strip())[:80])
        if done.returncode == 64:
            return []
        if done.returncode not in (0, 1, 2):
            raise Mismatch(f"exit code {done.returncode}: {done.stderr.decode()[:400]}")
        return done.stdout.decode().splitlines()

    def check_values(self):
        seen = []
        for end in self.native(self.program.text('fprintf(stderr, "%d", r); exit(0);')):
            if end.returncode != 0:
                raise Mismatch(f"the program ends with {end.returncode}")
            seen.append(int(end.stderr))
        values = sorted(set(seen))
        wanted = self.program.random.choice(["one", "others"])
        condition = (f"r != {self.program.random.choice(values)}" if wanted == "one"
                     else " || ".join(f"r == {value}" for value in values))
        condition = condition.replace("-2147483648", "INT_MIN")
        found, = self.verdicts(self.program.text(f"assert({condition});")) or ["nothing"]
        word = found.split()[0]
        kind = "open" if self.program.is_open else "defined"
        if wanted == "one" and word == "safe":
            raise Mismatch(f"{found}, and the machine comes to it: {condition}")
        if wanted == "others" and word == "unsafe" and not self.program.is_open:
            raise Mismatch(f"{found}, and the standard says: {condition}")
        return f"values, {kind}, {'a value of the machine' if wanted == 'one' else 'no other value'}: {word}"

    def check_memory(self):
        text = self.program.text("")
        wrong = any(b"AddressSanitizer" in end.stderr or end.returncode in (-11, -6)
                    for end in self.native(text, "-fsanitize=address"))
        found = self.verdicts(text, "--check", "bounds,null,uninitialised,use-after-free,double-free")
        failures = [line for line in found if line.startswith("unsafe")]
        judged = [line for line in failures if line.split()[1] not in UNSEEN]
        if wrong and found and not failures and all(line.startswith("safe") for line in found):
            raise Mismatch("all is safe, and AddressSanitizer finds an error")
        if wrong and not found:
            raise Mismatch("nothing to check, and AddressSanitizer finds an error")
        if judged and not wrong:
            raise Mismatch(f"{judged[0]}, and AddressSanitizer finds no error")
        return f"memory, {'wrong' if wrong else 'fine'}: {'unsafe' if failures else 'no failure'}"

    def check(self):
        return self.check_memory() if isinstance(self.program, Memory) else self.check_values()


def outcome_of(seed, options):
    """In words."""
    with tempfile.TemporaryDirectory(prefix="libc-fuzz-") as name:
        folder = pathlib.Path(name)
        try:
            return Case(seed, folder, options).check()
        except Skip as reason:
            return str(reason)
        except Mismatch as wrong:
            print(f"seed {seed}: {wrong}", file=sys.stderr, flush=True)
            if options.keep:
                kept = options.keep / str(seed)
                kept.mkdir(parents=True, exist_ok=True)
                for source in folder.glob("*.c"):
                    (kept / source.name).write_bytes(source.read_bytes())
            return MISMATCH


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0, help="begin no program after so many")
    parser.add_argument("--limit", type=float, default=20, help="of one verdict, in seconds")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for programs with mismatches")
    return parser.parse_args()


def main():
    options = arguments()
    options.build = options.build.resolve()
    counts, started = collections.Counter(), time.monotonic()
    try:
        for seed in range(options.first, options.first + options.count):
            if options.seconds and time.monotonic() - started > options.seconds:
                break
            counts[outcome_of(seed, options)] += 1
            counts["programs"] += 1
    except KeyboardInterrupt:  # what was done is still told
        pass
    for outcome, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        print(f"{count:6d}  {outcome}")
    print(f"{time.monotonic() - started:8.1f} s")
    return 1 if counts[MISMATCH] or counts["programs"] == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
