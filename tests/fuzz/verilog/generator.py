"""Random small SystemVerilog designs with assertions in every syntactic place, each in two texts (see
expressions.py and properties.py). The generator knows what each assertion means; what the design does is
left to Icarus.

All registers change at one edge of one clock, inputs are few and narrow, so that the judge can visit every
reachable state. Races are avoided: clocked blocks write with `<=`, or write variables that no other block reads."""
import random

from expressions import Expressions, Expr, Two, Var, join, two
from procedures import Procedures
from properties import SAMPLED, Clause, Property, concurrent_checker, past_checker, sampled

PORTS = ["a", "b", "d", "i", "dut", "tb", "x", "step", "value", "\\a+b "]
CLOCKS = ["clk", "clk", "clk", "i", "clock", "dut"]
LABELS = ["p", "q1", "ok", "chk", "lab"]


# Each design has some of these: what one of them does wrong, or has refused, must not hide the others.
FEATURES = {"action": 0.3, "long action": 0.1, "deferred": 0.06, "restrict": 0.1, "comment": 0.3, "macro": 0.2,
            "ifdef": 0.3, "lines": 0.3, "task": 0.3, "initial": 0.4, "initial property": 0.12, "named": 0.6,
            "bare generate": 0.5, "generate": 0.7, "procedural": 0.3, "temporaries": 0.5, "start": 0.3,
            "default disable": 0.5, "clocking": 0.4, "asynchronous": 0.6, "derived": 0.4, "past": 0.6, "struct": 0.2,
            "package": 0.25, "memory": 0.3, "undefined": 0.5, "next": 0.7, "parameters": 0.6, "arrays": 0.5,
            "labels": 0.8}

PACKAGE = """package pk;
localparam [1:0] C = 2'd{value};
function automatic [1:0] pf(input [1:0] v);
pf = v ^ C;
endfunction
endpackage
"""


class Scope:
    """A module or a generate block: what it shows, and its default disable condition."""

    def __init__(self, module, parent=None):
        self.module, self.parent = module, parent
        self.variables = list(parent.variables) if parent else []
        self.names = set()  # of its property blocks
        self.disable = parent.disable if parent else None


class Module:
    def __init__(self, design, name, is_top):
        self.design, self.rng, self.name, self.is_top = design, design.rng, name, is_top
        self.functions, self.items, self.declarations = [], [], []
        self.labels = set()
        self.scope = Scope(self)
        self.outputs, self.inputs, self.parameters = [], [], []
        self.resets = []  # (variable, active level)
        self.guard = self.derived = None

    def unique(self, prefix):
        return self.design.unique(prefix)


class Generator:
    def __init__(self, seed, size=6, without=()):
        self.rng = random.Random(seed)
        self.size, self.count = size, 0
        self.edge = self.rng.choice(["posedge"] * 5 + ["negedge"])
        self.features = {name for name, chance in FEATURES.items() if self.rng.random() < chance}
        self.features -= set(without)
        self.undefined = self.rng.choice([0.05, 0.1]) if "undefined" in self.features else 0
        self.frees = 2       # variables for undefined values that may still be made
        self.assumes = self.rng.random() < 0.3
        self.properties = []
        self.macros = []
        self.made = []       # declarations for Icarus that the item being made needs
        self.replayable = True
        self.package = self.rng.randrange(4) if "package" in self.features else None
        self.modules = []
        for k in range(self.rng.choice([0, 1, 1, 2])):
            self.modules.append(ModuleMaker(self, f"sub{k}", False, self.modules).make())
        self.top = ModuleMaker(self, "top", True, self.modules).make()
        self.modules.append(self.top)

    def unique(self, prefix):
        self.count += 1
        return f"{prefix}_{self.count}"

    def free(self, width, signed):
        self.replayable = False
        self.frees -= width
        name = self.unique("free")
        sign = "signed " if signed else ""
        self.made.append(f"reg {sign}[{width - 1}:0] {name} = 0; "
                         f"initial $display(\"FREE %m {name} {width}\");\n")
        return name

    def collected(self, make):
        """The Two that `make` gives, with the declarations that came with it before it."""
        outer, self.made = self.made, []
        text = make()
        text, self.made = Two(text.real, "".join(self.made) + text.sim), outer
        return text

    def texts(self):
        """The design for Lemmata and for Icarus."""
        order = list(self.modules)
        self.rng.shuffle(order)
        package = "" if self.package is None else PACKAGE.format(value=self.package)
        whole = Two("".join(self.macros) + package, "")
        for module in order:
            whole = whole + module.text
        return whole


