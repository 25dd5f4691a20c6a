"""Reader of the part of Structured Text that the campaign generates (IEC 61131-3, third edition): text
to a syntax tree. It is written from the standard and shares nothing with the front end."""
import dataclasses
import re


class SyntaxFault(Exception):
    """The text is not in the subset; the message has the line."""


@dataclasses.dataclass
class Node:
    """`kind` says which of the fields of `args` there are; see the parser's methods."""
    kind: str
    args: tuple
    line: int = 0

    def __iter__(self):
        return iter(self.args)


@dataclasses.dataclass
class Variable:
    name: str
    type: Node
    initial: object
    section: str
    flags: frozenset


@dataclasses.dataclass
class Unit:
    """A function, function block, program or method."""
    kind: str
    name: str
    result: object
    variables: list
    body: list
    methods: dict


@dataclasses.dataclass
class File:
    types: dict
    global_variables: list
    units: dict
    instances: list  # (instance, type) of the programs of a configuration, in the order of the text


KEYWORDS = set("""and array begin by case configuration continue do else elsif end_case end_configuration
end_for end_function end_function_block end_if end_method end_program end_repeat end_resource end_struct
end_type end_var end_while exit false for function function_block if method mod not of on or program repeat
resource return struct task then to true type until var var_external var_global var_in_out var_input
var_output var_stat var_temp while with xor and_then or_else""".split())

TOKEN = re.compile(r"""
  (?P<space>\s+)
| (?P<directive>//\#[^\n]*)
| (?P<line>//[^\n]*)
| (?P<open>\(\*|/\*)
| (?P<pragma>\{[^}]*\})
| (?P<time>(?:TIME|T)\#[0-9smhd_.]+)
| (?P<typed>[A-Za-z_]\w*\#(?:[-+]?(?:(?:2|8|16)\#[0-9A-F_]+|[0-9][0-9_]*)|[A-Za-z_]\w*))
| (?P<based>(?:2|8|16)\#[0-9A-F_]+)
| (?P<number>[0-9][0-9_]*)
| (?P<name>[A-Za-z_]\w*\^?)
| (?P<sign>:=|=>|<>|<=|>=|\.\.|[-+*/=<>&()\[\],;:.])
""", re.VERBOSE | re.IGNORECASE)


@dataclasses.dataclass
class Token:
    kind: str
    text: str
    line: int


def skip_comment(text, start):
    """Comments of one form nest; the position after the comment that begins at `start`."""
    opening, closing = ("(*", "*)") if text[start] == "(" else ("/*", "*/")
    depth, at = 0, start
    while at < len(text):
        two = text[at:at + 2]
        if two == opening:
            depth, at = depth + 1, at + 2
        elif two == closing:
            depth, at = depth - 1, at + 2
            if depth == 0:
                return at
        else:
            at += 1
    raise SyntaxFault("a comment does not end")


class Pragmas:
    """Conditional pragmas: which text is there. Definitions reach to the end of their unit."""

    ENDS = ("end_function", "end_function_block", "end_program", "end_method")

    def __init__(self):
        self.defined, self.open = set(), []  # open: [active now, some branch was taken]

    def active(self):
        return all(now for now, _ in self.open)

    def holds(self, words):
        found = re.fullmatch(r"(not\s+)?defined\s*\(\s*(\w+)\s*\)", words.strip())
        if not found:
            raise SyntaxFault(f"pragma {words}")
        return (found[2] in self.defined) != bool(found[1])

    def read(self, text):
        words = text[1:-1].strip().lower()
        first, _, rest = words.partition(" ")
        if first == "if":
            holds = self.holds(rest)
            self.open.append([holds, holds])
        elif first == "elsif":
            holds = not self.open[-1][1] and self.holds(rest)
            self.open[-1] = [holds, self.open[-1][1] or holds]
        elif first == "else":
            self.open[-1] = [not self.open[-1][1], True]
        elif first == "end_if":
            self.open.pop()
        elif first == "define" and self.active():
            self.defined.add(rest.strip())
        elif first == "undefine" and self.active():
            self.defined.discard(rest.strip())


