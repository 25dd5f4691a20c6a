"""Random expressions of Verilog, each in two texts: `real` is what Lemmata reads; `sim` is the same for
Icarus, without undefined values. Where the standard gives x (a select out of range, a division by zero),
Lemmata takes any value, so `sim` reads a variable there that the judge enumerates."""
import dataclasses

UNARY = ["~", "!", "-", "&", "|", "^", "~&", "~|", "~^"]
ARITHMETIC = ["+", "-", "*", "&", "|", "^", "~^", "+", "&", "|"]
COMPARISONS = ["==", "!=", "<", "<=", ">", ">=", "===", "!=="]
SHIFTS = ["<<", ">>", ">>>", "<<<"]


@dataclasses.dataclass(frozen=True)
class Two:
    """One piece of text for Lemmata and for Icarus."""
    real: str
    sim: str

    def __add__(self, other):
        other = two(other)
        return Two(self.real + other.real, self.sim + other.sim)


def two(text):
    return text if isinstance(text, Two) else Two(text, text)


def join(pattern, *parts):
    """`pattern` with each {} replaced; a part is a Two, an Expr or a string."""
    texts = [part.text if isinstance(part, Expr) else two(part) for part in parts]
    return Two(pattern.format(*(text.real for text in texts)),
               pattern.format(*(text.sim for text in texts)))


@dataclasses.dataclass(frozen=True)
class Expr:
    text: Two
    width: int
    signed: bool = False


@dataclasses.dataclass(frozen=True)
class Var:
    """`msb:lsb` is the declared range; `words` is the number of words of a memory; `sim` is the name for
    Icarus if it is another one."""
    name: str
    width: int
    signed: bool = False
    msb: int = None
    lsb: int = 0
    words: int = 0
    kind: str = "wire"
    sim: str = None

    @property
    def text(self):
        return Two(self.name, self.sim or self.name)

    @property
    def selectable(self):
        """Selects of parts are allowed, and of more than one bit make sense."""
        return self.width > 1 and self.kind not in ("genvar", "parameter", "constant", "member")

    @property
    def range(self):
        return f"[{self.top}:{self.lsb}]"

    @property
    def top(self):
        return self.width - 1 + self.lsb if self.msb is None else self.msb

    @property
    def indices(self):
        step = 1 if self.top >= self.lsb else -1
        return list(range(self.lsb, self.top + step, step))

    def declared(self, keyword, value=""):
        sign = " signed" if self.signed else ""
        size = "" if self.width == 1 and self.top == 0 else f" {self.range}"
        words = f" [0:{self.words - 1}]" if self.words else ""
        return f"{keyword}{sign}{size} {self.name}{words}{value};"


