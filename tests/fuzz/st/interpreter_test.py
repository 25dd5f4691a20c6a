#!/usr/bin/env python3
"""The interpreter beside facts that the standard states or docs/plc.md fixes: each program has its claims, and
which of them fail."""
import sys
import unittest

from explore import explore, verdicts
from machine import Machine


class Interpreter(unittest.TestCase):
    def holds(self, text, *failing, **options):
        """All assertions hold but those named."""
        found = verdicts(text, **options)
        self.assertTrue(found)
        self.assertEqual({name: "unsafe" if name in failing else "safe" for name in found}, found)

    def test_arguments_are_evaluated_from_left_to_right(self):
        self.holds("""VAR_GLOBAL g : INT; END_VAR
FUNCTION inc : INT VAR_INPUT d : INT; END_VAR VAR_EXTERNAL g : INT; END_VAR g := g + d; inc := g; END_FUNCTION
FUNCTION two : INT VAR_INPUT a, b : INT; END_VAR two := a * 100 + b; END_FUNCTION
PROGRAM P VAR r, s, t : INT; END_VAR
g := 0; r := two(g, inc(1)); g := 0; s := g + inc(1) * 10 + g; g := 0; t := two(b := inc(1), a := g);
//#ASSERT r = 1 : positions
//#ASSERT s = 11 : operands
//#ASSERT t = 101 : names
END_PROGRAM""")

    def test_structures_are_passed_by_value(self):
        self.holds("""TYPE T : STRUCT x : INT; END_STRUCT; END_TYPE
FUNCTION two : INT VAR_INPUT a : T; b : INT; END_VAR two := a.x * 10 + b; END_FUNCTION
PROGRAM P VAR r : INT; s, u : T; END_VAR
s.x := 1; u.x := 2; r := two(s, two(u, 3)); u := s; s.x := 9;
//#ASSERT r = 33 : nested
//#ASSERT u.x = 1 : copied
END_PROGRAM""")

    def test_references_are_aliases(self):
        self.holds("""VAR_GLOBAL g : INT; END_VAR
FUNCTION f : INT VAR_IN_OUT v : INT; END_VAR VAR_EXTERNAL g : INT; END_VAR v := v + 1; g := g + 10; f := v; END_FUNCTION
PROGRAM P VAR r : INT; a : ARRAY [1..2] OF INT; END_VAR
g := 0; r := f(g); a[2] := 4; f(v := a[2]);
//#ASSERT r = 11 : seen_through_the_reference
//#ASSERT a[2] = 5 : element
END_PROGRAM""")

    def test_retained_values_are_any_at_the_start(self):
        text = """FUNCTION_BLOCK F VAR RETAIN k : INT(0..2); END_VAR VAR_OUTPUT o : INT; END_VAR o := k; END_FUNCTION_BLOCK
PROGRAM P VAR f : F; n : INT(0..3); END_VAR f();
//#ASSERT f.o <> 2 : two
//#ASSERT f.o < 3 : of_the_type
//#ASSERT n = 0 : not_retained
END_PROGRAM"""
        self.holds(text, "two", retain_any=True)
        self.holds(text)

    def test_static_variables_are_one_for_all_instances(self):
        self.holds("""FUNCTION f : INT VAR_STAT n : INT := 5; END_VAR n := (n + 1) MOD 8; f := n; END_FUNCTION
FUNCTION_BLOCK B VAR_STAT n : INT; END_VAR VAR k : INT; END_VAR VAR_TEMP t : INT; END_VAR VAR_OUTPUT o : INT; u : INT; END_VAR
n := (n + 1) MOD 8; k := (k + 1) MOD 8; t := t + 1; o := n - k; u := t; END_FUNCTION_BLOCK
PROGRAM P VAR x, y : INT; b, c : B; END_VAR x := f(); y := f(); b(); c();
//#ASSERT y = (x + 1) MOD 8 : function
//#ASSERT c.u = 1 : temporary
//#ASSERT c.o = 0 : block
END_PROGRAM""", "block")

    def test_programs_of_a_resource_run_in_turn(self):
        self.holds("""PROGRAM A VAR x : INT; END_VAR VAR_EXTERNAL g : INT; END_VAR g := (g + 1) MOD 6; x := (x + 1) MOD 6;
//#ASSERT x = g : one
//#ASSERT g < 6 : range
END_PROGRAM
CONFIGURATION C VAR_GLOBAL g : INT; END_VAR RESOURCE R ON PLC TASK T(INTERVAL := T#10ms, PRIORITY := 1);
PROGRAM I1 WITH T : A; PROGRAM I2 WITH T : A; END_RESOURCE END_CONFIGURATION""", "one")

    def test_conditional_pragmas_and_comments(self):
        self.holds("""PROGRAM P VAR x, End_Pos : INT; END_VAR
{define yes}
{IF defined (foo)} x := 1; {ELSIF defined (yes)} x := (/* c */ 2 (* a (* b *) *) + 1); {ELSE} x := 4; {END_IF}
//#ASSERT x = 3 : second
END_PROGRAM""")

    def test_numbers_wrap_around_in_the_wider_type(self):
        text = """PROGRAM P VAR_INPUT i : SINT; END_VAR VAR_TEMP a : SINT; b : INT; w : BYTE; c : BOOL; END_VAR
a := i + 1; b := i; b := b * 2; w := ROL(BYTE#16#81, 1); c := i < 200;
//#ASSERT a > i OR i = 127 AND a = -128 : wraps
//#ASSERT b = i * 2 : not_in_sint
//#ASSERT b >= -256 AND b <= 254 : wide
//#ASSERT w = 3 AND c : rotated_and_larger_number
//#ASSERT ABS(i) >= 0 : magnitude
//#ASSERT -7 / 2 = -3 AND i MOD 3 > -3 : towards_zero
END_PROGRAM""".replace("-7 / 2", "SINT#-7 / 2")
        self.holds(text, "not_in_sint", "magnitude")
        self.assertEqual({line for kind, line in explore(Machine(text)).faults if kind == "overflow"}, {2, 4, 7})

    def test_division_by_zero_and_indices_are_open(self):
        text = """PROGRAM P VAR_INPUT i : INT(0..3); END_VAR VAR a : ARRAY [1..2] OF BOOL; b : BOOL; END_VAR VAR_TEMP s, d : SINT; END_VAR
b := a[i];
a[i] := FALSE; d := INT_TO_SINT(i);
s := 6 / d;
//#ASSERT NOT b : inside
//#ASSERT NOT a[1] : unwritten
//#ASSERT s < 7 : quotient
END_PROGRAM"""
        self.holds(text, "inside", "quotient")
        self.assertEqual(explore(Machine(text)).faults, {("bounds", 2), ("bounds", 3), ("division", 4)})

    def test_loops_and_jumps(self):
        self.holds("""FUNCTION f : INT VAR_INPUT n : INT; END_VAR IF n > 2 THEN f := 7; RETURN; END_IF; f := n; END_FUNCTION
PROGRAM P VAR i, s, w : INT; END_VAR
s := 0; FOR i := 5 TO 1 BY -2 DO IF i = 3 THEN CONTINUE; END_IF; s := s + i; END_FOR;
w := 0; WHILE TRUE DO w := w + 1; IF w = 4 THEN EXIT; END_IF; END_WHILE;
REPEAT w := w + 1; UNTIL w >= 2 END_REPEAT;
CASE w OF 1, 2: s := 100; 3..5: s := s + 1; ELSE s := 200; END_CASE;
//#ASSERT s = 7 AND w = 5 : counted
//#ASSERT f(1) = 1 AND f(5) = 7 : returned
END_PROGRAM""")

    def test_blocks_keep_their_inputs(self):
        self.holds("""FUNCTION_BLOCK B VAR_INPUT a : INT := 4; b : INT; END_VAR VAR_OUTPUT o : INT; END_VAR
METHOD m : INT VAR_INPUT d : INT; END_VAR m := a * 10 + d; END_METHOD
o := a * 10 + b; END_FUNCTION_BLOCK
PROGRAM P VAR i : B; x, y : INT; END_VAR
i(b := 3, o => x); i(a := 2); y := i.m(5); i(a := 4, b := 0);
//#ASSERT x = 43 AND y = 25 AND i.o = 40 : kept
END_PROGRAM""")

    def test_edges_counters_and_timers(self):
        self.holds("""PROGRAM P VAR_INPUT x : BOOL; END_VAR VAR r : R_TRIG; f : F_TRIG; c : CTU; t : TON; o : TOF; p : TP; n, m, h : INT; END_VAR
r(CLK := x); f(CLK := x); c(CU := x, R := FALSE, PV := 2); t(IN := x, PT := T#20ms); o(IN := x, PT := T#10ms); p(IN := x, PT := T#20ms);
IF x THEN n := MIN(n + 1, 5); m := 0; ELSE n := 0; m := MIN(m + 1, 5); END_IF;
IF p.Q THEN h := MIN(h + 1, 5); ELSE h := 0; END_IF;
//#ASSERT r.Q = (n = 1) : rising
//#ASSERT f.Q = (m = 1) : falling
//#ASSERT c.CV <= 2 AND c.Q = (c.CV = 2) : counter
//#ASSERT t.Q = (n >= 3) : on_delay
//#ASSERT NOT o.Q OR x OR m = 1 : off_delay
//#ASSERT h <= 2 : pulse
//#ASSERT NOT f.Q OR c.CV > 0 : falls_in_the_first_cycle
END_PROGRAM""", "falls_in_the_first_cycle")


if __name__ == "__main__":
    sys.exit(unittest.main())
