#!/usr/bin/env python3
"""Random C programs against the machine: exhaustive native execution says what each computes for
every input, in ILP32 and LP64. Must agree with it, for every input: the automaton that the front end
makes, run explicitly, and the module in the checker's interpreter; and the verdict of `lemmata check`
on the program with an assertion about its results. A mismatch is a bug and is printed with its seed; what is refused or takes too long is
counted by reason.

usage: campaign.py [--build FOLDER] [--count N] [--first SEED] [--size STATEMENTS] [--bits 32|64]
                   [--seconds S] [--engine NAME] [--limit SECONDS] [--keep FOLDER]
"""
import argparse
import collections
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

from generator import INPUTS, Generator

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
MISMATCH = "MISMATCH"
COMMON = ["-w", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off"]

# Runs main once for each combination of inputs, in a process of its own, and writes the checksums.
# Without a C library: there may be none for 32 bits.
NATIVE = """
#ifdef __i386__
static long sys(long n, long a, long b, long c) {
  long r; __asm__ volatile("int $0x80" : "=a"(r) : "a"(n), "b"(a), "c"(b), "d"(c) : "memory");
  return r; }
enum { WRITE = 4, EXIT = 252, FORK = 2, WAIT = 7 };
__asm__(".globl _start\\n_start: andl $-16, %esp\\n call lemmata_all\\n");
#else
static long sys(long n, long a, long b, long c) {
  register long four __asm__("r10") = 0; long r;
  __asm__ volatile("syscall" : "=a"(r) : "a"(n), "D"(a), "S"(b), "d"(c), "r"(four)
                   : "rcx", "r11", "memory"); return r; }
enum { WRITE = 1, EXIT = 231, FORK = 57, WAIT = 61 };
__asm__(".globl _start\\n_start: andq $-16, %rsp\\n call lemmata_all\\n");
#endif
static int lemmata_combination, lemmata_taken;
static void lemmata_finish(unsigned index, unsigned sum) {
  unsigned out[2] = {index, sum};
  sys(WRITE, 1, (long)out, sizeof out);
  for (;;) sys(EXIT, 0, 0, 0);
}
#define FINISH(index, sum) lemmata_finish(index, sum);
"""
AFTER = """
static const long long lemmata_values[][{inputs}] = {{{values}}};
void reach_error(void) {{ }}
void __VERIFIER_assume(int holds) {{ if (!holds) for (;;) sys(EXIT, 9, 0, 0); }}
#define NEXT lemmata_values[lemmata_combination][lemmata_taken++]
{functions}
void *memset(void *to, int byte, __SIZE_TYPE__ n) {{
  for (__SIZE_TYPE__ i = 0; i < n; ++i) ((volatile char *)to)[i] = byte; return to; }}
void *memcpy(void *to, const void *from, __SIZE_TYPE__ n) {{
  for (__SIZE_TYPE__ i = 0; i < n; ++i) ((volatile char *)to)[i] = ((char *)from)[i]; return to; }}
void *memmove(void *to, const void *from, __SIZE_TYPE__ n) {{
  if ((char *)to <= (char *)from) return memcpy(to, from, n);
  for (__SIZE_TYPE__ i = n; i-- > 0;) ((volatile char *)to)[i] = ((char *)from)[i]; return to; }}
#ifdef __i386__
typedef unsigned long long wide;
static wide divide(wide a, wide b, wide *rest) {{
  wide quotient = 0, left = 0;
  for (int i = 63; i >= 0; --i) {{
    int carry = left >> 63; left = left << 1 | (a >> i & 1);
    if (carry || left >= b) {{ left -= b; quotient |= 1ULL << i; }} }}
  *rest = left; return quotient; }}
wide __udivdi3(wide a, wide b) {{ wide r; return divide(a, b, &r); }}
wide __umoddi3(wide a, wide b) {{ wide r; divide(a, b, &r); return r; }}
static wide magnitude(long long a) {{ return a < 0 ? -(wide)a : (wide)a; }}
long long __divdi3(long long a, long long b) {{
  wide r, q = divide(magnitude(a), magnitude(b), &r); return (a < 0) != (b < 0) ? -q : q; }}
long long __moddi3(long long a, long long b) {{
  wide r; divide(magnitude(a), magnitude(b), &r); return a < 0 ? -r : r; }}
#endif
void lemmata_all(void) {{
  for (lemmata_combination = 0; lemmata_combination < {count}; ++lemmata_combination) {{
    long child = sys(FORK, 0, 0, 0);
    if (child == 0) {{ main(); for (;;) sys(EXIT, 1, 0, 0); }}
    int status = 1; sys(WAIT, child, (long)&status, 0);
    if (status != 0) for (;;) sys(EXIT, 3, 0, 0); }}
  for (;;) sys(EXIT, 0, 0, 0);
}}
"""


class Mismatch(Exception):
    """The program is named in the message."""


class Skip(Exception):
    """Neither side is wrong: the reason."""


def run(command, limit, **more):
    try:
        return subprocess.run([str(part) for part in command], capture_output=True, timeout=limit,
                              check=False, **more)
    except subprocess.TimeoutExpired:
        raise Skip(f"{pathlib.Path(str(command[0])).name} takes too long") from None


class Case:
    def __init__(self, seed, bits, folder, options):
        self.program = Generator(seed, options.size)
        self.seed, self.bits, self.folder, self.options = seed, bits, folder, options
        self.random = random.Random(seed * 2 + bits)
        self.combinations = self.program.combinations()

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def native_sums(self):
        """The checksum of each combination."""
        functions = "\n".join(f"{kind} __VERIFIER_nondet_{suffix}(void) {{ return ({kind})NEXT; }}"
                              for suffix, kind in INPUTS.items())
        values = ", ".join("{" + ", ".join(f"{value}LL" for value in one) + "}"
                           for one in self.combinations)
        text = NATIVE + self.program.text + AFTER.format(
            inputs=len(self.program.inputs), values=values, functions=functions,
            count=len(self.combinations))
        source, binary = self.write("native.c", text), self.folder / "native"
        done = run(["clang-14", f"-m{self.bits}", "-O0", *COMMON, "-ffreestanding", "-nostdlib",
                    "-static", "-fno-stack-protector", "-o", binary, source], 60)
        if done.returncode != 0:
            raise Mismatch("the generator makes no C: " + done.stderr.decode()[:400])
        done = run([binary], 20)
        if done.returncode != 0:
            raise Mismatch(f"the program ends with {done.returncode} natively")
        words = [int.from_bytes(done.stdout[i:i + 4], "little")
                 for i in range(0, len(done.stdout), 4)]
        if words[0::2] != list(range(len(self.combinations))):
            raise Mismatch(f"the combinations are {words[0::2]}")
        return words[1::2]

    def with_expected(self, sums):
        return ("#define FINISH(index, sum) if (sum != expected(index)) reach_error();\n"
                "static unsigned expected(unsigned index) {\n  switch (index) {\n" +
                "".join(f"    case {i}: return {value}u;\n" for i, value in enumerate(sums)) +
                "  }\n  return 0;\n}\n" + self.program.text)

    def replay(self, source, wrong):
        """The automaton and the module, for every combination of inputs."""
        lines = ""
        for one in self.combinations:
            lines += " ".join(f"__VERIFIER_nondet_{suffix}={value}" for (suffix, _, _, _), value
                              in zip(self.program.inputs, one)) + "\n"
        done = run([self.options.build / "tests" / "c_interpret", source, self.bits], 120,
                   input=lines.encode())
        found = done.stdout.decode().splitlines()
        if found and found[0].startswith("refused "):
            raise Skip(re.sub(r"'[a-zA-Z]+[0-9]+(\..*?)?'", "'…'", found[0]))
        ends = ["reached" if i == wrong else "exited" for i in range(len(self.combinations))]
        expected = [f"automaton {end}, interpreter {end}" for end in ends]
        if found != expected:
            different = [f"{one}: {got} instead of {want}" for one, got, want
                         in zip(self.combinations, found, expected) if got != want]
            raise Mismatch("; ".join(different)[:600] or done.stderr.decode()[:600])

    def verdict(self, source, wanted):
        model = "LP64" if self.bits == 64 else "ILP32"
        command = [self.options.build / "lemmata", "check", source, "--data-model", model,
                   "--timeout", self.options.limit, "--no-progress", "--engine",
                   self.options.engine]
        done = run(command, 6 * self.options.limit + 30)
        words = done.stdout.decode().split()
        found = words[0] if words else f"exit code {done.returncode}"
        if found == "unknown:" or (found == "unknown" and "timeout" in done.stdout.decode()):
            return f"{wanted}, verdict: timeout"
        if found != wanted:
            raise Mismatch(f"lemmata says {done.stdout.decode().strip()} instead of {wanted}: "
                           f"{done.stderr.decode().strip()[:400]}")
        return f"{wanted}, verdict: as it is"

    def check(self):
        sums = self.native_sums()
        wrong = self.random.randrange(len(sums))
        other = list(sums)
        other[wrong] ^= 1 << self.random.randrange(32)
        unsafe = self.write("unsafe.c", self.with_expected(other))
        self.replay(unsafe, wrong)
        wanted = self.random.choice(["safe", "unsafe"])
        if self.options.limit == 0:
            return wanted
        source = unsafe if wanted == "unsafe" else self.write("safe.c", self.with_expected(sums))
        return self.verdict(source, wanted)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0, help="begin no program after so many")
    parser.add_argument("--engine", default="auto")
    parser.add_argument("--bits", type=int, choices=[32, 64], help="else by turns")
    parser.add_argument("--limit", type=float, default=10, help="of one verdict, in seconds; 0: none")
    parser.add_argument("--size", type=int, default=26, help="of a program, in statements")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for programs with mismatches")
    return parser.parse_args()


def outcome_of(seed, options):
    """In words."""
    bits = options.bits or (32 if seed % 2 else 64)
    with tempfile.TemporaryDirectory(prefix="c-fuzz-") as name:
        folder = pathlib.Path(name)
        try:
            return Case(seed, bits, folder, options).check()
        except Skip as reason:
            return str(reason)
        except Mismatch as wrong:
            print(f"seed {seed}, {bits} bits: {wrong}", file=sys.stderr, flush=True)
            if options.keep:
                kept = options.keep / f"{seed}"
                os.makedirs(kept, exist_ok=True)
                for source in folder.glob("*.c"):
                    (kept / source.name).write_bytes(source.read_bytes())
            return MISMATCH


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
