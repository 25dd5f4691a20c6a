"""Meaning of statements and calls. A statement returns how it ends: None, or one of EXIT, CONTINUE, RETURN."""
from expressions import Value, settle
from kinds import BOOL, TypeFault, converts, copy_of

EXIT, CONTINUE, RETURN = "exit", "continue", "return"


class Statements:
    """A mixin of the machine."""

    def sequence(self, nodes, scope):
        steps = [getattr(self, "run_" + node.kind.replace(" ", "_"))(node, scope) for node in nodes]

        def run(instance, frame):
            for step in steps:
                end = step(instance, frame)
                if end is not None:
                    return end
            return None
        return run

    def run_assign(self, node, scope):
        target, source = node
        if target.kind == "bit":
            return self.assign_bit(target, source, scope)
        place, of_type = self.place(target, scope)
        get = self.assignable(source, scope, of_type).get

        def run(instance, frame):
            value = get(instance, frame)
            found = place(instance, frame)
            if found is not None:
                found[0][found[1]] = value
        return run

    def assign_bit(self, target, source, scope):
        base, number = target
        place, of_type = self.place(base, scope)
        get = self.assignable(source, scope, BOOL).get

        def run(instance, frame):
            value = get(instance, frame)
            container, at = place(instance, frame)
            mask = 1 << number
            container[at] = of_type.wrap(container[at] | mask if value else container[at] & ~mask)
        return run

    def run_call_statement(self, node, scope):
        call = node.args[0]
        if call.kind != "call":
            raise TypeFault(f"line {node.line}: no statement")
        get = self.value(call, scope).get

        def run(instance, frame):
            get(instance, frame)
        return run

    def run_if(self, node, scope):
        branches, otherwise = node
        compiled = [(self.settled(condition, scope, BOOL).get, self.sequence(body, scope))
                    for condition, body in branches]
        last = self.sequence(otherwise, scope)

        def run(instance, frame):
            for condition, body in compiled:
                if condition(instance, frame):
                    return body(instance, frame)
            return last(instance, frame)
        return run

    def run_case(self, node, scope):
        selector, branches, otherwise = node
        value = settle(self.value(selector, scope), None)
        compiled = [([(self.constant_of(low, scope, value.of_type), self.constant_of(high, scope, value.of_type))
                      for low, high in labels], self.sequence(body, scope)) for labels, body in branches]
        last, get = self.sequence(otherwise, scope), value.get

        def run(instance, frame):
            number = get(instance, frame)
            for labels, body in compiled:
                if any(low <= number <= high for low, high in labels):
                    return body(instance, frame)
            return last(instance, frame)
        return run

    def count_step(self):
        self.steps += 1
        if self.steps > self.MOST_STEPS:
            self.inexact("a loop of too many turns")

    def run_for(self, node, scope):
        """Start, limit and step are those before the first turn."""
        name, start, end, step, body = node
        place, of_type = self.place_of_name(type(node)("name", (name,), node.line), scope)
        first = self.assignable(start, scope, of_type).get
        last = self.settled(end, scope, of_type).get
        by = self.settled(step, scope, of_type).get if step else lambda instance, frame: 1
        inner = self.sequence(body, scope)

        def run(instance, frame):
            number, limit, stride = first(instance, frame), last(instance, frame), by(instance, frame)
            container, at = place(instance, frame)
            container[at] = number
            while number <= limit if stride > 0 else number >= limit:
                self.count_step()
                container[at] = number
                end = inner(instance, frame)
                if end == EXIT:
                    break
                if end == RETURN:
                    return end
                number += stride
                if not of_type.whole.holds(number):
                    break
                container[at] = number
            return None
        return run

    def run_while(self, node, scope):
        condition, body = node
        holds, inner = self.settled(condition, scope, BOOL).get, self.sequence(body, scope)

        def run(instance, frame):
            while holds(instance, frame):
                self.count_step()
                end = inner(instance, frame)
                if end == EXIT:
                    break
                if end == RETURN:
                    return end
            return None
        return run

    def run_repeat(self, node, scope):
        body, condition = node
        over, inner = self.settled(condition, scope, BOOL).get, self.sequence(body, scope)

        def run(instance, frame):
            while True:
                self.count_step()
                end = inner(instance, frame)
                if end == EXIT:
                    break
                if end == RETURN:
                    return end
                if over(instance, frame):
                    break
            return None
        return run

    @staticmethod
    def ends(kind):
        return lambda instance, frame: kind

    def run_exit(self, node, scope):
        return self.ends(EXIT)

    def run_continue(self, node, scope):
        return self.ends(CONTINUE)

    def run_return(self, node, scope):
        return self.ends(RETURN)

    def run_assert(self, node, scope):
        condition, name = node
        holds = self.settled(condition, scope, BOOL).get

        def run(instance, frame):
            self.reached.add(name)
            if not holds(instance, frame):
                self.failed.add(name)
        return run

    def run_assume(self, node, scope):
        holds = self.settled(node.args[0], scope, BOOL).get

        def run(instance, frame):
            if not holds(instance, frame):
                self.discard()
        return run

    def run_probe(self, node, scope):
        """Notes the values of some expressions: what assertions are made of."""
        name, expressions = node
        values = [settle(self.value(expression, scope), None) for expression in expressions]
        self.probes[name] = [value.of_type for value in values]
        gets, seen = [value.get for value in values], self.seen.setdefault(name, set())

        def run(instance, frame):
            seen.add(tuple(get(instance, frame) for get in gets))
        return run

    # --- calls

    def value_call(self, node, scope, expected):
        target, arguments = node
        if target.kind == "name":
            name = target.args[0]
            owner = (scope.outer or scope).unit
            if scope.find(name) is None or name == getattr(scope.unit, "name", None):
                if name in getattr(owner, "methods", {}):
                    return self.method_call(node, None, self.record_of(owner.name).methods[name], arguments, scope)
                if name in self.tree.units and self.tree.units[name].kind == "function":
                    return self.function_call(node, self.function(name), arguments, scope)
                standard = self.standard(name, node, arguments, scope, expected)
                if standard:
                    return standard
        if target.kind == "field":
            base, name = target
            if base.kind == "name" and base.args[0] == "this^":
                code = self.record_of((scope.outer or scope).unit.name).methods.get(name)
                if code:
                    return self.method_call(node, None, code, arguments, scope)
            else:
                place, of_type = self.place(base, scope)
                if name in getattr(of_type, "methods", {}):
                    return self.method_call(node, place, of_type.methods[name], arguments, scope)
        return self.block_call(node, target, arguments, scope)

    def matched(self, node, variables, arguments, scope, type_of_variable):
        """(values, references, outputs) of a call, each a list of (name, function) in the order of the
        text; outputs also have whether they are negated."""
        order = [v for v in variables if v.section in ("var_input", "var_in_out", "var_output")]
        by_name = {variable.name: variable for variable in order}
        steps, outputs = [], []
        for position, (name, _, negated, expression) in enumerate(arguments):
            variable = by_name[name] if name else order[position]
            of_type = type_of_variable(variable.name)
            if variable.section == "var_output":
                outputs.append((variable.name, negated, self.output_target(expression, scope, of_type)))
            elif variable.section == "var_in_out":
                place, actual = self.place(expression, scope)
                if actual != of_type:
                    raise TypeFault(f"line {node.line}: reference of another type")
                steps.append((variable.name, self.inside(place)))
            else:
                steps.append((variable.name, self.assignable(expression, scope, of_type).get))
        return steps, outputs

    def inside(self, place):
        def get(instance, frame):
            found = place(instance, frame)
            if found is None:
                self.inexact("a reference outside an array")
            return found
        return get

    def output_target(self, expression, scope, of_type):
        """A function (instance, frame, value) that stores it."""
        if expression.kind == "bit":
            base, number = expression
            bits, whole = self.place(base, scope)

            def store_bit(instance, frame, value):
                container, at = bits(instance, frame)
                container[at] = whole.wrap(container[at] & ~(1 << number) | int(value) << number)
            return store_bit
        place, target = self.place(expression, scope)
        if not converts(of_type.whole, target.whole):
            raise TypeFault("output of another type")

        def store(instance, frame, value):
            found = place(instance, frame)
            if found is not None:
                found[0][found[1]] = copy_of(value)
        return store

    def function_call(self, node, code, arguments, scope):
        return self.method_call(node, None, code, arguments, scope)

    def method_call(self, node, place, code, arguments, scope):
        """A call of a function or method; `place` is that of the method's instance, None for the own."""
        names = code.scope.names
        steps, outputs = self.matched(node, code.unit.variables, arguments, scope, lambda name: names[name][2])
        steps = [(names[name][1], get) for name, get in steps]
        outputs = [(names[name][1], negated, store) for name, negated, store in outputs]
        result = names[code.unit.name] if code.unit.result is not None else None
        self.compile_body(code)

        def get(instance, frame):
            owner = instance
            if place is not None:
                container, at = place(instance, frame)
                owner = container[at]
            values = [step(instance, frame) for _, step in steps]
            inner = code.new_frame()
            for (at, _), value in zip(steps, values):
                inner[at] = value
            code.body(owner, inner)
            for at, negated, store in outputs:
                store(instance, frame, not inner[at] if negated else inner[at])
            return copy_of(inner[result[1]]) if result else None
        return Value(get, result[2] if result else None)

    def block_call(self, node, target, arguments, scope):
        place, of_type = self.place(target, scope)
        if getattr(of_type, "kind", "") != "block":
            raise TypeFault(f"line {node.line}: {target} is called")
        if hasattr(of_type, "step"):
            return self.standard_block_call(place, of_type, arguments, scope)
        code, fields = of_type.code, of_type.fields
        names = code.scope.names
        steps, outputs = self.matched(node, code.unit.variables, arguments, scope, lambda name: names[name][2])
        steps = [(names[name][0] == "reference", names[name][1], get) for name, get in steps]
        outputs = [(fields[name][0], negated, store) for name, negated, store in outputs]
        self.compile_body(code)

        def get(instance, frame):
            container, at = place(instance, frame)
            block, inner = container[at], code.new_frame()
            values = [step(instance, frame) for _, _, step in steps]
            for (reference, slot, _), value in zip(steps, values):
                (inner if reference else block)[slot] = value
            code.body(block, inner)
            for slot, negated, store in outputs:
                store(instance, frame, not block[slot] if negated else block[slot])
        return Value(get, None)

    def standard_block_call(self, place, of_type, arguments, scope):
        steps, outputs = [], []
        order = list(of_type.fields)
        for position, (name, arrow, negated, expression) in enumerate(arguments):
            slot, kind = of_type.fields[name or order[position]]
            if arrow == "=>":
                outputs.append((slot, negated, self.output_target(expression, scope, kind)))
            else:
                steps.append((slot, self.assignable(expression, scope, kind).get))

        def get(instance, frame):
            container, at = place(instance, frame)
            block = container[at]
            values = [step(instance, frame) for _, step in steps]
            for (slot, _), value in zip(steps, values):
                block[slot] = value
            of_type.step(block)
            for slot, negated, store in outputs:
                store(instance, frame, not block[slot] if negated else block[slot])
        return Value(get, None)
