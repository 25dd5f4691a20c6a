#!/usr/bin/env python3
"""Random C programs with several assertions: all of them in one check, each alone, and checks that are stopped early.

The verdict of a property must be the same together and alone, and every check must print one line for each property;
a check that is stopped may say unknown, never something else than the full one.

usage: assertions.py [--build DIR] [--first N] [--count N] [--limit SECONDS]
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

HEAD = ("#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n"
        "extern void __VERIFIER_assume(int);\n")


def block(rng, i):
    """A few statements about variables of their own, sometimes about those of the block before."""
    other = f" + y{i - 1}" if i and rng.random() < 0.3 else ""
    low, high, rounds = rng.randrange(4), rng.randrange(4, 9), rng.randrange(1, 5)
    lines = [f"  int x{i} = __VERIFIER_nondet_int(), y{i} = 0;"]
    if rng.random() < 0.5:
        lines.append(f"  if (x{i} < {low} || x{i} > {high}) x{i} = {low};")
    else:
        lines.append(f"  __VERIFIER_assume(x{i} >= {low} && x{i} <= {high});")
    lines += [f"  for (int k = 0; k < {rounds}; k++) {{",
              f"    if (x{i} > {rng.randrange(3, 8)}) y{i} += 2; else y{i} += {rng.randrange(3)};", "  }"]
    for _ in range(rng.randrange(1, 4)):
        claim = rng.choice([f"x{i} <= {rng.choice([high, high - 1])}", f"y{i}{other} >= 0",
                            f"y{i} <= {2 * rounds - rng.randrange(2)}", f"x{i} + y{i}{other} != {rng.randrange(30)}"])
        guard = f"if (x{i} != {rng.randrange(9)}) " if rng.random() < 0.3 else ""
        lines.append(f"  {guard}assert({claim});")
    return lines


def program(seed):
    rng = random.Random(seed)
    body = [line for i in range(rng.randrange(2, 5)) for line in block(rng, i)]
    if rng.random() < 0.2:  # for ever
        body = ["  while (1) {"] + ["  " + line for line in body] + ["  }"]
    return HEAD + "int main(void) {\n" + "\n".join(body) + "\n  return 0;\n}\n"


def verdicts(lemmata, file, limit, *more):
    done = subprocess.run([lemmata, "check", file, "--no-progress", "--timeout", str(limit), *more],
                          capture_output=True, text=True, check=False)
    found = {}
    for line in done.stdout.splitlines():
        verdict, name = line.split(" ", 1)
        found[name.split(":")[0] + ":" + name.split(":")[1].split()[0]] = verdict
    return found, done


def check_one(lemmata, seed, folder, limit):
    """What went wrong, if anything; the verdicts."""
    file = folder / f"p{seed}.c"
    file.write_text(program(seed))
    listed = subprocess.run([lemmata, "properties", file], capture_output=True, text=True, check=False).stdout
    count = len(listed.splitlines())
    together, done = verdicts(lemmata, file, limit)
    if len(done.stdout.splitlines()) != count:
        return f"{count} properties, but the check says\n{done.stdout}{done.stderr}", together
    for name, verdict in together.items():
        alone, _ = verdicts(lemmata, file, limit, "--property", name + " *")
        if "unknown" not in (verdict, alone.get(name)) and alone.get(name) != verdict:
            return f"{name}: {verdict} together, {alone} alone", together
    rng = random.Random(seed)
    for engine in ("auto", rng.choice(["bmc", "ic3ia", "ic3", "kind"])):
        cut, done = verdicts(lemmata, file, round(rng.uniform(0.05, 1.0), 2), "--engine", engine)
        if done.stdout.startswith(f"unknown {file}"):
            continue  # stopped while the program was read
        if len(done.stdout.splitlines()) != count:
            return f"stopped, {engine}: {count} properties, but\n{done.stdout}{done.stderr}", together
        for name, verdict in cut.items():
            if verdict != "unknown" and together[name] not in ("unknown", verdict):
                return f"stopped, {engine}: {name} is {verdict}, was {together[name]}", together
    return None, together


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", default="build", type=pathlib.Path)
    parser.add_argument("--first", default=0, type=int)
    parser.add_argument("--count", default=100, type=int)
    parser.add_argument("--limit", default=20, type=float)
    arguments = parser.parse_args()
    tally, failed = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.first, arguments.first + arguments.count):
            wrong, found = check_one(arguments.build / "lemmata", seed, pathlib.Path(folder), arguments.limit)
            for verdict in found.values():
                tally[verdict] = tally.get(verdict, 0) + 1
            if wrong:
                failed += 1
                print(f"program {seed}: {wrong}", flush=True)
    print(f"{arguments.count} programs, {failed} wrong; {tally}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
