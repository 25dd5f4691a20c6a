"""Meaning of expressions: syntax trees to Python functions of (instance, frame). Operands and arguments are
evaluated from left to right (IEC 61131-3, clause 7.3.2), each value is that at its evaluation, and both sides
of AND and OR are evaluated."""
import dataclasses
import re
from typing import Callable

from kinds import (BOOL, ELEMENTARY, TIME, Array, Enumeration, Record, Scalar, TypeFault, common, converts,
                   copy_of, type_of_literal)


@dataclasses.dataclass
class Value:
    """`of_type` is None for a number without a type; `constant` is then that number."""
    get: Callable
    of_type: object
    constant: object = None


def fixed(value, of_type):
    return Value(lambda instance, frame: value, of_type, value)


def settle(value, beside):
    if value.of_type is not None:
        return value
    return fixed(value.constant, type_of_literal(value.constant, beside))


COMPARE = {"=": lambda a, b: a == b, "<>": lambda a, b: a != b, "<": lambda a, b: a < b,
           ">": lambda a, b: a > b, "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b}
ARITHMETIC = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b}
LOGIC = {"and": lambda a, b: a & b, "&": lambda a, b: a & b, "or": lambda a, b: a | b,
         "xor": lambda a, b: a ^ b}


def quotient(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


class Expressions:
    """A mixin of the machine, which has the variables, calls, choices and faults."""

    def value(self, node, scope, expected=None):
        return getattr(self, "value_" + node.kind)(node, scope, expected)

    def settled(self, node, scope, expected):
        return settle(self.value(node, scope, expected), expected)

    def assignable(self, node, scope, target):
        """The value of `node` as one of type `target`; aggregates are copies."""
        value = self.value(node, scope, target)
        if value.of_type is None:
            if not isinstance(target, Scalar) or not target.holds(value.constant):
                raise TypeFault(f"line {node.line}: {value.constant} is not of {target}")
            return value
        if not converts(value.of_type.whole, target.whole):
            raise TypeFault(f"line {node.line}: {value.of_type} assigned to {target}")
        return value

    # --- leaves

    def value_literal(self, node, scope, expected):
        number, name = node
        if name is None:
            return Value(lambda instance, frame: number, None, number)
        of_type = self.named_type(name)
        if of_type is TIME:
            self.longest += number
        if not of_type.holds(number):
            raise TypeFault(f"line {node.line}: {number} is not of {name}")
        return fixed(number, of_type)

    def value_enumerated(self, node, scope, expected):
        name, literal = node
        of_type = self.named_type(name)
        return fixed(of_type.literals.index(literal), of_type)

    def value_name(self, node, scope, expected):
        name = node.args[0]
        constant = scope.constant(name)
        if constant is not None:
            return constant
        if scope.find(name) is None:
            return self.enumerated(node, expected)
        return self.read(node, scope)

    def enumerated(self, node, expected):
        """A literal of the enumeration that is expected here, or of the only one that has it."""
        literal = node.args[0]
        if isinstance(expected, Enumeration) and literal in expected.literals:
            return fixed(expected.literals.index(literal), expected)
        owners = [one for one in self.enumerations if literal in one.literals]
        if len(owners) != 1:
            raise TypeFault(f"line {node.line}: unknown name {literal}")
        return fixed(owners[0].literals.index(literal), owners[0])

    def value_field(self, node, scope, expected):
        return self.read(node, scope)

    def value_index(self, node, scope, expected):
        return self.read(node, scope)

    def read(self, node, scope):
        place, of_type = self.place(node, scope)
        aggregate = isinstance(of_type, (Array, Record))

        def get(instance, frame):
            found = place(instance, frame)
            if found is None:
                return self.open_value(of_type)
            value = found[0][found[1]]
            return copy_of(value) if aggregate else value
        return Value(get, of_type)

    def value_bit(self, node, scope, expected):
        base, number = node
        inner = self.value(base, scope).get
        return Value(lambda instance, frame: bool(inner(instance, frame) >> number & 1), BOOL)

    # --- operators

    def value_unary(self, node, scope, expected):
        operator, operand = node
        value = self.value(operand, scope, expected)
        if value.of_type is None:
            number = -value.constant if operator == "-" else value.constant
            return Value(lambda instance, frame: number, None, number)
        of_type, get = value.of_type.whole, value.get
        if operator == "not" and of_type.kind == "bool":
            return Value(lambda instance, frame: not get(instance, frame), BOOL)
        if operator == "not" and of_type.kind == "bits":
            return Value(lambda instance, frame: get(instance, frame) ^ of_type.high, of_type)
        if operator == "-" and of_type.low < 0:
            return self.checked(lambda instance, frame: -get(instance, frame), of_type, node.line)
        raise TypeFault(f"line {node.line}: {operator} of {of_type}")

    def checked(self, get, of_type, line):
        """The result of `get` wrapped around, the overflow noted."""
        def result(instance, frame):
            exact = get(instance, frame)
            wrapped = of_type.wrap(exact)
            if wrapped != exact:
                self.fault("overflow", line)
            return wrapped
        return Value(result, of_type)

    def operands(self, left, right, scope, expected=None):
        """Both with their common type, or both as numbers without one."""
        a = self.value_or_none(left, scope, expected)
        b = self.value(right, scope, a.of_type if a else expected)
        a = a or self.value(left, scope, b.of_type)
        if a.of_type is None and b.of_type is None:
            return a, b, None
        a, b = settle(a, b.of_type), settle(b, a.of_type)
        return a, b, common(a.of_type, b.of_type)

    def value_or_none(self, node, scope, expected):
        """None where the type of a literal of an enumeration must come from the other side."""
        try:
            return self.value(node, scope, expected)
        except TypeFault:
            if node.kind != "name":
                raise
            return None

    def value_binary(self, node, scope, expected):
        operator, left, right = node
        if operator in ("and_then", "or_else"):
            return self.short_circuit(node, scope)
        comparison = operator in COMPARE
        a, b, of_type = self.operands(left, right, scope, None if comparison else expected)
        if of_type is None:
            return self.folded(node, a.constant, b.constant)
        x, y = a.get, b.get
        if comparison:
            compare = COMPARE[operator]
            return Value(lambda instance, frame: compare(x(instance, frame), y(instance, frame)), BOOL)
        if operator in LOGIC and of_type.kind in ("bool", "bits"):
            logic = LOGIC[operator]
            return Value(lambda instance, frame: logic(x(instance, frame), y(instance, frame)), of_type)
        if of_type.kind == "integer" or (of_type.kind == "time" and operator in ("+", "-")):
            if operator in ARITHMETIC:
                combine = ARITHMETIC[operator]
                return self.checked(lambda instance, frame: combine(x(instance, frame), y(instance, frame)),
                                    of_type, node.line)
            return self.division(node, x, y, of_type)
        raise TypeFault(f"line {node.line}: {operator} of {of_type}")

    def short_circuit(self, node, scope):
        operator, left, right = node
        x, y = self.value(left, scope, BOOL).get, self.value(right, scope, BOOL).get
        if operator == "and_then":
            return Value(lambda instance, frame: x(instance, frame) and y(instance, frame), BOOL)
        return Value(lambda instance, frame: x(instance, frame) or y(instance, frame), BOOL)

    def folded(self, node, a, b):
        operator = node.args[0]
        if operator in COMPARE:
            return fixed(COMPARE[operator](a, b), BOOL)
        if operator not in ARITHMETIC:
            raise TypeFault(f"line {node.line}: {operator} of two numbers without a type")
        number = ARITHMETIC[operator](a, b)
        return Value(lambda instance, frame: number, None, number)

    def division(self, node, x, y, of_type):
        modulo, line = node.args[0] == "mod", node.line
        if node.args[0] not in ("/", "mod"):
            raise TypeFault(f"line {line}: {node.args[0]} of {of_type}")

        def get(instance, frame):
            a, b = x(instance, frame), y(instance, frame)
            if b == 0:
                self.fault("division", line)
                return self.open_value(of_type)
            exact = a - quotient(a, b) * b if modulo else quotient(a, b)
            wrapped = of_type.wrap(exact)
            if wrapped != exact:
                self.fault("overflow", line)
            return wrapped
        return Value(get, of_type)

    # --- standard functions

    NAMES = {"sel": ("g", "in0", "in1"), "limit": ("mn", "in", "mx"), "shl": ("in", "n"), "shr": ("in", "n"),
             "rol": ("in", "n"), "ror": ("in", "n"), "abs": ("in",), "move": ("in",)}

    def standard(self, name, node, arguments, scope, expected):
        """The value of a call of a standard function, or None if there is none of the name."""
        conversion = re.fullmatch(r"(\w+?)_to_(\w+)", name)
        if conversion and {conversion[1], conversion[2]} <= set(ELEMENTARY):
            return self.conversion(node, arguments, scope, *conversion.groups())
        if name not in ("abs", "min", "max", "limit", "sel", "mux", "shl", "shr", "rol", "ror", "move"):
            return None
        if name in ("shl", "shr", "rol", "ror"):
            return self.shift(name, node, arguments, scope)
        formal = self.NAMES.get(name, ())
        order = [formal.index(argument[0]) if argument[0] else place for place, argument in enumerate(arguments)]
        values = [None] * len(arguments)
        first_type = {"sel": BOOL, "mux": None}.get(name, expected)
        for place, argument in sorted(zip(order, arguments), key=lambda pair: pair[0]):
            values[place] = self.value(argument[3], scope, first_type if place == 0 else expected)
        selector = None
        if name in ("sel", "mux"):
            selector, values = settle(values[0], None).get, values[1:]
        known = [value.of_type for value in values if value.of_type is not None]
        of_type = known[0].whole if known else expected.whole
        for other in known[1:]:
            of_type = common(of_type, other)
        gets = [settle(value, of_type).get for value in values]
        for value in values:
            of_type = common(of_type, settle(value, of_type).of_type)
        if selector:
            gets = [selector] + gets
        return self.selection(name, node, gets, order, of_type)

    def selection(self, name, node, gets, order, of_type):
        textual = [gets[place] for place in order]

        def arguments(instance, frame):
            values = [get(instance, frame) for get in textual]
            return [values[order.index(place)] for place in range(len(values))]
        if name == "abs":
            return self.checked(lambda instance, frame: abs(arguments(instance, frame)[0]), of_type, node.line)
        choose = {"min": min, "max": max, "move": lambda values: values[0],
                  "limit": lambda values: min(max(values[1], values[0]), values[2]),
                  "sel": lambda values: values[2] if values[0] else values[1]}
        if name == "mux":
            def pick(values):
                if not 0 <= values[0] < len(values) - 1:
                    self.inexact("MUX beyond its inputs")
                    return values[1]
                return values[1 + values[0]]
            choose["mux"] = pick
        function = choose[name]
        return Value(lambda instance, frame: function(arguments(instance, frame)), of_type)

    def shift(self, name, node, arguments, scope):
        value = self.value(arguments[0][3], scope)
        by = self.value(arguments[1][3], scope)
        if value.of_type is None or value.of_type.kind != "bits" or arguments[0][0] == "n":
            raise TypeFault(f"line {node.line}: {name}")
        of_type, x, n = value.of_type, value.get, by.get
        bits, mask = of_type.bits, of_type.high

        def get(instance, frame):
            word, count = x(instance, frame), n(instance, frame)
            if count < 0:
                self.inexact("a negative shift")
                return 0
            if name in ("shl", "shr"):
                return 0 if count >= bits else (word << count) & mask if name == "shl" else word >> count
            count %= bits
            count = count if name == "rol" else (bits - count) % bits
            return (word << count | word >> (bits - count)) & mask
        return Value(get, of_type)

    def conversion(self, node, arguments, scope, source, target):
        source, target = ELEMENTARY[source], ELEMENTARY[target]
        get = self.assignable(arguments[0][3], scope, source).get
        if target is BOOL:
            return Value(lambda instance, frame: get(instance, frame) != 0, BOOL)
        if source is BOOL:
            return Value(lambda instance, frame: int(get(instance, frame)), target)
        if TIME in (source, target) and "bits" in (source.kind, target.kind):
            raise TypeFault(f"line {node.line}: conversion of TIME")
        if target.kind == "bits":
            return Value(lambda instance, frame: target.wrap(get(instance, frame)), target)
        if source.kind == "bits":
            return self.from_bits(get, target, node.line)
        return self.checked(get, target, node.line)

    def from_bits(self, get, target, line):
        """The same bits; an overflow where some get lost."""
        def result(instance, frame):
            value = get(instance, frame)
            if value >> target.bits:
                self.fault("overflow", line)
            return target.wrap(value)
        return Value(result, target)
