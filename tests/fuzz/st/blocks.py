"""Standard function blocks (IEC 61131-3, clause 6.6.3.5) as docs/plc.md of this project fixes what the
standard leaves open: counters stop at PV and at 0. Each is a record and a step over its values.

The clock is the machine's: `tick` makes running timers older once per cycle, calls do not."""
from kinds import BOOL, ELEMENTARY, INT, TIME, Record


class Block(Record):
    def __init__(self, name, inputs, outputs, hidden, step):
        super().__init__(name, "block")
        self.inputs = {variable for variable, _ in inputs}
        self.outputs = {variable for variable, _ in outputs}
        self.step = step
        for variable, of_type in inputs + outputs + hidden:
            self.add(variable, of_type, of_type.default())


def r_trig(v):
    clk, _, m = v
    v[1], v[2] = clk and not m, clk


def f_trig(v):
    clk, _, m = v
    v[1], v[2] = not clk and not m, not clk


def sr(v):
    v[2] = v[0] or (not v[1] and v[2])


def rs(v):
    v[2] = not v[1] and (v[0] or v[2])


def ctu(v):
    cu, reset, pv, _, cv, before = v
    if reset:
        cv = 0
    elif cu and not before and cv < pv:
        cv += 1
    v[3], v[4], v[5] = cv >= pv, cv, cu


def ctd(v):
    cd, load, pv, _, cv, before = v
    if load:
        cv = pv
    elif cd and not before and cv > 0:
        cv -= 1
    v[3], v[4], v[5] = cv <= 0, cv, cd


def ctud(v):
    cu, cd, reset, load, pv, _, _, cv, up_before, down_before = v
    up, down = cu and not up_before, cd and not down_before
    if reset:
        cv = 0
    elif load:
        cv = pv
    elif up and not down and cv < pv:
        cv += 1
    elif down and not up and cv > 0:
        cv -= 1
    v[5:10] = [cv >= pv, cv <= 0, cv, cu, cd]


# Timers: IN, PT, Q, ET, running, age.
def ton(v):
    start, limit, _, _, running, age = v
    age = age if start and running else 0
    v[3] = min(age, limit) if start else 0
    v[2], v[4], v[5] = start and age >= limit, start, age


def tof(v):
    """Running after IN fell until PT is over; Q is true while IN is and while it runs."""
    start, limit, out, passed, running, age = v
    if start:
        out, passed, running, age = True, 0, False, 0
    elif out:
        age = age if running else 0
        running, passed = True, min(age, limit)
        out = age < limit
    v[2:6] = [out, passed, running and out, age if out else 0]


def tp(v):
    """A pulse begins at IN and lasts PT, whatever IN does; ET is kept until IN falls."""
    start, limit, out, passed, running, age = v
    if not running and start:
        running, age, out = True, 0, True
    if running:
        passed, out = min(age, limit), age < limit
    if not out and not start:
        running, age, passed = False, 0, 0
    v[2:6] = [out, passed, running, age]


def tick(values, milliseconds, longest):
    """The cycle's time passes for a timer with these values. Ages stop at `longest`, which is longer than any PT of
    the program, so that the number of states is finite."""
    if values[4]:
        values[5] = min(values[5] + milliseconds, longest)


TIMER = ([("in", BOOL), ("pt", TIME)], [("q", BOOL), ("et", TIME)], [("!run", BOOL), ("!age", ELEMENTARY["lint"])])
BLOCKS = {block.name: block for block in (
    Block("r_trig", [("clk", BOOL)], [("q", BOOL)], [("!m", BOOL)], r_trig),
    Block("f_trig", [("clk", BOOL)], [("q", BOOL)], [("!m", BOOL)], f_trig),
    Block("sr", [("s1", BOOL), ("r", BOOL)], [("q1", BOOL)], [], sr),
    Block("rs", [("s", BOOL), ("r1", BOOL)], [("q1", BOOL)], [], rs),
    Block("ctu", [("cu", BOOL), ("r", BOOL), ("pv", INT)], [("q", BOOL), ("cv", INT)], [("!m", BOOL)], ctu),
    Block("ctd", [("cd", BOOL), ("ld", BOOL), ("pv", INT)], [("q", BOOL), ("cv", INT)], [("!m", BOOL)], ctd),
    Block("ctud", [("cu", BOOL), ("cd", BOOL), ("r", BOOL), ("ld", BOOL), ("pv", INT)],
          [("qu", BOOL), ("qd", BOOL), ("cv", INT)], [("!u", BOOL), ("!d", BOOL)], ctud),
    Block("ton", *TIMER, ton), Block("tof", *TIMER, tof), Block("tp", *TIMER, tp))}
TIMERS = {"ton", "tof", "tp"}