class Expressions:
    """Expressions over the variables that a scope shows. `free(width, signed)` declares a variable of the
    judge and gives its name; `past(expr, steps)` gives a Two, or None where $past is not allowed."""

    def __init__(self, rng, variables, free, undefined=0.06, functions=()):
        self.rng, self.variables, self.free = rng, variables, free
        self.undefined, self.functions = undefined, list(functions)

    def vectors(self):
        return [var for var in self.variables if not var.words]

    def constant(self, width=None):
        width = width or self.rng.choice([1, 2, 2, 3])
        value = self.rng.randrange(1 << width)
        form = self.rng.choice(["{w}'d{v}", "{w}'b{v:b}", "{w}'h{v:x}", "{v}", "{w}'sd{v}"])
        plain = form == "{v}"
        return Expr(two(form.format(w=width, v=value)), 32 if plain else width,
                    plain or "s" in form)

    def leaf(self):
        choices = self.vectors()
        if not choices or self.rng.random() < 0.2:
            return self.constant()
        var = self.rng.choice(choices)
        if var.selectable and self.rng.random() < 0.3:
            return self.inside_select(var)
        return Expr(var.text, var.width, var.signed)

    def inside_select(self, var):
        loops = [other.name for other in self.variables if other.kind == "genvar"]
        if loops and {0, 1} <= set(var.indices) and self.rng.random() < 0.5:  # loops count to 1 at most
            return Expr(two(f"{var.name}[{self.rng.choice(loops)}]"), 1)
        first, second = sorted(self.rng.choices(var.indices, k=2))
        if first == second:
            return Expr(two(f"{var.name}[{first}]"), 1)
        left, right = (second, first) if var.top >= var.lsb else (first, second)
        text = f"{var.name}[{left}:{right}]"
        # Icarus 11 takes all bits of a signed variable as signed where they are a shift count.
        return Expr(Two(text, f"{{{text}}}") if var.signed else two(text), abs(left - right) + 1)

    def any(self, depth):
        """An expression of any width."""
        if depth <= 0:
            return self.leaf()
        if self.rng.random() < self.undefined:
            return self.rng.choice([self.selected, self.selected, self.divided, self.word, self.known])(depth)
        return self.rng.choice([self.unary, self.arithmetic, self.arithmetic, self.compared,
                                self.compared, self.shifted, self.logical, self.chosen,
                                self.concatenated, self.cast, self.called, self.leaf_at])(depth)

    def leaf_at(self, _):
        return self.leaf()

    def boolean(self, depth):
        """An expression whose value is likely to be of interest as a condition."""
        kind = self.rng.random()
        if kind < 0.5:
            return self.compared(depth)
        if kind < 0.75:
            return self.logical(depth)
        return self.any(depth)

    def unary(self, depth):
        op, operand = self.rng.choice(UNARY), self.any(depth - 1)
        keeps = op in "~-"
        return Expr(join("({}{})", op, operand), operand.width if keeps else 1, keeps and operand.signed)

    def arithmetic(self, depth):
        left, right = self.any(depth - 1), self.any(depth - 1)
        return Expr(join("({} {} {})", left, self.rng.choice(ARITHMETIC), right),
                    max(left.width, right.width), left.signed and right.signed)

    def compared(self, depth):
        left, right = self.any(depth - 1), self.any(depth - 1)
        return Expr(join("({} {} {})", left, self.rng.choice(COMPARISONS), right), 1)

    def logical(self, depth):
        left, right = self.any(depth - 1), self.any(depth - 1)
        return Expr(join("({} {} {})", left, self.rng.choice(["&&", "||"]), right), 1)

    def shifted(self, depth):
        left, right = self.any(depth - 1), self.leaf()
        return Expr(join("({} {} {})", left, self.rng.choice(SHIFTS), right), left.width, left.signed)

    def chosen(self, depth):
        condition, left, right = (self.any(depth - 1) for _ in range(3))
        return Expr(join("({} ? {} : {})", condition, left, right), max(left.width, right.width),
                    left.signed and right.signed)

    def sized(self, depth):
        """An expression that may stand in a concatenation."""
        found = self.any(depth)
        return found if found.width < 16 else self.constant_sized()

    def constant_sized(self):
        width = self.rng.choice([1, 2])
        return Expr(two(f"{width}'d{self.rng.randrange(1 << width)}"), width)

    def variable(self):
        """A whole variable, whose text is safe in every context."""
        choices = [var for var in self.vectors() if var.kind not in ("genvar", "parameter", "constant")]
        if not choices:
            return self.constant_sized()
        var = self.rng.choice(choices)
        return Expr(var.text, var.width, var.signed)

    def concatenated(self, _):
        if self.rng.random() < 0.3:
            part, count = self.variable(), self.rng.choice([1, 2])
            return Expr(join("{{{}{{{}}}}}", str(count), part), count * part.width)
        left, right = self.variable(), self.variable()
        return Expr(join("{{{}, {}}}", left, right), left.width + right.width)

    def cast(self, depth):
        part = self.any(depth - 1)
        kind = self.rng.choice(["$signed", "$unsigned"])
        return Expr(join("{}({})", kind, part), part.width, kind == "$signed")

    def called(self, depth):
        if not self.functions:
            return self.arithmetic(depth)
        name, width, arguments = self.rng.choice(self.functions)
        given = [self.any(depth - 1) for _ in range(arguments)]
        texts = join(", ".join(["{}"] * arguments), *given)
        return Expr(join("{}({})", name, texts), width)

    def selected(self, _):
        """A bit or a part of a vector at a variable place, which may be out of range."""
        choices = [v for v in self.vectors() if v.selectable]
        if not choices:
            return self.leaf()
        var, place = self.rng.choice(choices), self.variable()
        loops = [other.name for other in self.variables if other.kind == "genvar"]
        if loops and self.rng.random() < 0.3:
            place = Expr(two(self.rng.choice(loops)), 32, True)
        lowest, highest = min(var.indices), max(var.indices)

        def bit(offset):
            return (f"(({place.text.sim} + {offset} >= {lowest} && {place.text.sim} + {offset} <= {highest}) ? "
                    f"{var.name}[{place.text.sim} + {offset}] : {self.free(1, False)})")
        if self.rng.random() < 0.6:
            return Expr(Two(f"{var.name}[{place.text.real}]", bit(0)), 1)
        bits = [bit(0), bit(1)] if var.top < var.lsb else [bit(1), bit(0)]
        return Expr(Two(f"{var.name}[{place.text.real} +: 2]", "{" + ", ".join(bits) + "}"), 2)

    def known(self, _):
        """A question whether a value is unknown: never, since there are two values."""
        name = self.variable().text.real
        real, truth = self.rng.choice([(f"$isunknown({name})", 0), (f"((^{name}) === 1'bx)", 0),
                                       (f"((^{name}) !== 1'bx)", 1), (f"(!$isunknown({name}))", 1)])
        return Expr(Two(real, f"1'b{truth}"), 1)

    def divided(self, depth):
        """A quotient or a remainder; of nothing when the divisor is zero."""
        left, right = self.any(depth - 1), self.variable()
        if left.width > 8:
            left = self.variable()
        if self.rng.random() < 0.15:
            left = Expr(two(f"{right.width}'d0"), right.width)
        op, width = self.rng.choice("/%"), max(left.width, right.width)
        if width > 2:
            return self.leaf()
        instead = self.free(width, left.signed and right.signed)
        whole = join("({} {} {})", left, op, right)
        return Expr(Two("{" + whole.real + "}",
                        f"{{(({right.text.sim}) == 0) ? {instead} : {whole.sim}}}"), width)

    def word(self, _):
        """A word of a memory, at a place that may be out of range."""
        choices = [var for var in self.variables if var.words]
        if not choices:
            return self.leaf()
        memory, place = self.rng.choice(choices), self.variable()
        real = f"{memory.name}[{place.text.real}]"
        inside = f"({place.text.sim} >= 0 && {place.text.sim} < {memory.words})"
        return Expr(Two(real, f"({inside} ? {memory.name}[{place.text.sim}] : "
                              f"{self.free(memory.width, memory.signed)})"), memory.width, memory.signed)
