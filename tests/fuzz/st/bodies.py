"""Random expressions and statements whose meaning the standard (or docs/plc.md) fixes. What it leaves open is
not generated: the value of a FOR variable behind its loop, calls with effects in the index of an assignment's
target, numbers beside a narrower type, shifts by negative counts, values outside a subrange."""
import dataclasses

INTEGERS = {"SINT": (8, True), "USINT": (8, False), "INT": (16, True), "UINT": (16, False), "DINT": (32, True),
            "UDINT": (32, False)}
BITS = {"BYTE": 8, "WORD": 16, "DWORD": 32}


def limits(name):
    bits, signed = INTEGERS[name] if name in INTEGERS else (BITS[name], False)
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)


def narrower(name):
    """Types whose values may stand for one of this type."""
    if name in BITS:
        return [other for other in BITS if BITS[other] <= BITS[name]]
    low, high = limits(name)
    return [other for other in INTEGERS if other == name or
            (INTEGERS[other][0] < INTEGERS[name][0] and low <= limits(other)[0] and limits(other)[1] <= high)]


@dataclasses.dataclass(frozen=True)
class Type:
    """kind: BOOL, the name of an integer or bit type, enum, subrange, struct, array or block. Of a subrange, `base`
    is the integer type; of an array, the type of its elements."""
    kind: str
    name: str = ""
    base: object = None
    low: int = 0
    high: int = 0
    parts: tuple = ()  # literals, or (field, type)

    def text(self):
        if self.kind == "subrange" and not self.name:
            return f"{self.base}({self.low}..{self.high})"
        if self.kind == "array" and not self.name:
            return f"ARRAY [{self.low}..{self.high}] OF {self.base.text()}"
        return self.name or self.kind


BOOL = Type("BOOL")


def plain(name):
    return Type(name)


@dataclasses.dataclass
class Var:
    name: str
    type: Type
    writable: bool = True
    kept: bool = True  # lives longer than a cycle: values are kept small


class Scope:
    """What a body may use."""

    def __init__(self, variables, functions=(), instances=(), methods=()):
        self.variables = list(variables)
        self.functions = list(functions)
        self.instances = list(instances)  # (path, block)
        self.methods = list(methods)  # (prefix, method)
        self.counters = []  # names for loops
        self.turning = []  # variables of the loops around
        self.depth = 0
        self.calls = 3  # how many calls the body may still have
        self.result = None

    def paths(self, wanted, writable=False):
        """(text, type, kept) of what has a type that `wanted` accepts, without indices to be chosen."""
        found = []
        for variable in self.variables:
            if not writable or variable.writable:
                found += inside(variable.name, variable.type, variable.kept)
        return [one for one in found if wanted(one[1])]


def inside(path, of_type, kept):
    yield (path, of_type, kept)
    if of_type.kind == "struct":
        for field, inner in of_type.parts:
            yield from inside(f"{path}.{field}", inner, kept)
    if of_type.kind == "array":
        yield from inside(path + "[?]", of_type.base, kept)


def without_indices(path):
    """The path with [?] for each index: what does not matter for its type."""
    made, depth = "", 0
    for letter in path:
        depth += letter == "["
        if depth == 0:
            made += letter
        elif letter == "]" and depth == 1:
            made += "[?]"
        depth -= letter == "]"
    return made


def scalar(of_type):
    return of_type.kind not in ("struct", "array", "block")


