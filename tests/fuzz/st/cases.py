"""Hand-made programs about what front ends of Structured Text get wrong. They state no verdicts: the interpreter finds them, and
`lemmata check` must agree. (name, options of the command, settings of the interpreter, text)"""

EFFECTS = """VAR_GLOBAL g : INT; END_VAR
FUNCTION inc : INT VAR_INPUT d : INT; END_VAR VAR_EXTERNAL g : INT; END_VAR g := g + d; inc := g; END_FUNCTION
FUNCTION bump : INT VAR_IN_OUT v : INT; END_VAR v := v + 1; bump := v; END_FUNCTION
FUNCTION two : INT VAR_INPUT a, b : INT; END_VAR two := a * 100 + b; END_FUNCTION
FUNCTION three : INT VAR_INPUT a, b, c : INT; END_VAR three := a * 100 + b * 10 + c; END_FUNCTION
FUNCTION_BLOCK pair VAR_INPUT a, b : INT; END_VAR VAR_OUTPUT o : INT; END_VAR
METHOD m : INT VAR_INPUT x, y : INT; END_VAR m := x * 100 + y; END_METHOD
o := a * 100 + b; END_FUNCTION_BLOCK
"""
RECORDS = """TYPE T : STRUCT x : INT; y : BOOL; END_STRUCT; A : ARRAY [1..2] OF INT; U : STRUCT t : T; n : INT; END_STRUCT; END_TYPE
FUNCTION two : INT VAR_INPUT a : T; b : INT; END_VAR two := a.x * 10 + b; END_FUNCTION
FUNCTION sum : INT VAR_INPUT b : INT; a : A; END_VAR sum := a[1] * 100 + a[2] * 10 + b; END_FUNCTION
FUNCTION deep : INT VAR_INPUT u : U; b : INT; END_VAR deep := u.t.x * 10 + u.n + b; END_FUNCTION
FUNCTION change : INT VAR_IN_OUT v : T; END_VAR v.x := v.x + 1; change := v.x; END_FUNCTION
FUNCTION_BLOCK hold VAR_INPUT t : T; b : INT; END_VAR VAR_OUTPUT o : INT; END_VAR
METHOD m : INT VAR_INPUT t : T; c : INT; END_VAR m := t.x * 10 + c; END_METHOD
o := t.x * 10 + b; END_FUNCTION_BLOCK
"""


def effects(name, body, right):
    """The result r of a body after g := 0; right is claimed, and that it is not so."""
    text = (f"{EFFECTS}PROGRAM P VAR r, x : INT; f : pair; a : ARRAY [0..5] OF INT; END_VAR VAR_EXTERNAL g : INT; END_VAR\n"
            f"g := 0; x := 0; r := 0; a[0] := 7; a[1] := 8;\n{body}\n//#ASSERT r = {right} : p\n//#ASSERT r <> {right} : q\nEND_PROGRAM\n")
    return (name, [], {}, text)


def records(name, body, right):
    text = (f"{RECORDS}PROGRAM P VAR r : INT; s, t : T; a, b : A; u, v : U; h : hold; END_VAR\n"
            f"s.x := 1; t.x := 2; a[1] := 1; a[2] := 2; b[1] := 3; b[2] := 4; u.t.x := 5; u.n := 6; v.t.x := 7; v.n := 8;\n"
            f"{body}\n//#ASSERT r = {right} : p\n//#ASSERT r <> {right} : q\nEND_PROGRAM\n")
    return (name, [], {}, text)


def retain(name, declarations, claim):
    text = f"{declarations}\n//#ASSERT {claim} : p\n//#ASSERT NOT ({claim}) : q\nEND_PROGRAM\n"
    return (name, ["--retain", "any"], {"retain_any": True}, text)


def checked(name, text):
    return (name, ["--check", "overflow"], {}, f"PROGRAM P {text}\nEND_PROGRAM\n")


def whole(name, text):
    return (name, [], {}, text)


