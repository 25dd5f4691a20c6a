#!/usr/bin/env python3
"""Many properties at once: designs of our own, checked by lemmata and by ABC's `pdr -a` in one run.

many     500 properties on about 5,000 latches: 475 easy ones (counters, rings, buffers, pipelines,
         some coupled), 20 that fail after 2 to 60 steps, 5 hard ones (products of words)
arbiter  a round-robin bus arbiter with 8 masters and 60 assertions
program  a C program with 200 assertions in one endless loop, and the same with one
parts    a C program of about 500 lines: 200 assertions in 40 functions with short loops, the same
         with one, and the same with 8 of the 200 that fail

usage: properties.py [--build DIR] [--timeout S] [--only NAME] [--write FOLDER]
"""
import argparse
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

from make_models import Circuit

HERE = pathlib.Path(__file__).resolve().parent


class Design(Circuit):
    """A circuit with named properties."""

    def bad(self, name, lit):
        self.bads.append((name, lit))

    def more_than(self, word, limit):
        """word > limit, unsigned."""
        greater = 0
        for i, bit in enumerate(word):  # from the least significant bit
            greater = self.or_(self.and_(bit, 1 ^ (limit >> i & 1)),
                               self.and_(1 ^ self.xor(bit, limit >> i & 1), greater))
        return greater

    def product(self, a, b):
        total = [0] * (len(a) + len(b))
        for i, bit in enumerate(b):
            carry = 0
            for j, other in enumerate(a):
                addend = self.and_(bit, other)
                old = total[i + j]
                total[i + j] = self.xor(self.xor(old, addend), carry)
                carry = self.or_(self.and_(old, addend), self.and_(self.xor(old, addend), carry))
            total[i + len(a)] = carry
        return total

    def text(self):
        lines = [f"aag {self.variables} {len(self.inputs)} {len(self.latches)} 0 {len(self.gates)}"
                 f" {len(self.bads)}"]
        lines += [str(lit) for lit in self.inputs]
        lines += [f"{lit} {value} {reset}" for lit, (value, reset) in self.latches.items()]
        lines += [str(lit) for _, lit in self.bads]
        lines += [f"{lit} {a} {b}" for (a, b), lit in self.gates.items()]
        lines += [f"b{i} {name}" for i, (name, _) in enumerate(self.bads)]
        return "\n".join(lines) + "\n"


def saturating(design, name, enable, rng):
    limit = rng.randrange(300, 900)
    count = design.word(name + ".count", 10)
    full = design.is_value(count, limit)
    design.next_word(count, design.plus(count, design.and_(enable, 1 ^ full)))
    design.bad(name + ".bound", design.more_than(count, limit))
    return full


def ring(design, name, enable, rng):
    size = rng.randrange(8, 13)
    hot = [design.latch(f"{name}.hot{i}", int(i == 0)) for i in range(size)]
    for i in range(size):
        design.next(hot[i], design.mux(enable, hot[i - 1], hot[i]))
    i, j = rng.sample(range(size), 2)
    design.bad(name + ".exclusive", design.and_(hot[i], hot[j]))
    return hot[0]


def buffer(design, name, enable, rng):
    """Write and read pointer and their distance, kept twice."""
    write, read, used = (design.word(f"{name}.{what}", 4) for what in ("write", "read", "used"))
    pop = design.input(name + ".pop")
    empty = design.is_value(used, 0)
    full = design.is_value(used, 15)
    push, take = design.and_(enable, 1 ^ full), design.and_(pop, 1 ^ empty)
    design.next_word(write, design.plus(write, push))
    design.next_word(read, design.plus(read, take))
    more = design.plus(used, 1)
    less = [1 ^ bit for bit in design.plus([1 ^ bit for bit in used], 1)]
    one_way = design.mux_word(push, more, less)
    design.next_word(used, design.mux_word(design.xor(push, take), one_way, used))
    design.bad(name + ".pointers",
               design.and_(design.is_value(used, 0), 1 ^ design.equal(write, read)))
    return full


def pipeline(design, name, enable, rng):
    """Two pipelines of the same data, one of them complemented."""
    depth = rng.randrange(4, 7)
    data = design.input(name + ".data")
    a = [design.latch(f"{name}.a{i}") for i in range(depth)]
    b = [design.latch(f"{name}.b{i}", 1) for i in range(depth)]
    for i in range(depth):
        design.next(a[i], design.mux(enable, a[i - 1] if i else data, a[i]))
        design.next(b[i], design.mux(enable, b[i - 1] if i else 1 ^ data, b[i]))
    design.bad(name + ".same", 1 ^ design.xor(a[-1], b[-1]))
    return a[-1]