class Bodies:
    """A mixin of the generator: `self.random`, `self.unsafe_index`, `self.unsafe_division`."""

    def chance(self, probability):
        return self.random.random() < probability

    # --- places

    def filled(self, path, of_array_paths, scope, pure):
        """Puts an index for each [?] of a path."""
        while "[?]" in path:
            head, _, tail = path.partition("[?]")
            path = f"{head}[{self.index(of_array_paths(head), scope, pure)}]{tail}"
        return path

    @staticmethod
    def array_at(scope):
        """A function from the path of an array to its type."""
        types = {without_indices(path): of_type for path, of_type, _ in scope.paths(lambda _: True)}
        return lambda head: types[without_indices(head)]

    def index(self, of_array, scope, pure):
        low, high = of_array.low, of_array.high
        choices = [str(self.random.randint(low, high))]
        for name, first, last in scope.turning:
            if low <= first and last <= high:
                choices += [name] * 2
        for path, of_type, _ in scope.paths(lambda one: one.kind == "subrange" and low <= one.low and one.high <= high):
            if "[?]" not in path:
                choices += [path]
        if self.unsafe_index and self.chance(0.4):
            return self.anchored("INT", scope, 1, pure)
        if self.chance(0.3):
            return f"LIMIT({low}, {self.anchored('INT', scope, 1, pure)}, {high})"
        return self.random.choice(choices)

    def variable(self, wanted, scope, pure=True):
        """The text of some variable, or None."""
        found = scope.paths(wanted)
        if not found:
            return None
        return self.filled(self.random.choice(found)[0], self.array_at(scope), scope, pure)

    # --- numbers

    def number(self, name):
        low, high = limits(name)
        values = [0, 1, 2, 3, 4, 5]
        if self.chance(0.3):
            values += [7, 10, 100, high, high - 1, low, low + 1, self.random.randint(low, high)]
        value = max(low, min(high, self.random.choice(values)))
        if name in BITS or self.chance(0.1):
            if value >= 0 and self.chance(0.5):
                return self.random.choice([f"16#{value:X}", f"2#{value:b}"])
        if self.chance(0.15):
            return f"{name}#{value}"
        return str(value) if value >= 0 else f"({value})"

    def loose(self, name, scope, depth, pure=False):
        """An operand that converts to the type without a word: a number, or of a narrower type."""
        if self.chance(0.35):
            return self.number(name)
        return self.anchored(self.random.choice(narrower(name) if self.chance(0.3) else [name]), scope, depth, pure)

    def anchored(self, name, scope, depth, pure=False):
        """An expression that is of exactly this integer or bit type."""
        text = None
        if depth > 0 and self.chance(0.6):
            text = self.operation(name, scope, depth - 1, pure)
        if text is None:
            text = self.variable(lambda one: name in (one.kind, one.kind == "subrange" and one.base), scope, pure)
        return text or self.converted(name, scope, depth - 1, pure)

    def converted(self, name, scope, depth, pure):
        """From another type that there is; at the end of all ways a typed literal."""
        if depth > -1:
            sources = [one for one in (list(INTEGERS) + list(BITS)) if one != name and
                       scope.paths(lambda found, one=one: found.kind == one)]
            if self.chance(0.3) and scope.paths(lambda found: found.kind == "BOOL"):
                return f"BOOL_TO_{name}({self.boolean(scope, 0, pure)})"
            if sources:
                source = self.random.choice(sources)
                return f"{source}_TO_{name}({self.anchored(source, scope, depth, pure)})"
        return f"{name}#{self.random.randint(0, 5)}"

    def operation(self, name, scope, depth, pure):
        kinds = ["binary"] * 4 + ["choice"] * 2 + ["call"] * 3 + ["converted"]
        kinds += ["shift", "shift", "not"] if name in BITS else ["divided", "minus", "wider"]
        kind = self.random.choice(kinds)
        if kind == "binary":
            return self.binary(name, scope, depth, pure)
        if kind == "choice":
            return self.chosen(name, scope, depth, pure)
        if kind == "call":
            return None if pure else self.call_of(lambda one: one.kind == name, scope)
        if kind == "converted":
            return self.converted(name, scope, depth, pure)
        if kind == "shift":
            return (f"{self.random.choice(['SHL', 'SHR', 'ROL', 'ROR'])}({self.anchored(name, scope, depth, pure)}, "
                    f"{self.random.choice([0, 1, 2, 3, 7, BITS[name] - 1, BITS[name], BITS[name] + 1])})")
        if kind == "not":
            return f"NOT {self.bracketed(self.anchored(name, scope, depth, pure))}"
        if kind == "divided":
            return self.divided(name, scope, depth, pure)
        if kind == "minus":
            if not INTEGERS[name][1]:
                return None
            return f"-{self.bracketed(self.anchored(name, scope, depth, pure))}"
        return self.beside_wide_number(name, scope, depth, pure)

    def beside_wide_number(self, name, scope, depth, pure):
        """A number that the type beside it does not have makes the operation one of a larger type."""
        inner = {"INT": ["SINT"], "DINT": ["INT", "SINT"]}.get(name)
        if inner is None:
            return None
        beside = self.random.choice(inner)
        low = max(limits(beside)[1], 32767 if name == "DINT" else 0) + 1
        number = low + self.random.choice([0, 1, 72, 500])
        return f"({self.anchored(beside, scope, depth, pure)} {self.random.choice('+-')} {number})"

    @staticmethod
    def bracketed(text):
        single = text.replace("_", "").isalnum() or (text.startswith("(") and text.count("(") == 1)
        return text if single else f"({text})"

    def binary(self, name, scope, depth, pure):
        operator = self.random.choice(["AND", "OR", "XOR", "&"] if name in BITS else ["+", "+", "-", "*"])
        left, right = self.anchored(name, scope, depth, pure), self.loose(name, scope, depth, pure)
        if self.chance(0.4):
            left, right = right, left
        text = f"{left} {operator} {right}"
        bare = operator in ("+", "-") and self.chance(0.2)
        return text if bare else f"({text})"

    def divided(self, name, scope, depth, pure):
        divisor = f"{self.random.randint(1, 7)}"
        if self.chance(0.5):
            divisor = f"MAX(1, {self.anchored(name, scope, depth, pure)})"
        if self.unsafe_division and self.chance(0.6):
            divisor = self.anchored(name, scope, depth, pure)
        elif INTEGERS[name][1] and self.chance(0.3):
            divisor = f"(-{self.random.randint(1, 5)})"
        return f"({self.anchored(name, scope, depth, pure)} {self.random.choice(['/', 'MOD'])} {divisor})"

    def chosen(self, name, scope, depth, pure):
        first, second = self.anchored(name, scope, depth, pure), self.loose(name, scope, depth, pure)
        kind = self.random.choice(["SEL", "MUX", "MOVE"] + (["MIN", "MAX", "LIMIT"] if name in INTEGERS else []) +
                                  (["ABS"] if name in INTEGERS and INTEGERS[name][1] else []))
        if kind == "SEL":
            if self.chance(0.3):
                return f"SEL(IN1 := {first}, G := {self.boolean(scope, depth, pure)}, IN0 := {second})"
            return f"SEL({self.boolean(scope, depth, pure)}, {first}, {second})"
        if kind == "MUX":
            return f"MUX(LIMIT(0, {self.anchored('INT', scope, 0, pure)}, 1), {second}, {first})"
        if kind in ("ABS", "MOVE"):
            return f"{kind}({first})"
        if kind == "LIMIT":
            low, high = limits(name)
            low = self.random.choice([low, 0, max(low, -3)])
            high = self.random.choice([high, low + 7])
            return f"LIMIT({low}, {first}, {high})"
        return f"{kind}({first}, {second})" if self.chance(0.5) else f"{kind}({second}, {first})"

    # --- truth values

    def boolean(self, scope, depth, pure=False):
        if depth <= 0 or self.chance(0.2):
            return self.variable(lambda one: one.kind == "BOOL", scope, pure) or self.comparison(scope, 0, pure)
        kind = self.random.choice(["logic", "logic", "not", "compare", "compare", "enum", "bit", "call"])
        if kind == "logic":
            operator = self.random.choice(["AND", "OR", "XOR", "&", "AND", "OR", "AND_THEN", "OR_ELSE"])
            text = f"{self.boolean(scope, depth - 1, pure)} {operator} {self.boolean(scope, depth - 1, pure)}"
            return text if self.chance(0.2) else f"({text})"
        if kind == "not":
            return f"NOT {self.bracketed(self.boolean(scope, depth - 1, pure))}"
        if kind == "enum":
            return self.enum_test(scope, pure) or self.comparison(scope, depth - 1, pure)
        if kind == "bit":
            word = self.variable(lambda one: one.kind in BITS, scope, pure)
            return f"{word}.{self.random.randint(0, 7)}" if word else self.comparison(scope, depth - 1, pure)
        if kind == "call" and not pure:
            return self.call_of(lambda one: one.kind == "BOOL", scope) or self.comparison(scope, depth - 1, pure)
        return self.comparison(scope, depth - 1, pure)

    def enum_test(self, scope, pure):
        found = scope.paths(lambda one: one.kind == "enum")
        if not found:
            return None
        path, of_type, _ = self.random.choice(found)
        path = self.filled(path, self.array_at(scope), scope, pure)
        left = self.enumerated(of_type, scope, pure)
        return f"({path} {self.random.choice(['=', '<>'])} {left})"

    def enumerated(self, of_type, scope, pure=False):
        if self.chance(0.3):
            other = self.variable(lambda one: one == of_type, scope, pure)
            if other:
                return other
        literal = self.random.choice(of_type.parts)
        return f"{of_type.name}#{literal}" if self.chance(0.4) else literal

    def comparison(self, scope, depth, pure):
        operator = self.random.choice(["=", "<>", "<", ">", "<=", ">="])
        name = self.random.choice(self.favourite_types)
        left = self.anchored(name, scope, depth, pure)
        if name in ("SINT", "INT", "UINT", "USINT") and self.chance(0.06):
            right = str(limits(name)[1] + self.random.choice([1, 50, 7233]))
        else:
            right = self.loose(name, scope, depth, pure)
        return f"({left} {operator} {right})" if self.chance(0.8) else f"({right} {operator} {left})"

    # --- values of any type

    def expression(self, of_type, scope, depth, kept=False, pure=False):
        """Of a variable that is kept the values are small, so that there are few states."""
        if of_type.kind == "BOOL":
            return self.boolean(scope, depth, pure)
        if of_type.kind == "enum":
            return self.enumerated(of_type, scope, pure)
        if of_type.kind in ("struct", "array"):
            same = self.variable(lambda one: one == of_type, scope, pure)
            made = None if pure or not self.chance(0.3) else self.call_of(lambda one: one == of_type, scope)
            return made or same
        if of_type.kind == "subrange":
            return self.in_subrange(of_type, scope, depth, pure)
        if kept:
            return self.small(of_type.kind, self.anchored(of_type.kind, scope, depth, pure))
        made = self.anchored if self.chance(0.8) else self.loose
        return made(of_type.kind, scope, depth, pure)

    def in_subrange(self, of_type, scope, depth, pure):
        same = self.variable(lambda one: one == of_type, scope, pure)
        if same and self.chance(0.3):
            return same
        if self.chance(0.3):
            return str(self.random.randint(of_type.low, of_type.high))
        return f"LIMIT({of_type.low}, {self.anchored(of_type.base, scope, depth, pure)}, {of_type.high})"

    def small(self, name, text):
        if self.chance(0.1):
            return str(self.random.randint(0, 4))
        if name in BITS:
            return f"{self.bracketed(text)} AND {self.random.choice(['16#3', '5', '2#110'])}"
        if self.chance(0.5):
            return f"{self.bracketed(text)} MOD {self.random.randint(2, 5)}"
        low = self.random.choice([0, -1 if INTEGERS[name][1] else 1, 1])
        return f"LIMIT({low}, {text}, {low + self.random.randint(1, 4)})"

    # --- calls

    def arguments(self, callee, scope):
        """The text of the arguments of a function, method or block; None if some parameter can have none."""
        made = []
        for parameter in callee.parameters:
            section, name, of_type, default = parameter
            if section == "VAR_INPUT":
                if (default is not None or callee.kind == "FUNCTION_BLOCK") and self.chance(0.2):
                    continue
                value = None
                if self.chance(0.25) and callee.kind != "FUNCTION_BLOCK":  # calls in calls
                    value = self.call_of(lambda one, of_type=of_type: one == of_type, scope)
                value = value or self.expression(of_type, scope, 1, kept=callee.kind == "FUNCTION_BLOCK")
                if value is None:
                    return None
                made.append((section, name, value))
            else:
                wanted = (lambda one, of_type=of_type: one == of_type)
                targets = [one for one in scope.paths(wanted, writable=True)]
                if section == "VAR_OUTPUT":
                    if self.chance(0.5):
                        continue
                if not targets:
                    if section == "VAR_OUTPUT":
                        continue
                    return None
                path = self.filled(self.random.choice(targets)[0], self.array_at(scope), scope, True)
                made.append((section, name, path))
        return self.written(callee, made)

    def written(self, callee, made):
        complete = len(made) == len(callee.parameters) and all(section != "VAR_OUTPUT" for section, _, _ in made)
        if complete and callee.kind != "FUNCTION_BLOCK" and self.chance(0.6):
            return ", ".join(value for _, _, value in made)
        if self.chance(0.25):
            self.random.shuffle(made)
        return ", ".join(f"{name} {'=>' if section == 'VAR_OUTPUT' else ':='} {value}" for section, name, value in made)

    def call_of(self, wanted, scope):
        """A call whose result has a type that is wanted, or None."""
        found = [("", one) for one in scope.functions if one.result and wanted(one.result)]
        found += [(prefix, one) for prefix, one in scope.methods if one.result and wanted(one.result)]
        if not found or scope.calls <= 0:
            return None
        scope.calls -= 1
        prefix, callee = self.random.choice(found)
        arguments = self.arguments(callee, scope)
        return None if arguments is None else f"{prefix}{callee.name}({arguments})"

    # --- statements

    def statements(self, scope, count):
        lines = []
        for _ in range(count):
            lines += self.statement(scope)
        return lines

    def statement(self, scope):
        kinds = ["assign"] * 6 + ["if"] * 3 + ["case"] * 2 + ["for", "while", "repeat", "call", "call", "bit", "copy"]
        if scope.instances:
            kinds += ["instance"] * 4
        kind = self.random.choice(kinds)
        if scope.depth >= 2 and kind in ("if", "case", "for", "while", "repeat"):
            kind = "assign"
        scope.depth += 1
        made = getattr(self, "make_" + kind)(scope)
        scope.depth -= 1
        if made is None:
            made = self.make_assign(scope)
        return self.around(made)

    def around(self, lines):
        """Sometimes under a conditional pragma."""
        if not self.pragmas or not self.chance(0.06):
            return lines
        name = self.random.choice(["foo", "bar"])
        word = self.random.choice(["defined", "NOT defined"])
        middle = ["{ELSE}", ";"] if self.chance(0.3) else []
        before = [f"{{{self.random.choice(['define', 'undefine'])} {name}}}"] if self.chance(0.5) else []
        return [*before, f"{{IF {word} ({name})}}", *lines, *middle, "{END_IF}"]

    def make_assign(self, scope):
        found = scope.paths(scalar, writable=True)
        if not found:
            return [";"]
        path, of_type, kept = self.random.choice(found)
        path = self.filled(path, self.array_at(scope), scope, True)
        return [f"{path} := {self.expression(of_type, scope, self.random.choice([1, 2, 2, 3]), kept)};"]

    def make_copy(self, scope):
        found = [one for one in scope.paths(lambda one: one.kind in ("struct", "array"), writable=True)
                 if "[?]" not in one[0]]
        if not found:
            return None
        path, of_type, _ = self.random.choice(found)
        return [f"{path} := {self.expression(of_type, scope, 1)};"]

    def make_bit(self, scope):
        found = [one for one in scope.paths(lambda one: one.kind in BITS, writable=True) if "[?]" not in one[0]]
        if not found:
            return None
        return [f"{self.random.choice(found)[0]}.{self.random.randint(0, 2)} := {self.boolean(scope, 1)};"]

    def block(self, scope):
        return ["  " + line for line in self.statements(scope, self.random.randint(1, 2))]

    def make_if(self, scope):
        lines = [f"IF {self.boolean(scope, 2)} THEN", *self.block(scope)]
        if scope.result is not None and self.chance(0.15):
            lines.append("  RETURN;")
        if self.chance(0.3):
            lines += [f"ELSIF {self.boolean(scope, 2)} THEN", *self.block(scope)]
        if self.chance(0.5):
            lines += ["ELSE", *self.block(scope)]
        return lines + ["END_IF;"]

    def make_case(self, scope):
        enums = scope.paths(lambda one: one.kind == "enum")
        if enums and self.chance(0.5):
            path, of_type, _ = self.random.choice(enums)
            labels = [f"{of_type.name}#{one}" if self.chance(0.3) else one for one in of_type.parts]
            selector = self.filled(path, self.array_at(scope), scope, False)
            groups = [[label] for label in self.random.sample(labels, self.random.randint(1, len(labels)))]
        else:
            selector = self.anchored(self.random.choice(["INT", "SINT", "DINT"]), scope, 1)
            groups = self.random.choice([[["0"], ["1", "2"]], [["-1"], ["0..2"], ["5"]], [["1..3", "7"]],
                                         [["2"], ["-3..-1", "0"]]])
        lines = [f"CASE {selector} OF"]
        for group in groups:
            lines += [", ".join(group) + ":", *self.block(scope)]
        if self.chance(0.5):
            lines += ["ELSE", *self.block(scope)]
        return lines + ["END_CASE;"]

    def counter(self, scope):
        """A variable that only loops write, each at most one of those around."""
        free = [name for name in scope.counters if name not in [one for one, _, _ in scope.turning]]
        return self.random.choice(free) if free else None

    def loop_body(self, scope, name, low, high):
        scope.turning.append((name, low, high))
        scope.variables.append(Var(name, Type("subrange", base="INT", low=low, high=high), False, False))
        lines = self.block(scope)
        if self.chance(0.3):
            lines.append(f"  IF {self.boolean(scope, 1)} THEN {self.random.choice(['EXIT', 'CONTINUE'])}; END_IF;")
            lines += self.block(scope) if self.chance(0.5) else []
        scope.variables.pop()
        scope.turning.pop()
        return lines

    def make_for(self, scope):
        name = self.counter(scope)
        if name is None:
            return None
        low = self.random.randint(-1, 2)
        high = low + self.random.randint(0, 2)
        head = f"{low} TO {high}"
        if self.chance(0.3):
            head = f"{high} TO {low} BY -1"
        elif self.chance(0.2):
            head += " BY 2"
        elif self.chance(0.2):
            head = f"{low} TO LIMIT({low}, {self.anchored('INT', scope, 1)}, {high})"
        return [f"FOR {name} := {head} DO", *self.loop_body(scope, name, low, high), "END_FOR;"]

    def make_while(self, scope):
        name = self.counter(scope)
        if name is None:
            return None
        turns = self.random.randint(1, 3)
        body = self.loop_body(scope, name, 1, turns)
        return [f"{name} := 0;", f"WHILE {name} < {turns} AND {self.boolean(scope, 1)} DO",
                f"  {name} := {name} + 1;", *body, "END_WHILE;"]

    def make_repeat(self, scope):
        name = self.counter(scope)
        if name is None:
            return None
        turns = self.random.randint(1, 3)
        body = self.loop_body(scope, name, 1, turns)
        return [f"{name} := 0;", "REPEAT", f"  {name} := {name} + 1;", *body,
                f"UNTIL {name} >= {turns} OR {self.boolean(scope, 1)}", "END_REPEAT;"]

    def make_call(self, scope):
        """A method or function without result, as a statement."""
        found = [("", one) for one in scope.functions if one.result is None]
        found += [(prefix, one) for prefix, one in scope.methods if one.result is None]
        if not found or scope.calls <= 0:
            return None
        scope.calls -= 1
        prefix, callee = self.random.choice(found)
        arguments = self.arguments(callee, scope)
        return None if arguments is None else [f"{prefix}{callee.name}({arguments});"]

    def make_instance(self, scope):
        if scope.calls <= 0 and self.chance(0.7):
            return None
        scope.calls -= 1
        path, block = self.random.choice(scope.instances)
        arguments = self.arguments(block, scope)
        return None if arguments is None else [f"{path}({arguments});"]
