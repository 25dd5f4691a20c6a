"""Random programs in Structured Text, small enough that all their states can be visited. A line `//#PROBE name
expressions`, followed by an empty line comment, is a place for two assertions: `with_assertions` makes them
from the values that the interpreter saw there."""
import dataclasses
import random

from bodies import BOOL, Bodies, Scope, Type, Var, plain, scalar
from layout import Layout

# Names that begin or end like keywords, types, standard functions and literals.
NAMES = """End_Pos if_a forward ornament notify do_it var1 inta typed by_pass andy modul exit_1 of_x to_y true_x ton_x array1 repeat_n
constant_v begin_pos return_v end_if_x case1 function_a program_x xor_1 E5 T1 until_x end_var1 else_x elsif_2 with_x thenceforth
r_trigger retained falsehood min_v max2 selected limits shl_1 abs_v word_w bool_b time_s int_to real_x tp1 ctu_2 struct_s typex x1 y_2
z__3 onto while_1 moderate not_x and_or resource1 task_x config end_type_x external_e global_g input_i output_o in_out_v temp_t stat_s
dt_1 tod1 s_r r_s q_1 cv_x pv_x et_1 step_x action_a method_m""".split()


@dataclasses.dataclass
class Callee:
    kind: str
    name: str
    result: object
    parameters: list  # (section, name, type, default text or None)
    lines: list
    methods: list = dataclasses.field(default_factory=list)
    outputs: list = dataclasses.field(default_factory=list)  # (name, type) that others may read
    standard: bool = False


def standard_block(name, inputs, outputs):
    parameters = [("VAR_INPUT", one, of_type, None) for one, of_type in inputs]
    parameters += [("VAR_OUTPUT", one, of_type, None) for one, of_type in outputs]
    return Callee("FUNCTION_BLOCK", name, None, parameters, [], [], outputs, True)


PT = Type("subrange", base="TIME")
INT = plain("INT")
PV = Type("subrange", base="INT", low=0, high=3)
STANDARD = [
    standard_block("R_TRIG", [("CLK", BOOL)], [("Q", BOOL)]), standard_block("F_TRIG", [("CLK", BOOL)], [("Q", BOOL)]),
    standard_block("SR", [("S1", BOOL), ("R", BOOL)], [("Q1", BOOL)]),
    standard_block("RS", [("S", BOOL), ("R1", BOOL)], [("Q1", BOOL)]),
    standard_block("CTU", [("CU", BOOL), ("R", BOOL), ("PV", PV)], [("Q", BOOL), ("CV", INT)]),
    standard_block("CTD", [("CD", BOOL), ("LD", BOOL), ("PV", PV)], [("Q", BOOL), ("CV", INT)]),
    standard_block("CTUD", [("CU", BOOL), ("CD", BOOL), ("R", BOOL), ("LD", BOOL), ("PV", PV)],
                   [("QU", BOOL), ("QD", BOOL), ("CV", INT)]),
    standard_block("TON", [("IN", BOOL)], [("Q", BOOL)]), standard_block("TOF", [("IN", BOOL)], [("Q", BOOL)]),
    standard_block("TP", [("IN", BOOL)], [("Q", BOOL)])]


