"""Random always and initial blocks, with assertions in their statements."""
import dataclasses

from expressions import Expr, Two, Var, join, two
from properties import declared, failed, first_checker, procedural_checker


@dataclasses.dataclass
class Block:
    """What the statements of one procedure may do. `target` is the register that they write; `comb` says that the
    block has no clock; `loops` counts the loops around."""
    scope: object
    target: object = None
    temporaries: list = dataclasses.field(default_factory=list)
    comb: bool = False
    start: bool = False
    plain: bool = False    # no asynchronous reset
    loops: int = 0
    indices: list = dataclasses.field(default_factory=list)
    defaults: str = ""     # for Icarus, at the beginning of a block without a clock


class Procedures:
    def __init__(self, maker):
        self.maker, self.rng, self.design = maker, maker.rng, maker.design

    def values(self, block, undefined=None):
        values = self.maker.expressions(block.scope, undefined)
        values.variables = values.variables + block.temporaries + block.indices
        return values

    # ---- blocks

    def clocked(self, scope, register):
        """The block that writes `register`, sometimes with assertions in it."""
        block = Block(scope, register)
        count = 0 if self.rng.random() < 0.5 else 1
        return self.with_resets(block, lambda: self.update(block, count))

    def asserting_clocked(self, scope):
        block = Block(scope)
        return self.with_resets(block, lambda: self.sequence(block, self.rng.choice([1, 1, 2])))

    def asserting_task(self, scope):
        """A task with an assertion in it, and a clocked block that calls it."""
        if scope.parent:
            return self.asserting_clocked(scope)
        formal = Var("v", self.rng.choice([1, 2]))
        block = Block(scope, temporaries=[formal], loops=1)
        body, name = self.asserting(block, 1), self.maker.module.unique("check")
        automatic = self.rng.choice(["", "automatic "])
        task = join("task {}{}({});\nbegin\n{}end\nendtask\n", automatic, name,
                    formal.declared("input")[:-1], body)
        caller = Block(scope)
        call = self.with_resets(caller, lambda: self.conditional(
            caller, lambda: join("{}({});\n", name, self.values(caller).any(1))))
        return task + call

    def asserting_comb(self, scope):
        block = Block(scope, comb=True)
        body = self.with_temporary(block, lambda: self.sequence(block, 1))
        head = self.rng.choice(["always @*", "always_comb", "always @(*)"])
        return Two(f"{head} begin\n{body.real}end\n",
                   f"always_comb begin\n{block.defaults}{body.sim}end\n")

    def at_start(self, scope):
        """An assertion about the first step."""
        block = Block(scope, start=True)
        prop = self.maker.new_property("initial", ("assert", "assert", "cover"))
        truth = self.maker.first_values(scope).boolean(1)
        self.design.made.append(declared(prop.number, prop.kind) + "initial $display(\"START\");\n")
        return Two(f"initial {self.immediate(prop, truth)}",
                   "always @(posedge judge.pre) if (judge.first) "
                   + failed(prop.number, prop.kind, truth.text.sim, "0"))

    def concurrent_at_start(self, scope):
        """A concurrent assertion in an initial block."""
        prop = self.maker.new_property("initial property")
        clause = self.maker.clause(scope, prop.kind, now=True)
        clause.disable = scope.disable
        text = self.maker.statement(prop, f"{self.maker.event()} {clause.body()}")
        return Two(f"initial {text}", first_checker(prop, clause))

    def with_resets(self, block, make):
        """`make` for the ordinary case, in a block with no reset or one of either kind."""
        module, rng = self.maker.module, self.rng
        keyword, edge = rng.choice(["always", "always", "always_ff"]), f"{self.design.edge} {self.maker.clock}"
        resets = list(module.resets)
        derived = module.derived
        if derived and (block.target is None or block.target.name == "r1"):
            resets.append((derived, rng.choice([0, 1])))
        if not resets or rng.random() < 0.4 or (block.target and block.target.words):
            block.plain = True
            return join("{} @({}) begin\n{}end\n", keyword, edge, self.with_temporary(block, make))
        reset, level = rng.choice(resets)
        active = reset.name if level else self.rng.choice(["!", "~"]) + reset.name
        block.plain = not self.maker.chance("asynchronous", 0.8)
        if not block.plain:
            edge = edge + rng.choice([" or ", ", "]) + ("posedge " if level else "negedge ") + reset.name
            # The judge has to make a reset act that is active in an initial state, where no edge may come.
            edge = Two(edge, edge + " or posedge judge.settle")
            only = Two("", f"if (!judge.settle || {active}) ")
        else:
            only = two("")
        return join("{} @({})\n{}if ({}) begin\n{}end else begin\n{}end\n", keyword, edge, only, active,
                    self.when_reset(block), self.with_temporary(block, make))

    def when_reset(self, block):
        text = two("")
        if block.target:
            value = self.rng.randrange(1 << block.target.width)
            text = two(f"{block.target.name} <= {block.target.width}'d{value};\n")
        if self.rng.random() < 0.3:
            inner = dataclasses.replace(block, target=None)
            text = self.rng.choice([lambda: self.assertion(inner) + text,
                                    lambda: text + self.assertion(inner)])()
        return text

    def with_temporary(self, block, make):
        """`make` in a block that has a variable of its own, or not."""
        if not self.maker.chance("temporaries", 0.5):
            return make()
        var = Var(self.maker.module.unique("t"), self.rng.choice([1, 2]))
        value = self.values(block).any(1)
        first = join("{} = {};\n", var.name, value)
        block.temporaries.append(var)
        inside = self.rng.random() < 0.5 or block.scope.parent
        if inside:
            name = self.maker.module.unique("blk")
            text = join("begin : {}\n{}{}{}end\n", name, var.declared("reg") + "\n", first, make())
            block.temporaries.remove(var)
            return text
        self.maker.module.declarations.append(two(var.declared("reg") + "\n"))
        return first + make()

    # ---- statements

    def sequence(self, block, count):
        text = two("")
        for _ in range(count):
            text = text + self.asserting(block, 2)
        return text

    def asserting(self, block, depth):
        """A statement with an assertion in it."""
        if depth == 0 or self.rng.random() < 0.45:
            return self.assertion(block)
        return self.rng.choice([self.conditional, self.conditional, self.cases, self.loop])(
            block, lambda: self.asserting(block, depth - 1))

    def update(self, block, count):
        """Statements that write the target, and `count` assertions among them."""
        parts = [self.writing(block, 2) for _ in range(self.rng.choice([1, 1, 2]))]
        parts += [self.asserting(block, 1) for _ in range(count)]
        self.rng.shuffle(parts)
        text = two("")
        for part in parts:
            text = text + part
        return text

    def writing(self, block, depth):
        if depth == 0 or self.rng.random() < 0.4:
            return self.assignment(block)
        return self.rng.choice([self.conditional, self.conditional, self.cases, self.loop])(
            block, lambda: self.writing(block, depth - 1))

    def assignment(self, block):
        target, values = block.target, self.values(block)
        place, value = two(target.name), values.any(2)
        if target.words:
            place = join("{}[{}]", place, values.variable())
        elif target.selectable and self.rng.random() < 0.25:
            index = self.rng.choice([str(self.rng.choice(target.indices)), values.variable()])
            place = join("{}[{}]", place, index)
        if self.rng.random() < self.design.undefined / 2 and self.design.frees > 0:
            value = self.random_value()
        return join("{} <= {};\n", place, value)

    def random_value(self):
        """One bit of a random number: any value at each execution."""
        name = self.rng.choice(["$random", "$urandom"])
        return Two(f"({name} & 32'd1)", f"{{31'd0, {self.design.free(1, False)}}}")

    def conditional(self, block, make):
        text = join("if ({})\nbegin {}end\n", self.values(block).boolean(1), make())
        if self.rng.random() < 0.4:
            text = join("{}else begin\n{}end\n", text, make())
        return text

    def cases(self, block, make):
        subject = self.values(block).variable()
        wild = self.rng.random() < 0.4
        text = join("{} ({})\n", "casez" if wild else "case", subject)
        seen = set()
        for _ in range(self.rng.choice([1, 2])):
            bits = "".join(self.rng.choice("01?" if wild else "01") for _ in range(subject.width))
            if bits not in seen:
                text = text + join("{}: begin {}end\n", f"{subject.width}'b{bits}", make())
            seen.add(bits)
        if self.rng.random() < 0.6:
            text = text + join("default: begin {}end\n", make())
        return text + "endcase\n"

    def loop(self, block, make):
        name = self.maker.module.unique("n")
        index = Var(name, 32, True, kind="genvar")
        how = self.rng.choice(["module", "block", "loop"])
        if how == "module" and block.scope.parent:
            how = "block"  # the copies of a generate block must not share it
        if how == "block" and "temporaries" not in self.design.features:
            how = "loop"
        block.indices.append(index)
        block.loops += 1
        text = join("for ({}{} = 0; {} < {}; {} = {} + 1)\nbegin {}end\n", "int " if how == "loop" else "",
                    name, name, str(self.rng.choice([1, 2])), name, name, make())
        block.loops -= 1
        block.indices.remove(index)
        if how == "module":
            self.maker.module.declarations.append(two(f"integer {name};\n"))
        if how == "block":
            text = join("begin : {}\ninteger {};\n{}end\n", self.maker.module.unique("blk"), name, text)
        return text

    # ---- assertions

    def immediate(self, prop, truth):
        """Sometimes deferred, which makes no difference to what it sees here."""
        deferred = self.rng.choice([" #0", " final"]) if self.maker.chance("deferred", 0.4) else ""
        return self.maker.statement(prop, truth.text.real, deferred)

    def assertion(self, block):
        if block.plain and not block.comb and not block.loops and not block.temporaries and \
                self.maker.chance("procedural", 0.5):
            return self.concurrent(block)
        place = "comb" if block.comb else "clocked" if block.plain else "asynchronous"
        prop = self.maker.new_property(place, several=block.loops > 0)
        values = self.values(block)
        truth = self.maker.weak(values, prop.kind)
        if not block.comb and block.plain and not block.loops and self.maker.chance("past", 0.3) and \
                self.maker.module.guard:
            old = self.maker.remembered(self.maker.expressions(block.scope, 0), True, after=True)
            known = "!pv ||" if prop.kind != "cover" else "pv &&"
            truth = Expr(join("({} ({} {} {}))", known, truth, self.rng.choice(["||", "==", "&&"]), old), 1)
        real = self.immediate(prop, truth)
        self.design.made.append(declared(prop.number, prop.kind))
        if not block.comb:
            return Two(real, failed(prop.number, prop.kind, truth.text.sim))
        n, cover = prop.number, prop.kind == "cover"
        self.design.made.append(f"reg chk_{n} = {int(not cover)};\nalways @(posedge judge.pre) "
                                + failed(n, prop.kind, f"chk_{n}", "0"))
        block.defaults += f"chk_{n} = {int(not cover)};\n"
        both = "|" if cover else "&"
        return Two(real, f"chk_{n} = chk_{n} {both} (({truth.text.sim}) ? 1'b1 : 1'b0);\n")

    def concurrent(self, block):
        """A concurrent assertion inside a clocked block, whose clock it takes."""
        prop = self.maker.new_property("procedural")
        clause = self.maker.clause(block.scope, prop.kind)
        clause.disable = block.scope.disable
        declarations, statement = procedural_checker(prop, clause)
        self.design.made.append(declarations)
        return Two(self.maker.statement(prop, clause.body()), statement)
