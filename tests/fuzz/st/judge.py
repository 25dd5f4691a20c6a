"""One program, the interpreter on one side and `lemmata check` on the other: verdicts, faults by line, and runs."""
import dataclasses
import json
import pathlib
import re
import subprocess

from explore import explore, names_of_assertions
from kinds import Enumeration, TypeFault
from machine import Discarded, Inexact, Machine
from syntax import SyntaxFault, parse_expression


class Mismatch(Exception):
    """One side is wrong: what each says."""


class Skip(Exception):
    """Nothing was compared: the reason."""


@dataclasses.dataclass
class Question:
    text: str
    settings: dict  # of the interpreter
    options: list  # of the command
    most_cycles: int = 4000


@dataclasses.dataclass
class Compared:
    safe: int = 0
    unsafe: int = 0
    faults: int = 0  # lines whose automatic checks were compared
    replayed: int = 0
    unknown: int = 0
    open: int = 0  # decided by the command only: not all states were seen


def ask(question, program, folder, limit):
    """The command's JSON; refusals and timeouts are no mismatch, any other way to end is one."""
    source, answer = pathlib.Path(folder) / "program.st", pathlib.Path(folder) / "answer.json"
    source.write_text(question.text, encoding="utf-8")
    answer.unlink(missing_ok=True)
    command = [str(program), "check", str(source), "-q", "--no-progress", "--timeout", str(limit),
               "--json", str(answer), *question.options]
    try:
        done = subprocess.run(command, capture_output=True, timeout=20 * limit + 60, check=False, text=True,
                              errors="replace")
    except subprocess.TimeoutExpired:
        raise Mismatch("does not end in time") from None
    if done.returncode in (64, 65):
        raise Skip("refused: " + first_error(done.stderr))
    if done.returncode not in (0, 1, 2) or not answer.exists():
        raise Mismatch(f"exit code {done.returncode}: {done.stderr.strip()[-300:]}")
    return json.loads(answer.read_text(encoding="utf-8"))["results"]


def first_error(text):
    """The error without its place, with names left out: refusals are counted by it."""
    found = re.search(r"error: (.*)", text)
    words = found[1] if found else text.strip()[:200]
    return re.sub(r"\d+", "N", re.sub(r"'[^']*'", "'…'", words))


def judge(question, program, folder, limit):
    """Raises Mismatch or Skip."""
    machine = Machine(question.text, **question.settings)
    explored = explore(machine, question.most_cycles)
    results = ask(question, program, folder, limit)
    names = names_of_assertions(question.text)
    compared = Compared()
    for result in results:
        reason = result.get("reason") or ""
        if "report" in reason or "disagree" in reason or "rejected" in reason:
            raise Mismatch(f"{result['property']}: {reason}")
    for name in names:
        compare_assertion(name, results, explored, compared)
    compare_faults(question, results, explored, compared)
    for result in results:
        if result["verdict"] == "unsafe" and result["property"].rpartition(".")[2] in names:
            compared.replayed += replay(question, result)
    return compared


def compare_assertion(name, results, explored, compared):
    """A program with several instances may have a property for each of them."""
    verdicts = [result["verdict"] for result in results if result["property"].rpartition(".")[2] == name]
    if not verdicts and name in explored.reached:
        raise Mismatch(f"{name} is not among the results")
    if not verdicts:  # in a unit that nothing calls
        return
    verdict = "unsafe" if "unsafe" in verdicts else "unknown" if "unknown" in verdicts else "safe"
    if verdict == "unknown":
        compared.unknown += 1
    elif name in explored.failed:
        if verdict == "safe":
            raise Mismatch(f"{name} is called safe; a run violates it")
        compared.unsafe += 1
    elif not explored.exact:
        compared.open += 1
    elif verdict == "unsafe":
        raise Mismatch(f"{name} is called unsafe; no run violates it")
    else:
        compared.safe += 1


def compare_faults(question, results, explored, compared):
    """Automatic checks have a property for each place; they are compared line by line."""
    if "--check" not in question.options:
        return
    group = question.options[question.options.index("--check") + 1]
    by_line = {}
    for result in results:
        found = re.match(rf"(?:.*\.)?{group}@(\d+):", result["property"])
        if found:
            by_line.setdefault(int(found[1]), set()).add(result["verdict"])
    faulty = {line for kind, line in explored.faults if kind == group}
    for line in sorted(faulty | set(by_line)):
        verdicts = by_line.get(line, set())
        if line in faulty and "unsafe" not in verdicts and "unknown" not in verdicts:
            raise Mismatch(f"{group} in line {line} is " + ("called safe" if verdicts else "no property"))
        if line not in faulty and explored.exact and "unsafe" in verdicts:
            raise Mismatch(f"{group} in line {line} is called unsafe; no run has it")
        compared.faults += 1