class ModuleMaker:
    """Makes one module; the class for what stands in procedures is Procedures."""

    def __init__(self, design, name, is_top, others):
        self.design, self.rng, self.others = design, design.rng, others
        self.module = Module(design, name, is_top)
        self.name, self.is_top = name, is_top
        self.procedures = Procedures(self)

    def chance(self, feature, probability):
        return feature in self.design.features and self.rng.random() < probability

    # ---- expressions

    def expressions(self, scope, undefined=None, only=None):
        shown = [v for v in scope.variables if only is None or only(v)]
        undefined = self.design.undefined if undefined is None else undefined
        return Expressions(self.rng, shown, self.design.free, undefined if self.design.frees > 0 else 0,
                           self.module.functions)

    def inputs_only(self, scope):
        """A condition over inputs alone, which change between edges: what `disable iff` reads at its own
        time and what is sampled are then the same."""
        values = self.expressions(scope, 0, lambda v: v.kind == "input")
        if self.module.resets and self.rng.random() < 0.6:
            reset, level = self.rng.choice(self.module.resets)
            return Expr(two(reset.name if level else f"!{reset.name}"), 1)
        return values.boolean(1) if values.vectors() else Expr(two("1'b0"), 1)

    def first_values(self, scope):
        """Expressions about the first step, without registers that an asynchronous reset may have changed in it
        or not."""
        kinds = ["input", "parameter", "genvar"]
        if not (self.module.resets or self.module.derived):
            kinds.append("register")
        return self.expressions(scope, 0, lambda v: v.kind in kinds)

    # ---- the module

    def make(self):
        module, scope = self.module, self.module.scope
        self.make_ports()
        if self.chance("default disable", 0.7):
            scope.disable = self.inputs_only(scope)
            self.add(Two(f"default disable iff ({scope.disable.text.real});\n", ""))
        if self.design.package is not None and self.rng.random() < 0.7:
            self.use_package()
        self.make_state()
        if self.rng.random() < 0.4:
            self.make_function()
        self.clocking = self.chance("clocking", 0.8)
        if self.clocking:
            name = self.rng.choice(["", "cb "])
            self.add(Two(f"default clocking {name}@({self.design.edge} {self.clock}); endclocking\n", ""))
        instances = self.rng.randint(1, 2) if self.is_top else self.rng.choice([0, 0, 1])
        for _ in range(instances if self.others else 0):
            declarations, text = self.instance(scope)
            module.declarations.append(declarations)
            self.add(text)
        for _ in range(self.design.size if self.is_top else self.rng.randint(1, 3)):
            self.add_collected(lambda: self.item(scope, 2))
        self.rng.shuffle(module.items)
        self.module.text = self.rendered()
        return module

    def add(self, text):
        self.module.items.append(text)

    def add_collected(self, make):
        self.add(self.design.collected(make))

    def rendered(self):
        module = self.module
        ports = [f"input {self.clock}"]
        ports += [v.declared("input")[:-1] for v in module.inputs]
        ports += [v.declared("output")[:-1] for v in module.outputs]
        parameters = ", ".join(f"parameter {name} = {value}" for name, value in module.parameters)
        head = f"module {self.name} {f'#({parameters}) ' if parameters else ''}({', '.join(ports)});\n"
        body = two(head)
        for part in module.declarations + module.items:
            body = body + part
        return body + "endmodule\n"

    def make_ports(self):
        module, rng = self.module, self.rng
        names = [name for name in PORTS]
        rng.shuffle(names)
        self.clock = module.clock = rng.choice(CLOCKS if self.is_top else ["clk", "i"])
        names = [name for name in names if name != self.clock]
        for _ in range(rng.choice([1, 2, 2]) if self.is_top else 1):
            width = rng.choice([1, 1, 2])
            kind = "input" if self.is_top or rng.random() < 0.5 else "data"
            module.inputs.append(Var(names.pop(), width, rng.random() < 0.15, kind=kind))
        if rng.random() < 0.5:
            low = rng.random() < 0.5
            reset = Var("rst_n" if low else "rst", 1, kind="input")
            module.inputs.append(reset)
            module.resets.append((reset, 0 if low else 1))
        if self.chance("parameters", 0.9):
            module.parameters.append(("W", rng.randrange(4)))
        if not self.is_top:
            module.outputs.append(Var("y", rng.choice([1, 2]), kind="output"))
        module.scope.variables += module.inputs
        for name, _ in module.parameters:
            module.scope.variables.append(Var(name, 32, True, kind="parameter"))

    # ---- state

    def make_state(self):
        """Registers, the blocks that write them, and what is computed from them."""
        module, rng, scope = self.module, self.rng, self.module.scope
        registers = [self.new_register(f"r{k}") for k in range(rng.choice([1, 2]) if self.is_top else 1)]
        if self.chance("memory", 0.6):
            memory = Var("mem", 1, words=rng.choice([2, 3]))
            module.declarations.append(two(memory.declared("reg")) + Two("\n", self.memory_note(memory)))
            scope.variables.append(memory)
            registers.append(memory)
        if self.is_top and self.chance("struct", 1):
            registers.append(self.new_struct())
        if rng.random() < 0.5:
            self.make_guard()
        if self.chance("derived", 0.6):
            self.derived_reset()
        for name in ["w0", "w1"][:rng.choice([0, 1, 2])]:
            self.make_wire(name)
        for register in registers:
            self.add_collected(lambda r=register: self.procedures.clocked(scope, r))
        for output in module.outputs:
            value = self.expressions(scope, 0, lambda v: v.kind in ("register", "parameter")).any(1)
            module.declarations.append(join("assign {} = {};\n", output.name, value))

    @staticmethod
    def memory_note(memory):
        return "\n" + "".join(f"initial $display(\"REG %m {memory.name}[{k}] {memory.width}\");\n"
                              for k in range(memory.words))

    def new_register(self, name, width=None):
        rng = self.rng
        width = width or rng.choice([1, 2, 2, 3] if self.is_top else [1, 1, 2])
        lsb = rng.choice([0, 0, 0, 0, 1, 2]) if width > 1 else 0
        msb = None
        if width > 1 and rng.random() < 0.15:
            lsb, msb = lsb + width - 1, lsb
        var = Var(name, width, rng.random() < 0.2, msb, lsb, kind="register")
        keyword = rng.choice(["reg", "reg", "logic"])
        value, how = rng.randrange(1 << width), rng.random()
        note = f"\ninitial $display(\"REG %m {name} {width}\");\n"
        if how < 0.5:
            text = two(var.declared(keyword, f" = {width}'d{value}")) + Two("\n", note)
        elif how < 0.75:
            text = two(var.declared(keyword) + f"\ninitial {name} = {width}'d{value};") + Two("\n", note)
        elif self.chance("start", 0.6):
            text = self.started(var, keyword) + Two("\n", note)
        else:
            text = two(var.declared(keyword)) + Two("\n", note)
        self.module.declarations.append(text)
        self.module.scope.variables.append(var)
        return var

    def use_package(self):
        """Its function and its constant; Icarus gets the module's own."""
        value = f"2'd{self.design.package}"
        self.module.declarations.append(Two("", f"function [1:0] pk_pf(input [1:0] v);\npk_pf = v ^ {value};\n"
                                            "endfunction\n"))
        self.module.functions.append((Two("pk::pf", "pk_pf"), 2, 1))
        self.module.scope.variables.append(Var("pk::C", 2, kind="constant", sim=value))

    def new_struct(self):
        """A register with members, which is a plain vector for Icarus."""
        value = f"3'd{self.rng.randrange(8)}"
        self.module.declarations.append(Two(
            f"typedef struct packed {{ logic m; logic [1:0] n; }} pair_t;\npair_t s = {value};\n",
            f"reg [2:0] s = {value};\ninitial $display(\"REG %m s 3\");\n"))
        self.module.scope.variables += [Var("s.m", 1, kind="member", sim="s[2]"),
                                        Var("s.n", 2, kind="member", sim="s[1:0]")]
        return Var("s", 3, kind="member")

    def started(self, var, keyword):
        """An initial value that depends on inputs: it is theirs in the first step."""
        resets = [reset.name for reset, _ in self.module.resets]
        value = self.expressions(self.module.scope, 0, lambda v: v.kind == "input" and
                                 v.name not in resets).any(1)
        sim = (f"{var.declared(keyword)}\ninitial $display(\"START\");\nalways @(posedge judge.start) "
               f"if (!judge.any_start) {var.name} = {value.text.sim};")
        if self.rng.random() < 0.5:
            return Two(var.declared(keyword, f" = {value.text.real}"), sim)
        return Two(f"{var.declared(keyword)}\ninitial {var.name} = {value.text.real};", sim)

    def make_guard(self):
        """A register that is 0 in the first step only."""
        self.module.guard = Var("pv", 1, kind="guard")
        self.module.declarations.append(
            two(f"reg pv = 0;\nalways @({self.design.edge} {self.clock}) pv <= 1;\n") +
            Two("", "initial $display(\"REG %m pv 1\");\n"))
        self.module.scope.variables.append(self.module.guard)

    def derived_reset(self):
        """A reset that registers cause."""
        held = self.expressions(self.module.scope, 0, lambda v: v.name == "r0")
        wire = Var("drst", 1, kind="wire")
        self.module.declarations.append(join("wire drst = {};\n", held.compared(1)))
        self.module.scope.variables.append(wire)
        self.module.derived = wire

    def make_wire(self, name):
        width = self.rng.choice([1, 2])
        var = Var(name, width, self.rng.random() < 0.15, kind="wire")

        def text():
            value = self.expressions(self.module.scope).any(2)
            if self.rng.random() < 0.5:
                return join("{}assign {} = {};\n", var.declared("wire") + "\n", name, value)
            return join("{}{} {} = {};\n", var.declared("reg") + "\n",
                        self.rng.choice(["always @*", "always_comb"]), name, value)
        made = self.design.collected(text)
        made = Two(made.real, made.sim.replace("always @*", "always_comb"))
        self.module.declarations.append(made)
        self.module.scope.variables.append(var)

    def make_function(self):
        rng, arguments = self.rng, self.rng.choice([1, 2])
        width = rng.choice([1, 2])
        formals = [Var(f"f{k}", rng.choice([1, 2])) for k in range(arguments)]
        values = Expressions(rng, formals, self.design.free, 0)
        automatic = rng.choice(["", "automatic "])
        inputs = ", ".join(v.declared("input")[:-1] for v in formals)
        body = rng.choice([join("func = {};\n", values.any(2)),
                           join("if ({}) func = {};\nelse func = {};\n", values.any(1), values.any(1), values.any(2))])
        self.module.declarations.append(
            two(f"function {automatic}[{width - 1}:0] func({inputs});\n") + body + "endfunction\n")
        self.module.functions.append(("func", width, arguments))

    # ---- items

    def item(self, scope, depth):
        """A module item with at least one assertion in it, possibly in generate blocks."""
        if depth > 0 and self.chance("generate", 0.5):
            return self.generated(scope, depth)
        made = self.procedures
        some = [self.concurrent] * 3 + [made.asserting_clocked] * 2 + [made.asserting_comb] * 2
        rarer = {"named": self.named, "initial": made.at_start, "task": made.asserting_task,
                 "initial property": made.concurrent_at_start}
        return self.rng.choice(some + [make for name, make in rarer.items() if name in self.design.features])(scope)

    def block(self, scope, depth, label=None, needs_begin=False, extra=()):
        """A generate block: (text of begin, items, end). For Icarus it always has a name."""
        inner = Scope(scope.module, scope)
        inner.variables += extra
        several = needs_begin or not self.chance("bare generate", 0.6)
        parts = []
        if several and self.chance("default disable", 0.3):
            inner.disable = self.inputs_only(inner)
            parts.append(Two(f"default disable iff ({inner.disable.text.real});\n", ""))
        if several and self.rng.random() < 0.2:
            name = self.module.unique("loc")
            local = Var(name, self.rng.choice([1, 2]), kind="wire")
            value = self.expressions(inner, 0).any(1)
            declaration = join("{}assign {} = {};\n", local.declared("wire") + "\n", name, value)
            inner.variables.append(local)
        elif several and self.others and self.rng.random() < 0.15:
            declaration, text = self.instance(inner)
            parts.append(text)
        else:
            declaration = two("")
        single = self.rng.choice([self.concurrent, self.procedures.asserting_clocked,
                                  self.procedures.asserting_comb])
        for _ in range(self.rng.choice([1, 1, 2]) if several else 1):
            make = (lambda: self.item(inner, depth - 1)) if several else (lambda: single(inner))
            parts.append(self.design.collected(make))
        self.rng.shuffle(parts)
        body = declaration
        for part in parts:
            body = body + part
        name = label or self.module.unique("gen")
        sim = f"begin : {name}\n{body.sim}end\n"
        if not several:
            return Two(body.real, sim)
        return Two(f"begin{f' : {label}' if label else ''}\n{body.real}end\n", sim)

    def label(self):
        """A name for a generate block, or none."""
        return self.module.unique("g") if self.rng.random() < 0.5 else None

    def generated(self, scope, depth):
        kind = self.rng.choice([self.generate_if, self.generate_for, self.generate_for, self.generate_case])
        text = kind(scope, depth)
        if scope.parent is None and self.rng.random() < 0.5:  # they do not nest
            text = join("generate\n{}endgenerate\n", text)
        return text

    def constant_condition(self, scope):
        known = [v for v in scope.variables if v.kind in ("parameter", "genvar")]
        name = self.rng.choice(known).name if known else str(self.rng.randrange(4))
        return f"{name} {self.rng.choice(['==', '>', '<', '!='])} {self.rng.randrange(4)}"

    def generate_if(self, scope, depth):
        text = join("if ({})\n{}", self.constant_condition(scope), self.block(scope, depth, self.label()))
        if self.rng.random() < 0.5:
            text = join("{}else\n{}", text, self.block(scope, depth, self.label()))
        return text

    def generate_for(self, scope, depth):
        index, count = self.module.unique("k"), self.rng.choice([1, 2, 2])
        inside = self.block(scope, depth, self.label(),
                            extra=[Var(index, 32, True, kind="genvar")])
        inline = self.rng.random() < 0.5
        step = f"{index} = {index} + 1"
        head = "" if inline else f"genvar {index};\n"
        return join("{}for ({}{} = 0; {} < {}; {})\n{}", head, "genvar " if inline else "", index, index,
                    str(count), step, inside)

    def generate_case(self, scope, depth):
        known = [v for v in scope.variables if v.kind in ("parameter", "genvar")]
        subject = self.rng.choice(known).name if known else str(self.rng.randrange(2))
        text = join("case ({})\n", subject)
        for value in range(self.rng.choice([1, 2])):
            text = join("{}{}: {}", text, str(value), self.block(scope, depth, self.label()))
        if self.rng.random() < 0.7:
            text = join("{}default: {}", text, self.block(scope, depth, self.label()))
        return text + "endcase\n"

    def instance(self, scope):
        """An instance of another module, or an array of two: (declarations of its outputs, text)."""
        other, rng = self.rng.choice(self.others), self.rng
        name = self.module.unique("u")
        small = not any(v.words for v in other.scope.variables)
        count = 2 if small and self.chance("arrays", 0.5) else 0
        values = self.expressions(scope, 0)
        connected = [(other.clock, self.clock)]
        for port in other.inputs:
            if port.name in ("rst", "rst_n"):
                connected.append((port.name, self.reset_for(port.name)))
                continue
            kinds = ("input",) if port.kind == "input" else ("input", "data", "register", "guard")
            widths = (port.width, port.width * max(count, 1))
            choices = [v for v in values.vectors() if v.width in widths and v.kind in kinds]
            value = rng.choice(choices).name if choices else f"{port.width}'d{rng.randrange(1 << port.width)}"
            connected.append((port.name, value))
        declarations = ""
        for port in other.outputs:
            wire = Var(self.module.unique("o"), port.width * max(count, 1), kind="wire")
            declarations += wire.declared("wire") + "\n"
            scope.variables.append(wire)
            connected.append((port.name, wire.name))
        parameters = f"#(.W({rng.randrange(4)})) " if other.parameters and rng.random() < 0.6 else ""
        if rng.random() < 0.4:
            ports = ", ".join(value for _, value in connected)
        else:
            ports = ", ".join(f".{port}({value})" for port, value in connected)
        array = f"[{count - 1}:0]" if count else ""
        return two(declarations), two(f"{other.name} {parameters}{name}{array} ({ports});\n")

    def reset_for(self, port):
        """Our own reset of the same polarity, or none."""
        inactive = "1'b1" if port == "rst_n" else "1'b0"
        return port if port in [reset.name for reset, _ in self.module.resets] else inactive

    # ---- concurrent assertions

    def new_property(self, place, kinds=("assert",) * 5 + ("cover",), several=False):
        kind = self.rng.choice(kinds + (("assume",) if self.design.assumes else ()))
        number = len(self.design.properties)
        label = ""
        if self.chance("labels", 0.7):
            label = self.rng.choice(LABELS)
            if label in self.module.labels:
                label = f"{label}_{number}"
            self.module.labels.add(label)
        prop = Property(number, kind, label, place, several)
        self.design.properties.append(prop)
        return prop

    def clause(self, scope, kind, now=False):
        """A random property; with sampled values of the past where they are well defined, unless it is only about
        `now`."""
        values = self.expressions(scope)
        guarded = self.module.guard is not None and self.rng.random() < 0.7
        ops = ["", "", "|->", "|->"] + (["|=>", "|=>"] if not now and "next" in self.design.features else [])
        op = self.rng.choice(ops) if kind != "cover" else ""
        right = self.weak(values, kind)
        left = values.boolean(1) if op else None
        if not now and self.chance("past", 0.45):
            expr = self.remembered(values, guarded)
            right = Expr(join("({} {} {})", right, self.rng.choice(["||", "==", "&&", "||"]), expr), 1)
            if guarded:
                left = Expr(join("(pv && {})", left), 1) if op else Expr(two("pv"), 1)
                op = op or ("|->" if kind != "cover" else "")
                if kind == "cover":
                    right, left = Expr(join("(pv && {})", right), 1), None
        return Clause(right, left, op)

    def weak(self, values, kind):
        """Assumptions that rule out little, assertions that sometimes hold."""
        found = values.boolean(2)
        if kind == "assume" or (kind == "assert" and self.rng.random() < 0.5):
            return Expr(join("({} || {})", found, values.boolean(1)), 1)
        return found

    def remembered(self, values, guarded, after=False):
        """A sampled value function; one value in the past, since the first is any."""
        function = self.rng.choice(list(SAMPLED))
        expr = values.variable()
        expr = Expr(join("{{{}}}", expr), expr.width) if expr.signed or self.rng.random() < 0.2 else expr
        # A guard is 0 in one step only, so two steps ago is never guarded.
        number, steps = self.module.unique("n")[2:], 1
        if function == "$past" and not guarded:
            steps = self.rng.choice([1, 2])
        text, before, then = past_checker(number, expr, steps, guarded)
        self.design.made.append(text)
        if not guarded:
            self.design.replayable = False
        width = expr.width if function == "$past" else 1
        return Expr(sampled(function, expr, then if after else before, steps), width)

    def event(self):
        return f"@({self.design.edge} {self.clock})"

    def concurrent(self, scope, named=None):
        prop = self.new_property("concurrent")
        if prop.kind == "cover":
            clause = self.clause(scope, "cover")
        else:
            clause = self.clause(scope, prop.kind)
        own = self.rng.random() < 0.3
        clause.disable = self.inputs_only(scope) if own else scope.disable
        clock = "" if self.clocking and self.rng.random() < 0.6 else self.event() + " "
        disable = f"disable iff ({clause.disable.text.real}) " if own else ""
        text = f"{clock}{disable}{clause.body()}"
        return Two(self.statement(prop, text), concurrent_checker(prop, clause))

    def statement(self, prop, text, keyword=" property"):
        """The whole statement; its line ends in a comment with its number."""
        rng, mark = self.rng, f"  // P{prop.number}.\n"
        label = f"{prop.label}:{chr(10) if self.chance('lines', 0.3) else ' '}" if prop.label else ""
        kind = prop.kind
        if kind == "assume" and "property" in keyword and self.chance("restrict", 0.5):
            kind = "restrict"
        action = ";"
        if kind == "assert" and self.chance("action", 0.4):
            action = " else $error(\"wrong; %d\", 1);"
        if kind == "assert" and self.chance("long action", 0.4):
            action = " else begin $display(\"x;\"); end"
        if self.chance("lines", 0.3):
            return f"{label}{kind}{keyword} ({mark}{text}){action}\n"
        if self.chance("macro", 0.3):
            self.design.macros.append(f"`define CHECK_{prop.number}(what) {kind}{keyword} (what)\n")
            return f"{label}`CHECK_{prop.number}({text}){action}{mark}"
        if self.chance("ifdef", 0.3):
            return f"`ifdef FORMAL\n{label}{kind}{keyword} ({text}){action}{mark}`endif\n"
        comment = "/* ); */ " if self.chance("comment", 0.3) else ""
        return f"{label}{kind}{keyword} {comment}({text}){action}{mark}"

    def named(self, scope):
        """A property block, whose name other modules and blocks use as well, and its instance."""
        prop = self.new_property("named", ("assert",))
        clause = self.clause(scope, prop.kind)
        name = self.rng.choice(["prop", "p_next"])
        if name in scope.names:
            name = self.module.unique("prop")
        scope.names.add(name)
        clock_inside = self.rng.random() < 0.6
        disable_inside, disable_outside = (self.rng.random() < 0.3 for _ in range(2))
        disable_outside = disable_outside and not disable_inside
        own = disable_inside or disable_outside
        clause.disable = self.inputs_only(scope) if own else scope.disable
        disable = f"disable iff ({clause.disable.text.real}) " if own else ""
        inside = (self.event() + " " if clock_inside else "") + (disable if disable_inside else "")
        outside_clock = not clock_inside and not (self.clocking and self.rng.random() < 0.5)
        outside = (self.event() + " " if outside_clock else "") + (disable if disable_outside else "")
        real = f"property {name};\n{inside}{clause.body()};\nendproperty\n"
        if not inside and not clause.op and self.rng.random() < 0.5:
            clause.left, clause.op = self.expressions(scope, 0).boolean(1), self.rng.choice(["|->", "|=>"])
            name = f"{clause.left.text.real} {clause.op} {name}"
        real += self.statement(prop, outside + name)
        return Two(real, concurrent_checker(prop, clause))