CASES = [
    effects("order: function", "r := two(g, inc(1));", 1),
    effects("order: function, names in another order", "r := two(b := inc(1), a := g);", 101),
    effects("order: three arguments", "r := three(g, inc(1), g);", 11),
    effects("order: reference", "r := two(x, bump(x));", 1),
    effects("order: reference before value", "r := two(bump(x), x);", 101),
    effects("order: operator", "r := g * 10 + inc(1);", 1),
    effects("order: operators in a row", "r := inc(1) * 100 + g * 10 + inc(1);", 112),
    effects("order: comparison", "IF g = inc(1) THEN r := 1; ELSE r := 2; END_IF;", 2),
    effects("order: standard function", "r := MAX(g, 0) + MAX(inc(1), g) * 10;", 10),
    effects("order: SEL evaluates all", "r := SEL(g = 0, inc(1), inc(10)) + g * 100;", 1111),
    effects("order: block", "f(a := g, b := inc(1)); r := f.o;", 1),
    effects("order: block, other way", "f(b := inc(1), a := g); r := f.o;", 101),
    effects("order: block and reference", "f(a := x, b := bump(x)); r := f.o;", 1),
    effects("order: method", "r := f.m(g, inc(1));", 1),
    effects("order: method in method", "r := f.m(f.m(g, inc(1)), g);", 101),
    effects("order: index", "r := a[g] * 10 + a[inc(1)];", 78),
    effects("order: index after call", "r := inc(1) * 10 + a[g];", 18),
    effects("order: array element as argument", "r := two(a[g], inc(1));", 701),
    effects("order: both sides of AND", "IF (inc(1) = 5) AND (inc(1) = 2) THEN r := 1; END_IF; r := r + g;", 2),
    effects("order: AND_THEN skips", "IF (inc(1) = 5) AND_THEN (inc(1) = 2) THEN r := 1; END_IF; r := r + g;", 1),
    effects("order: ELSIF comes later", "IF inc(1) = 5 THEN r := 1; ELSIF g = 1 THEN r := 2; END_IF;", 2),
    effects("order: CASE once", "CASE inc(1) OF 1: r := g; 2: r := 50; END_CASE;", 1),
    effects("order: limits of FOR once", "FOR x := 1 TO inc(2) DO r := r + 1; END_FOR; r := r * 10 + g;", 22),
    effects("order: condition of WHILE each time", "WHILE inc(1) < 3 DO r := r + 10; END_WHILE; r := r + g;", 23),
    effects("order: nested, same function", "r := two(two(g, inc(1)), two(g, inc(1)));", 202),
    records("records: nested call", "r := two(s, two(t, 3));", 33),
    records("records: nested thrice", "r := two(s, two(t, two(s, 1)));", 41),
    records("records: array", "r := sum(sum(1, a), b);", 461),
    records("records: structure of a structure", "r := deep(u, deep(v, 1));", 135),
    records("records: block", "h(t := s, b := two(t, 3)); r := h.o;", 33),
    records("records: method", "r := h.m(s, h.m(t, 3));", 33),
    records("records: changed by a later argument", "r := two(s, change(s));", 12),
    records("records: kept by the block", "h(t := s, b := 0); s.x := 9; h(b := 1); r := h.o;", 11),
    records("records: field of a parameter", "r := two(u.t, two(v.t, 0));", 120),
    retain("retain: block", """FUNCTION_BLOCK B VAR RETAIN k : INT(0..2); END_VAR VAR_OUTPUT o : INT; END_VAR o := k; END_FUNCTION_BLOCK
PROGRAM P VAR f : B; END_VAR f();""", "f.o = 0"),
    retain("retain: block in a block", """FUNCTION_BLOCK B VAR RETAIN k : BOOL; END_VAR VAR_OUTPUT o : BOOL; END_VAR o := k; END_FUNCTION_BLOCK
FUNCTION_BLOCK C VAR b : B; END_VAR VAR_OUTPUT o : BOOL; END_VAR b(); o := b.o; END_FUNCTION_BLOCK
PROGRAM P VAR f : C; END_VAR f();""", "NOT f.o"),
    retain("retain: array of blocks", """FUNCTION_BLOCK B VAR RETAIN k : BOOL; END_VAR VAR_OUTPUT o : BOOL; END_VAR o := k; END_FUNCTION_BLOCK
PROGRAM P VAR f : ARRAY [1..2] OF B; END_VAR f[1](); f[2]();""", "f[1].o = f[2].o"),
    retain("retain: called program", """PROGRAM Q VAR RETAIN k : BOOL; END_VAR VAR_OUTPUT o : BOOL; END_VAR o := k; END_PROGRAM
PROGRAM P VAR x : BOOL; END_VAR Q(); x := Q.o;""", "NOT x"),
    retain("retain: global", """VAR_GLOBAL RETAIN k : INT(1..3) := 1; END_VAR
PROGRAM P VAR n : INT; END_VAR n := k;""", "n = 1"),
    retain("retain: structure", """TYPE T : STRUCT a : BOOL; b : INT(0..1); END_STRUCT; END_TYPE
FUNCTION_BLOCK B VAR RETAIN t : T; END_VAR VAR_OUTPUT o : INT; END_VAR IF t.a THEN o := t.b + 1; END_IF; END_FUNCTION_BLOCK
PROGRAM P VAR f : B; END_VAR f();""", "f.o < 2"),
    retain("retain: output of a block", """FUNCTION_BLOCK B VAR_OUTPUT RETAIN o : BOOL; END_VAR VAR n : INT; END_VAR n := 1; END_FUNCTION_BLOCK
PROGRAM P VAR f : B; END_VAR f();""", "NOT f.o"),
    retain("retain: an instance", """FUNCTION_BLOCK B VAR k : BOOL; END_VAR VAR_OUTPUT o : BOOL; END_VAR o := k; END_FUNCTION_BLOCK
PROGRAM P VAR RETAIN f : B; END_VAR f();""", "NOT f.o"),
    whole("instances: one program twice", """PROGRAM A VAR x : INT; END_VAR VAR_EXTERNAL g : INT; END_VAR g := (g + 1) MOD 8; x := (x + 1) MOD 8;
//#ASSERT x = g : one
//#ASSERT g >= 0 : range
END_PROGRAM
CONFIGURATION C VAR_GLOBAL g : INT; END_VAR RESOURCE R ON PLC TASK T(INTERVAL := T#10ms, PRIORITY := 1);
PROGRAM I1 WITH T : A; PROGRAM I2 WITH T : A; END_RESOURCE END_CONFIGURATION
"""),
    whole("instances: the order of the text", """PROGRAM A VAR_EXTERNAL g : INT; END_VAR g := 1; END_PROGRAM
PROGRAM B VAR_EXTERNAL g : INT; END_VAR VAR y : INT; END_VAR y := g; g := 2;
//#ASSERT y = 1 : after_a
//#ASSERT y = 2 : never
END_PROGRAM
CONFIGURATION C RESOURCE R ON PLC VAR_GLOBAL g : INT; END_VAR TASK T(INTERVAL := T#10ms, PRIORITY := 1);
PROGRAM I1 WITH T : A; PROGRAM I2 WITH T : B; END_RESOURCE END_CONFIGURATION
"""),
    whole("instances: inputs of their own", """PROGRAM A VAR_INPUT x : BOOL; END_VAR VAR_EXTERNAL g : INT; END_VAR
IF x THEN g := (g + 1) MOD 4; END_IF;
//#ASSERT g < 3 : two
//#ASSERT g < 4 : range
END_PROGRAM
CONFIGURATION C VAR_GLOBAL g : INT; END_VAR RESOURCE R ON PLC TASK T(INTERVAL := T#10ms, PRIORITY := 1);
PROGRAM I1 WITH T : A; PROGRAM I2 WITH T : A; PROGRAM I3 WITH T : A; END_RESOURCE END_CONFIGURATION
"""),
    whole("pragmas: not defined", """PROGRAM P VAR x : INT; END_VAR x := 0;
{IF defined (foo)} x := 1; {END_IF}
//#ASSERT x = 0 : p
//#ASSERT x = 1 : q
END_PROGRAM
"""),
    whole("pragmas: defined, else, nested", """PROGRAM P VAR x, y : INT; END_VAR
{define foo}
{IF defined (foo)} x := 1; {IF defined (bar)} x := 2; {ELSE} y := 5; {END_IF} {ELSIF defined (foo)} x := 3; {ELSE} x := 4; {END_IF}
//#ASSERT x = 1 AND y = 5 : p
//#ASSERT x = 2 : q
END_PROGRAM
"""),
    whole("pragmas: declarations and NOT", """PROGRAM P VAR {IF NOT defined (foo)} x : INT := 3; {ELSE} x : INT := 4; {END_IF} y : INT; END_VAR y := x;
//#ASSERT y = 3 : p
//#ASSERT y = 4 : q
END_PROGRAM
"""),
    whole("pragmas: undefine", """PROGRAM P VAR x : INT; END_VAR
{define foo}
{undefine foo}
{IF defined (foo)}
x := 1;
{ELSE}
x := 2;
{END_IF}
//#ASSERT x = 2 : p
//#ASSERT x = 1 : q
END_PROGRAM
"""),
    whole("numbers: larger than the type", """PROGRAM P VAR_INPUT i : SINT; END_VAR VAR_TEMP a, b, c, d : BOOL; w : INT; u : USINT; END_VAR
a := i < 200; b := i > -200; c := i = 300; d := 128 > i; w := i + 200; u := 3;
//#ASSERT a AND b AND NOT c AND d : compared
//#ASSERT w >= 72 AND w <= 327 : added
//#ASSERT w < 327 : not_the_last
//#ASSERT i <> 128 AND 256 <> i AND u < 256 : never
//#ASSERT NOT (i < 200) : q
END_PROGRAM
"""),
    whole("numbers: larger than INT", """PROGRAM P VAR_INPUT b : BOOL; END_VAR VAR i : INT; n : DINT; k : INT; END_VAR
i := 32767; IF b THEN i := -32768; END_IF; n := i + 40000; k := 0;
CASE i OF -32768..-1: k := 1; 0..32767: k := 2; END_CASE;
//#ASSERT i < 40000 AND i > -40000 : compared
//#ASSERT n = 72767 OR n = 7232 : added
//#ASSERT n = 7232 : q
//#ASSERT k > 0 AND (k = 1) = b : labels
END_PROGRAM
"""),
    whole("static: functions", """FUNCTION f : INT VAR_STAT n : INT := 2; END_VAR n := (n + 1) MOD 7; f := n; END_FUNCTION
FUNCTION h : INT VAR_STAT n : INT; END_VAR n := (n + 1) MOD 7; f(); h := n; END_FUNCTION
PROGRAM P VAR x, y, z : INT; END_VAR x := f(); y := h(); z := f();
//#ASSERT z = (x + 2) MOD 7 : shared
//#ASSERT x <> 3 : starts_at_its_initial_value
//#ASSERT z = x : q
END_PROGRAM
"""),
    whole("static: blocks and methods", """FUNCTION_BLOCK B VAR k : INT; END_VAR VAR_STAT n : INT; END_VAR VAR_OUTPUT o : INT; END_VAR
METHOD m : INT VAR_STAT c : INT; END_VAR c := (c + 1) MOD 5; m := c; END_METHOD
n := (n + 1) MOD 5; k := (k + 1) MOD 5; o := n; END_FUNCTION_BLOCK
PROGRAM P VAR a, b : B; x, y : INT; END_VAR a(); b(); x := a.m(); y := b.m();
//#ASSERT b.o = (a.o + 1) MOD 5 : block
//#ASSERT y = (x + 1) MOD 5 : method
//#ASSERT y = x : q
END_PROGRAM
"""),
    checked("overflow: ABS and sign", """VAR_INPUT i : SINT; END_VAR VAR_TEMP x : SINT; END_VAR
x := ABS(i);
x := -i;
IF i > -128 THEN
x := ABS(i);
x := -i;
END_IF;"""),
    checked("overflow: conversions", """VAR_INPUT i : SINT; END_VAR VAR_TEMP n : INT; x : SINT; u : USINT; w : UINT; END_VAR
n := i;
x := INT_TO_SINT(n * 2);
x := INT_TO_SINT(n);
u := SINT_TO_USINT(i);
w := INT_TO_UINT(n + 128);
u := UINT_TO_USINT(w);
x := UINT_TO_SINT(w);"""),
    checked("overflow: quotients and products", """VAR_INPUT i : SINT; END_VAR VAR_TEMP d, x : SINT; u : USINT; n : INT; END_VAR
d := -1; u := 3;
x := i / d;
x := i / 2;
x := i * 2;
n := i; n := n * 256;
n := n * 2;
u := u - 3;
u := u - 1;"""),
    whole("comments and names", """PROGRAM P VAR End_Pos, if_x, T1 (* (* a *) *) , andy : INT; END_VAR
End_Pos := (/* first */ 3 (* second *) + 1) * (// third
2); if_x := End_Pos /* END_IF; */ - 1; T1 (**) := (**)if_x; andy := MAX(/**/T1, (* *)3);
//#ASSERT End_Pos = 8 AND if_x = 7 AND T1 = 7 AND andy = 7 : p
//#ASSERT andy <> 7 : q
END_PROGRAM
"""),
]
