"""An interpreter of Structured Text, written from IEC 61131-3 and from what docs/plc.md of this project fixes
where the standard leaves a choice. Programs become Python functions of (instance, frame): the variables that
live as long as their block, and those of the call. A reference is a pair of a list and a place in it."""
import itertools

from blocks import BLOCKS, TIMERS, Block, tick
from expressions import Expressions, fixed, settle
from kinds import ELEMENTARY, Array, Enumeration, Record, Scalar, TypeFault, copy_of
from statements import Statements
from syntax import Node, parse, parse_expression


class Inexact(Exception):
    """The run has a value of which there are too many to try them all."""


class Discarded(Exception):
    """An assumption does not hold: there is no such run."""


class Scope:
    """Names as one unit sees them: (where, place, type), where is frame, reference, instance or root."""

    def __init__(self, machine, unit=None):
        self.machine, self.unit = machine, unit
        self.names, self.constants = {}, {}
        self.outer = None  # of a method: the scope of its block

    def find(self, name):
        if name in self.names:
            return self.names[name]
        if self.outer and name in self.outer.names and self.outer.names[name][0] != "frame":
            return self.outer.names[name]
        if name in self.machine.globals.fields:
            place, of_type = self.machine.globals.fields[name]
            return ("root", place, of_type)
        return None

    def constant(self, name):
        for scope in (self, self.outer, self.machine.top):
            if scope and name in scope.constants:
                return scope.constants[name]
            if scope and name in scope.names:
                return None
        return None


class Code:
    """A unit that can be called."""

    def __init__(self, unit, scope):
        self.unit, self.scope = unit, scope
        self.frame = []  # initial values of the variables of a call
        self.flat = True  # no aggregates among them
        self.body = None

    def new_frame(self):
        return list(self.frame) if self.flat else [copy_of(value) for value in self.frame]


class UnitRecord(Record):
    """The variables of a function block or program that live as long as it does."""

    def __init__(self, code):
        super().__init__(code.unit.name, "block")
        self.code, self.retained, self.methods = code, [], {}


