"""AIGER files, read and written without any code of the program: the circuit of a trace for evidence.py."""


def read(path):
    """A circuit: inputs, latches (literal, next, reset), bad states, constraints and gates as literals."""
    data = path.read_bytes()
    head, rest = data.split(b"\n", 1)
    words = head.split()
    counts = [int(word) for word in words[1:]] + [0] * (10 - len(words))
    highest, inputs, latches, outputs, gates, bads, constraints = counts[:7]
    if any(counts[7:9]):
        raise ValueError("justice and fairness")
    if words[0] == b"aag":
        return read_text(rest.decode(errors="replace").split("\n"), inputs, latches, outputs, gates, bads, constraints)
    lines, at = [], 0
    for _ in range(latches + outputs + bads + constraints):
        end = rest.index(b"\n", at)
        lines.append([int(word) for word in rest[at:end].split()])
        at = end + 1
    out = {"inputs": [2 * (i + 1) for i in range(inputs)], "latches": [], "gates": []}
    for i in range(latches):
        lit = 2 * (inputs + i + 1)
        out["latches"].append((lit, lines[i][0], lines[i][1] if len(lines[i]) > 1 else 0))
    tail = [line[0] for line in lines[latches:]]
    out["bads"] = tail[outputs:outputs + bads] or tail[:outputs]
    out["constraints"] = tail[outputs + bads:]
    for i in range(gates):
        lit = 2 * (inputs + latches + i + 1)
        deltas = []
        for _ in range(2):
            value = shift = 0
            while True:
                byte = rest[at]
                at += 1
                value |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    break
            deltas.append(value)
        out["gates"].append((lit, lit - deltas[0], lit - deltas[0] - deltas[1]))
    return out


def read_text(lines, inputs, latches, outputs, gates, bads, constraints):
    rows = [[int(word) for word in line.split()]
            for line in lines[:inputs + latches + outputs + bads + constraints + gates]]
    out, at = {"inputs": [row[0] for row in rows[:inputs]], "latches": [], "gates": []}, inputs
    for row in rows[at:at + latches]:
        out["latches"].append((row[0], row[1], row[2] if len(row) > 2 else 0))
    at += latches
    tail = [row[0] for row in rows[at:at + outputs + bads + constraints]]
    out["bads"] = tail[outputs:outputs + bads] or tail[:outputs]
    out["constraints"] = tail[outputs + bads:]
    out["gates"] = [tuple(row) for row in rows[at + outputs + bads + constraints:]]
    return out


def read_trace(path):
    """(bad state, latches, inputs of each step) of an AIGER witness."""
    # Lines may be empty: a circuit without latches or without inputs.
    lines = [line for line in path.read_text().split("\n") if not line.startswith(("c", "u"))]
    return int(lines[1][1:]), lines[2], lines[3:lines.index(".")]


class Builder:
    """Gates over literals, numbered as they come."""

    def __init__(self, variables):
        self.top = variables
        self.gates = []

    def fresh(self):
        self.top += 1
        return 2 * self.top

    def both(self, a, b):
        if a == 0 or b == 0:
            return 0
        if a == 1:
            return b
        if b == 1:
            return a
        lit = self.fresh()
        self.gates.append((lit, a, b))
        return lit


def fix_inputs(model, trace, target):
    """Writes the circuit in which the trace's values stand for inputs and free latches: a chain of
    latches counts its steps. Returns how many there are."""
    circuit = read(model)
    bad, first, steps = read_trace(trace)
    build = Builder(len(steps))
    chain = [2 * (k + 1) for k in range(len(steps))]  # the k-th is 1 at step k alone
    latches = [(lit, chain[k - 1] if k else 0, 0 if k else 1) for k, lit in enumerate(chain)]
    value = {0: 0}
    for i, (lit, _, _) in enumerate(circuit["latches"]):
        value[lit // 2] = build.fresh()
    for i, lit in enumerate(circuit["inputs"]):
        off = 1
        for k, row in enumerate(steps):
            if row[i] == "1":
                off = build.both(off, chain[k] ^ 1)
        value[lit // 2] = off ^ 1

    def of(lit):
        return value[lit // 2] ^ (lit & 1)

    waiting = list(circuit["gates"])
    while waiting:  # text files need not be in topological order
        later = []
        for lit, left, right in waiting:
            if left // 2 in value and right // 2 in value:
                value[lit // 2] = build.both(of(left), of(right))
            else:
                later.append((lit, left, right))
        assert len(later) < len(waiting), "gates depend on each other"
        waiting = later
    for i, (lit, following, reset) in enumerate(circuit["latches"]):
        start = int(first[i] == "1") if reset == lit else reset
        latches.append((of(lit), of(following), start))
    write(target, build, latches, [of(circuit["bads"][bad])], [of(lit) for lit in circuit["constraints"]])
    return len(steps)


def write(target, build, latches, bads, constraints):
    """As text under a name of its own, in which any order of gates is allowed; ABC takes binary only,
    so the numbering is made dense: latches, then gates in order."""
    number = {0: 0}
    for lit, _, _ in latches:
        number[lit // 2] = len(number)
    for lit, _, _ in build.gates:
        number[lit // 2] = len(number)

    def of(lit):
        return 2 * number[lit // 2] + (lit & 1)

    out = bytearray(f"aig {len(number) - 1} 0 {len(latches)} 0 {len(build.gates)} {len(bads)} "
                    f"{len(constraints)}\n".encode())
    for _, following, reset in latches:
        out += f"{of(following)} {reset}\n".encode()
    for lit in bads + constraints:
        out += f"{of(lit)}\n".encode()
    for lit, left, right in build.gates:
        high, low = max(of(left), of(right)), min(of(left), of(right))
        for delta in (of(lit) - high, high - low):
            while delta > 127:
                out.append(delta & 127 | 128)
                delta >>= 7
            out.append(delta)
    target.write_bytes(bytes(out))
