"""Random runs of the interpreter as tables that `lemmata validate` must accept: the values of all variables
after each cycle. No engine has a part in this, so a run costs a hundredth of a verdict; the automaton and the
interpreter of the command are both compared."""
import json
import pathlib
import random
import re
import subprocess

from blocks import TIMERS, Block
from explore import input_combinations
from judge import Mismatch, Skip, first_error, follow_names
from kinds import Array, Enumeration, Record
from machine import Inexact, Machine, follow

# What the command calls the memory of standard blocks; inputs of dialects that are never set.
HIDDEN = {"!m": "M", "!u": "MU", "!d": "MD"}
UNUSED = {"ctu": ["RESET"], "ctd": ["LOAD"], "ctud": ["RESET", "LOAD"]}


def literal_of(value, of_type):
    if isinstance(of_type, Enumeration):
        return of_type.literals[value]
    if of_type.kind == "bool":
        return "TRUE" if value else "FALSE"
    if of_type.kind == "bits":
        return f"16#{value:0{of_type.bits // 4}X}"
    return str(value)


def leaves(of_type, path, name):
    """(name, path, type) of all scalars inside; path is None for inputs that keep their initial value FALSE."""
    if isinstance(of_type, Block) and of_type.name in TIMERS:
        raise Skip("runs with timers are not compared")
    if isinstance(of_type, Array):
        low = of_type.bounds[0][0]
        for place in range(of_type.count):
            yield from leaves(of_type.element, path + (place,), f"{name}[{place + low}]")
    elif isinstance(of_type, Record):
        for field, (place, inner) in of_type.fields.items():
            if isinstance(of_type, Block):
                field = HIDDEN.get(field, field.upper())
            yield from leaves(inner, path + (place,), f"{name}.{field}")
        for field in UNUSED.get(of_type.name, []) if isinstance(of_type, Block) else []:
            yield (f"{name}.{field}", None, None)
    else:
        yield (name, path, of_type)


def variables_of(machine):
    found = []
    for name, (place, of_type) in machine.globals.fields.items():
        for text, path, kind in leaves(of_type, (place,), follow_names(machine, name)):
            found.append((text.lstrip("."), path, kind))
    return found


def spelled(name, spellings):
    """Tables have names as they are written in the program; those of standard blocks are in capitals."""
    return re.sub(r"\w+", lambda found: spellings.get(found[0], found[0]), name)


def run_of(machine, text, cycles, combinations, choose):
    """Rows of the table of one random run."""
    spellings = {found.lower(): found for found in re.findall(r"[A-Za-z_]\w*", text)}
    states = list(machine.initial_states())
    machine.restore(choose.choice(states))
    inputs = {(place, variable) for place, variable, _, _ in machine.inputs}
    rows = []
    for name, path, of_type in variables_of(machine):
        name, is_input = spelled(name, spellings), path in inputs
        if is_input and len(machine.entries) > 1:  # the input, and the variable that takes its value
            rows.append((name.replace(".", "_"), path, of_type, True, []))
            follow(machine.root, path[:-1])[path[-1]] = of_type.default()
            is_input = False
        rows.append((name, path, of_type, is_input, []))
    for _ in range(cycles):
        values = choose.choice(combinations)
        before = [None if path is None or is_input else follow(machine.root, path) for _, path, _, is_input, _ in rows]
        machine.cycle(values)
        if machine.taken:
            raise Skip("runs with open values are not compared")
        for (_, path, of_type, is_input, columns), begin in zip(rows, before):
            end = "FALSE" if path is None else literal_of(follow(machine.root, path), of_type)
            first = end if is_input or path is None else literal_of(begin, of_type)
            columns.append({"begin": first, "end": end})
    return [{"direction": "IN" if is_input else "VAR", "name": name, "cycles": columns}
            for name, _, _, is_input, columns in rows]


def compare_runs(question, program, folder, seed, count=3, cycles=6):
    """How many runs were accepted; raises Mismatch or Skip."""
    source, table = pathlib.Path(folder) / "runs.st", pathlib.Path(folder) / "run.json"
    source.write_text(question.text, encoding="utf-8")
    machine, choose = Machine(question.text, **question.settings), random.Random(seed)
    combinations, accepted = input_combinations(machine), 0
    for _ in range(count):
        try:
            rows = run_of(machine, question.text, cycles, combinations, choose)
        except Inexact:
            raise Skip("runs with open values are not compared") from None
        run = {"property": "R1", "cycles": cycles, "ends_within_cycle": False, "variables": rows}
        table.write_text(json.dumps(run), encoding="utf-8")
        command = [str(program), "validate", str(source), "--require", "invariant: FALSE", "--witness", str(table),
                   *question.options]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        if done.returncode in (64, 65) and "rejected" not in done.stdout:
            raise Skip("refused: " + first_error(done.stderr))
        if done.returncode != 0:
            raise Mismatch(f"a run is not accepted: {(done.stdout + done.stderr).strip()[:300]}")
        accepted += 1
    return accepted