class Generator(Bodies, Layout):
    """`text` has the program with probes, `options` those of the command, `settings` those of the interpreter."""

    def __init__(self, seed, size=6, for_runs=False):
        """`for_runs`: without timers and temporary variables of blocks, of which tables show more than the standard
        defines."""
        self.random = random.Random(seed)
        self.size = size
        self.temporary = "VAR" if for_runs else "VAR_TEMP"
        self.standard = [block for block in STANDARD if not for_runs or block.name not in ("TON", "TOF", "TP")]
        self.names = self.random.sample(NAMES, len(NAMES))
        self.number_of_names = self.number_of_probes = 0
        self.combinations = 1
        self.decide()
        self.types, self.callables, self.blocks, self.global_variables = [], [], [], []
        self.make_types()
        self.make_globals()
        for _ in range(self.random.randint(1, 3)):
            self.callables.append(self.make_function())
        for _ in range(self.random.randint(0, 2)):
            self.blocks.append(self.make_function_block())
        if self.blocks and self.chance(0.25):
            self.callables.append(self.make_function(block=self.random.choice(self.blocks)))
        self.programs = self.make_programs()
        self.text = self.laid_out()

    def decide(self):
        """What this program is about: few things each, so that they meet in many ways."""
        self.favourite_types = self.random.sample(["SINT", "INT", "INT", "USINT", "DINT", "UINT", "UDINT", "BYTE",
                                                   "WORD", "DWORD"], 3)
        self.pragmas = self.chance(0.1)
        self.odd_comments = self.chance(0.2)
        self.odd_names = self.chance(0.25)
        self.retain_any = self.chance(0.3)
        self.statics = self.chance(0.25)
        self.aggregate_results = self.chance(0.1)
        self.effects = self.chance(0.6)
        self.check = self.random.choice([None, None, None, "overflow", "bounds", "division"])
        self.unsafe_index = self.check == "bounds"
        self.unsafe_division = self.check == "division"
        self.several = self.chance(0.2)
        self.called = not self.several and self.chance(0.15)
        self.settings = {"retain_any": self.retain_any, "milliseconds": 10, "assumptions": []}
        self.options = ["--time", "fixed:10"] + (["--retain", "any"] if self.retain_any else [])
        if self.check:
            self.options += ["--check", self.check]

    def name(self, prefix):
        if self.odd_names and self.names and self.chance(0.4):
            return self.names.pop()
        self.number_of_names += 1
        return f"{prefix}{self.number_of_names}"

    # --- types and variables

    def make_types(self):
        self.enums = []
        if self.chance(0.5):
            literals = tuple(self.name("lit") for _ in range(self.random.randint(2, 3)))
            self.enums.append(Type("enum", self.name("E"), parts=literals))
        low = self.random.choice([-1, 0, 0, 1])
        self.subranges = []
        if self.chance(0.5):
            self.subranges.append(Type("subrange", self.name("Sub") if self.chance(0.5) else "",
                                       self.random.choice(["INT", "SINT", "DINT"]), low, low + self.random.randint(1, 3)))
        self.structs = []
        for _ in range(self.random.randint(0, 2)):
            fields = tuple((self.name("f"), self.random.choice([self.small_type()] * 4 + self.structs))
                           for _ in range(self.random.randint(1, 3)))
            self.structs.append(Type("struct", self.name("Rec"), parts=fields))
        self.arrays = []
        for _ in range(self.random.randint(0, 1 + self.unsafe_index)):
            low = self.random.randint(-1, 2)
            element = self.random.choice([self.small_type(), BOOL] + self.structs)
            if self.unsafe_index:
                element = self.random.choice([BOOL, plain("SINT")])
            self.arrays.append(Type("array", self.name("Arr") if self.chance(0.5) else "", element, low,
                                    low + self.random.randint(1, 2)))

    def small_type(self):
        return self.random.choice([BOOL, plain(self.random.choice(self.favourite_types))] + self.enums + self.subranges)

    def some_type(self):
        if self.chance(0.3) and self.structs + self.arrays:
            return self.random.choice(self.structs + self.arrays)
        return self.small_type()

    def initial(self, of_type):
        """The text of an initial value, with the sign, or nothing."""
        if self.chance(0.5):
            return ""
        value = self.constant(of_type)
        return f" := {value}" if value else ""

    def constant(self, of_type):
        if of_type.kind == "BOOL":
            return self.random.choice(["TRUE", "FALSE"])
        if of_type.kind == "enum":
            return self.random.choice(of_type.parts)
        if of_type.kind == "subrange":
            return str(self.random.randint(of_type.low, of_type.high))
        if of_type.kind == "struct":
            return "(" + ", ".join(f"{field} := {self.constant(inner)}" for field, inner in of_type.parts) + ")"
        if of_type.kind == "array":
            count = of_type.high - of_type.low + 1
            if self.chance(0.3):
                return f"[{count}({self.constant(of_type.base)})]"
            return "[" + ", ".join(self.constant(of_type.base) for _ in range(count)) + "]"
        return str(self.random.randint(0, 4))

    def declare(self, section, variables):
        """Lines of a section; `variables` are (name, type, text of the initial value)."""
        if not variables:
            return []
        made = []
        for name, of_type, initial in variables:
            made.append(f"{name} : {of_type if isinstance(of_type, str) else of_type.text()}{initial};")
        return [f"{section} {' '.join(made)} END_VAR"]

    def fresh(self, prefix, count, of_type=None):
        made = []
        for _ in range(count):
            kind = of_type or self.some_type()
            made.append((self.name(prefix), kind, self.initial(kind)))
        return made

    def make_globals(self):
        self.global_declarations = self.fresh("g", self.random.randint(1, 3))
        self.kept_globals = []
        if self.retain_any and self.chance(0.5):
            self.kept_globals = self.fresh("gr", 1, self.random.choice([BOOL] + self.enums + self.subranges))
        self.global_variables = [Var(name, of_type) for name, of_type, _ in
                                 self.global_declarations + self.kept_globals]
        self.constants = []
        if self.chance(0.3):
            of_type = plain(self.random.choice(["SINT", "INT", "DINT", "BYTE"]))
            self.constants = [(self.name("C"), of_type, f" := {self.constant(of_type)}")]
        self.constant_variables = [Var(name, of_type, False) for name, of_type, _ in self.constants]

    def external(self):
        """The section that makes globals visible in a unit, or nothing where they are visible anyway."""
        if not self.global_variables:
            return []
        return self.declare("VAR_EXTERNAL", [(one.name, one.type, "") for one in self.global_variables])

    # --- functions, methods, blocks

    def parameters(self, most):
        made = []
        for _ in range(self.random.randint(1, most)):
            of_type = self.some_type()
            default = self.constant(of_type) if self.chance(0.2) and scalar(of_type) else None
            made.append(("VAR_INPUT", self.name("p"), of_type, default))
        if self.chance(0.3):
            of_type = self.random.choice(self.global_variables).type if self.chance(0.5) else self.some_type()
            made.append(("VAR_IN_OUT", self.name("io"), of_type, None))
        if self.chance(0.25):
            made.append(("VAR_OUTPUT", self.name("o"), self.small_type(), None))
        return made

    def parameter_sections(self, parameters):
        lines = []
        for section, name, of_type, default in parameters:
            lines += self.declare(section, [(name, of_type, f" := {default}" if default else "")])
        return lines

    def locals_of(self, scope, section="VAR", kept=False):
        """Declares variables and counters of loops for a body."""
        made = self.fresh("v", self.random.randint(0, 2))
        scope.variables += [Var(name, of_type, True, kept) for name, of_type, _ in made]
        counters = [(self.name("i"), plain("INT"), "") for _ in range(2)]
        scope.counters += [name for name, _, _ in counters]
        return self.declare(section, made + counters)

    def static(self, scope):
        if not self.statics or self.chance(0.4):
            return []
        made = self.fresh("st", 1)
        scope.variables += [Var(made[0][0], made[0][1])]
        return self.declare("VAR_STAT", made)

    def make_function(self, kind="FUNCTION", owner_variables=(), prefix="fun", functions=None, block=None):
        """Functions see globals if they may have effects; methods also the variables of their block. `block`: one of
        which the function gets an instance by reference."""
        parameters = self.parameters(3)
        result = None
        if self.chance(0.85):
            result = self.some_type() if self.aggregate_results else self.small_type()
        visible = list(self.global_variables) if self.effects else []
        scope = Scope(visible + list(owner_variables) + self.constant_variables,
                      self.callables if functions is None else functions)
        for section, name, of_type, _ in parameters:
            scope.variables.append(Var(name, of_type, section != "VAR_INPUT", section == "VAR_IN_OUT"))
        if block:
            parameters.append(("VAR_IN_OUT", self.name("inst"), Type("block", block.name), None))
            self.use_instance(scope, parameters[-1][1], block)
        name = self.name(prefix)
        if result is not None:
            scope.variables.append(Var(name, result, True, False))
            scope.result = result
        scope.calls = 2 if block else 1
        lines = self.parameter_sections(parameters) + self.static(scope) + self.locals_of(scope)
        if self.effects and kind == "FUNCTION":
            lines += self.external()
        body = self.statements(scope, self.random.randint(1, 3))
        if result is not None:
            body.append(f"{name} := {self.expression(result, scope, 2)};")
        if self.chance(0.15):
            body += self.probe(scope)
        head = f"{kind} {name}" + (f" : {result.text()}" if result is not None else "")
        return Callee(kind, name, result, parameters, [head, *lines, *body, f"END_{kind}"])

    def make_function_block(self):
        parameters = self.parameters(2)
        if not any(section == "VAR_OUTPUT" for section, _, _, _ in parameters):
            parameters.append(("VAR_OUTPUT", self.name("o"), self.small_type(), None))
        name = self.name("FB")
        scope = Scope(self.global_variables if self.effects else [], self.callables)
        own = []
        for section, variable, of_type, _ in parameters:
            if section == "VAR_IN_OUT":
                scope.variables.append(Var(variable, of_type))
            else:
                own.append(Var(variable, of_type, section == "VAR_OUTPUT"))
        lines = self.parameter_sections(parameters)
        kept = self.fresh("k", 1)
        own.append(Var(kept[0][0], kept[0][1]))
        lines += self.declare("VAR", kept)
        if self.retain_any and self.chance(0.7):
            retained = self.fresh("rt", 1, self.random.choice([BOOL] + self.enums + self.subranges))
            own.append(Var(retained[0][0], retained[0][1]))
            lines += self.declare("VAR RETAIN", retained)
        scope.variables += own
        lines += self.static(scope) + self.locals_of(scope, self.temporary)
        lines += self.instances(scope, self.blocks if self.chance(0.4) else [])
        if self.effects:
            lines += self.external()
        made = Callee("FUNCTION_BLOCK", name, None, parameters, [])
        made.outputs = [(one, of_type) for section, one, of_type, _ in parameters if section != "VAR_IN_OUT"]
        body_of_methods = []
        if self.chance(0.5):
            method = self.make_function("METHOD", own, "Met", functions=[])
            made.methods.append(method)
            body_of_methods = method.lines
            scope.methods.append((self.random.choice(["", "THIS^."]), method))
        scope.calls = 2
        body = self.statements(scope, self.random.randint(1, 4))
        if self.chance(0.2):
            body += self.probe(scope)
        made.lines = [f"FUNCTION_BLOCK {name}", *lines, *body_of_methods, *body, "END_FUNCTION_BLOCK"]
        return made

    def instances(self, scope, blocks):
        """Declares instances of our blocks and of standard ones."""
        declared = []
        for block in blocks:
            if self.chance(0.25):
                name = self.name("fs")
                declared.append((name, f"ARRAY [1..2] OF {block.name}", ""))
                paths = [f"{name}[1]", f"{name}[2]"]
            else:
                paths = [self.name("fb") for _ in range(self.random.randint(1, 2))]
                declared += [(path, block.name, self.initial_inputs(block)) for path in paths]
            for path in paths:
                self.use_instance(scope, path, block)
        for block in self.random.sample(self.standard, self.random.choice([0, 0, 1, 1, 2])):
            path = self.name("sb")
            initial = ""
            if block.name in ("TON", "TOF", "TP"):
                initial = f" := (PT := T#{self.random.choice([0, 10, 20, 25])}ms)"
            declared.append((path, block.name, initial))
            scope.instances.append((path, block))
            scope.variables += [Var(f"{path}.{name}", of_type, False) for name, of_type in block.outputs]
        return self.declare("VAR", declared)

    @staticmethod
    def use_instance(scope, path, block):
        scope.instances.append((path, block))
        scope.variables += [Var(f"{path}.{name}", of_type, False) for name, of_type in block.outputs]
        scope.variables.append(Var(path, Type("block", block.name)))
        scope.methods += [(path + ".", method) for method in block.methods]

    def initial_inputs(self, block):
        """The text of initial values of an instance, or nothing."""
        inputs = [(name, of_type) for section, name, of_type, _ in block.parameters
                  if section == "VAR_INPUT" and scalar(of_type)]
        if not inputs or self.chance(0.7):
            return ""
        name, of_type = self.random.choice(inputs)
        return f" := ({name} := {self.constant(of_type)})"

    # --- programs

    def make_programs(self):
        """(units, instances of the configuration or [])"""
        if self.several:
            units = [self.make_program(self.name("Prog"), self.random.randint(0, 1), most=4)
                     for _ in range(self.random.randint(1, 2))]
            names = [one.name for one in units]
            names += [self.random.choice(units).name for _ in range(self.random.randint(1, 2))]
            self.instance_names = [(self.name("Inst"), name) for name in names]
            return units
        self.instance_names = []
        called = [self.make_program(self.name("Prog"), 1, called=True)] if self.called else []
        return called + [self.make_program(self.name("Main"), self.random.randint(1, 3), programs=called)]

    def input_types(self, count, most):
        """Few combinations of values in all."""
        found, combinations = [], 1
        for _ in range(count):
            of_type = self.random.choice([BOOL, BOOL] + self.enums + self.subranges)
            size = 2 if of_type.kind == "BOOL" else len(of_type.parts) or of_type.high - of_type.low + 1
            if combinations * size <= most:
                found.append(of_type)
                combinations *= size
        return found

    def restricted_input(self):
        """A number of a wide type, of which an assumption leaves few values."""
        name, of_type = self.name("x"), self.random.choice(["INT", "SINT", "UINT", "BYTE"])
        low = self.random.choice([0, 1, 100])
        condition = f"{name} >= {low} AND {name} <= {low + self.random.randint(1, 3)}"
        self.settings["assumptions"].append(condition)
        self.options += ["--assume", condition]
        return (name, plain(of_type), "")

    def make_program(self, name, inputs, most=16, called=False, programs=()):
        scope = Scope(self.global_variables + self.constant_variables, self.callables)
        scope.calls = 6
        declared = [(self.name("x"), of_type, "") for of_type in self.input_types(inputs, most)]
        if not called and not self.several and self.chance(0.25):
            declared.append(self.restricted_input())
        scope.variables += [Var(one, of_type, False) for one, of_type, _ in declared]
        lines = self.declare("VAR_INPUT", declared)
        made = Callee("PROGRAM", name, None, [("VAR_INPUT", one, of_type, None) for one, of_type, _ in declared], [])
        made.kind = "FUNCTION_BLOCK"  # called like one: inputs that are left out keep their values
        outputs = self.fresh("y", self.random.randint(1, 2), self.small_type())
        scope.variables += [Var(one, of_type) for one, of_type, _ in outputs]
        made.parameters += [("VAR_OUTPUT", one, of_type, None) for one, of_type, _ in outputs]
        made.outputs = [(one, of_type) for one, of_type, _ in outputs]
        lines += self.declare("VAR_OUTPUT", outputs)
        kept = self.fresh("s", self.random.randint(1, 3))
        scope.variables += [Var(one, of_type) for one, of_type, _ in kept]
        lines += self.declare("VAR", kept)
        body = self.count_up(scope, lines) if not called else []
        if self.retain_any:
            retained = self.fresh("r", 1, self.random.choice([BOOL] + self.enums + self.subranges))
            scope.variables += [Var(one, of_type) for one, of_type, _ in retained]
            lines += self.declare("VAR RETAIN", retained)
        lines += self.locals_of(scope, self.temporary if called or self.several else "VAR_TEMP")
        lines += self.instances(scope, [] if called else self.blocks)
        for program in programs:
            scope.instances.append((program.name, program))
            scope.variables += [Var(f"{program.name}.{one}", of_type, False) for one, of_type in program.outputs]
        lines += self.external()
        for path, block in scope.instances:
            if self.chance(0.6) or block in programs:
                arguments = self.arguments(block, scope)
                body += [] if arguments is None else [f"{path}({arguments});"]
        body += self.statements(scope, self.random.randint(2, self.size))
        for _ in range(self.random.randint(1, 2)):
            body += self.probe(scope)
        made.lines = [f"PROGRAM {name}", *lines, *body, "END_PROGRAM"]
        return made

    def count_up(self, scope, lines):
        """A variable that goes on from cycle to cycle, so that a run has several states."""
        name, of_type = self.name("n"), self.random.choice(["SINT", "INT", "USINT", "DINT"])
        lines += self.declare("VAR", [(name, of_type, "")])
        step = self.variable(lambda one: one.kind == "BOOL", scope)
        step = f"BOOL_TO_{of_type}({step})" if step and "?" not in step else "1"
        scope.variables.append(Var(name, plain(of_type), False))
        return [f"{name} := ({name} + {step}) MOD {self.random.randint(2, 5)};"]

    def probe(self, scope):
        """A place for assertions about one or two variables."""
        found = [path for path, of_type, _ in scope.paths(scalar) if "[?]" not in path]
        if not found:
            return []
        self.number_of_probes += 1
        chosen = self.random.sample(found, min(len(found), self.random.randint(1, 2)))
        return [f"//#PROBE a{self.number_of_probes} {', '.join(chosen)}", "//"]
