"""Types and values of Structured Text (IEC 61131-3, clause 6.4). Scalars are Python numbers, arrays and
structures are lists, and an instance of a block is the list of its variables."""
import dataclasses
import itertools


class TypeFault(Exception):
    """The program is outside the subset or has a type error."""


@dataclasses.dataclass(frozen=True)
class Scalar:
    name: str
    kind: str  # bool, bits, integer, time
    bits: int
    low: int
    high: int
    base: object = None  # of a subrange: the type in which its values are computed

    def wrap(self, value):
        """Two's complement: the low bits of `value` read as this type."""
        value &= (1 << self.bits) - 1
        return value - (1 << self.bits) if self.low < 0 and value >> (self.bits - 1) else value

    def holds(self, value):
        return self.low <= value <= self.high

    def default(self):
        return False if self.kind == "bool" else max(self.low, 0) if self.high >= 0 else self.high

    def domain(self):
        return [False, True] if self.kind == "bool" else range(self.low, self.high + 1)

    @property
    def whole(self):
        return self.base or self


@dataclasses.dataclass(frozen=True)
class Enumeration:
    name: str
    literals: tuple
    first: int = 0
    kind = "enumeration"

    def default(self):
        return self.first

    def domain(self):
        return range(len(self.literals))

    @property
    def whole(self):
        return self


@dataclasses.dataclass(frozen=True)
class Array:
    bounds: tuple  # of (low, high)
    element: object
    kind = "array"

    @property
    def count(self):
        count = 1
        for low, high in self.bounds:
            count *= high - low + 1
        return count

    def default(self):
        return [self.element.default() for _ in range(self.count)]

    def domain(self):
        return [list(values) for values in itertools.product(self.element.domain(), repeat=self.count)]

    @property
    def whole(self):
        return self


class Record:
    """A structure, or the variables of a block. `fields`: name -> (place in the list, type)."""

    def __init__(self, name, kind="structure"):
        self.name, self.kind, self.fields, self.initial = name, kind, {}, []

    def add(self, name, of_type, initial):
        self.fields[name] = (len(self.initial), of_type)
        self.initial.append(initial)

    def default(self):
        return [copy_of(value) for value in self.initial]

    def domain(self):
        of_fields = [of_type.domain() for _, of_type in self.fields.values()]
        return [list(values) for values in itertools.product(*of_fields)]

    @property
    def whole(self):
        return self


def copy_of(value):
    return [copy_of(part) for part in value] if isinstance(value, list) else value


def integers():
    made = {"bool": Scalar("bool", "bool", 1, 0, 1), "time": Scalar("time", "time", 32, -2**31, 2**31 - 1)}
    for prefix, bits in (("s", 8), ("", 16), ("d", 32), ("l", 64)):
        made[prefix + "int"] = Scalar(prefix + "int", "integer", bits, -2**(bits - 1), 2**(bits - 1) - 1)
        name = "u" + prefix + "int"
        made[name] = Scalar(name, "integer", bits, 0, 2**bits - 1)
    for name, bits in (("byte", 8), ("word", 16), ("dword", 32), ("lword", 64)):
        made[name] = Scalar(name, "bits", bits, 0, 2**bits - 1)
    return made


ELEMENTARY = integers()
BOOL, TIME, INT = ELEMENTARY["bool"], ELEMENTARY["time"], ELEMENTARY["int"]


def converts(source, target):
    """Whether values of `source` may stand where `target` is expected, by value (figure 12)."""
    if source == target:
        return True
    if not isinstance(source, Scalar) or not isinstance(target, Scalar) or source.kind != target.kind:
        return False
    return source.bits < target.bits and target.low <= source.low and source.high <= target.high


def common(left, right):
    """The type in which an operator of two types computes."""
    left, right = left.whole, right.whole
    if converts(left, right):
        return right
    if converts(right, left):
        return left
    raise TypeFault(f"{left} and {right} in one operation")


def type_of_literal(value, beside=None):
    """An untyped number takes the type beside it if that has the value, else the next type that does."""
    if beside is not None and isinstance(beside.whole, Scalar) and beside.whole.holds(value):
        return beside.whole
    signed = ["int", "dint", "lint"]
    for name in signed:
        one = ELEMENTARY[name]
        wide_enough = beside is None or getattr(beside.whole, "bits", 0) <= one.bits
        if one.holds(value) and wide_enough:
            return one
    raise TypeFault(f"the number {value}")
