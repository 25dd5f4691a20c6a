#!/usr/bin/env python3
"""Evidence files with one fault each: what is accepted in spite of it must still be evidence.

Every form is written by our own programs, mutated line by line (deleted, doubled, swapped, numbers
and words changed), and given to lemmata-validate. Accepted mutants are judged again by means of this
file alone: circuits by truth tables, traces by simulation, invariants over small words by
enumeration. The choice of mutants is fixed by a seed.
usage: evidence_mutation_test.py [--build FOLDER]"""
import concurrent.futures
import itertools
import json
import random
import re
import subprocess
import unittest

import support
from support import MIXED, ProgramTest, counter

# A counter of three bits that a free input makes step: 0, 2, 4, 0, ... Never 5, but 4.
STEPS = 3
VMT = """(declare-fun n () (_ BitVec 3))
(declare-fun n.next () (_ BitVec 3))
(declare-fun go () Bool)
(define-fun .n () (_ BitVec 3) (! n :next n.next))
(define-fun .init () Bool (! (= n #b000) :init true))
(define-fun .trans () Bool
  (! (= n.next (ite go (ite (= n #b100) #b000 (bvadd n #b010)) n)) :trans true))
(define-fun .odd () Bool (! (not (= n #b101)) :invar-property 0))
(define-fun .four () Bool (! (not (= n #b100)) :invar-property 1))
"""
BTOR2 = """1 sort bitvec 3
2 sort bitvec 1
3 zero 1
4 constd 1 2
5 constd 1 4
6 constd 1 5
7 state 1 n
8 input 2 go
9 init 1 7 3
10 add 1 7 4
11 eq 2 7 5
12 ite 1 11 3 10
13 ite 1 8 12 7
14 next 1 7 13
15 eq 2 7 6
16 bad 15 odd
17 bad 11 four
"""


def next_state(n, go):
    return (0 if n == 4 else (n + 2) % 8) if go else n


BAD = {"p0": 5, "p1": 4, "odd": 5, "four": 4}


# Circuits -----------------------------------------------------------------------------------------