def failing(design, name, steps):
    """Fails after so many enabled steps."""
    count = design.word(name + ".count", 10)
    design.next_word(count, design.plus(count, design.input(name + ".enable")))
    design.bad(name + ".reached", design.is_value(count, steps))


def hard(design, name, width):
    a, b = design.word(name + ".a", width), design.word(name + ".b", width)
    design.next_word(a, design.word(name + ".x", width, design.input))
    design.next_word(b, design.word(name + ".y", width, design.input))
    design.bad(name + ".commutes", 1 ^ design.equal(design.product(a, b), design.product(b, a)))


def many_design():
    rng = random.Random(13)
    design = Design()
    enable = design.input("enable")
    for i in range(475):
        if i % 5 == 0:  # modules are coupled in chains of five
            enable = design.input(f"m{i}.enable")
        enable = rng.choice([saturating, ring, buffer, pipeline])(design, f"m{i}", enable, rng)
    for i in range(20):
        failing(design, f"f{i}", 2 + 3 * i)
    for i in range(5):
        hard(design, f"h{i}", 11 + i)
    return design


def arbiter_design(masters=8):
    design = Design()
    request = [design.input(f"request{i}") for i in range(masters)]
    token = [design.latch(f"token{i}", int(i == 0)) for i in range(masters)]
    grant = [design.latch(f"grant{i}") for i in range(masters)]
    pending = [design.latch(f"pending{i}") for i in range(masters)]
    wait = [design.word(f"wait{i}_", 4) for i in range(masters)]
    idle = design.and_(*(1 ^ g for g in grant))
    for i in range(masters):
        wants = design.or_(request[i], pending[i])
        chosen = design.and_(token[i], wants, idle)
        design.next(grant[i], chosen)
        design.next(pending[i], design.and_(wants, 1 ^ chosen))
        passes = design.or_(grant[i - 1], design.and_(token[i - 1], idle, 1 ^ request[i - 1],
                                                      1 ^ pending[i - 1]))
        leaves = design.or_(grant[i], design.and_(token[i], idle, 1 ^ request[i], 1 ^ pending[i]))
        design.next(token[i], design.or_(passes, design.and_(token[i], 1 ^ leaves)))
        waiting = design.and_(pending[i], 1 ^ grant[i])
        design.next_word(wait[i], [design.and_(waiting, bit)
                                   for bit in design.plus(wait[i], design.and_(idle, waiting))])
    for i in range(masters):
        for j in range(i):
            design.bad(f"one_grant_{j}_{i}", design.and_(grant[i], grant[j]))
    for i in range(masters):
        design.bad(f"grant_has_token_{i}", design.and_(grant[i], 1 ^ token[i]))
        design.bad(f"token_moves_{i}", design.and_(token[i], token[i - 1]))
        design.bad(f"granted_is_served_{i}", design.and_(grant[i], pending[i], token[i - 1]))
        design.bad(f"wait_is_bounded_{i}", design.is_value(wait[i], 15))
    return design


def program_text(assertions, only=None):
    """A controller of 40 channels: each has a state, a level and a timer that stay in range."""
    lines = ["extern int __VERIFIER_nondet_int(void);",
             "extern void reach_error(void);",
             "void __VERIFIER_assert(int c) { if (!c) reach_error(); }"]
    channels = assertions // 5
    for i in range(channels):
        lines.append(f"int state{i} = 0, level{i} = 0, timer{i} = 0;")
    lines += ["int main(void) {", "  while (1) {"]
    number = 0
    for i in range(channels):
        lines += [f"    int command{i} = __VERIFIER_nondet_int();",
                  f"    if (state{i} == 0 && command{i} == 1) {{ state{i} = 1; timer{i} = 0; }}",
                  f"    else if (state{i} == 1) {{ level{i}++; if (level{i} >= {10 + i}) "
                  f"state{i} = 2; }}",
                  f"    else if (state{i} == 2) {{ timer{i}++; level{i}--; if (level{i} == 0) "
                  f"state{i} = 0; }}"]
        for claim in (f"state{i} >= 0", f"state{i} <= 2", f"level{i} >= 0",
                      f"level{i} <= {10 + i}", f"timer{i} <= {10 + i}"):
            if only is None or only == number:
                lines.append(f"    __VERIFIER_assert({claim});")
            number += 1
    return "\n".join(lines + ["  }", "}"]) + "\n"