class Machine(Expressions, Statements):
    MOST_STEPS = 20000  # of loops in one cycle
    MOST_STARTS = 1000  # initial states

    def __init__(self, text, milliseconds=10, retain_any=False, assumptions=()):
        self.tree = parse(text)
        self.milliseconds, self.retain_any = milliseconds, retain_any
        self.globals = Record("globals")
        self.top = Scope(self)
        self.types, self.enumerations, self.functions, self.records = {}, [], {}, {}
        self.retained = []  # paths of variables whose first value is any
        self.longest = milliseconds
        self.root = []
        self.reached, self.failed, self.faults = set(), set(), set()
        self.seen, self.probes = {}, {}
        self.static_owners = {}  # of static variables: name of the unit
        self.choices, self.taken, self.steps = [], [], 0
        self.declare()
        self.assumptions = [(text, self.value(parse_expression(text), self.entries[0][1].code.scope).get)
                            for text in assumptions]

    # --- declarations

    def named_type(self, name):
        if name in ELEMENTARY:
            return ELEMENTARY[name]
        if name in self.types:
            return self.types[name]
        if name in self.tree.types:
            node, initial = self.tree.types[name]
            made = self.type_of(node, self.top, name)
            if initial is not None and isinstance(made, Enumeration):
                self.enumerations.remove(made)
                made = Enumeration(name, made.literals, self.value_enumeration_literal(made, initial))
                self.enumerations.append(made)
            self.types[name] = made
            return made
        if name in self.tree.units:
            return self.record_of(name)
        if name in BLOCKS:
            return BLOCKS[name]
        raise TypeFault(f"unknown type {name}")

    @staticmethod
    def value_enumeration_literal(enumeration, node):
        return enumeration.literals.index(node.args[0])

    def type_of(self, node, scope, name=""):
        if node.kind == "type name":
            return self.named_type(node.args[0])
        if node.kind == "enumeration":
            made = Enumeration(name or str(id(node)), tuple(node.args[0]))
            self.enumerations.append(made)
            return made
        if node.kind == "subrange":
            base, low, high = node
            base = self.named_type(base)
            return Scalar(base.name, base.kind, base.bits, self.constant_of(low, scope, base),
                          self.constant_of(high, scope, base), base)
        if node.kind == "array":
            bounds, element = node
            return Array(tuple((self.constant_of(low, scope), self.constant_of(high, scope)) for low, high in bounds),
                         self.type_of(element, scope))
        made = Record(name)
        for field in node.args[0]:
            of_type = self.type_of(field.type, scope)
            made.add(field.name, of_type, self.initial(field.initial, of_type, scope))
        return made

    def constant_of(self, node, scope, of_type=None):
        return settle(self.value(node, scope, of_type), of_type).get(None, None)

    def initial(self, node, of_type, scope):
        if node is None:
            return of_type.default()
        if node.kind == "elements":
            values = [copy_of(value) for times, one in node.args[0]
                      for value in [self.initial(one, of_type.element, scope)] * times]
            return values + of_type.default()[len(values):]
        if node.kind == "fields":
            values = of_type.default()
            for name, one in node.args[0]:
                place, field = of_type.fields[name]
                values[place] = self.initial(one, field, scope)
            return values
        return self.assignable(node, scope, of_type).get(None, None)

    def declare(self):
        for name in self.tree.types:
            self.named_type(name)
        for variable in self.tree.global_variables:
            of_type = self.type_of(variable.type, self.top)
            initial = self.initial(variable.initial, of_type, self.top)
            if "constant" in variable.flags:
                self.top.constants[variable.name] = fixed(initial, of_type)
            else:
                self.add_root(variable.name, of_type, initial, "retain" in variable.flags)
        entries = self.tree.instances or [(unit.name, unit.name) for unit in self.entry_units()]
        self.entries = []
        for instance, kind in entries:
            place = self.add_root(instance, self.record_of(kind), self.record_of(kind).default(), False)
            self.entries.append((place, self.record_of(kind)))
        for unit in self.tree.units.values():  # also those that nothing calls
            if unit.kind == "function":
                self.function(unit.name)
            elif unit.kind == "function_block":
                self.record_of(unit.name)
        for record in list(self.records.values()):
            self.compile_body(record.code)
        self.inputs = [(place, of_type.fields[variable.name][0], variable.name, of_type.fields[variable.name][1])
                       for place, of_type in self.entries for variable in of_type.code.unit.variables
                       if variable.section == "var_input"]
        self.timers = list(self.paths_of_timers(self.globals, ()))
        self.root[:] = self.globals.default()
        if self.retain_any:
            self.retained += list(self.retained_inside(self.globals, ()))

    def entry_units(self):
        """The program that no other one calls; those that are called become global instances on use. Without a
        program the block that no other one uses."""
        programs = [unit for unit in self.tree.units.values() if unit.kind == "program"]
        called = {name for unit in programs for name in names_called(unit.body)
                  if name not in {variable.name for variable in unit.variables}}
        found = [unit for unit in programs if unit.name not in called]
        if not programs:
            used = {variable.type.args[0] for unit in self.tree.units.values() for variable in unit.variables
                    if variable.type.kind == "type name"}
            found = [unit for unit in self.tree.units.values()
                     if unit.kind == "function_block" and unit.name not in used]
        if len(found) != 1:
            raise TypeFault("there is no one block to begin with")
        return found

    def add_root(self, name, of_type, initial, retained):
        self.globals.add(name, of_type, initial)
        self.root.append(copy_of(initial))
        place = len(self.root) - 1
        if retained and self.retain_any:
            self.retained.append(((place,), of_type))
        return place

    def record_of(self, name):
        if name not in self.records:
            unit = self.tree.units[name]
            code = Code(unit, Scope(self, unit))
            record = UnitRecord(code)
            self.records[name] = record
            self.declare_variables(code, record)
            for method in unit.methods.values():
                inner = Code(method, Scope(self, method))
                inner.scope.outer = code.scope
                self.declare_variables(inner, None)
                record.methods[method.name] = inner
        return self.records[name]

    def function(self, name):
        if name not in self.functions:
            unit = self.tree.units[name]
            code = self.functions[name] = Code(unit, Scope(self, unit))
            self.declare_variables(code, None)
            self.compile_body(code)
        return self.functions[name]

    def declare_variables(self, code, record):
        """`record` is None for functions and methods: all their variables are of the call."""
        unit, scope = code.unit, code.scope
        for variable in unit.variables:
            if variable.section == "var_external":
                continue
            of_type = self.type_of(variable.type, scope)
            initial = self.initial(variable.initial, of_type, scope)
            if "constant" in variable.flags:
                scope.constants[variable.name] = fixed(initial, of_type)
            elif variable.section == "var_stat":
                name = f"{id(unit)}.{variable.name}"
                owner = getattr(scope.outer, "unit", None)
                self.static_owners[str(id(unit))] = f"{owner.name}.{unit.name}" if owner else unit.name
                place = self.add_root(name, of_type, initial, "retain" in variable.flags)
                scope.names[variable.name] = ("root", place, of_type)
            elif variable.section == "var_in_out":
                self.in_frame(code, variable.name, "reference", of_type, None)
            elif record is None or variable.section == "var_temp":
                self.in_frame(code, variable.name, "frame", of_type, initial)
            else:
                record.add(variable.name, of_type, initial)
                scope.names[variable.name] = ("instance", record.fields[variable.name][0], of_type)
                if "retain" in variable.flags:
                    record.retained.append(variable.name)
        if unit.result is not None:
            of_type = self.type_of(unit.result, scope)
            self.in_frame(code, unit.name, "frame", of_type, of_type.default())

    def in_frame(self, code, name, where, of_type, initial):
        code.scope.names[name] = (where, len(code.frame), of_type)
        code.frame.append(initial)
        code.flat = code.flat and not isinstance(initial, list)

    def compile_body(self, code):
        if code.body is None:
            code.body = lambda instance, frame: self.fail_recursion()
            code.body = self.sequence(code.unit.body, code.scope)
            if code.unit.name in self.records and self.records[code.unit.name].code is code:
                for method in self.records[code.unit.name].methods.values():
                    self.compile_body(method)

    @staticmethod
    def fail_recursion():
        raise TypeFault("recursion")

    def program_place(self, name):
        """The one instance of a program that is called by its name."""
        if name not in self.globals.fields:
            record = self.record_of(name)
            self.add_root(name, record, record.default(), False)
            self.compile_body(record.code)
        return self.globals.fields[name]

    # --- places

    def place(self, node, scope):
        """A function that gives the place of a variable (None outside an array's bounds), and its type."""
        if node.kind == "name":
            return self.place_of_name(node, scope)
        if node.kind == "field":
            base, name = node
            if base.kind == "name" and base.args[0] == "this^":
                _, place, of_type = (scope.outer or scope).names[name]
                return (lambda instance, frame: (instance, place)), of_type
            inner, of_record = self.place(base, scope)
            if not isinstance(of_record, Record) or name not in of_record.fields:
                raise TypeFault(f"line {node.line}: no field {name}")
            place, of_type = of_record.fields[name]

            def field(instance, frame):
                found = inner(instance, frame)
                return None if found is None else (found[0][found[1]], place)
            return field, of_type
        if node.kind == "index":
            return self.place_of_element(node, scope)
        raise TypeFault(f"line {node.line}: no variable")

    def place_of_name(self, node, scope):
        found = scope.find(node.args[0])
        if found is None and self.tree.units.get(node.args[0]) and self.tree.units[node.args[0]].kind == "program":
            place, of_type = self.program_place(node.args[0])
            found = ("root", place, of_type)
        if found is None:
            raise TypeFault(f"line {node.line}: unknown variable {node.args[0]}")
        where, place, of_type = found
        root = self.root
        return {"frame": lambda instance, frame: (frame, place), "reference": lambda instance, frame: frame[place],
                "instance": lambda instance, frame: (instance, place),
                "root": lambda instance, frame: (root, place)}[where], of_type

    def place_of_element(self, node, scope):
        base, indices = node
        inner, of_array = self.place(base, scope)
        if not isinstance(of_array, Array) or len(indices) != len(of_array.bounds):
            raise TypeFault(f"line {node.line}: no array")
        gets = [settle(self.value(index, scope), None).get for index in indices]
        bounds, line = of_array.bounds, node.line

        def element(instance, frame):
            found = inner(instance, frame)
            place, outside = 0, found is None
            for get, (low, high) in zip(gets, bounds):
                index = get(instance, frame)
                if not low <= index <= high:
                    outside = True
                    self.fault("bounds", line)
                place = place * (high - low + 1) + index - low
            return None if outside else (found[0][found[1]], place)
        return element, of_array.element

    # --- what runs report

    def fault(self, kind, line):
        self.faults.add((kind, line))

    def inexact(self, reason):
        raise Inexact(reason)

    @staticmethod
    def discard():
        raise Discarded

    def open_value(self, of_type):
        """Any value of the type: each is tried in turn, see `explore`."""
        if not isinstance(of_type, (Scalar, Enumeration)) or len(of_type.domain()) > 256:
            raise Inexact("any value of a wide type")
        return of_type.domain()[self.choose(len(of_type.domain()))]

    def choose(self, count):
        at = len(self.taken)
        choice = self.choices[at] if at < len(self.choices) else 0
        self.taken.append((choice, count))
        return choice

    # --- runs

    def cycle(self, inputs):
        """One scan cycle from the state in `root`; raises Discarded or Inexact."""
        self.steps, self.taken = 0, []
        for (place, variable, _, _), value in zip(self.inputs, inputs):
            self.root[place][variable] = value
        entry = self.root[self.entries[0][0]]
        if not all(holds(entry, None) for _, holds in self.assumptions):
            raise Discarded
        for path in self.timers:
            tick(follow(self.root, path), self.milliseconds, self.longest)
        for place, record in self.entries:
            record.code.body(self.root[place], record.code.new_frame())

    def outcomes(self, inputs, state):
        """Runs one cycle for all choices that it makes; after each, `root` has the next state."""
        self.choices = []
        while True:
            self.restore(state)
            discarded = False
            try:
                self.cycle(inputs)
            except Discarded:
                discarded = True
            if not discarded:
                yield
            while self.taken and self.taken[-1][0] + 1 == self.taken[-1][1]:
                self.taken.pop()
            if not self.taken:
                return
            self.choices = [choice for choice, _ in self.taken]
            self.choices[-1] += 1

    def state(self):
        """What the next cycle depends on: inputs are read anew."""
        for place, variable, _, _ in self.inputs:
            self.root[place][variable] = None
        return frozen(self.root)

    def restore(self, state):
        self.root[:] = thawed(state)

    def initial_states(self):
        """The variables as declared; those that are retained have any value of theirs."""
        self.root[:] = self.globals.default()
        domains = [of_type.domain() for _, of_type in self.retained]
        for values in itertools.islice(itertools.product(*domains), self.MOST_STARTS):
            for (path, _), value in zip(self.retained, values):
                follow(self.root, path[:-1])[path[-1]] = copy_of(value)
            yield self.state()

    def all_started(self):
        """Whether `initial_states` gives all of them."""
        count = 1
        for _, of_type in self.retained:
            count *= len(of_type.domain())
        return count <= self.MOST_STARTS

    def paths_of_timers(self, record, path):
        for place, of_type in record.fields.values():
            yield from self.timers_inside(of_type, path + (place,))

    def timers_inside(self, of_type, path):
        if isinstance(of_type, Block) and of_type.name in TIMERS:
            yield path
        elif isinstance(of_type, Record):
            yield from self.paths_of_timers(of_type, path)
        elif isinstance(of_type, Array):
            for place in range(of_type.count):
                yield from self.timers_inside(of_type.element, path + (place,))

    def retained_inside(self, of_type, path):
        """Variables that blocks declare as retained, wherever their instances are."""
        if isinstance(of_type, Array):
            for place in range(of_type.count):
                yield from self.retained_inside(of_type.element, path + (place,))
        if isinstance(of_type, Record):
            for name, (place, inner) in of_type.fields.items():
                if isinstance(of_type, UnitRecord) and name in of_type.retained:
                    yield (path + (place,), inner)
                else:
                    yield from self.retained_inside(inner, path + (place,))


def follow(values, path):
    for place in path:
        values = values[place]
    return values


def frozen(value):
    return tuple(map(frozen, value)) if isinstance(value, list) else value


def thawed(value):
    return [thawed(part) for part in value] if isinstance(value, tuple) else value


def names_called(node):
    """Names in the place of a callee, anywhere below."""
    if isinstance(node, Node):
        if node.kind == "call" and node.args[0].kind == "name":
            yield node.args[0].args[0]
        yield from names_called(node.args)
    elif isinstance(node, (list, tuple)):
        for part in node:
            yield from names_called(part)