# --- runs

def replay(question, result):
    """The run in the interpreter: the values at the end of each cycle, and the violation. 1 if it was done."""
    table = result.get("trace")
    if not table or any(row["direction"] == "OPEN" for row in table["variables"]):
        return 0
    machine = Machine(question.text, **question.settings)
    rows = [(row, read_back(machine, row["name"])) for row in table["variables"]]
    rows = [(row, found) for row, found in rows if found is not None]
    machine.restore(next(machine.initial_states()))
    set_retained(machine, rows)
    inputs = {row["name"].lower(): row for row in table["variables"] if row["direction"].startswith("IN")}
    names = names_of_inputs(machine)
    if any(name not in inputs for name in names):
        raise Mismatch(f"{result['property']}: the run has no input {sorted(set(names) - set(inputs))}")
    for cycle in range(table["cycles"]):
        values = [literal(machine, inputs[name]["cycles"][cycle]["begin"], of_type)
                  for name, (_, _, _, of_type) in zip(names, machine.inputs)]
        machine.failed.clear()
        try:
            machine.cycle(values)
        except (Discarded, Inexact) as reason:
            raise Mismatch(f"{result['property']}: the run has no cycle {cycle + 1}: {reason!r}") from None
        if cycle + 1 < table["cycles"] or not table["ends_within_cycle"]:
            compare_values(machine, rows, cycle, result["property"])
    if result["property"].rpartition(".")[2] not in machine.failed:
        raise Mismatch(f"{result['property']}: the run shown does not violate it")
    return 1


def names_of_inputs(machine):
    """As tables have them: the inputs of one of several programs begin with the name of its instance."""
    if len(machine.entries) == 1:
        return [name for _, _, name, _ in machine.inputs]
    instances = {place: name for name, (place, _) in machine.globals.fields.items()}
    return [f"{instances[place]}_{name}" for place, _, name, _ in machine.inputs]


def compare_values(machine, rows, cycle, name):
    for row, (get, of_type) in rows:
        shown = literal(machine, row["cycles"][cycle]["end"], of_type)
        found = get(machine.root[machine.entries[0][0]], None)
        if found != shown:
            raise Mismatch(f"{name}: after cycle {cycle + 1} {row['name']} is {found}, the run shows {shown}")


def set_retained(machine, rows):
    """Variables whose first value is any, and what is inside them, have that of the table."""
    heads = [path_text(machine, path) for path, _ in machine.retained]
    entry_place, entry = machine.entries[0]
    for row, (_, of_type) in rows:
        name = row["name"].lower()
        if any(name == head or name.startswith((head + ".", head + "[")) for head in heads):
            place, _ = machine.place(parse_expression(name), entry.code.scope)
            container, at = place(machine.root[entry_place], None)
            container[at] = literal(machine, row["cycles"][0]["begin"], of_type)


def path_text(machine, path):
    """As the entry block names it."""
    record, words = machine.globals, []
    for place in path:
        if hasattr(record, "element"):
            words[-1] += f"[{place + record.bounds[0][0]}]"
            record = record.element
            continue
        name = next(one for one, (at, _) in record.fields.items() if at == place)
        record = record.fields[name][1]
        words.append(name)
    entry = machine.entries[0][1].name
    return ".".join(words[1:] if words[0] == entry and len(words) > 1 else words)


def follow_names(machine, name):
    """A global of the interpreter as tables name it: the entry's variables have no prefix, static ones that of their
    unit."""
    owner, dot, rest = name.partition(".")
    if dot:
        return f"{machine.static_owners[owner]}.{rest}"
    entries = {place for place, _ in machine.entries}
    if len(entries) == 1 and machine.globals.fields[name][0] in entries:
        return ""
    return name


def read_back(machine, name):
    """(function, type) of a variable in the table that outlives the cycle and is no counter of a loop; else None."""
    try:
        scope = machine.entries[0][1].code.scope
        node = parse_expression(name)
        root = node
        while root.kind != "name":
            root = root.args[0]
        found = scope.find(root.args[0])
        if found is None or found[0] == "frame" or "!" in name:
            return None
        value = machine.value(node, scope)
        return (value.get, value.of_type) if value.of_type is not None else None
    except (SyntaxFault, TypeFault):
        return None


def literal(machine, text, of_type):
    if isinstance(of_type, Enumeration):
        return of_type.literals.index(text.lower().rpartition("#")[2])
    value = machine.value(parse_expression(text), machine.top, of_type).get(None, None)
    return value