def parts_text(functions=40, only=None, failing=()):
    """Five assertions in each function; `only`: the number of the one that is left."""
    lines = ["extern int __VERIFIER_nondet_int(void);",
             "extern void reach_error(void);",
             "void __VERIFIER_assert(int c) { if (!c) reach_error(); }"]
    number = 0
    for i in range(functions):
        rounds, step = 3 + i % 5, 1 + i % 3
        body = [f"void part{i}(void) {{",
                f"  int x = __VERIFIER_nondet_int(), sum = 0, most = {i}, k = 0;",
                f"  if (x < 0 || x > {20 + i}) return;",
                f"  for (k = 0; k < {rounds}; k++) {{",
                f"    sum += {step};",
                "    if (x > most) most = x;",
                "    x++;",
                "  }"]
        bound = 20 + i + rounds
        for claim in (f"sum == {rounds * step}", f"x <= {bound}", "most >= x - 1 || most > x",
                      f"most <= {bound - 1} || most == {i}", f"k == {rounds}"):
            if number in failing:
                claim = f"x != {rounds + 1}"
            if only is None or only == number:
                body.append(f"  __VERIFIER_assert({claim});")
            number += 1
        lines += body + ["}"]
    lines += ["int main(void) {"] + [f"  part{i}();" for i in range(functions)] + ["  return 0;", "}"]
    return "\n".join(lines) + "\n"


def run_lemmata(program, file, timeout, *more):
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        rows = pathlib.Path(folder) / "rows.json"
        subprocess.run([program, "check", file, "--timeout", str(timeout), "--no-progress",
                        "--json", rows, *more], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=False)
        results = json.loads(rows.read_text())["results"]
    tally = {}
    for row in results:
        tally[row["verdict"]] = tally.get(row["verdict"], 0) + 1
    decided = sorted((row for row in results if row["verdict"] != "unknown"), key=lambda row: row["seconds"])
    return time.monotonic() - start, decided, tally


def hardest_alone(program, file, timeout, late):
    """The longest time that one of these properties takes when it is the only one."""
    times = {row["property"]: run_lemmata(program, file, timeout, "--property", row["property"])[0]
             for row in late}
    return max(times.items(), key=lambda item: item[1], default=("none", 0))


def run_abc(file, timeout):
    program = shutil.which("berkeley-abc") or shutil.which("abc")
    if not program:
        return None
    with tempfile.TemporaryDirectory() as folder:
        binary = pathlib.Path(folder) / "model.aig"
        subprocess.run([run_abc.lemmata, "convert", file, "-o", binary], check=True)
        start = time.monotonic()
        done = subprocess.run([program, "-c", f"read {binary}; logic; undc; strash; zero; "
                                              f"pdr -a -T {int(timeout)}"],
                              capture_output=True, text=True, check=False)
    text = done.stdout
    proved = re.findall(r"(\d+)\s*(?:proved|unsat|UNSAT)", text)
    return time.monotonic() - start, " ".join(text.split("\n")[-3:])[-160:], proved


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", default="build", type=pathlib.Path)
    parser.add_argument("--timeout", default=60, type=float)
    parser.add_argument("--only", choices=["many", "arbiter", "program", "parts"])
    parser.add_argument("--write", type=pathlib.Path, help="write the designs here and run nothing")
    arguments = parser.parse_args()
    texts = {"many.aag": many_design().text(), "arbiter.aag": arbiter_design().text(),
             "program.c": program_text(200), "program_one.c": program_text(200, only=123),
             "parts.c": parts_text(), "parts_one.c": parts_text(only=123),
             "parts_fail.c": parts_text(failing=range(7, 200, 25))}
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.write or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / name).write_text(text)
        if arguments.write:
            return 0
        program = arguments.build / "lemmata"
        run_abc.lemmata = program
        for name in texts:
            if arguments.only and not name.startswith(arguments.only):
                continue
            for engine in ("auto", "ic3") if name.endswith(".aag") else ("auto",):
                seconds, decided, tally = run_lemmata(program, folder / name, arguments.timeout,
                                                      "--engine", engine)
                slowest = decided[-1]["seconds"] if decided else 0
                print(f"{name:14} lemmata {engine:5} {seconds:7.2f} s, last answer after "
                      f"{slowest:6.2f} s: {tally}", flush=True)
                if name == "many.aag" and engine == "auto":
                    which, alone = hardest_alone(program, folder / name, arguments.timeout, decided[-12:])
                    print(f"{'':14} the hardest of the last twelve alone: {which} {alone:.2f} s", flush=True)
                    seconds, decided, tally = run_lemmata(program, folder / name, arguments.timeout,
                                                          "--property", "m*", "--property", "f*")
                    print(f"{'':14} without the hard ones {seconds:7.2f} s: {tally}", flush=True)
            if name.endswith(".aag"):
                print(f"{name:14} abc pdr -a     ", run_abc(folder / name, arguments.timeout),
                      flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
