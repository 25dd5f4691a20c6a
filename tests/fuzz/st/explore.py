#!/usr/bin/env python3
"""All reachable states of a program in the interpreter: which assertions some run violates, and which faults occur.

usage: explore.py FILE.st [--retain-any] [--assume CONDITION]... [--cycle MILLISECONDS]
"""
import argparse
import dataclasses
import itertools
import pathlib
import re
import sys

from machine import Inexact, Machine


@dataclasses.dataclass
class Explored:
    exact: bool  # all reachable states were seen
    states: int
    reached: set  # names of assertions that were evaluated
    failed: set  # names of those that did not hold
    faults: set  # (kind, line)
    seen: dict  # name of a probe -> set of tuples of values


def input_combinations(machine):
    """Those that keep the assumptions, each of which is about one input."""
    machine.root[:] = machine.globals.default()
    domains = []
    for place, variable, name, of_type in machine.inputs:
        about = [holds for text, holds in machine.assumptions if name in re.findall(r"\w+", text.lower())]
        domain = []
        for value in of_type.domain():
            machine.root[place][variable] = value
            if all(holds(machine.root[place], None) for holds in about):
                domain.append(value)
        domains.append(domain)
    return list(itertools.product(*domains))


def explore(machine, most_cycles=20000):
    """Breadth first. Not exact if there are more cycles than that or values that cannot all be tried."""
    combinations = input_combinations(machine)
    known = set(machine.initial_states())
    waiting, cycles, exact = sorted(known, key=repr), 0, machine.all_started()
    while waiting and cycles < most_cycles:
        following = []
        for state, inputs in itertools.product(waiting, combinations):
            try:
                for _ in machine.outcomes(inputs, state):
                    cycles += 1
                    reached = machine.state()
                    if reached not in known:
                        known.add(reached)
                        following.append(reached)
                    if cycles >= most_cycles:
                        break
            except Inexact:
                exact = False
            if cycles >= most_cycles:
                break
        waiting = following
    exact = exact and cycles < most_cycles
    return Explored(exact, len(known), machine.reached, machine.failed, machine.faults, machine.seen)


def names_of_assertions(text):
    return [found.strip() for found in re.findall(r"//#ASSERT [^\n]* : ([^\n]*)", text, re.IGNORECASE)]


def verdicts(text, **options):
    """name -> safe, unsafe or unknown"""
    found = explore(Machine(text, **options))
    otherwise = "safe" if found.exact else "unknown"
    return {name: "unsafe" if name in found.failed else otherwise for name in names_of_assertions(text)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--retain-any", action="store_true")
    parser.add_argument("--assume", action="append", default=[])
    parser.add_argument("--cycle", type=int, default=10)
    options = parser.parse_args()
    text = options.file.read_text(encoding="utf-8")
    found = verdicts(text, retain_any=options.retain_any, assumptions=options.assume, milliseconds=options.cycle)
    for name, verdict in found.items():
        print(verdict, name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
