#!/usr/bin/env python3
"""Programs of csmith [Yang11], which compute a checksum and have no inputs: what the native
program prints is the assertion. The automaton that the front end makes, run explicitly, and the module in
the checker's interpreter must fulfil it, and fail with another checksum; `lemmata check` must not say
otherwise. What is refused or takes too long is counted by reason.

usage: csmith.py [--build FOLDER] [--count N] [--first SEED] [--seconds S] [--limit SECONDS] [--keep FOLDER]
"""
import argparse
import collections
import os
import pathlib
import re
import sys
import tempfile
import time

from campaign import MISMATCH, ROOT, Mismatch, Skip, run

SIZES = [
    ["--max-funcs", "3", "--max-block-depth", "2", "--max-block-size", "3", "--max-expr-complexity",
     "4", "--max-array-dim", "2", "--max-array-len-per-dim", "4"],
    ["--max-funcs", "5", "--max-block-depth", "3", "--max-block-size", "4", "--max-array-dim", "2"],
]
KINDS = [["--no-packed-struct"], ["--packed-struct", "--bitfields"], ["--no-bitfields"],
         ["--no-unions"], []]
HEAD = "extern void reach_error(void);\n"
END = re.compile(r"platform_main_end\(crc32_context \^ 0xFFFFFFFFUL, print_hash_value\);")


class Program:
    def __init__(self, seed, folder, options):
        self.seed, self.folder, self.options = seed, folder, options

    def generate(self):
        kinds = KINDS[self.seed % len(KINDS)]
        done = run(["csmith", "--seed", self.seed, "--no-argc", "--no-volatiles", "--no-volatile-pointers",
                    *SIZES[self.seed // 2 % len(SIZES)], *kinds], 60,
                   cwd=self.folder)  # it leaves a file with the sizes of types
        if done.returncode != 0:
            raise Skip("csmith fails")
        return done.stdout.decode()

    def native(self, text):
        """The checksum; programs that run for long are of no use."""
        source, binary = self.write("native.c", text), self.folder / "native"
        done = run(["clang-14", "-O0", "-w", "-fwrapv", "-fno-strict-aliasing", "-I/usr/include/csmith",
                    "-o", binary, source], 60)
        if done.returncode != 0:
            raise Skip("clang rejects it")
        try:
            done = run([binary], 2)
        except Skip:
            raise Skip("runs for long natively") from None
        found = re.search(r"checksum = ([0-9A-F]+)", done.stdout.decode())
        if not found:
            raise Skip("has no checksum natively")
        return int(found[1], 16)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def asserting(self, name, text, checksum):
        """Preprocessed, so that no folder of headers is needed."""
        text = HEAD + END.sub(f"if ((crc32_context ^ 0xFFFFFFFFUL) != {checksum}UL) reach_error();", text)
        source = self.write("source.c", text)
        done = run(["clang-14", "-E", "-P", "-m64", "-I/usr/include/csmith", source], 60)
        return self.write(name, done.stdout.decode())

    def replay(self, source, end):
        done = run([self.options.build / "tests" / "c_interpret", source, 64], 120, input=b"\n")
        found = done.stdout.decode().splitlines()
        if found and found[0].startswith("refused "):
            raise Skip(re.sub(r"'[a-z]+_[0-9]+.*?'", "'…'", found[0]))
        if found and "too many steps" in found[0]:
            raise Skip("too many steps")
        if found != [f"automaton {end}, interpreter {end}"]:
            raise Mismatch(f"{found} instead of {end} {done.stderr.decode()[:400]}")

    def verdict(self, source, wanted):
        done = run([self.options.build / "lemmata", "check", source, "--data-model", "LP64", "--timeout",
                    self.options.limit, "--no-progress"], 6 * self.options.limit + 30)
        found = (done.stdout.decode().split() or [f"exit code {done.returncode}"])[0].rstrip(":")
        if found != wanted and found != "unknown":
            raise Mismatch(f"lemmata says {done.stdout.decode().strip()} instead of {wanted}: "
                           f"{done.stderr.decode().strip()[:400]}")
        return f"accepted, verdict: {'as it is' if found == wanted else 'timeout'}"

    def check(self):
        text = self.generate()
        checksum = self.native(text)
        right = self.asserting("right.c", text, checksum)
        self.replay(right, "exited")
        wrong = self.asserting("wrong.c", text, checksum ^ 1)
        self.replay(wrong, "reached")
        if self.options.limit == 0:
            return "accepted"
        return self.verdict(*((right, "safe") if self.seed % 2 else (wrong, "unsafe")))


def outcome_of(seed, options):
    with tempfile.TemporaryDirectory(prefix="csmith-") as name:
        folder = pathlib.Path(name)
        try:
            return Program(seed, folder, options).check()
        except (Skip, Mismatch) as reason:
            wrong = isinstance(reason, Mismatch)
            print(f"seed {seed}: {reason}", file=sys.stderr, flush=True)
            if options.keep:
                kept = options.keep / f"{seed}"
                os.makedirs(kept, exist_ok=True)
                for source in folder.glob("*.c"):
                    (kept / source.name).write_bytes(source.read_bytes())
            return MISMATCH if wrong else str(reason)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0, help="begin no program after so many")
    parser.add_argument("--limit", type=float, default=0, help="of one verdict, in seconds; 0: none")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for programs with mismatches")
    return parser.parse_args()


def main():
    options = arguments()
    options.build = options.build.resolve()
    counts, started = collections.Counter(), time.monotonic()
    for seed in range(options.first, options.first + options.count):
        if options.seconds and time.monotonic() - started > options.seconds:
            break
        counts[outcome_of(seed, options)] += 1
        counts["programs"] += 1
    for outcome, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        print(f"{count:6d}  {outcome}")
    print(f"{time.monotonic() - started:8.1f} s")
    return 1 if counts[MISMATCH] or counts["programs"] == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