class Aig:
    """An ascii AIGER file."""

    def __init__(self, text):
        lines = text.splitlines()
        counts = [int(word) for word in lines[0].split()[1:]] + [0] * 4
        _, inputs, latches, outputs, gates, bads, constraints = counts[:7]
        rows = iter(lines[1:])

        def take(count):
            return [[int(word) for word in next(rows).split()] for _ in range(count)]

        self.inputs = [row[0] for row in take(inputs)]
        self.latches = [(row[0], row[1], row[2] if len(row) > 2 else 0) for row in take(latches)]
        outs = [row[0] for row in take(outputs)]
        self.bads = [row[0] for row in take(bads)] or outs
        self.constraints = [row[0] for row in take(constraints)]
        self.gates = {row[0] // 2: (row[1], row[2]) for row in take(gates)}
        self.names, self.comments = {}, []
        for row in rows:
            if row == "c":
                self.comments = list(rows)
                break
            kind, name = row.split(" ", 1)
            self.names[kind] = name

    def signals(self, leaves, ones):
        """Values of all signals, given those of inputs and latches as sets of cases in a number."""
        values = {0: 0, **leaves}

        def value(lit):
            stack = [lit // 2]
            while stack:
                var = stack[-1]
                missing = [a // 2 for a in self.gates.get(var, ()) if a // 2 not in values]
                if var not in values and missing:
                    stack += missing
                    continue
                stack.pop()
                if var not in values:
                    a, b = self.gates[var]
                    values[var] = ((values[a // 2] ^ (ones if a % 2 else 0))
                                   & (values[b // 2] ^ (ones if b % 2 else 0)))
            return values[lit // 2] ^ (ones if lit % 2 else 0)
        return value

    def leaves(self):
        return [lit // 2 for lit in self.inputs] + [lit // 2 for lit, _, _ in self.latches]

    def mapping(self, other):
        """Variables of this witness circuit to literals of the model."""
        own = [(f"i{i}", lit) for i, lit in enumerate(self.inputs)]
        own += [(f"l{i}", latch[0]) for i, latch in enumerate(self.latches)]
        named = {lit // 2: int(self.names[key][1:].split()[0])
                 for key, lit in own if self.names.get(key, "").startswith("=")}
        if named:
            return named
        pairs = list(zip(self.inputs, other.inputs))
        pairs += [(a[0], b[0]) for a, b in zip(self.latches, other.latches)]
        return {a // 2: b for a, b in pairs}


class Tables:
    """Free variables as truth tables over all cases."""

    def __init__(self, count):
        self.cases, self.count, self.used = 1 << count, count, 0
        self.ones = (1 << self.cases) - 1

    def fresh(self):
        block = 1 << self.used
        self.used += 1
        assert self.used <= self.count
        return self.ones // ((1 << block) + 1) << block & self.ones


def proves(model, witness, bad):
    """The five checks of Certifaiger for a bad state of the model, by enumeration."""
    known = witness.mapping(model)
    size = 2 * (len(model.leaves()) + len([v for v in witness.leaves() if v not in known]))
    tables = Tables(size)
    ones = tables.ones

    def neg(table):
        return table ^ ones

    def lift(leaves):
        """Leaves of the witness circuit at a step of the model."""
        return {v: (leaves[known[v] // 2] ^ (ones if known[v] % 2 else 0)) if v in known
                else tables.fresh() for v in witness.leaves()}

    def all_of(values, lits):
        out = ones
        for lit in lits:
            out &= values(lit)
        return out

    def reset_of(aig, leaves, only):
        out = ones
        for lit, _, reset in aig.latches:
            if lit // 2 in only and reset in (0, 1):
                out &= leaves[lit // 2] if reset else neg(leaves[lit // 2])
        return out

    now = {v: tables.fresh() for v in model.leaves()}
    later = {v: tables.fresh() for v in model.leaves()}
    own_now, own_later = lift(now), lift(later)
    m0, m1 = model.signals(now, ones), model.signals(later, ones)
    w0, w1 = witness.signals(own_now, ones), witness.signals(own_later, ones)
    shared = {lit // 2 for lit in known.values()}
    c0, c1 = all_of(m0, model.constraints), all_of(m1, model.constraints)
    d0, d1 = all_of(w0, witness.constraints), all_of(w1, witness.constraints)
    good0, good1 = neg(w0(witness.bads[0])), neg(w1(witness.bads[0]))

    def moves(aig, at, after, only):
        out = ones
        for lit, step, _ in aig.latches:
            if lit // 2 in only:
                out &= neg(after[lit // 2] ^ at(step))
        return out

    everything = set(witness.leaves())
    checks = [
        (reset_of(model, now, shared) & c0, reset_of(witness, own_now, set(known)) & d0),
        (moves(model, m0, later, shared) & c0 & c1 & d0,
         moves(witness, w0, own_later, set(known)) & d1),
        (c0 & d0 & good0, neg(m0(bad))),
        (reset_of(witness, own_now, everything) & d0, good0),
        (good0 & moves(witness, w0, own_later, everything) & d0 & d1, good1)]
    return all(premise & neg(conclusion) == 0 for premise, conclusion in checks)


def refutes(model, text):
    """Simulates an AIGER witness."""
    lines = [line for line in text.splitlines() if not line.startswith("c")]
    bad, state = model.bads[int(lines[1][1:])], lines[2]
    values = {}
    for (lit, _, reset), digit in zip(model.latches, state):
        values[lit // 2] = int(digit) if digit in "01" else int(reset == 1)
        if reset in (0, 1) and values[lit // 2] != reset:
            return False
    steps = lines[3:lines.index(".")]
    for i, step in enumerate(steps):
        for lit, digit in zip(model.inputs, step):
            values[lit // 2] = int(digit == "1")
        at = model.signals(values, 1)
        if not all(at(lit) for lit in model.constraints):
            return False
        if i + 1 == len(steps):
            return at(bad) == 1
        values = {lit // 2: at(step) for lit, step, _ in model.latches}
    return False


# Formulas over one word of three bits and one truth value --------------------------------------------

def expressions(text):
    """S-expressions as nested lists."""
    words = re.findall(r"\(|\)|\|[^|]*\||[^\s()|;]+|;[^\n]*", text)
    stack = [[]]
    for word in words:
        if word.startswith(";"):
            continue
        if word == "(":
            stack.append([])
        elif word == ")":
            stack[-2].append(stack.pop())
        else:
            stack[-1].append(word.strip("|"))
    return stack[0]


def value_of(term, scope):
    """Truth values as bool, words as (value, width)."""
    if isinstance(term, str):
        if term in scope:
            return scope[term]
        if term in ("true", "false"):
            return term == "true"
        if term.startswith("#b"):
            return int(term[2:], 2), len(term) - 2
        assert term.startswith("#x"), term
        return int(term[2:], 16), 4 * (len(term) - 2)
    head = term[0]
    if head == "let":
        return value_of(term[2], {**scope, **{n: value_of(t, scope) for n, t in term[1]}})
    if isinstance(head, list):  # ((_ extract i j) x)
        word, width = value_of(term[1], scope)
        if head[1] == "extract":
            high, low = int(head[2]), int(head[3])
            return word >> low & ((1 << high - low + 1) - 1), high - low + 1
        more = int(head[2])
        assert head[1] in ("sign_extend", "zero_extend"), term
        signs = (1 << more) - 1 if head[1] == "sign_extend" and word >> width - 1 else 0
        return word | signs << width, width + more
    args = [value_of(arg, scope) for arg in term[1:]]
    if head == "and":
        return all(args)
    if head == "or":
        return any(args)
    if head == "not":
        return not args[0]
    if head == "=>":
        return not all(args[:-1]) or args[-1]
    if head == "=":
        return all(a == args[0] for a in args)
    if head == "ite":
        return args[1] if args[0] else args[2]
    (a, width), (b, other) = args[0], args[-1]
    if head == "concat":
        return a << other | b, width + other
    words = {"bvadd": a + b, "bvsub": a - b, "bvmul": a * b, "bvand": a & b, "bvor": a | b,
             "bvxor": a ^ b, "bvneg": -a, "bvnot": ~a}
    if head in words:
        return words[head] % (1 << width), width
    if head.startswith("bvs"):
        a, b = (x - (x >> width - 1 << width) for x in (a, b))
    return {"lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}[head[3:]]


def is_k_inductive(inv, k, simple, bad):
    """Whether inv(n, go) holds at the first k steps and after k steps, and excludes `bad`."""
    cases = list(itertools.product(range(8), (False, True)))
    if any(inv(n, go) and n == bad for n, go in cases):
        return False

    def paths(starts, length):
        walks = [[start] for start in starts]
        for _ in range(length):
            walks = [walk + [(next_state(*walk[-1]), go)] for walk in walks if inv(*walk[-1])
                     for go in (False, True)]
        return walks

    for steps in range(k):
        if not all(inv(*walk[-1]) for walk in paths([(0, False), (0, True)], steps)):
            return False
    walks = paths(cases, k)
    if simple:
        walks = [walk for walk in walks if len({n for n, _ in walk}) == len(walk)]
    return all(inv(*walk[-1]) for walk in walks)


def smt_proves(text, bad):
    commands = expressions(text)
    told = {c[1]: c[2] for c in commands if c[0] == "set-info" and len(c) == 3}
    body = next(c for c in commands if c[:2] == ["define-fun", "inv"])[4]
    return is_k_inductive(lambda n, go: value_of(body, {"n": (n, 3), "go": go}),
                          int(told.get(":lemmata-k", 1)), told.get(":lemmata-simple-path") == "true", bad)


def is_run(states, inputs, bad):
    return (len(states) == len(inputs) > 0 and states[0] == 0 and states[-1] == bad
            and all(b == next_state(a, go) for a, go, b in zip(states, inputs, states[1:])))


# The tests ----------------------------------------------------------------------------------------

def mutants(text, count, seed):
    """At most `count` different texts with one fault each."""
    dice = random.Random(seed)
    lines, found = text.split("\n")[:-1], set()
    for _ in range(20 * count):
        if len(found) == count:
            break
        rows, i = list(lines), dice.randrange(len(lines))
        kind = dice.randrange(5)
        numbers = list(re.finditer(r"\d+", rows[i]))
        words = list(re.finditer(r"[A-Za-z_]+", rows[i]))
        if kind == 0:
            del rows[i]
        elif kind == 1:
            rows.insert(i, rows[i])
        elif kind == 2 and len(rows) > 1:
            j = dice.randrange(len(rows))
            rows[i], rows[j] = rows[j], rows[i]
        elif kind == 3 and numbers:
            at = dice.choice(numbers)
            new = dice.choice(["0", "1", str(int(at[0]) + 1), "9" + at[0], at[0][::-1]])
            rows[i] = rows[i][:at.start()] + new + rows[i][at.end():]
        elif kind == 4 and words:
            at = dice.choice(words)
            new = dice.choice(words)[0] if len(words) > 1 else at[0] + "x"
            rows[i] = rows[i][:at.start()] + new + rows[i][at.end():]
        mutant = "\n".join(rows) + "\n"
        if mutant != text:
            found.add(mutant)
    return sorted(found)


class Mutation(ProgramTest):
    def evidence(self, name, model, option, path, *more):
        """The evidence that the checker writes about a model."""
        self.write(name, model)
        code, out, err = self.run_program("check", name, option, path, "--timeout", 60, *more)
        self.assertIn(code, (0, 1), out + err)
        return (self.folder / path).read_text()

    def answer(self, case):
        model, option, path, text = case
        (self.folder / path).write_text(text)
        run = subprocess.run([support.ARGS.build / "lemmata-validate", model, option, path,
                              "--timeout", "20"], cwd=self.folder, capture_output=True, text=True)
        return run.returncode, run.stdout, run.stderr

    def accepted(self, model, option, suffix, texts):
        """Validates all; yields those that are accepted, with the names of their properties."""
        cases = [(model, option, f"m{i}{suffix}", text) for i, text in enumerate(texts)]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(self.answer, cases))
        for (_, _, path, text), (code, out, err) in zip(cases, answers):
            self.assertIn(code, (0, 65, 70), f"{path}: {out}{err}\n{text}")
            if code == 65:
                self.assertRegex(err, r"^m\d+\.\w+(:\d+){0,2}: error: ", text)
            self.assertEqual(out.startswith("rejected: "), code == 70, out)
            if code == 0:
                self.assertRegex(out, r"\A(accepted .+\n)+\Z")
                yield text, [line[9:] for line in out.splitlines()]

    def judge(self, model, option, suffix, original, count, good):
        """All accepted mutants are good; most mutants are refused."""
        texts = mutants(original, count, seed=model + suffix)
        kept = list(self.accepted(model, option, suffix, [original, *texts]))
        self.assertEqual(kept[0][0], original)
        for text, names in kept:
            for name in names:
                self.assertTrue(good(text, name), f"{model} {option}: {name}\n{text}")
        self.assertLess(len(kept), 1 + len(texts) / 2)

    def test_aiger_witnesses(self):
        for name, model in (("count.aag", counter(3, 5)), ("mixed.aag", MIXED)):
            property_name = {"count.aag": "b0", "mixed.aag": "rises"}[name]
            text = self.evidence(name, model, "--witness", "w.cex", "--property", property_name)
            self.judge(name, "--witness", ".cex", text, 40, lambda t, _: refutes(Aig(model), t))

    def test_aiger_certificates(self):
        names = {"count.aag": {"b0": 0}, "mixed.aag": {"stays": 0, "rises": 1}}
        for name, model, more in (("count.aag", counter(3, 7, stop_at=5), []),
                                  ("mixed.aag", MIXED, ["--property", "stays"])):
            text = self.evidence(name, model, "--certificate", "c.aag", *more)
            circuit = Aig(model)
            self.judge(name, "--certificate", ".aag", text, 60, lambda t, p: proves(
                circuit, Aig(t), circuit.bads[names[name][p]]))

    def test_certificates_of_other_models(self):
        """A proof for one stopping point is one for another only if it really is."""
        models = {f"stop{stop}.aag": counter(3, bad, stop) for stop in (3, 5, 6) for bad in (7,)}
        texts = {name: self.evidence(name, model, "--certificate", f"{name}.cert.aag")
                 for name, model in models.items()}
        for name, text in texts.items():
            for other, original in models.items():
                kept = list(self.accepted(other, "--certificate", ".aag", [text]))
                circuit = Aig(original)
                self.assertEqual(bool(kept), proves(circuit, Aig(text), circuit.bads[0]), (name, other))

    def test_smt_certificates(self):
        for engine in ("ic3ia", "kind"):
            text = self.evidence("m.vmt", VMT, "--certificate", "c.smt2", "--property", "p0",
                                 "--engine", engine)
            self.judge("m.vmt", "--certificate", ".smt2", text, 40,
                       lambda t, p: smt_proves(t, BAD[p]))

    def test_certificates_of_words(self):
        text = self.evidence("m.btor2", BTOR2, "--certificate", "c.smt2", "--property", "odd",
                             "--engine", "ic3ia")
        self.judge("m.btor2", "--certificate", ".smt2", text, 30, lambda t, p: smt_proves(t, BAD[p]))

    def test_tables(self):
        text = self.evidence("m.vmt", VMT, "--witness", "w.txt", "--property", "p1")

        def good(table, name):
            rows = {words[1]: words[2:] for words in map(str.split, table.splitlines())
                    if words and words[0] in ("state", "input")}
            return is_run([int(v[2:], 2) for v in rows["n"]], [v == "true" for v in rows["go"]], BAD[name])
        self.judge("m.vmt", "--witness", ".txt", text, 40, good)

    def test_json(self):
        text = self.evidence("m.vmt", VMT, "--witness", "w.json", "--property", "p1")

        def good(witness, name):
            trace = json.loads(witness)["trace"]
            return is_run([int(s["state"]["n"][2:], 2) for s in trace],
                          [s["input"]["go"] == "true" for s in trace], BAD[name])
        self.judge("m.vmt", "--witness", ".json", text, 40, good)

    def test_btor2_witnesses(self):
        text = self.evidence("m.btor2", BTOR2, "--witness", "w.cex", "--property", "four")

        def good(witness, name):
            inputs, n, part, frame = [], 0, "", {}
            for line in witness.splitlines()[2:]:
                words = line.split(";")[0].split()
                if words and words[0][0] in "#@":
                    part = words[0][0]
                    if part == "@":
                        inputs.append(False)
                    else:
                        frame = {}
                elif words and words[0] != ".":
                    if part == "@":
                        inputs[-1] = words[1] == "1"
                    else:
                        frame[len(inputs)] = int(words[1].replace("x", "0"), 2)
                if part == "#" and frame:
                    at, told = next(iter(frame.items()))
                    states = [0]
                    for go in inputs[:at]:
                        states.append(next_state(states[-1], go))
                    if states[at] != told:
                        return False
            for go in inputs[:-1]:
                n = next_state(n, go)
            return n == BAD[name]
        self.judge("m.btor2", "--witness", ".cex", text, 40, good)

    def test_btor2_certificates(self):
        """A mutated circuit is judged by what it says as SMT-LIB, once we have converted it."""
        text = self.evidence("m.btor2", BTOR2, "--certificate", "c.btor2", "--property", "odd",
                             "--engine", "ic3ia")
        kept = list(self.accepted("m.btor2", "--certificate", ".btor2",
                                  [text, *mutants(text, 40, seed="btor2")]))
        self.assertEqual(kept[0], (text, ["odd"]))
        for i, (mutant, names) in enumerate(kept):
            self.write(f"k{i}.btor2", mutant)
            self.expect(0, "", "convert", f"k{i}.btor2", "-o", f"k{i}.vmt")
            converted = expressions((self.folder / f"k{i}.vmt").read_text())
            claims = [d[4][1] for d in converted if d[0] == "define-fun" and len(d) == 5
                      and isinstance(d[4], list) and d[4][0] == "!" and ":invar-property" in d[4]]
            scope = {d[1]: d[4] for d in converted if d[0] == "define-fun" and d[2] == []}

            def inv(n, go):
                def resolve(term):
                    if isinstance(term, str) and term in scope:
                        body = scope[term]
                        return resolve(body[1] if isinstance(body, list) and body[0] == "!" else body)
                    return [resolve(t) for t in term] if isinstance(term, list) else term
                values = {"n": (n, 3), "go": (int(go), 1)}
                return value_of(resolve(claims[0]), values)
            for name in names:
                self.assertTrue(is_k_inductive(inv, 1, False, BAD[name]), mutant)


if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    support.main()