def tokens_of(text, first_line=1):
    found, at, pragmas, line = [], 0, Pragmas(), first_line
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise SyntaxFault(f"line {line}: {text[at:at + 20]!r}")
        kind, end = match.lastgroup, match.end()
        if kind == "open":
            end = skip_comment(text, at)
        elif kind == "pragma":
            pragmas.read(match.group())
        elif kind not in ("space", "line") and pragmas.active():
            found.append(Token(kind, match.group(), line))
            if match.group().lower() in Pragmas.ENDS:
                pragmas.defined.clear()
        line += text.count("\n", at, end)
        at = end
    found.append(Token("end", "", line))
    return found


def number_of(text):
    text = text.replace("_", "")
    if "#" in text:
        sign = -1 if text[0] == "-" else 1
        base, digits = text.lstrip("+-").split("#")
        return sign * int(digits, int(base))
    return int(text)


def milliseconds(text):
    units = {"d": 86400000, "h": 3600000, "m": 60000, "s": 1000, "ms": 1}
    parts = re.findall(r"(\d+)(ms|d|h|m|s)", text.split("#")[1].lower().replace("_", ""))
    return sum(int(count) * units[unit] for count, unit in parts)


class Parser:
    BINARY = [["or", "or_else"], ["xor"], ["and", "&", "and_then"], ["=", "<>"],
              ["<", ">", "<=", ">="], ["+", "-"], ["*", "/", "mod"]]

    def __init__(self, tokens):
        self.tokens, self.at = tokens, 0

    # --- tokens

    @property
    def now(self):
        return self.tokens[self.at]

    def word(self):
        """The token in lower case; names that are no keywords are not distinguished here."""
        return self.now.text.lower() if self.now.kind in ("name", "sign") else f"<{self.now.kind}>"

    def take(self, *words):
        if self.word() in words:
            self.at += 1
            return True
        return False

    def need(self, *words):
        if not self.take(*words):
            self.fail(f"expected {words}")

    def fail(self, message):
        raise SyntaxFault(f"line {self.now.line}: {message}, found {self.now.text!r}")

    def name(self):
        if self.now.kind != "name" or self.word() in KEYWORDS:
            self.fail("expected a name")
        self.at += 1
        return self.tokens[self.at - 1].text.lower()

    def node(self, kind, *args, line=None):
        return Node(kind, args, self.now.line if line is None else line)

    # --- expressions

    def expression(self, level=0):
        if level == len(self.BINARY):
            return self.unary()
        left = self.expression(level + 1)
        while self.word() in self.BINARY[level]:
            operator, line = self.word(), self.now.line
            self.at += 1
            left = self.node("binary", operator, left, self.expression(level + 1), line=line)
        return left

    def unary(self):
        line = self.now.line
        for operator in ("-", "+", "not"):
            if self.take(operator):
                return self.node("unary", operator, self.unary(), line=line)
        return self.primary()

    def primary(self):
        token, line = self.now, self.now.line
        if self.take("("):
            inner = self.expression()
            self.need(")")
            return inner
        if token.kind in ("number", "based"):
            self.at += 1
            return self.node("literal", number_of(token.text), None, line=line)
        if token.kind == "time":
            self.at += 1
            return self.node("literal", milliseconds(token.text), "time", line=line)
        if token.kind == "typed":
            self.at += 1
            return self.typed_literal(token)
        if self.take("true", "false"):
            return self.node("literal", token.text.lower() == "true", "bool", line=line)
        return self.path()

    def typed_literal(self, token):
        kind, value = token.text.lower().split("#", 1)
        if kind == "bool":
            return self.node("literal", value in ("true", "1"), "bool", line=token.line)
        if value[0].isdigit() or value[0] in "+-":
            return self.node("literal", number_of(value), kind, line=token.line)
        return self.node("enumerated", kind, value, line=token.line)

    def path(self):
        line = self.now.line
        found = self.node("name", self.name(), line=line)
        while True:
            if self.take("."):
                if self.now.kind == "number":
                    found = self.node("bit", found, int(self.now.text), line=line)
                    self.at += 1
                else:
                    found = self.node("field", found, self.name(), line=line)
            elif self.take("["):
                found = self.node("index", found, self.list_of(self.expression, "]"), line=line)
            elif self.take("("):
                found = self.node("call", found, self.list_of(self.argument, ")"), line=line)
            else:
                return found

    def list_of(self, element, closing):
        found = []
        while not self.take(closing):
            if found:
                self.need(",")
            found.append(element())
        return found

    def argument(self):
        """(name or None, ":=" or "=>", negated, expression)"""
        following = self.tokens[self.at + 1].text
        if self.word() == "not" and self.tokens[self.at + 2].text == "=>":
            self.at += 1
            name = self.name()
            self.need("=>")
            return (name, "=>", True, self.expression())
        if self.now.kind == "name" and following in (":=", "=>"):
            name = self.name()
            self.at += 1
            return (name, following, False, self.expression())
        return (None, ":=", False, self.expression())

    # --- statements

    def statements(self, *closing):
        found = []
        while self.word() not in closing:
            if not self.take(";"):
                found.append(self.statement())
        return found

    def statement(self):
        line, word = self.now.line, self.word()
        if self.now.kind == "directive":
            return self.directive()
        special = {"if": self.if_, "case": self.case, "for": self.for_, "while": self.while_,
                   "repeat": self.repeat}
        if word in special:
            self.at += 1
            return special[word](line)
        if self.take("exit", "continue", "return"):
            return self.ended(self.node(word, line=line))
        left = self.path()
        if self.take(":="):
            return self.ended(self.node("assign", left, self.expression(), line=line))
        return self.ended(self.node("call statement", left, line=line))

    def ended(self, node):
        self.need(";")
        return node

    def directive(self):
        text, line = self.now.text[3:].strip(), self.now.line
        self.at += 1
        word, _, rest = text.partition(" ")
        if word.lower() == "assume":
            return Node("assume", (Parser(tokens_of(rest, line)).expression(),), line)
        if word.lower() == "probe":
            name, _, rest = rest.partition(" ")
            inner = Parser(tokens_of(rest + ")", line))
            return Node("probe", (name, inner.list_of(inner.expression, ")")), line)
        if word.lower() != "assert":
            raise SyntaxFault(f"line {line}: {text}")
        condition, _, name = rest.rpartition(" : ")
        return Node("assert", (Parser(tokens_of(condition, line)).expression(), name.strip()), line)

    def if_(self, line):
        branches, otherwise = [], []
        condition = self.expression()
        self.need("then")
        branches.append((condition, self.statements("elsif", "else", "end_if")))
        while self.take("elsif"):
            condition = self.expression()
            self.need("then")
            branches.append((condition, self.statements("elsif", "else", "end_if")))
        if self.take("else"):
            otherwise = self.statements("end_if")
        self.need("end_if")
        return self.node("if", branches, otherwise, line=line)

    def case(self, line):
        selector = self.expression()
        self.need("of")
        branches, otherwise = [], []
        while self.word() not in ("else", "end_case"):
            labels = [self.label()]
            while self.take(","):
                labels.append(self.label())
            self.need(":")
            branches.append((labels, self.case_body()))
        if self.take("else"):
            otherwise = self.statements("end_case")
        self.need("end_case")
        return self.node("case", selector, branches, otherwise, line=line)

    def label(self):
        low = self.expression()
        return (low, self.expression() if self.take("..") else low)

    def case_body(self):
        """A label begins where a colon, comma or range follows an expression at a statement's place."""
        found = []
        while self.word() not in ("else", "end_case") and not self.at_label():
            if not self.take(";"):
                found.append(self.statement())
        return found

    def at_label(self):
        if self.now.kind in ("number", "based", "typed") or self.word() == "-":
            return True
        return self.now.kind == "name" and self.tokens[self.at + 1].text in (":", ",")

    def for_(self, line):
        name = self.name()
        self.need(":=")
        start = self.expression()
        self.need("to")
        end, step = self.expression(), None
        if self.take("by"):
            step = self.expression()
        self.need("do")
        body = self.statements("end_for")
        self.need("end_for")
        return self.node("for", name, start, end, step, body, line=line)

    def while_(self, line):
        condition = self.expression()
        self.need("do")
        body = self.statements("end_while")
        self.need("end_while")
        return self.node("while", condition, body, line=line)

    def repeat(self, line):
        body = self.statements("until")
        self.need("until")
        condition = self.expression()
        self.need("end_repeat")
        return self.node("repeat", body, condition, line=line)

    # --- declarations

    def type(self):
        if self.take("array"):
            self.need("[")
            bounds = self.list_of(self.range, "]")
            self.need("of")
            return self.node("array", bounds, self.type())
        if self.take("struct"):
            fields = []
            while not self.take("end_struct"):
                fields += self.declaration("field", frozenset())
            return self.node("struct", fields)
        if self.take("("):
            return self.node("enumeration", self.list_of(self.name, ")"))
        name = self.name()
        if self.take("("):
            bounds = self.range()
            self.need(")")
            return self.node("subrange", name, *bounds)
        return self.node("type name", name)

    def range(self):
        low = self.expression()
        self.need("..")
        return (low, self.expression())

    def initial(self):
        if self.take("["):
            return self.node("elements", self.list_of(self.element, "]"))
        if self.word() == "(" and self.tokens[self.at + 2].text == ":=":
            self.at += 1
            return self.node("fields", self.list_of(self.field, ")"))
        return self.expression()

    def element(self):
        """(times, value)"""
        if self.now.kind == "number" and self.tokens[self.at + 1].text == "(":
            times = int(self.now.text)
            self.at += 2
            value = self.initial()
            self.need(")")
            return (times, value)
        return (1, self.initial())

    def field(self):
        name = self.name()
        self.need(":=")
        return (name, self.initial())

    def declaration(self, section, flags):
        names = [self.name()]
        while self.take(","):
            names.append(self.name())
        self.need(":")
        kind = self.type()
        initial = self.initial() if self.take(":=") else None
        self.need(";")
        return [Variable(name, kind, initial, section, flags) for name in names]

    SECTIONS = ("var", "var_input", "var_output", "var_in_out", "var_temp", "var_stat", "var_global",
                "var_external")

    def sections(self):
        found = []
        while self.word() in self.SECTIONS:
            section, flags = self.word(), set()
            self.at += 1
            while self.word() in ("retain", "constant", "persistent", "non_retain"):
                flags.add(self.word())
                self.at += 1
            while not self.take("end_var"):
                found += self.declaration(section, frozenset(flags))
        return found

    def unit(self, kind):
        self.take("public")
        name = self.name()
        result = self.type() if self.take(":") else None
        variables, methods = self.sections(), {}
        while self.take("method"):
            method = self.unit("method")
            methods[method.name] = method
        body = self.statements("end_" + kind)
        self.need("end_" + kind)
        return Unit(kind, name, result, variables, body, methods)

    def types(self, into):
        while not self.take("end_type"):
            name = self.name()
            self.need(":")
            kind = self.type()
            initial = self.initial() if self.take(":=") else None
            into[name] = (kind, initial)
            self.take(";")

    def configuration(self, file):
        self.name()
        file.global_variables += self.sections()
        while not self.take("end_configuration"):
            if self.take("resource"):
                self.name()
                self.need("on")
                self.name()
                file.global_variables += self.sections()
            elif self.take("task"):
                while not self.take(";"):
                    self.at += 1
            elif self.take("program"):
                instance = self.name()
                if self.take("with"):
                    self.name()
                self.need(":")
                file.instances.append((instance, self.name()))
                self.need(";")
            else:
                self.need("end_resource")

    def file(self):
        file = File({}, [], {}, [])
        while self.now.kind != "end":
            if self.take("type"):
                self.types(file.types)
            elif self.word() == "var_global":
                file.global_variables += self.sections()
            elif self.take("configuration"):
                self.configuration(file)
            else:
                kind = self.word()
                self.need("function", "function_block", "program")
                unit = self.unit(kind)
                file.units[unit.name] = unit
        return file


def parse(text):
    return Parser(tokens_of(text)).file()


def parse_expression(text):
    return Parser(tokens_of(text)).expression()
