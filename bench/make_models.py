#!/usr/bin/env python3
"""Writes bench/models/*.aag, the three fixed models of instructions.py. They are our own designs,
large enough that IC3 works for a while and small enough to read.
usage: make_models.py [FOLDER]"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent


class Circuit:
    """And-inverter graph under construction. Literals as in AIGER: 2 * variable + negated."""

    def __init__(self):
        self.inputs, self.latches, self.gates, self.bads = [], {}, {}, []
        self.variables = 0
        self.names = {}

    def _fresh(self):
        self.variables += 1
        return 2 * self.variables

    def input(self, name):
        self.inputs.append(self._fresh())
        self.names[self.inputs[-1]] = name
        return self.inputs[-1]

    def latch(self, name, reset=0):
        lit = self._fresh()
        self.latches[lit] = [None, reset]
        self.names[lit] = name
        return lit

    def word(self, name, width, make=None):
        return [(make or self.latch)(f"{name}{i}") for i in range(width)]

    def next(self, latch, value):
        self.latches[latch][0] = value

    def next_word(self, latches, values):
        for latch, value in zip(latches, values, strict=True):
            self.next(latch, value)

    def and_(self, *lits):
        result = 1
        for lit in lits:
            a, b = max(result, lit), min(result, lit)
            if b == 0 or a ^ b == 1:
                return 0
            result = a if b in (1, a) else self._gate(a, b)
        return result

    def _gate(self, a, b):
        if (a, b) not in self.gates:
            self.gates[a, b] = self._fresh()
        return self.gates[a, b]

    def or_(self, *lits):
        return 1 ^ self.and_(*(1 ^ lit for lit in lits))

    def mux(self, which, then, other):
        return self.or_(self.and_(which, then), self.and_(1 ^ which, other))

    def xor(self, a, b):
        return self.mux(a, 1 ^ b, b)

    def equal(self, a, b):
        return self.and_(*(1 ^ self.xor(x, y) for x, y in zip(a, b, strict=True)))

    def is_value(self, word, value):
        return self.and_(*(bit ^ 1 ^ (value >> i & 1) for i, bit in enumerate(word)))

    def mux_word(self, which, then, other):
        return [self.mux(which, x, y) for x, y in zip(then, other, strict=True)]

    def plus(self, word, carry):
        """word + carry, modulo its width."""
        out = []
        for bit in word:
            out.append(self.xor(bit, carry))
            carry = self.and_(bit, carry)
        return out

    def minus(self, word, borrow):
        out = []
        for bit in word:
            out.append(self.xor(bit, borrow))
            borrow = self.and_(1 ^ bit, borrow)
        return out

    def text(self, comment):
        """ASCII AIGER with variables renumbered: inputs, latches, gates."""
        number = {0: 0}
        gates = sorted((out, a, b) for (a, b), out in self.gates.items())
        for lit in self.inputs + list(self.latches) + [out for out, _, _ in gates]:
            number[lit >> 1] = len(number)
        lit = lambda x: 2 * number[x >> 1] + (x & 1)
        lines = [f"aag {self.variables} {len(self.inputs)} {len(self.latches)} 0 "
                 f"{len(gates)} {len(self.bads)}"]
        lines += [str(lit(x)) for x in self.inputs]
        lines += [f"{lit(x)} {lit(value)}" + (" 1" if reset else "")
                  for x, (value, reset) in self.latches.items()]
        lines += [str(lit(x)) for x in self.bads]
        lines += [f"{lit(out)} {lit(a)} {lit(b)}" for out, a, b in gates]
        lines += [f"i{i} {self.names[x]}" for i, x in enumerate(self.inputs)]
        lines += [f"l{i} {self.names[x]}" for i, x in enumerate(self.latches)]
        return "\n".join(lines + ["c", comment]) + "\n"


def fifo(bits, width):
    c = Circuit()
    push, pop, mark = c.input("push"), c.input("pop"), c.input("mark")
    data = c.word("data", width, c.input)
    head, tail, count = c.word("head", bits), c.word("tail", bits), c.word("count", bits + 1)
    slots = [c.word(f"slot{i}_", width) for i in range(1 << bits)]
    tracked, copy, ahead = c.latch("tracked"), c.word("copy", width), c.word("ahead", bits + 1)
    puts = c.and_(push, 1 ^ c.is_value(count, 1 << bits))
    gets = c.and_(pop, 1 ^ c.is_value(count, 0))
    c.next_word(tail, c.plus(tail, puts))
    c.next_word(head, c.plus(head, gets))
    c.next_word(count, c.minus(c.plus(count, puts), gets))
    front = [0] * width
    for i, slot in enumerate(slots):
        c.next_word(slot, c.mux_word(c.and_(puts, c.is_value(tail, i)), data, slot))
        here = c.is_value(head, i)
        front = [c.or_(f, c.and_(here, bit)) for f, bit in zip(front, slot)]
    starts = c.and_(puts, mark, 1 ^ tracked)
    leaves = c.and_(tracked, gets, c.is_value(ahead, 0))
    c.next(tracked, c.or_(starts, c.and_(tracked, 1 ^ leaves)))
    c.next_word(copy, c.mux_word(starts, data, copy))
    c.next_word(ahead, c.mux_word(starts, c.minus(count, gets),
                                  c.minus(ahead, c.and_(tracked, gets, 1 ^ leaves))))
    c.bads.append(c.and_(leaves, 1 ^ c.equal(front, copy)))
    return c.text(f"A queue of {1 << bits} slots; one item, marked at any push, must leave it "
                  "unchanged when its turn comes.")


def arbiter(clients, age_bits):
    c = Circuit()
    requests = c.word("request", clients, c.input)
    pending = c.word("pending", clients)
    token = [c.latch(f"token{i}", reset=int(i == 0)) for i in range(clients)]
    ages = [c.word(f"age{i}_", age_bits) for i in range(clients)]
    grants = [0] * clients
    for start in range(clients):  # the first pending client, going round from the token
        free = token[start]
        for k in range(clients):
            i = (start + k) % clients
            grants[i] = c.or_(grants[i], c.and_(free, pending[i]))
            free = c.and_(free, 1 ^ pending[i])
    granted = c.or_(*grants)
    late = []
    for i in range(clients):
        c.next(pending[i], c.mux(pending[i], 1 ^ grants[i], requests[i]))
        c.next(token[i], c.mux(granted, grants[i - 1], token[i]))
        waits = c.and_(pending[i], 1 ^ grants[i])
        c.next_word(ages[i], [c.and_(waits, bit) for bit in c.plus(ages[i], 1)])
        late.append(c.is_value(ages[i], clients))
    c.bads.append(c.or_(*late))
    return c.text(f"A round-robin arbiter with {clients} clients: nobody waits for {clients} "
                  "rounds.")


def stations(moduli, laps):
    c = Circuit()
    go, skip = c.input("go"), c.input("skip")
    token = [c.latch(f"token{i}", reset=int(i == 0)) for i in range(len(moduli))]
    counters = [c.word(f"station{i}_", modulus.bit_length()) for i, modulus in enumerate(moduli)]
    parity, lap = c.latch("parity"), c.word("lap", laps.bit_length())
    passes = []
    for i, modulus in enumerate(moduli):
        works = c.and_(token[i], go)
        wraps = c.and_(works, c.is_value(counters[i], modulus - 1))
        c.next_word(counters[i], [c.and_(1 ^ wraps, bit) for bit in c.plus(counters[i], works)])
        passes.append(c.or_(wraps, c.and_(works, skip)))
    for i in range(len(moduli)):
        c.next(token[i], c.or_(passes[i - 1], c.and_(token[i], 1 ^ passes[i])))
    c.next(parity, c.xor(parity, c.and_(go, skip)))
    c.next_word(lap, c.plus(lap, c.and_(passes[-1], 1 ^ c.is_value(lap, laps))))
    c.bads.append(c.and_(c.is_value(lap, laps), parity, token[0],
                         *(c.is_value(word, modulus - 1)
                           for word, modulus in zip(counters, moduli))))
    return c.text(f"Stations count modulo {', '.join(map(str, moduli))} while they hold the token; "
                  f"all stand at their last value after {laps} laps, with odd parity, in some run.")


MODELS = {
    "fifo_safe.aag": lambda: fifo(2, 4),
    "arbiter_safe.aag": lambda: arbiter(8, 4),
    "stations_unsafe.aag": lambda: stations((5, 6, 7, 3), 9),
}


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "models"
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in MODELS.items():
        (folder / name).write_text(make(), encoding="ascii")


if __name__ == "__main__":
    main()
