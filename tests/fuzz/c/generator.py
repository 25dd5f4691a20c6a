"""Random C programs whose meaning C and docs/c.md define completely.

A program reads a few inputs of small domains, computes with integers of all widths, bit-fields,
unions, arrays, structs, pointers and calls, and folds what it computes into a checksum. Nothing in
it is undefined or unspecified but signed overflow, which wraps around: shifts are masked, divisors
positive, indices masked, everything is initialised, and at most one call with an effect is in a
statement.
"""
import random

INTEGERS = ["signed char", "unsigned char", "char", "short", "unsigned short", "int", "unsigned",
            "long", "unsigned long", "long long", "unsigned long long", "_Bool"]
INPUTS = {"char": "char", "uchar": "unsigned char", "short": "short", "ushort": "unsigned short",
          "int": "int", "uint": "unsigned", "long": "long", "ulong": "unsigned long",
          "longlong": "long long", "ulonglong": "unsigned long long", "bool": "_Bool"}

HEAD = """extern void reach_error(void);
extern void __VERIFIER_assume(int);
{inputs}
static unsigned sum = 1;
static void put(unsigned x) {{ sum = (sum << 3 | sum >> 29) ^ x; }}
static void put_long(unsigned long long x) {{ put((unsigned)x); put((unsigned)(x >> 32)); }}
"""


