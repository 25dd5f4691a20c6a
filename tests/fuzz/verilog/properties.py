"""Assertions, assumptions and covers in two texts: as SystemVerilog has them, and as a checker for Icarus
that is written from the sampled values of IEEE 1800, 16.5: the judge raises `judge.pre` when all values have
settled before the clock's edge, so what a checker reads then is what the property samples.

A failure sets `fail_N[judge.phase]`: phase 0 is the step itself, phase 1 an asynchronous event in it."""
import dataclasses

from expressions import Two, join


@dataclasses.dataclass
class Property:
    """`number` marks its line; `several` says that one statement stands for several properties (loops)."""
    number: int
    kind: str
    label: str
    place: str
    several: bool = False


@dataclasses.dataclass
class Clause:
    """`left op right`, or `right` alone; `disable` is a condition, or None."""
    right: object
    left: object = None
    op: str = ""
    disable: object = None

    def body(self):
        return join("{} {} {}", self.left, self.op, self.right).real if self.op else self.right.text.real


def declared(number, kind):
    """The flags that the judge reads, and where they are."""
    return (f"reg [1:0] fail_{number} = 0; initial $display(\"PROP %m {number} {kind}\");\n")


def failed(number, kind, truth, phase="judge.phase"):
    """The statement that looks at `truth`; covers are hit when it is 1, all others when it is not."""
    wanted = "===" if kind == "cover" else "!=="
    return (f"begin if ((({truth}) ? 1'b1 : 1'b0) === 1'bx) judge.leak = 1; "
            f"if ((({truth}) ? 1'b1 : 1'b0) {wanted} 1'b1) fail_{number}[{phase}] = 1; end\n")


def state(name, width, value=""):
    """A register of a checker, which is part of the state that the judge enumerates."""
    size = f"[{width - 1}:0] " if width > 1 else ""
    return f"reg {size}{name}{value}; initial $display(\"REG %m {name} {width}\");\n"


def concurrent_checker(prop, clause):
    """A checker for a concurrent assertion at the level of a module."""
    n, off = prop.number, f"({clause.disable.text.sim})" if clause.disable else "1'b0"
    right = clause.right.text.sim
    text = declared(n, prop.kind)
    if clause.op == "|=>":
        text += state(f"pend_{n}", 1, " = 0")
        look = failed(n, prop.kind, f"({off}) || !pend_{n} || ({right})", "0")
        after = f"pend_{n} <= ({clause.left.text.sim}) && !({off});"
    else:
        holds = f"!({clause.left.text.sim}) || ({right})" if clause.op else right
        whole = f"!({off}) && ({holds})" if prop.kind == "cover" else f"({off}) || ({holds})"
        look, after = failed(n, prop.kind, whole, "0"), ""
    return text + f"always @(posedge judge.pre) begin {look} {after} end\n"


def first_checker(prop, clause):
    """A concurrent assertion in an initial block: one attempt, at the first edge."""
    off = f"({clause.disable.text.sim})" if clause.disable else "1'b0"
    holds = f"!({clause.left.text.sim}) || ({clause.right.text.sim})" if clause.op else clause.right.text.sim
    whole = f"!({off}) && ({holds})" if prop.kind == "cover" else f"({off}) || ({holds})"
    return (declared(prop.number, prop.kind) + "initial $display(\"START\");\n"
            f"always @(posedge judge.pre) if (judge.first) {failed(prop.number, prop.kind, whole, '0')}")


def procedural_checker(prop, clause):
    """A concurrent assertion inside a procedure: (declarations, statement). Its expressions are sampled,
    and the attempt begins when the statement is executed (IEEE 1800, 16.14.6)."""
    n, off = prop.number, f"({clause.disable.text.sim})" if clause.disable else "1'b0"
    right = clause.right.text.sim
    text = declared(n, prop.kind) + f"reg smp_{n} = 0;\n"
    if clause.op == "|=>":
        text += state(f"pend_{n}", 1, " = 0")
        look = failed(n, prop.kind, f"({off}) || !pend_{n} || ({right})", "0")
        text += (f"always @(posedge judge.pre) begin {look} pend_{n} = 0; "
                 f"smp_{n} = ({clause.left.text.sim}) && !({off}); end\n")
        return text, f"pend_{n} = smp_{n};\n"
    holds = f"!({clause.left.text.sim}) || ({right})" if clause.op else right
    whole = f"!({off}) && ({holds})" if prop.kind == "cover" else f"({off}) || ({holds})"
    text += f"always @(posedge judge.pre) smp_{n} = (({whole}) ? 1'b1 : 1'b0);\n"
    return text, failed(n, prop.kind, f"smp_{n}")


def past_checker(number, expr, steps, guarded):
    """(declarations, value before the edge, value after it) of `expr` so many steps ago. Without a guard
    the first values are any, as docs/verilog.md says."""
    width, name = expr.width, f"past_{number}"
    value = " = 0" if guarded else ""
    text = "".join(state(f"{name}_{k}", width, value) for k in range(steps))
    size = f"[{width - 1}:0] " if width > 1 else ""
    text += f"reg {size}{name}_then;\n"
    moves = f"{name}_then <= {name}_{steps - 1}; {name}_0 <= {expr.text.sim};"
    moves += "".join(f" {name}_{k} <= {name}_{k - 1};" for k in range(1, steps))
    return text + f"always @(posedge judge.pre) begin {moves} end\n", f"{name}_{steps - 1}", f"{name}_then"


SAMPLED = {"$past": "{old}", "$rose": "({new} && !{old})", "$fell": "(!{new} && {old})",
           "$stable": "({new} == {old})", "$changed": "({new} != {old})"}


def sampled(function, expr, old, steps=1):
    """A sampled value function of `expr`, given the text of its earlier value for Icarus. $rose and $fell
    are about the lowest bit."""
    new = expr.text.sim
    if function in ("$rose", "$fell"):
        new, old = f"(({new}) & 1'b1)", f"({old} & 1'b1)"
    real = f"{function}({expr.text.real}" + (f", {steps})" if steps > 1 else ")")
    return Two(real, "(" + SAMPLED[function].format(new=f"({new})", old=old) + ")")