class Generator:
    """One program; `text` holds it with FINISH(index, sum) where the run ends."""

    def __init__(self, seed, size):
        self.random = random.Random(seed)
        self.scopes = [[]]  # variables that may be read: (name, type)
        self.constants = set()  # loop counters: never assigned to
        self.names = 0
        self.functions = []  # (name, types of parameters)
        self.structs = []  # (name, [(field, type)]), bit-fields included
        self.depth = 0
        self.budget = size  # statements
        self.inputs = []  # (function suffix, name, lowest, count)
        self.text = self.program()

    # Expressions --------------------------------------------------------------------------------

    def pick(self, *choices):
        return self.random.choice(choices)

    def new_name(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def literal(self):
        value = self.random.choice([0, 1, 2, 3, 5, 7, 8, 10, 31, 100, 127, 128, 200, 255, 256, 1000,
                                    32767, 32768, 65535, 65536, 2147483647, 2147483648, 4294967295])
        text = str(value) + self.pick("", "", "", "u", "L", "UL", "LL", "ULL")
        return f"(-{text})" if self.random.random() < 0.25 else text

    def readable(self):
        return [one for scope in self.scopes for one in scope]

    def expression(self, depth=0):
        """An integer without effects."""
        r = self.random.random()
        if depth > 3 or r < 0.32:
            variables = self.readable()
            if variables and self.random.random() < 0.8:
                return self.random.choice(variables)[0]
            return self.literal()
        a, b = self.expression(depth + 1), self.expression(depth + 1)
        if r < 0.52:
            return f"({a} {self.pick('+', '-', '*', '&', '|', '^')} {b})"
        if r < 0.60:
            return f"({a} {self.pick('<', '<=', '>', '>=', '==', '!=')} {b})"
        if r < 0.66:
            return f"({a} {self.pick('<<', '>>')} ({b} & {self.pick(3, 7, 15, 31)}))"
        if r < 0.71:
            return f"({a} {self.pick('/', '%')} (({b} & {self.pick(1, 3, 7)}) + 1))"
        if r < 0.80:
            return f"(({self.random.choice(INTEGERS)}){a})"
        if r < 0.86:
            return f"({self.pick('-', '~', '!', '+')}{a})"
        if r < 0.92:
            return f"({a} ? {b} : {self.expression(depth + 1)})"
        if r < 0.96:
            return f"({a} {self.pick('&&', '||')} {b})"
        if r < 0.98:
            return f"((unsigned long long){a} {self.pick('<<', '>>')} ({b} & 63))"
        return f"({self.literal()} + (int)sizeof({self.random.choice(INTEGERS)}))"

    # Statements ---------------------------------------------------------------------------------

    def place(self):
        """What can be assigned to."""
        variables = [one for one in self.readable() if one[0] not in self.constants]
        return self.random.choice(variables)[0] if variables else None

    def statements(self, count, indent):
        self.scopes.append([])
        lines = []
        for _ in range(count):
            if self.budget <= 0:
                break
            self.budget -= 1
            lines += [indent + line for line in self.statement()]
        for name, _ in self.scopes.pop():
            if self.random.random() < 0.5:
                lines.append(f"{indent}put_long({name});")
        return lines

    def block(self):
        self.depth += 1
        lines = self.statements(self.random.randint(1, 3), "  ")
        self.depth -= 1
        return lines

    def statement(self):
        kinds = ["declare", "assign", "assign", "compound", "compound", "step", "put"]
        if self.depth < 2:
            kinds += ["if", "if", "for", "while", "switch", "goto", "array", "struct", "union",
                      "pointer", "call", "call", "copy", "table", "dispatch", "bytes", "move",
                      "variant", "packed", "bypass", "inside", "quotient", "same"]
        return getattr(self, "make_" + self.random.choice(kinds))()

    def declare(self, name, kind):
        self.scopes[-1].append((name, kind))

    def make_declare(self):
        name, kind = self.new_name("v"), self.random.choice(INTEGERS)
        line = f"{kind} {name} = {self.expression()};"
        self.declare(name, kind)
        return [line]

    def make_assign(self):
        place = self.place()
        return [f"{place} = {self.expression()};"] if place else self.make_declare()

    def make_compound(self):
        place = self.place()
        if not place:
            return self.make_declare()
        r = self.random.random()
        if r < 0.2:
            return [f"{place} {self.pick('<<=', '>>=')} ({self.expression(2)}) & 7;"]
        if r < 0.35:
            return [f"{place} {self.pick('/=', '%=')} (({self.expression(2)}) & 7) + 1;"]
        return [f"{place} {self.pick('+=', '-=', '*=', '^=', '|=', '&=')} {self.expression(1)};"]

    def make_step(self):
        place = self.place()
        if not place:
            return self.make_declare()
        other = self.place()
        apart = place.isidentifier() and other.isidentifier() and other != place
        if apart and self.random.random() < 0.4:
            return [f"{other} = {place}{self.pick('++', '--')};"]
        return [self.pick(f"{place}++;", f"--{place};")]

    def make_put(self):
        return [f"put_long({self.expression()});"]

    def make_if(self):
        lines = [f"if ({self.expression()}) {{", *self.block()]
        if self.random.random() < 0.5:
            lines += ["} else {", *self.block()]
        return lines + ["}"]

    def counted(self, name):
        """A block that reads the counter and never changes it."""
        self.scopes.append([(name, "int")])
        self.constants.add(name)
        lines = self.block()
        self.scopes.pop()
        if self.random.random() < 0.25:
            lines.append(f"  if ({self.expression(2)}) {self.pick('break', 'continue')};")
        return lines

    def make_for(self):
        name, bound = self.new_name("i"), self.random.randint(1, 4)
        kind = self.pick("int", "unsigned", "signed char", "unsigned short")
        return [f"for ({kind} {name} = 0; {name} < {bound}; {name}++) {{", *self.counted(name), "}"]

    def make_while(self):
        name, bound = self.new_name("n"), self.random.randint(1, 4)
        if self.random.random() < 0.5:
            return [f"int {name} = {bound};", f"while ({name}-- > 0) {{", *self.counted(name), "}"]
        return [f"int {name} = {bound};", "do {", *self.counted(name), f"}} while (--{name} > 0);"]

    def make_switch(self):
        mask = self.pick(3, 7)
        lines = [f"switch (({self.expression()}) & {mask}) {{"]
        for value in self.random.sample(range(mask + 1), self.random.randint(1, 3)):
            lines += [f"  case {value}: {{", *self.block(), "  }"]
            if self.random.random() < 0.6:
                lines.append("  break;")
        if self.random.random() < 0.6:
            lines += ["  default: {", *self.block(), "  }"]
        return lines + ["}"]

    def make_goto(self):
        label = self.new_name("l")
        if self.random.random() < 0.5:
            return [f"if ({self.expression()}) goto {label};", *self.block(), f"{label}: ;"]
        count = self.new_name("n")
        return [f"int {count} = 0;", f"{label}:", "{", *self.block(), "}",
                f"if (++{count} < {self.random.randint(1, 3)}) goto {label};"]

    def make_bypass(self):
        """A jump past a declaration; what it declares is assigned before it is read."""
        label, name, kind = self.new_name("l"), self.new_name("v"), self.random.choice(INTEGERS)
        first, then = self.expression(1), self.expression(1)
        lines = ["{", f"  if ({self.expression(2)}) goto {label};", f"  {kind} {name} = {first};",
                 f"  put_long({name});", f"{label}:", f"  {name} = {then};"]
        self.scopes.append([(name, kind)])
        lines += self.block()
        self.scopes.pop()
        return lines + [f"  put_long({name});", "}"]

    def make_inside(self):
        """A variable of the block of a switch, whose declaration control never comes to."""
        name, kind = self.new_name("v"), self.random.choice(INTEGERS)
        values = [self.expression(1) for _ in range(3)]
        return [f"switch (({self.expression()}) & 3) {{", f"  {kind} {name};",
                f"  case 0: {name} = {values[0]}; put_long({name}); break;",
                f"  case {self.pick(1, 2)}: {name} = {values[1]}; put_long({name});",
                f"  default: {name} = {values[2]}; put_long({name});", "}"]

    def make_quotient(self):
        """Division by any number but 0 and -1, shift by any amount within the width."""
        by, result = self.new_name("d"), self.new_name("q")
        kind = self.pick("int", "long long", "short")
        lines = [f"{kind} {by} = {self.expression(1)};",
                 f"long long {result} = {by} == 0 || {by} == -1 ? 1 : "
                 f"({self.expression(1)}) {self.pick('/', '%')} {by};",
                 f"if ({by} >= 0 && {by} < 32) {result} ^= (unsigned)({self.expression(1)}) "
                 f"{self.pick('<<', '>>')} {by};"]
        self.scopes[-1] += [(by, kind), (result, "long long")]
        return lines

    def make_same(self):
        """Pointers that are equal or not: into one array, up to its end, or into two."""
        a, b, p = self.new_name("a"), self.new_name("b"), self.new_name("p")
        at = f"((unsigned)({self.expression(2)}) % 4u)"
        return [f"int {a}[4] = {{0}}, {b}[4] = {{1}};",
                f"int *{p} = {self.expression(2)} ? {a} + {at} : {b} + 1;",
                f"put({p} == {a} + {self.random.randint(0, 4)});",
                f"put({p} != {b} + {self.random.randint(1, 3)});"]

    def make_array(self):
        name, kind = self.new_name("a"), self.random.choice(INTEGERS)
        values = ", ".join(self.expression(2) for _ in range(4))
        lines = [f"{kind} {name}[4] = {{{values}}};"]
        if self.random.random() < 0.5:
            lines.append(f"{name}[({self.expression(1)}) & 3] {self.pick('=', '+=', '^=')} "
                         f"{self.expression(1)};")
        for i in range(4):
            self.declare(f"{name}[{i}]", kind)
        self.declare(f"{name}[({self.expression(2)}) & 3]", kind)
        return lines

    def make_table(self):
        name = self.new_name("t")
        values = ", ".join(str(self.random.randint(-300, 300)) for _ in range(8))
        self.declare(f"{name}[({self.expression(2)}) & 7]", "int")
        self.constants.add(self.scopes[-1][-1][0])
        return [f"static const {self.pick('short', 'int', 'long long')} {name}[8] = {{{values}}};"]

    def make_struct(self):
        if not self.structs:
            return self.make_declare()
        struct, fields = self.random.choice(self.structs)
        name = self.new_name("s")
        lines = [f"struct {struct} {name} = {{0}};"]
        for field, kind in fields:
            if self.random.random() < 0.7:
                lines.append(f"{name}.{field} = {self.expression(1)};")
            self.declare(f"{name}.{field}", kind)
        if self.random.random() < 0.4:
            other = self.new_name("s")
            lines.append(f"struct {struct} {other} = {name};")
            self.scopes[-1] += [(f"{other}.{field}", kind) for field, kind in fields]
        return lines

    def make_union(self):
        name, bits = self.new_name("u"), self.pick(16, 32, 64)
        whole = {16: "unsigned short", 32: "unsigned", 64: "unsigned long long"}[bits]
        half = {16: "unsigned char", 32: "short", 64: "int"}[bits]
        lines = [f"union {{ {whole} w; {half} h[2]; }} {name};",
                 f"{name}.w = {self.expression(1)};"]
        if self.random.random() < 0.5:
            lines.append(f"{name}.h[{self.pick(0, 1)}] = {self.expression(1)};")
        self.scopes[-1] += [(f"{name}.w", whole), (f"{name}.h[0]", half), (f"{name}.h[1]", half)]
        return lines

    def make_pointer(self):
        plain = [one for one in self.readable()
                 if one[0].isidentifier() and one[0] not in self.constants]
        if not plain:
            return self.make_declare()
        target, kind = self.random.choice(plain)
        name = self.new_name("p")
        lines = [f"{kind} *{name} = &{target};"]
        same = [one[0] for one in plain if one[1] == kind and one[0] != target]
        if same and self.random.random() < 0.5:
            lines.append(f"if ({self.expression(2)}) {name} = &{self.random.choice(same)};")
        self.declare(f"(*{name})", kind)
        return lines

    def make_copy(self):
        """Arrays by pointers that walk."""
        name, kind = self.new_name("a"), self.random.choice(INTEGERS)
        p, q = self.new_name("p"), self.new_name("q")
        values = ", ".join(self.expression(3) for _ in range(3))
        self.declare(f"{name}[5]", kind)
        self.declare(f"{name}[(unsigned)({self.expression(2)}) % 6u]", kind)
        return [f"{kind} {name}[6] = {{{values}}};",
                f"for ({kind} *{p} = {name}, *{q} = {name} + 5; {p} < {q}; {p}++, {q}--) "
                f"*{q} = *{p} + ({q} - {p});"]

    def make_dispatch(self):
        """A call through a table of functions, or through a member of a struct."""
        general = [name for name, count in self.functions if name.startswith("g") and count == 2]
        if not general:
            return self.make_declare()
        table, result = self.new_name("t"), self.new_name("r")
        names = ", ".join(self.random.choice(general) for _ in range(4))
        kind = "long long (*{})(long long, long long)"
        lines = [f"static {kind.format(table + '[4]')} = {{{names}}};"]
        if self.random.random() < 0.3:
            lines.append(f"{table}[({self.expression(2)}) & 3] = {self.random.choice(general)};")
        args = f"{self.expression(2)}, {self.expression(2)}"
        called = f"{table}[({self.expression(2)}) & 3]"
        if self.random.random() < 0.5:
            member = self.new_name("s")
            lines.append(f"struct {{ int x; {kind.format('f')}; }} {member} = {{1, {called}}};")
            called = f"{member}.f"
        lines.append(f"long long {result} = {called}({args});")
        self.declare(result, "long long")
        return lines

    def make_bytes(self):
        """An array of numbers as bytes, or the other way round."""
        name, view = self.new_name("a"), self.new_name("b")
        kind = self.pick("unsigned", "short", "long long", "int")
        values = ", ".join(self.expression(2) for _ in range(3))
        index = f"(unsigned)({self.expression(2)}) % sizeof {name}"
        lines = [f"{kind} {name}[3] = {{{values}}};",
                 f"unsigned char *{view} = (unsigned char *){name};"]
        if self.random.random() < 0.6:
            lines.append(f"{view}[{index}] {self.pick('=', '^=', '+=')} {self.expression(1)};")
        self.declare(f"{view}[{index}]", "unsigned char")
        self.declare(f"{name}[({self.expression(2)}) & 1]", kind)
        if self.random.random() < 0.4:
            part = self.new_name("w")
            at = self.random.randint(0, 4)
            self.declare(part, "unsigned short")
            lines += [f"unsigned short {part};",
                      f"__builtin_memcpy(&{part}, {view} + {at}, sizeof {part});"]
        return lines

    def make_move(self):
        """Copies of variable size, also onto themselves."""
        name, kind = self.new_name("a"), self.pick("char", "unsigned char", "int", "short")
        values = ", ".join(self.expression(3) for _ in range(4))
        many = f"((unsigned)({self.expression(2)}) % 4u)"
        unit = self.pick(f"sizeof *{name}", f"sizeof *{name}", "1")
        to, start = self.pick((0, 1), (1, 0), (2, 0), (0, 2), (0, 4), (4, 0))
        self.declare(f"{name}[{self.random.randint(0, 7)}]", kind)
        self.declare(f"{name}[({self.expression(2)}) & 7]", kind)
        fill = [f"__builtin_memset({name} + 4, {self.expression(2)}, {many} * {unit});"]
        return [f"{kind} {name}[8] = {{{values}}};", *self.pick([], fill),
                f"__builtin_memmove({name} + {to}, {name} + {start}, {many} * {unit});"]

    def make_variant(self):
        """A number or an address, passed by value."""
        plain = [one for one in self.readable() if one[0].isidentifier() and one[1] == "int"
                 and one[0] not in self.constants]
        if not plain:
            return self.make_declare()
        name, other, result = self.new_name("u"), self.new_name("u"), self.new_name("r")
        lines = [f"union {{ int *p; int n; unsigned char b[2]; }} {name}, {other};",
                f"int k{name} = ({self.expression(2)}) & 1;",
                f"if (k{name}) {name}.p = &{self.random.choice(plain)[0]}; "
                f"else {name}.n = {self.expression(2)};",
                f"__builtin_memcpy(&{other}, &{name}, sizeof {other});",
                f"long long {result} = k{name} ? *{other}.p : {other}.n + {other}.b[1];"]
        self.declare(result, "long long")
        return lines

    def make_packed(self):
        name = self.new_name("s")
        kinds = [self.random.choice(INTEGERS) for _ in range(3)]
        members = " ".join(f"{kind} m{i};" for i, kind in enumerate(kinds))
        values = ", ".join(self.expression(2) for _ in kinds)
        for i, kind in enumerate(kinds):
            self.declare(f"{name}.m{i}", kind)
        self.declare(f"((unsigned char *)&{name})[(unsigned)({self.expression(2)}) % sizeof {name}]",
                     "unsigned char")
        return [f"struct __attribute__((packed)) {{ {members} }} {name} = {{{values}}};"]

    def make_call(self):
        if not self.functions:
            return self.make_declare()
        name, count = self.random.choice(self.functions)
        kind = self.random.choice(INTEGERS)
        args = ", ".join(self.expression(1) for _ in range(count))
        result = self.new_name("r")
        self.declare(result, kind)
        if self.random.random() < 0.06 and count == 2:
            return [f"long long (*f{result})(long long, long long) = {name};",
                    f"{kind} {result} = f{result}({args});"] if name.startswith("g") else \
                   [f"{kind} {result} = {name}({args});"]
        return [f"{kind} {result} = {name}({args});"]

    # The program --------------------------------------------------------------------------------

    def make_struct_type(self):
        name, fields, lines = self.new_name("S"), [], []
        for i in range(self.random.randint(1, 4)):
            kind = self.random.choice(INTEGERS)
            if self.random.random() < 0.4:
                kind = self.pick("int", "unsigned", "signed char", "unsigned short", "long long")
                widths = {"signed char": 7, "unsigned short": 15, "long long": 60}
                width = self.random.randint(1, widths.get(kind, 31))
                lines.append(f"{kind} m{i} : {width};")
            else:
                lines.append(f"{kind} m{i};")
            fields.append((f"m{i}", kind))
        self.structs.append((name, fields))
        return f"struct {name} {{ {' '.join(lines)} }};\n"

    def function(self):
        count = self.random.randint(1, 3)
        kinds = [self.random.choice(INTEGERS) for _ in range(count)]
        result = self.random.choice(INTEGERS)
        general = count == 2 and self.random.random() < 0.3
        if general:
            kinds, result = ["long long", "long long"], "long long"
        name = self.new_name("g" if general else "f")
        params = [self.new_name("x") for _ in kinds]
        self.scopes.append(list(zip(params, kinds)))
        recursive = count >= 2 and self.random.random() < 0.3
        self.depth += 1
        body = self.statements(self.random.randint(1, 4), "  ")
        value = self.expression()
        self.depth -= 1
        self.scopes.pop()
        head = ", ".join(f"{kind} {param}" for kind, param in zip(kinds, params))
        lines = [f"static {result} {name}({head}) {{", *body, f"  return {value};", "}"]
        self.functions.append((name, count))
        if recursive:
            again = self.new_name("r")
            lines += [f"static {result} {again}d(int n, {result} x) {{",
                      f"  if (n <= 0) return x + {self.literal()};",
                      f"  {result} y = {again}d(n - 1, x {self.pick('+', '^', '-')} n);",
                      f"  return y {self.pick('*', '+', '^')} {self.pick(3, 5, 'n', 'x')};", "}",
                      f"static {result} {again}({result} x) "
                      f"{{ return {again}d({self.random.randint(1, 4)}, x); }}"]
            self.functions.append((again, 1))
        return "\n".join(lines) + "\n"

    def make_globals(self):
        lines = []
        for _ in range(self.random.randint(0, 3)):
            name, kind = self.new_name("g"), self.random.choice(INTEGERS)
            value = self.pick("", f" = {self.literal()}")
            lines.append(f"{self.pick('', 'static ')}{kind} {name}{value};\n")
            self.scopes[0].append((name, kind))
        return "".join(lines)

    def program(self):
        out = [self.make_struct_type() for _ in range(self.random.randint(0, 2))]
        out.append(self.make_globals())
        out += [self.function() for _ in range(self.random.randint(0, 3))]
        body, index, combinations = [], "0", 1
        self.scopes.append([])
        for _ in range(self.random.randint(1, 3)):
            suffix = self.random.choice(list(INPUTS))
            count = 2 if suffix == "bool" else self.random.randint(2, 4)
            if combinations * count > 12:
                break
            signed = not suffix.startswith("u") and suffix != "bool"
            low = 0 if suffix == "bool" else self.random.choice(
                [0, 1, 5, 100, 124] + ([-1, -2, -100, -128] if signed and suffix != "char" else []))
            name = self.new_name("in")
            self.inputs.append((suffix, name, low, count))
            body += [f"  {INPUTS[suffix]} {name} = __VERIFIER_nondet_{suffix}();",
                     f"  __VERIFIER_assume({name} >= {low} && {name} <= {low + count - 1});"]
            index = f"({index}) * {count} + (unsigned)({name} - {low})"
            combinations *= count
            self.declare(name, INPUTS[suffix])
            self.constants.add(name)
        body += self.statements(self.random.randint(4, 9), "  ")
        for name, _ in self.scopes[0]:
            body.append(f"  put_long({name});")
        body += [f"  unsigned index = {index};", "  FINISH(index, sum)", "  return 0;"]
        self.scopes.pop()
        declared = "\n".join(f"extern {kind} __VERIFIER_nondet_{suffix}(void);"
                             for suffix, kind in INPUTS.items())
        return (HEAD.format(inputs=declared) + "".join(out) +
                "int main(void) {\n" + "\n".join(body) + "\n}\n")

    def combinations(self):
        """All values of all inputs, in the order of the index."""
        out = [[]]
        for _, _, low, count in self.inputs:
            out = [[*one, low + i] for one in out for i in range(count)]
        return out
