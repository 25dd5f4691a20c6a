#!/usr/bin/env python3
"""PLC programs at the edges of the language. Each fact is claimed and denied: the claim is proved, and
the run against its denial is done again by the interpreter, which shares no code with the translation."""
from st_support import St
from support import ROOT, main

EDGES = ROOT.parent / "shared/edges"

INC = ("VAR_GLOBAL g : INT; END_VAR\n"
       "FUNCTION inc : INT VAR_INPUT d : INT; END_VAR VAR_EXTERNAL g : INT; END_VAR g := g + d; inc := g; END_FUNCTION\n"
       "FUNCTION two : INT VAR_INPUT a, b : INT; END_VAR two := a * 100 + b; END_FUNCTION\n"
       "FUNCTION bump : INT VAR_IN_OUT v : INT; END_VAR v := v + 1; bump := v; END_FUNCTION\n")


class Edges(St):
    def holds(self, text, *options):
        """The claims of a text, `//#ASSERT`s named yes..., are proved, and those named no... fail."""
        lines = self.verdicts(text, *options)
        self.assertTrue(lines, text)
        for line in lines:
            word, name = line.split()[:2]
            self.assertEqual(word, "safe" if name.startswith("yes") else "unsafe", f"{line}\n{text}")

    def facts(self, head, variables, body, *facts, options=()):
        """What holds at the end of a program's first cycle, fact by fact."""
        claims = "".join(f"//#ASSERT {fact} : yes{i}\n//#ASSERT NOT ({fact}) : no{i}\n" for i, fact in enumerate(facts))
        self.holds(f"{head}PROGRAM P VAR first : BOOL := TRUE; {variables} END_VAR\nIF first THEN\n{body}\n{claims}"
                   "END_IF; first := FALSE;\nEND_PROGRAM\n", *options)

    def refused(self, text, place, what="", *options):
        """By line and column."""
        code, _, errors = self.run_program("check", self.st(text), *options)
        self.assertEqual(code, 65, errors)
        self.assertIn(f"test.st:{place}: error: ", errors)
        self.assertIn(what, errors)


class Order(Edges):
    """The value of an argument is that of its evaluation, from left to right."""

    def test_functions(self):
        for call, value in (("two(g, inc(1))", 1), ("two(inc(1), g)", 101), ("two(b := g, a := inc(2))", 200),
                            ("two(b := inc(2), a := g)", 202), ("two(two(g, inc(1)), inc(1))", 102),
                            ("two(g, two(inc(1), inc(1)))", 102), ("two(g + g, inc(3) * g)", 9),
                            ("two(g, 7) + inc(5) + g", 17), ("g + inc(1) * 10 + g", 11),
                            ("two(SEL(inc(1) > 0, 5, g), g)", 101), ("MAX(g, inc(4), g) + g", 8),
                            ("MIN(g, inc(4)) * 10 + g", 4), ("LIMIT(g, inc(4), g)", 4)):
            self.facts(INC, "r : INT;", f"g := 0; r := {call};", f"r = {value}")

    def test_in_out(self):
        self.facts(INC, "x, r : INT;", "r := two(x, bump(x));", "r = 1")
        self.facts(INC, "x, r : INT;", "r := two(bump(x), x) + bump(x);", "r = 103")
        self.facts(INC, "x, r : INT; a : ARRAY [0..3] OF INT := [5, 6, 7, 8];", "r := two(a[x], bump(x)) + a[bump(x)];", "r = 508")

    def test_indices(self):
        self.facts(INC, "r : INT; m : ARRAY [0..2, 0..2] OF INT := [0, 1, 2, 10, 11, 12, 20, 21, 22];",
                   "g := 0; r := m[g, inc(1)] + 100 * m[inc(1), g];", "r = 2201")
        self.facts(INC, "r : INT; m : ARRAY [0..2] OF ARRAY [0..2] OF INT; END_VAR VAR i : INT;",
                   "m[0][1] := 3; g := 0; r := m[g][inc(1)];", "r = 3")
        # 100 elements: an array of the solver
        self.facts(INC, "r : INT; m : ARRAY [0..9, 0..9] OF INT;", "m[0, 1] := 3; g := 0; r := m[g, inc(1)];", "r = 3")

    def test_blocks(self):
        block = ("FUNCTION_BLOCK B VAR_INPUT a, b : INT; END_VAR VAR_OUTPUT o : INT; END_VAR o := a * 100 + b;\n"
                 "METHOD add : INT VAR_INPUT x, y : INT; END_VAR a := a + x; add := a * 100 + y; END_METHOD\nEND_FUNCTION_BLOCK\n")
        self.facts(INC + block, "x : INT; f : B;", "f(a := x, b := bump(x));", "f.o = 1")
        self.facts(INC + block, "x : INT; f : B;", "f(b := bump(x), a := x);", "f.o = 101")
        self.facts(INC + block, "x : INT; f : B;", "f(a := 1, b := 2); f(a := f.b, b := f.a);", "f.o = 201")
        self.facts(INC + block, "x, r : INT; f : B;", "r := f.add(x, bump(x)) + f.a;", "r = 1")
        self.facts(INC + block, "r : INT; f : B;", "r := two(f.a, f.add(3, 4));", "r = 304")
        self.facts(INC + block, "r : INT; f : B;", "r := f.add(f.add(1, 0) - 100, f.a);", "r = 101")

    def test_guards(self):
        """A call behind AND_THEN: on one way only."""
        self.facts(INC, "r : INT; b : BOOL;", "g := 0; IF g = 0 AND_THEN inc(1) = 1 THEN r := g; END_IF;", "r = 1")
        self.facts(INC, "r, k : INT;", "g := 3; r := g; IF g + 1 = 4 AND (k = 1 AND_THEN inc(1) = 4) THEN r := 9; END_IF;", "r = 3", "g = 3")
        self.facts(INC, "q : BOOL; k : INT;", "g := 3; q := (g = 3) = (k = 0 AND_THEN inc(1) = 4);", "q", "g = 4")
        self.facts(INC, "q : BOOL; k : INT;", "g := 3; q := (g = 3) = (k = 0 OR_ELSE inc(1) = 4);", "q", "g = 3")

    def test_branches_in_the_callee(self):
        head = INC + ("FUNCTION cond : INT VAR_INPUT d : INT; END_VAR VAR_EXTERNAL g : INT; END_VAR "
                      "IF d > 0 THEN g := g + d; END_IF; cond := d; END_FUNCTION\n")
        self.facts(head, "r : INT;", "g := 5; r := g + cond(0) + g + cond(2) + g;", "r = 19")

    def test_loops(self):
        self.facts(INC, "i, n : INT;", "g := 1; FOR i := g TO inc(2) DO n := n + i; END_FOR;", "n = 6")

    def test_both_sides_of_an_assignment(self):
        """Controllers differ on which side comes first."""
        for one in ("a[x] := bump(x);", "a[bump(x)] := x;", "a[bump(x)] := bump(x);", "a[a[x]] := bump(a[x]);"):
            self.refused(INC + f"PROGRAM P VAR x : INT; a : ARRAY [0..3] OF INT; END_VAR\n{one}\n//#ASSERT TRUE : t\nEND_PROGRAM",
                         "6:1", "controllers differ")
        self.facts(INC, "x, y : INT; a : ARRAY [0..3] OF INT;", "a[x] := bump(y); a[bump(x)] := y + 1; a[two(0, 2)] := two(0, 3);",
                   "a[0] = 1", "a[1] = 2", "a[2] = 3")

    def test_named_inputs_in_another_order(self):
        self.refused(INC + "PROGRAM P VAR r : INT; END_VAR\nr := LIMIT(MX := inc(1), IN := g, MN := 0);\nEND_PROGRAM", "6:6", "order")
        self.facts(INC, "r : INT;", "g := 2; r := LIMIT(MX := ABS(g), IN := 7, MN := 0);", "r = 2")


    def test_where_an_output_goes(self):
        """Before the call or behind it: refused where that makes a difference."""
        head = INC + ("FUNCTION outs : INT VAR_OUTPUT o, p : INT; END_VAR VAR_EXTERNAL g : INT; END_VAR g := g + 1; o := 5; p := 6; END_FUNCTION\n"
                      "FUNCTION_BLOCK B VAR_IN_OUT v : INT; END_VAR VAR_OUTPUT o : INT; END_VAR v := v + 1; o := 7; END_FUNCTION_BLOCK\n")
        for one in ("x := outs(o => a[g]);", "x := outs(o => x, p => a[x]);", "f(v := x, o => a[x]);", "f(v := g, o => a[bump(x)]);"):
            self.refused(head + f"PROGRAM P VAR x : INT; a : ARRAY [0..9] OF INT; f : B; END_VAR\n{one}\n//#ASSERT a[0] = 0 : t\nEND_PROGRAM",
                         f"8:{one.index('a[') + 2}", "controllers differ")
        self.facts(head, "x, y : INT; a : ARRAY [0..9] OF INT; f : B;", "x := 3; y := outs(o => a[x]); f(v := y, o => a[x + 1]);", "a[3] = 5", "a[4] = 7")

    def test_what_is_passed_by_reference_has_the_type_of_the_input(self):
        for formal, actual in (("UINT", "INT"), ("INT", "DINT"), ("INT", "WORD"), ("ARRAY [0..1] OF INT", "ARRAY [1..2] OF INT"), ("ARRAY [0..1] OF INT", "ARRAY [0..1] OF UINT"),
                               ("E", "F"), ("S", "T"), ("CTU", "CTD"), ("TIME", "DINT")):
            text = ("TYPE E : (e1, e2); F : (f1, f2); S : STRUCT a : INT; END_STRUCT; T : STRUCT a : UINT; END_STRUCT; END_TYPE\n"
                    f"FUNCTION f : INT VAR_IN_OUT v : {formal}; END_VAR f := 1; END_FUNCTION\nPROGRAM P VAR d : {actual}; x : INT; END_VAR\nx := f(d);\n//#ASSERT x = 1 : p\nEND_PROGRAM")
            self.refused(text, "4:8", "by reference")
        self.facts("TYPE S : STRUCT a : INT; END_STRUCT; END_TYPE\nFUNCTION f : INT VAR_IN_OUT v : S; w : INT; t : CTU; END_VAR v.a := 3; w := 4; f := v.a; END_FUNCTION\n",
                   "s : S; i : INT (0..10); c : CTU; x : INT;", "x := f(s, i, c);", "s.a = 3 AND i = 4")


class Borrowed(Edges):
    """VAR_EXTERNAL and CONSTANT of inputs: the values are those of others."""

    def test_external_constants(self):
        head = "VAR_GLOBAL CONSTANT k : INT := 5; END_VAR\nFUNCTION f : INT VAR_EXTERNAL CONSTANT k : INT; END_VAR VAR a : ARRAY [1..k] OF INT; i : INT; END_VAR FOR i := 1 TO k DO f := f + i; END_FOR; END_FUNCTION\n"
        self.facts(head, "x : INT; END_VAR VAR_EXTERNAL CONSTANT k : INT;", "x := f() * 10 + k;", "x = 155")

    def test_constant_inputs(self):
        self.facts("FUNCTION f : INT VAR_INPUT CONSTANT k : INT; END_VAR f := k; END_FUNCTION\n", "x : INT;", "x := f(5);", "x = 5")
        self.assertEqual(self.verdicts("FUNCTION_BLOCK F VAR_INPUT CONSTANT k : INT; END_VAR VAR x : INT; END_VAR\nx := k;\n//#ASSERT x = 0 : p\nEND_FUNCTION_BLOCK"), ["unsafe p"])

    def test_types(self):
        self.refused("VAR_GLOBAL g : INT; END_VAR PROGRAM P\nVAR_EXTERNAL g : DINT; END_VAR\ng := g + 1;\n//#ASSERT g > -40000 : p\nEND_PROGRAM", "2:14", "where the global variable is declared")

    def test_programs_by_name(self):
        """The instance of a program that runs, and its name, would be two instances."""
        two = "PROGRAM A VAR x : INT; END_VAR x := f();\n//#ASSERT x = 0 : p\nEND_PROGRAM\nFUNCTION f : INT f := B.n; END_FUNCTION\nPROGRAM B VAR n : INT; END_VAR n := n + 1; END_PROGRAM\n"
        self.refused(two + "CONFIGURATION C RESOURCE R ON PLC TASK T(PRIORITY := 1);\nPROGRAM I1 WITH T : A; PROGRAM I2 WITH T : B; END_RESOURCE END_CONFIGURATION", "7:32", "by its name")
        self.refused(two.replace("B.n", "A.x"), "4:23", "program that runs", "--entry", "A")
        self.assertEqual(self.verdicts(two, "--entry", "A"), ["safe p"])
        method = "FUNCTION_BLOCK F METHOD m : INT VAR_INPUT p : T; END_VAR m := p.x; END_METHOD\nEND_FUNCTION_BLOCK TYPE T : STRUCT x : INT; END_STRUCT; END_TYPE\n"
        self.facts(method, "f : F; t : T; n : INT;", "t.x := 4; n := f.m(t);", "n = 4")  # of the method, not the program P


class Aggregates(Edges):
    """Structures and arrays as arguments: their values at their evaluation."""
    HEAD = ("TYPE T : STRUCT x : INT; y : ARRAY [0..1] OF INT; END_STRUCT; END_TYPE\n"
            "FUNCTION two : INT VAR_INPUT a : T; b : INT; END_VAR two := a.x * 10 + a.y[1] * 100 + b; END_FUNCTION\n"
            "FUNCTION set : INT VAR_IN_OUT a : T; END_VAR a.x := a.x + 1; set := a.x; END_FUNCTION\n"
            "FUNCTION sum : INT VAR_INPUT v : ARRAY [0..2] OF INT; w : INT; END_VAR sum := v[0] + 10 * v[1] + 100 * v[2] + 1000 * w; END_FUNCTION\n"
            "FUNCTION big : DINT VAR_INPUT v : ARRAY [0..59] OF INT; w : DINT; END_VAR big := v[0] + 10 * v[59] + 1000 * w; END_FUNCTION\n"
            "FUNCTION_BLOCK B VAR_INPUT a, b : T; END_VAR VAR_OUTPUT o : INT; END_VAR o := a.x * 10 + b.x;\n"
            "METHOD m : INT VAR_INPUT a : T; b : INT; END_VAR m := a.x * 10 + b; END_METHOD\nEND_FUNCTION_BLOCK\n")

    def test_nested_calls(self):
        self.facts(self.HEAD, "r : INT; s, u : T;", "s.x := 1; u.x := 2; u.y[1] := 4; r := two(s, two(u, 3));", "r = 433")
        self.facts(self.HEAD, "r : INT; s, u : T;", "s.x := 1; u.x := 2; r := two(b := two(s, 3), a := u);", "r = 33")
        self.facts(self.HEAD, "r : INT; v, w : ARRAY [0..2] OF INT := [1, 2, 3];", "w[0] := 9; r := sum(v, sum(w, 0) / 100);", "r = 3321")
        self.facts(self.HEAD, "r : DINT; v, w : ARRAY [0..59] OF INT;", "v[0] := 1; v[59] := 2; w[0] := 3; r := big(v, big(w, 0));", "r = 3021")

    def test_changes_between(self):
        self.facts(self.HEAD, "r : INT; s : T;", "s.x := 1; r := two(s, set(s));", "r = 12", "s.x = 2")
        self.facts(self.HEAD, "r : INT; s : T; f : B;", "s.x := 1; r := f.m(s, set(s)) + s.x;", "r = 14")
        self.facts(self.HEAD, "s : T; f : B;", "s.x := 1; f(a := s, b := s); s.x := 2; f(a := s);", "f.o = 21")
        self.facts(self.HEAD, "s : T; f : B;", "f.a.x := 1; f.b.x := 2; f(a := f.b, b := f.a);", "f.o = 21")

    def test_rows_of_large_arrays(self):
        self.facts(self.HEAD, "m : ARRAY [0..49] OF ARRAY [0..1] OF INT; i : INT;",
                   "m[0][0] := 1; m[0][1] := 2; m[3] := m[0]; m[0][1] := 7;", "m[3][0] = 1", "m[3][1] = 2", "m[1][0] = 0")
        self.facts(self.HEAD, "m : ARRAY [0..49] OF T; s : T;", "s.x := 3; s.y[1] := 4; m[5] := s; s := m[4]; ",
                   "m[5].x = 3", "m[5].y[1] = 4", "s.y[1] = 0")

    def test_an_index_that_may_miss(self):
        self.refused("TYPE T : STRUCT x : INT; END_STRUCT; END_TYPE\n"
                     "PROGRAM P VAR_INPUT i : INT; END_VAR VAR a : ARRAY [0..0] OF T; s : T; END_VAR\ns := a[i];\n//#ASSERT s.x = 0 : p\nEND_PROGRAM",
                     "3:1", "variable index")


class Retained(Edges):
    OPTIONS = ("--retain", "any")

    def kept(self, text, claim):
        text = text.replace("CLAIM", f"//#ASSERT {claim} : p")
        self.assertEqual(self.verdicts(text, *self.OPTIONS), ["unsafe p"], text)
        self.assertEqual(self.verdicts(text), ["safe p"], text)

    def test_in_blocks(self):
        block = "FUNCTION_BLOCK F VAR RETAIN k : INT; END_VAR IF k = 0 THEN k := 1; END_IF; END_FUNCTION_BLOCK\n"
        self.kept(block + "PROGRAM P VAR f : F; END_VAR\nf();\nCLAIM\nEND_PROGRAM", "f.k = 1")
        self.kept(block + "PROGRAM P VAR f : ARRAY [0..2] OF F; END_VAR\nf[1]();\nCLAIM\nEND_PROGRAM", "f[1].k = 1")
        self.kept(block + "TYPE S : STRUCT f : F; END_STRUCT; END_TYPE\nPROGRAM P VAR s : S; END_VAR\ns.f();\nCLAIM\nEND_PROGRAM", "s.f.k = 1")
        self.kept(block + "FUNCTION_BLOCK G VAR f : F; END_VAR f(); END_FUNCTION_BLOCK\nPROGRAM P VAR g : G; END_VAR\ng();\nCLAIM\nEND_PROGRAM", "g.f.k = 1")
        self.kept(block + "VAR_GLOBAL f : F; END_VAR\nPROGRAM P VAR n : INT; END_VAR\nf();\nCLAIM\nEND_PROGRAM", "f.k = 1")
        for section in ("VAR_INPUT", "VAR_OUTPUT"):
            self.kept(block.replace("VAR RETAIN", section + " RETAIN") + "PROGRAM P VAR f : F; END_VAR\nf();\nCLAIM\nEND_PROGRAM", "f.k = 1")

    def test_in_called_programs(self):
        self.kept("PROGRAM Q VAR PERSISTENT k : INT; END_VAR IF k = 0 THEN k := 1; END_IF; END_PROGRAM\n"
                  "PROGRAM P VAR n : INT; END_VAR\nQ();\nCLAIM\nEND_PROGRAM", "Q.k = 1")

    def test_instances(self):
        """RETAIN of an instance reaches all that calls do not set."""
        block = "FUNCTION_BLOCK F VAR k : INT; END_VAR VAR_TEMP t : INT; END_VAR k := k + t; END_FUNCTION_BLOCK\n"
        program = block + "PROGRAM P VAR RETAIN f : F; END_VAR\nf();\n//#ASSERT f.k = 0 : k\n//#ASSERT f.t = 0 : t\nEND_PROGRAM"
        self.assertEqual(self.verdicts(program, *self.OPTIONS), ["unsafe k", "safe t"])
        self.refused(program.replace("VAR k", "VAR NON_RETAIN k", 1), "1:22", "NON_RETAIN")

    def test_instances_of_programs(self):
        program = "PROGRAM Q VAR x : INT; END_VAR VAR_TEMP t : INT; END_VAR x := x;\nCLAIM\nEND_PROGRAM\nCONFIGURATION C RESOURCE R ON PLC TASK T(PRIORITY := 1);\n"
        self.kept(program + "PROGRAM RETAIN I WITH T : Q; END_RESOURCE END_CONFIGURATION", "x = 0")
        self.kept(program + "PROGRAM I WITH T : Q; PROGRAM RETAIN J WITH T : Q; END_RESOURCE END_CONFIGURATION", "x = 0")
        text = program.replace("CLAIM", "//#ASSERT t = 0 : p") + "PROGRAM RETAIN I WITH T : Q; END_RESOURCE END_CONFIGURATION"
        self.assertEqual(self.verdicts(text, *self.OPTIONS), ["safe p"])
        self.refused(text.replace("VAR x", "VAR NON_RETAIN x", 1), "1:26", "NON_RETAIN", *self.OPTIONS)

    def test_large_arrays(self):
        """The interpreter has the values of every element."""
        self.kept("PROGRAM P VAR RETAIN a : ARRAY [0..99] OF INT; END_VAR\n;\nCLAIM\nEND_PROGRAM", "a[77] = 0")
        self.kept("TYPE T : STRUCT x : INT; y : ARRAY [1..3] OF INT; END_STRUCT; END_TYPE PROGRAM P VAR RETAIN a : ARRAY [0..9, 1..5] OF T; END_VAR\n;\nCLAIM\nEND_PROGRAM",
                  "NOT (a[0, 2].y[3] = 5 AND a[9, 5].x = 6 AND a[9, 5].y[1] = 7)")
        self.assertEqual(self.verdicts("PROGRAM P VAR_INPUT a : ARRAY [0..99] OF INT; i : INT; END_VAR\n//#ASSERT NOT (i > 0 AND i < 99 AND a[i] = a[i - 1] + 7 AND a[i + 1] = 3) : p\nEND_PROGRAM"), ["unsafe p"])

    def test_large_arrays_in_tables(self):
        text = self.st("TYPE T : STRUCT x : INT; w : ARRAY [1..2] OF WORD; END_STRUCT; END_TYPE PROGRAM P VAR_INPUT a : ARRAY [0..49] OF T; END_VAR VAR RETAIN r : ARRAY [0..49] OF TIME; END_VAR VAR n : INT; END_VAR\n"
                       "IF a[7].w[2] = 16#AB AND a[n].x = -5 AND r[3] = T#5s THEN n := n + 1; END_IF;\n//#ASSERT n < 2 : p\nEND_PROGRAM")
        for suffix in ("txt", "csv", "json"):
            table = self.folder / f"w.{suffix}"
            self.run_program("check", text, *self.OPTIONS, "--witness", table)
            code, _, errors = self.run_program("validate", text, *self.OPTIONS, "--witness", table)
            self.assertEqual(code, 0, errors)
            self.assertIn("else:", table.read_text())
            table.write_text(table.read_text().replace("-5", "-6"))
            self.assertNotEqual(self.run_program("validate", text, *self.OPTIONS, "--witness", table)[0], 0)

    def test_large_arrays_have_values_of_their_type(self):
        for kind, claim in (("E", "a[4] = p1 OR a[4] = p2 OR a[4] = p3"), ("INT (0..9)", "a[4] < 10"), ("REAL", "a[4] = a[4]"), ("T", "a[4].e[2] = p1 OR a[4].e[2] >= p2")):
            head = "TYPE E : (p1, p2, p3); T : STRUCT x : INT; e : ARRAY [0..2] OF E; END_STRUCT; END_TYPE\n"
            for section in ("VAR_INPUT", "VAR_IN_OUT", "VAR RETAIN"):
                text = f"{head}PROGRAM P {section} a : ARRAY [0..49] OF {kind}; END_VAR\n;\n//#ASSERT {claim} : p\nEND_PROGRAM"
                self.assertEqual(self.verdicts(text, *self.OPTIONS), ["safe p"], text)
        self.refused("PROGRAM P VAR_INPUT a : ARRAY [0..9999] OF REAL; END_VAR\n//#ASSERT a[4] = a[4] : p\nEND_PROGRAM", "1:9", "4096 elements")

    def test_data_blocks(self):
        self.kept('DATA_BLOCK "D"\nVAR RETAIN k : INT; END_VAR\nBEGIN\nEND_DATA_BLOCK\n'
                  'PROGRAM P VAR n : INT; END_VAR\nIF "D".k = 0 THEN "D".k := 1; END_IF;\nCLAIM\nEND_PROGRAM', '"D".k = 1')

    def test_static_ones(self):
        self.kept("FUNCTION f : INT VAR_STAT RETAIN n : INT; END_VAR n := n + 1; f := n; END_FUNCTION\n"
                  "PROGRAM P VAR b : BOOL := TRUE; x : INT; END_VAR\nIF b THEN x := f(); END_IF; b := FALSE;\nCLAIM\nEND_PROGRAM", "x = 1")


class Configurations(Edges):
    A = ("PROGRAM A VAR_INPUT in : INT; END_VAR VAR x : INT; END_VAR VAR_EXTERNAL g : INT; END_VAR g := g + 1; x := x + 1;\n"
         "//#ASSERT x = g : p\nEND_PROGRAM\n"
         "PROGRAM B VAR_EXTERNAL g : INT; END_VAR VAR n : INT; END_VAR g := 0; n := n + 1;\n//#ASSERT g = 0 : q\nEND_PROGRAM\n")

    def configured(self, items):
        return f"{self.A}CONFIGURATION C VAR_GLOBAL g, h : INT; END_VAR RESOURCE R ON PLC\n{items}\nEND_RESOURCE END_CONFIGURATION\n"

    TASKS = "TASK T1(INTERVAL := T#10ms, PRIORITY := 1); TASK T2(INTERVAL := T#20ms, PRIORITY := 1); TASK T3(INTERVAL := T#20ms, PRIORITY := 2);\n"

    def test_one_instance(self):
        self.assertEqual(self.verdicts(self.configured(self.TASKS + "PROGRAM I1 WITH T1 : A;")), ["safe p"])

    def test_two_instances_of_one_program(self):
        for items in ("PROGRAM I1 WITH T1 : A; PROGRAM I2 WITH T1 : A;", "PROGRAM I1 : A; PROGRAM I2 : A;",
                      "PROGRAM I1 WITH T1 : A; PROGRAM I2 WITH T2 : A;"):
            self.assertEqual(self.verdicts(self.configured(self.TASKS + items)), ["unsafe p"])
        items = "PROGRAM I1 WITH T1 : A; PROGRAM I2 WITH T1 : A;"
        self.assertEqual(self.verdicts(self.configured(self.TASKS + items), "--require", "invariant: I1.x = I2.x", "--require",
                                       "invariant: I1.x + I2.x = g", "--require", "reachability: I1.in <> I2.in"),
                         ["safe R1", "safe R2", "safe R3", "unsafe p"])

    def test_order_in_a_task(self):
        """In the order of declaration."""
        first = self.configured(self.TASKS + "PROGRAM I1 WITH T1 : B; PROGRAM I2 WITH T1 : A;")
        self.assertEqual(self.verdicts(first, "--require", "invariant: g = 1"), ["safe R1", "safe q", "unsafe p"])
        last = self.configured(self.TASKS + "PROGRAM I2 WITH T1 : A; PROGRAM I1 WITH T1 : B;")
        self.assertEqual(self.verdicts(last, "--require", "invariant: g = 0"), ["safe R1", "unsafe p", "safe q"])

    def test_tasks_of_one_priority(self):
        """Either may run in a cycle."""
        text = self.configured(self.TASKS + "PROGRAM I1 WITH T1 : A; PROGRAM I2 WITH T2 : B;")
        self.assertEqual(self.verdicts(text, "--require", "invariant: g <= 1", "--require", "reachability: I2.n > 2 AND I1.x = 0"),
                         ["unsafe R1", "safe R2", "unsafe p", "safe q"])

    def test_tasks_that_may_interrupt_each_other(self):
        for items in ("PROGRAM I1 WITH T1 : A;\nPROGRAM I2 WITH T3 : B;", "PROGRAM I1 WITH T1 : A;\nPROGRAM I2 : B;"):
            self.refused(self.configured(self.TASKS + items), "10:9", "'g' is shared")
        text = self.configured(self.TASKS + "PROGRAM I1 WITH T1 : A;\nEND_RESOURCE RESOURCE S ON PLC TASK T1(PRIORITY := 1);\nPROGRAM I2 WITH T1 : B;")
        self.refused(text, "11:9", "'g' is shared")
        self.assertEqual(self.verdicts(text, "--entry", "A"), ["safe p"])

    def test_tasks_without_shared_variables(self):
        own = ("PROGRAM A VAR x, y : INT; END_VAR x := x + 1; y := x;\n//#ASSERT x = y : p\nEND_PROGRAM\n"
               "CONFIGURATION C RESOURCE R ON PLC TASK T1(PRIORITY := 1); TASK T2(PRIORITY := 2); "
               "PROGRAM I1 WITH T1 : A; PROGRAM I2 WITH T2 : A; END_RESOURCE END_CONFIGURATION")
        self.assertEqual(self.verdicts(own, "--require", "invariant: I1.x = I2.x"), ["unsafe R1", "safe p"])

    def test_static_variables_are_shared(self):
        text = ("PROGRAM A VAR_STAT n : INT; END_VAR VAR x : INT; END_VAR n := n + 1; x := x + 1;\n//#ASSERT n = x : p\nEND_PROGRAM\n"
                "CONFIGURATION C RESOURCE R ON PLC TASK T1(PRIORITY := 1); PROGRAM I1 WITH T1 : A; PROGRAM I2 WITH T1 : A; END_RESOURCE END_CONFIGURATION")
        self.assertEqual(self.verdicts(text, "--require", "invariant: I1.x + I2.x = A.n"), ["safe R1", "unsafe p"])

    def test_inputs_are_taken_when_the_task_runs(self):
        text = ("PROGRAM A VAR_INPUT i : INT; END_VAR VAR_OUTPUT o : INT; END_VAR o := i; END_PROGRAM\n"
                "CONFIGURATION C RESOURCE R ON PLC TASK T1(PRIORITY := 1); TASK T2(PRIORITY := 1); "
                "PROGRAM I1 WITH T1 : A; PROGRAM I2 WITH T2 : A; END_RESOURCE END_CONFIGURATION")
        self.assertEqual(self.verdicts(text, "--require", "invariant: I1.o = I1.i AND I2.o = I2.i", "--require", "reachability: I1.o = 5 AND I2.o = 7"),
                         ["safe R1", "safe R2"])

    def test_connections(self):
        text = ("PROGRAM A VAR_INPUT i : INT; END_VAR VAR_OUTPUT o : INT; END_VAR o := i + 1; END_PROGRAM\n"
                "CONFIGURATION C VAR_GLOBAL g, h : INT; END_VAR RESOURCE R ON PLC PROGRAM I1 : A(i := g, o => h); "
                "PROGRAM I2 : A(i := h, o => g); END_RESOURCE END_CONFIGURATION")
        self.assertEqual(self.verdicts(text, "--require", "invariant: g = h + 1 AND I2.o = g"), ["safe R1"])

    def test_several_configurations(self):
        """Controllers of their own: their tasks are not the same, whatever their names."""
        one = "CONFIGURATION {0} RESOURCE R ON PLC TASK T(PRIORITY := 1); PROGRAM I{0} WITH T : B; END_RESOURCE END_CONFIGURATION\n"
        text = "PROGRAM B VAR n : INT; END_VAR n := n + 1; END_PROGRAM\n" + one.format(1).replace("CONFIGURATION 1", "CONFIGURATION C1") + one.format(2).replace("CONFIGURATION 2", "CONFIGURATION C2")
        self.assertEqual(self.verdicts(text, "--require", "invariant: I1.n = I2.n"), ["unsafe R1"])
        self.refused(text.replace("n := n + 1;", "g := 1; n := n + g;") + "VAR_GLOBAL g : INT; END_VAR", "3:67", "'g' is shared")

    def test_evidence(self):
        text = self.st(self.configured(self.TASKS + "PROGRAM I1 WITH T1 : A; PROGRAM I2 WITH T2 : A;"))
        table = self.folder / "w.txt"
        self.run_program("check", text, "--witness", table)
        code, _, errors = self.run_program("validate", text, "--witness", table)
        self.assertEqual(code, 0, errors)

    def test_xml(self):
        for name in ("s04b_two_instances.xml",):
            if (EDGES / name).exists():
                _, out, errors = self.run_program("check", EDGES / name)
                self.assertEqual(out.splitlines(), ["unsafe pa"], errors)

    def test_a_global_declared_twice(self):
        self.refused("VAR_GLOBAL g : INT; END_VAR\nVAR_GLOBAL g : INT := 3; END_VAR\nPROGRAM P VAR x : INT; END_VAR x := g; END_PROGRAM", "2:12", "twice")


class Pragmas(Edges):
    def test_conditions(self):
        one = "x := 1;"
        for guard, value in ((f"{{IF defined (foo)}} {one} {{END_IF}}", 0), (f"{{if NOT defined(foo)}} {one} {{end_if}}", 1),
                             (f"{{define foo}} {{IF defined (FOO)}} {one} {{ELSE}} x := 2; {{END_IF}}", 1),
                             (f"{{define foo 'text'}} {{undefine foo}} {{IF defined (foo)}} {one} {{ELSE}} x := 2; {{END_IF}}", 2),
                             ("{define b} {IF defined (a)} x := 1; {ELSIF defined (b)} x := 2; {ELSIF defined (b)} x := 3; {ELSE} x := 4; {END_IF}", 2),
                             ("{define a} {IF defined (a) AND (defined (b) OR NOT defined (c))} x := 1; {END_IF}", 1),
                             ("{IF defined (a)} {IF defined (b)} x := 1; {ELSE} x := 2; {END_IF} x := 3; {ELSE} x := 4; {END_IF}", 4),
                             ("{IF defined (a)} {define b} {IF hasvalue (z, '1')} {END_IF} this ' is no program {END_IF} {IF defined (b)} x := 1; {END_IF}", 0),
                             ("{IF defined (a)} (* {END_IF} *) s := '{END_IF}'; // {END_IF}\nx := 1; {END_IF}", 0),
                             ("{attribute 'a' := '}'} x := 5;", 5)):
            self.facts("", "x : INT;", f"x := 0;\n{guard}", f"x = {value}")

    def test_assertions_and_declarations(self):
        text = ("PROGRAM P VAR x : INT := {IF defined (a)} 1 {ELSE} 2 {END_IF}; END_VAR\n{IF defined (a)}\n//#ASSERT FALSE : no\n{END_IF}\n"
                "//#ASSERT x = 2 : yes\nEND_PROGRAM")
        self.assertEqual(self.verdicts(text), ["safe yes"])

    def test_refused(self):
        for pragma, what in (("{IF hasvalue (a, '1')} {END_IF}", "hasvalue"), ("{IF defined (variable: x)} {END_IF}", "variable"),
                             ("{IF hastype (variable: x, INT)} {END_IF}", "hastype"), ("{IF defined (a)}", "{END_IF}"), ("{END_IF}", "without"),
                             ("{ELSE}", "without"), ("{IF defined (a)} {ELSE} {ELSE} {END_IF}", "behind"), ("{IF defined a} {END_IF}", "name"),
                             ("{ifdef a} x := 1; {endif}", "ifdef"), ("{IF} {END_IF}", "condition"), ("{error 'no'}", "error"),
                             ("{IF defined (a) XOR defined (b)} {END_IF}", "xor"), ("{__SET(x, 1)}", "__set")):
            place = "3:25" if what == "behind" else "3:1"
            self.refused(f"PROGRAM P VAR x : INT; END_VAR\nx := 0;\n{pragma}\n//#ASSERT x = 0 : p\nEND_PROGRAM", place, what)

    def test_attributes_with_a_meaning(self):
        for name in ("no_init", "no-init", "noinit", "call_after_init", "call_after_global_init_slot", "initialize_on_call"):
            self.refused(f"PROGRAM P VAR\n{{attribute '{name}' := '5'}}\nx : INT; END_VAR\n//#ASSERT x = 0 : p\nEND_PROGRAM", "2:1", "is not supported")

    def test_another_text_of_a_container(self):
        """Whether a definition in the declaration reaches the body, vendors do not say."""
        text = ('<?xml version="1.0"?><TcPlcObject><POU Name="P"><Declaration><![CDATA[{}\nPROGRAM P VAR x : INT; END_VAR]]></Declaration>'
                "<Implementation><ST><![CDATA[{}{{IF defined (foo)}} x := 1; {{END_IF}}\n//#ASSERT x = 0 : p\n]]></ST></Implementation></POU></TcPlcObject>")
        code, _, errors = self.run_program("check", self.write("t.TcPOU", text.format("{define foo}", "")))
        self.assertEqual(code, 65, errors)
        self.assertIn("another part", errors)
        for define, line in (("", "safe p"), ("{define foo}", "unsafe p")):
            self.assertEqual(self.run_program("check", self.write("t.TcPOU", text.format("", define)))[1].splitlines(), [line])

    def test_another_pou(self):
        self.refused("FUNCTION f : INT {define a} f := 1; END_FUNCTION\nPROGRAM P VAR x : INT; END_VAR\n{IF defined (a)} x := f(); {END_IF}\nEND_PROGRAM",
                     "3:1", "another part")


class Literals(Edges):
    """A number that is too large for a type makes the operation one of a larger type."""

    def test_comparisons(self):
        for kind, literal in (("INT", 40000), ("SINT", 200), ("USINT", 256), ("UINT", 65536), ("DINT", 3000000000), ("WORD", "16#10000"),
                              ("BYTE", "2#1_0000_0000"), ("INT", "16#FFFF"), ("UDINT", 5000000000)):
            text = (f"PROGRAM P VAR_INPUT x : {kind}; END_VAR VAR b : BOOL; END_VAR\nb := x < {literal} AND {literal} > x AND x <> {literal};\n"
                    "//#ASSERT b : yes\n//#ASSERT NOT b : no\nEND_PROGRAM")
            self.holds(text)
        self.holds("PROGRAM P VAR_INPUT x : UINT; END_VAR\n//#ASSERT x > -1 : yes\n//#ASSERT x <= -1 : no\nEND_PROGRAM")
        self.holds("PROGRAM P VAR_INPUT x : INT (0..10); END_VAR\n//#ASSERT x < 20 : yes\n//#ASSERT x > 20 : no\nEND_PROGRAM")

    def test_arithmetic(self):
        self.facts("", "x : INT := 30000; d : DINT; b : BOOL;", "d := x + 40000; b := x + 40000 > 0;", "d = 70000", "b")
        self.facts("", "x : USINT := 200; d : INT;", "d := MAX(x, 300) + MIN(x, 256) + LIMIT(0, x, 1000);", "d = 700")

    def test_refused(self):
        for variables, one, place in (("x : INT;", "x := 40000;", "2:1"), ("x : USINT;", "x := -1;", "2:1"), ("x : WORD;", "x := 16#10000;", "2:1"),
                                      ("x : INT := 40000;", ";", "1:26"), ("x : INT (0..10) := 20;", ";", "1:34"), ("x : INT (0..10);", "x := 20;", "2:1"),
                                      ("x : INT (0..40000);", ";", "1:19"), ("x : INT;", "x := INT#40000;", "2:6"), ("x : INT;", "x := DINT#40000;", "2:1"),
                                      ("x : BYTE;", "x := BYTE#16#1FF;", "2:6"), ("x : INT;", "CASE x OF 40000: x := 1; END_CASE;", "2:11"),
                                      ("x : USINT;", "CASE x OF 0..256: x := 1; END_CASE;", "2:14"), ("x : INT;", "x := 20000 + 20000;", "2:1"),
                                      ("x : INT;", "FOR x := 0 TO 40000 DO ; END_FOR;", "2:15"), ("x : INT;", "FOR x := 40000 TO 3 DO ; END_FOR;", "2:5"),
                                      ("x : LINT;", "IF x < 9223372036854775808 THEN ; END_IF;", "2:6"), ("x : ULINT;", "IF x > -1 THEN ; END_IF;", "2:6"),
                                      ("x : REAL;", "x := 1.0E39;", "2:1"), ("x : INT;", "x := TO_INT(40000);", "2:6"), ("x : INT;", "x := TO_INT(4.0E4);", "2:6"),
                                      ("x : INT;", "x := DINT_TO_INT(3000000000);", "2:6"), ("x : INT;", "x := ABS(x) + 99999999999999999999;", "2:13"),
                                      ("x : ARRAY [0..1] OF SINT := [2(128)];", ";", "1:46"), ("x : ARRAY [0..1] OF INT;", "x[18446744073709551616] := 1;", "2:2"),
                                      ("x : INT; END_VAR VAR CONSTANT K : INT := 40000;", "x := K;", "1:56"),
                                      ("x : (red := 300) USINT;", ";", "1:20"), ("x : LINT; y : ULINT;", "IF x < y THEN ; END_IF;", "2:6")):
            text = f"PROGRAM P VAR {variables} END_VAR\n{one}\n//#ASSERT TRUE : t\nEND_PROGRAM"
            self.refused(text, place)

    def test_refused_with_a_type(self):
        enumeration = "TYPE E : (Red := 300); END_TYPE "
        for head, variables, one, place in (("", "x : INT (0..10);", "x := INT#20;", "2:1"), ("", "x : INT (0..10); END_VAR VAR CONSTANT K : INT := 20;", "x := K;", "2:1"),
                                            ("", "x, i : INT;", "FOR i := 0 TO 3 DO x := DINT#40000; END_FOR;", "2:20"), ("", "i : INT; a : ARRAY [0..3] OF INT;", "FOR i := 0 TO 3 DO a[i] := DINT#40000; END_FOR;", "2:20"),
                                            ("", "x : REAL;", "x := LREAL#1.0E300;", "2:1"), ("", "x : INT;", "x := T#60s;", "2:1"), ("", "x : SINT;", "CASE x OF INT#200: x := 1; END_CASE;", "2:11"),
                                            ("", "x : TIME;", "x := T#0.5ms;", "2:6"), ("", "x : TIME;", "x := T#10us;", "2:6"), (enumeration, "x : USINT;", "x := Red;", "2:1"), (enumeration, "x : USINT;", "x := E#Red;", "2:1")):
            self.refused(f"{head}PROGRAM P VAR {variables} END_VAR\n{one}\n//#ASSERT TRUE : t\nEND_PROGRAM", place)
        # the number of a turn is no constant of the program
        self.facts("", "i : DINT; x : SINT;", "FOR i := 126 TO 129 DO x := i; END_FOR;", "x = -127")

    def test_refused_arguments(self):
        self.refused("FUNCTION f : INT VAR_INPUT a : SINT; END_VAR f := a; END_FUNCTION\nPROGRAM P VAR x : INT; END_VAR\nx := f(200);\nEND_PROGRAM", "3:8")

    def test_numbers_of_two_kinds(self):
        self.facts("", "b : BOOL := TRUE; q : REAL;", "q := SEL(b, 1, 2.5) + SEL(b, 2.5, 1) + MUX(0, 1.5, 2);", "q = 5.0")

    def test_at_the_limits(self):
        self.facts("", "a : INT; b : SINT; c : UINT; d : WORD; e : DINT; f : ULINT; g : LINT; i : USINT; n : INT;",
                   "a := -32768; b := -128; c := 65535; d := 16#FFFF; e := -2147483648; f := 18446744073709551615; g := -9223372036854775808;\n"
                   "FOR i := 3 TO 0 BY -1 DO n := n + 1; IF n > 4 THEN EXIT; END_IF; END_FOR;",
                   "a < -32767 AND b = -128 AND c > 65534 AND d = 65535 AND e < 0 AND f > 0 AND g < 0", "n = 4 OR n = 5")


class Static(Edges):
    """VAR_STAT: one variable for all calls and instances."""

    def test_functions(self):
        head = "FUNCTION f : INT VAR_STAT n : INT := 5; END_VAR VAR k : INT; END_VAR n := n + 1; k := k + 1; f := n * 10 + k; END_FUNCTION\n"
        self.facts(head, "x, y : INT;", "x := f(); y := f();", "x = 61", "y = 71", "f.n = 7")
        self.assertEqual(self.verdicts(head, "--require", "invariant: f.n < 9"), ["unsafe R1"])  # kept from cycle to cycle

    def test_methods(self):
        head = ("FUNCTION_BLOCK B VAR k : INT; END_VAR METHOD m : INT VAR_STAT n : INT; END_VAR n := n + 1; k := k + 1; m := n * 10 + k; END_METHOD\nEND_FUNCTION_BLOCK\n")
        self.facts(head, "a, b : B; x, y, z : INT;", "x := a.m(); y := b.m(); z := a.m();", "x = 11", "y = 21", "z = 32", "B.m.n = 3")

    def test_blocks(self):
        head = "FUNCTION_BLOCK B VAR_STAT n : INT := 3; END_VAR VAR k : INT; END_VAR n := n + 1; k := k + 1;\nMETHOD up n := n + 10; END_METHOD\nACTION act: n := n + 100; END_ACTION\nEND_FUNCTION_BLOCK\n"
        self.facts(head, "a, b : B; c : ARRAY [0..1] OF B;", "a(); b(); c[1](); a.up(); b.act();", "a.n = 116", "b.n = a.n AND c[0].n = B.n", "a.k = 1")

    def test_constants_of_the_pou(self):
        """In types and initial values of what is shared."""
        head = ("FUNCTION f : INT VAR CONSTANT K : INT := 5; END_VAR VAR_STAT n : INT := K + 1; a : ARRAY [0..K] OF INT := [6(2)]; END_VAR n := n + a[K]; f := n; END_FUNCTION\n"
                "FUNCTION_BLOCK B VAR CONSTANT L : INT := 7; END_VAR METHOD m : INT VAR_STAT n : INT := L; END_VAR n := n + 1; m := n; END_METHOD\nEND_FUNCTION_BLOCK\n")
        self.facts(head, "x : INT; b, c : B;", "x := f() * 100 + f();", "x = 810")
        self.facts(head, "x : INT; b, c : B;", "x := b.m() * 10 + c.m();", "x = 89")

    def test_instances_and_structures(self):
        head = "TYPE T : STRUCT x : INT := 2; END_STRUCT; END_TYPE\nFUNCTION f : INT VAR_INPUT c : BOOL; END_VAR VAR_STAT u : CTU; t : ARRAY [0..1] OF T; END_VAR\nu(CU := c, PV := 9); t[1].x := t[1].x + 1; f := u.CV * 10 + t[1].x; END_FUNCTION\n"
        self.facts(head, "x : INT;", "x := f(TRUE); x := f(FALSE); x := f(TRUE);", "x = 25")

    def test_shadows_and_programs(self):
        self.facts("VAR_GLOBAL n : INT := 50; END_VAR\nFUNCTION f : INT VAR_STAT n : INT; END_VAR n := n + 1; f := n; END_FUNCTION\n",
                   "x : INT;", "x := f() + f() + n;", "x = 53", "n = 50")
        text = "PROGRAM P VAR_STAT n : INT; END_VAR\nn := n + 1;\n//#ASSERT n < 3 : p\nEND_PROGRAM"
        self.assertEqual(self.verdicts(text), ["unsafe p"])

    def test_evidence(self):
        text = self.st("FUNCTION f : INT VAR_STAT n : INT; END_VAR IF n < 5 THEN n := n + 1; END_IF; f := n; END_FUNCTION\n"
                       "PROGRAM P VAR x : INT; END_VAR\nx := f();\n//#ASSERT x < 3 : p\n//#ASSERT x < 6 : q\nEND_PROGRAM")
        table, proof = self.folder / "w.txt", self.folder / "c.txt"
        for name, option, file in (("p", "--witness", table), ("q", "--certificate", proof)):
            self.run_program("check", text, "--property", name, option, file)
            code, _, errors = self.run_program("validate", text, option, file)
            self.assertEqual(code, 0, errors)


class Overflow(Edges):
    """--check overflow: every place where a number may get lost."""

    def places(self, variables, body, *expected, check="overflow"):
        text = f"PROGRAM P VAR_INPUT {variables} END_VAR VAR x, y : INT; d : DINT; w : WORD; u : UINT; s : REAL; q : TIME; END_VAR\n{body}\nEND_PROGRAM"
        self.assertEqual(self.verdicts(text, "--check", check), list(expected), text)

    def test_functions(self):
        self.places("i : INT;", "x := ABS(i);", "unsafe overflow@2:6")
        self.places("i : INT;", "IF i > -32768 THEN x := ABS(i); END_IF;", "safe overflow@2:25")
        self.places("i : INT;", "x := MUL(i, 2) + EXPT(i, 2);", "unsafe overflow@2:6", "unsafe overflow@2:18", "unsafe overflow@2:16")
        self.places("i : INT; j : INT;", "x := i / j;", "unsafe overflow@2:8")
        self.places("i : INT; j : INT;", "x := i MOD j; IF j > 0 THEN x := DIV(i, j); END_IF;", "safe overflow@2:34")
        self.places("i : INT;", "x := -i; IF i <> -32768 THEN y := -i; END_IF;", "unsafe overflow@2:6", "safe overflow@2:35")

    def test_conversions(self):
        self.places("e : DINT;", "x := DINT_TO_INT(e); IF e > -9 AND e < 9 THEN x := TO_INT(e); END_IF;", "unsafe overflow@2:6", "safe overflow@2:52")
        self.places("e : DINT;", "x := e;", "unsafe overflow@2:1")
        self.places("i : INT; v : UINT;", "u := INT_TO_UINT(i); x := UINT_TO_INT(v); d := UINT_TO_DINT(v);", "unsafe overflow@2:6", "unsafe overflow@2:27")
        self.places("e : DWORD; v : WORD;", "x := DWORD_TO_INT(e); y := WORD_TO_INT(v); w := INT_TO_WORD(x);", "unsafe overflow@2:6")
        self.places("r : REAL;", "x := REAL_TO_INT(r); IF r > -9.0 AND r < 9.0 THEN y := TRUNC(r); END_IF;", "unsafe overflow@2:6", "safe overflow@2:56")
        self.places("l : LREAL;", "s := LREAL_TO_REAL(l);", "unsafe overflow@2:6")
        self.places("t : TIME; e : UDINT;", "x := TIME_TO_INT(t); q := UDINT_TO_TIME(e); d := TIME_TO_DINT(t);", "unsafe overflow@2:6", "unsafe overflow@2:27")

    def test_arguments_and_outputs(self):
        head = "FUNCTION f : INT VAR_INPUT a : INT; END_VAR VAR_OUTPUT o : DINT; END_VAR o := a; f := a; END_FUNCTION\n"
        text = head + "PROGRAM P VAR_INPUT e : DINT; END_VAR VAR x, y : INT; END_VAR\nx := f(e); x := f(3, o => y);\nEND_PROGRAM"
        self.assertEqual(self.verdicts(text, "--check", "overflow"), ["unsafe overflow@3:8", "safe overflow@3:27"])

    def test_time(self):
        self.places("t : TIME; v : TIME;", "q := t + v; IF t > T#0s AND v > T#0s THEN q := t - v; END_IF;", "unsafe overflow@2:8", "safe overflow@2:50")
        self.places("t : TIME; e : UDINT;", "q := t * e;", "unsafe overflow@2:8")
        self.places("t : TIME; e : DINT;", "q := t / e;", "unsafe overflow@2:8")
        self.places("t : TIME; e : UDINT;", "IF e > 0 THEN q := t / e; END_IF;", "safe overflow@2:22")

    def test_time_by_large_numbers(self):
        self.facts("", "t : TIME := T#5s; l : LINT := 4294967296; u : UDINT := 4294967295; a, b, c : TIME;",
                   "a := t / l; b := t / u; c := t * (l + 2);", "a = T#0s", "b = T#0s", "c = T#10s")

    def test_enumerations(self):
        for call, column in (("s := e;", 1), ("s := E_TO_USINT(e);", 6), ("s := TO_USINT(e);", 6)):
            text = f"PROGRAM P VAR_INPUT e : E; END_VAR VAR s : USINT; END_VAR\n{call}\nEND_PROGRAM\nTYPE E : (p, q := 300); END_TYPE"
            self.assertEqual(self.verdicts(text, "--check", "overflow"), [f"unsafe overflow@2:{column}"])
        wide = "PROGRAM P VAR_INPUT e : E; END_VAR VAR s : USINT; END_VAR\ns := e;\n//#ASSERT s = 0 OR s = 200 : p\nEND_PROGRAM\nTYPE E : (p, q := 200); END_TYPE"
        self.assertEqual(self.verdicts(wide, "--check", "overflow"), ["safe p"])

    def test_nothing_of_bits(self):
        self.places("v : WORD; i : INT;", "w := SHL(v, 3) AND ROL(v, 2); x := LIMIT(0, i, 9) + 1;", "safe overflow@2:51")


class Spelling(Edges):
    def test_comments(self):
        for body in ("x := (/* first */ a + b) * 2;", "x := (a /* in */ + b /**/) * 2; (/* whole */)", "x := f(/* none */) + 6;", "x := f(/**/) (* (* in *) *) + 6;",
                     "x/*a*/:=/*b*/6(**);", "x := ((/* a */ 3 (* b *))) * /* c */ 2 // d (* e\n;", "(/* SCL */) x := 6; (/* a */)", "IF TRUE THEN (/* b */) x := 6; END_IF; (/* c */)",
                     "x := (* a // b *) 6; /* (* */", "x := g(/* in */ 3 /* out */);", "x := 2 * (*) c *) 3;", "x := ar[/* i */ 1 (* j *)];", "x := g(a := (/* y */ 3));"):
            self.facts("FUNCTION f : INT f := 0; END_FUNCTION FUNCTION g : INT VAR_INPUT a : INT; END_VAR g := 2 * a; END_FUNCTION\n",
                       "a : INT := 1; b : INT := 2; x : INT; ar : ARRAY [0..1] OF INT := [2(6)];", body, "x = 6")
        self.facts("FUNCTION f : INT VAR_STAT n : INT; END_VAR n := n + 1; f := 5; f := f + n; END_FUNCTION\n", "x : INT;", "x := f(/* a */); x := f(/* b */);", "x = 7")
        self.facts("FUNCTION_BLOCK B VAR n : INT; END_VAR n := n + 1; END_FUNCTION_BLOCK\n", "b : B;", "b(/* now */); b( /* again */ );", "b.n = 2")

    def test_names_like_keywords(self):
        names = ("End_Pos", "end_", "END_IFS", "If_1", "Else_Pos", "Elsif2", "Until_End", "Case_No", "Exit_Code", "Return_Value", "Continue_1", "For_i", "To_Do",
                     "By_Pass", "Do_It", "Of_All", "Var_1", "Not_Ready", "And_Mask", "Or_1", "Xor_2", "Mod_7", "True_Pos", "False_Pos", "Array_1", "Struct_1", "Type_1",
                     "Program_1", "Begin", "Method", "Property", "Action", "Step", "Transition", "Const", "Label", "Region", "Title", "Retain", "Constant", "Task", "At_1",
                     "With", "On", "Goto", "Function_1", "T", "TIME_1", "S", "R", "End_Region_1", "End_Of_File", "Name", "Version", "Author", "End_Var_1", "End_Struct_2")
        body = "".join(f"{name} := 3;\n{name} := {name} + 1; a[1] := {name};\nCASE {name} OF 4: {name} := 5;\nELSE {name} := 6; END_CASE;\n"
                       f"IF {name} = 5 AND a[1] = 4 THEN n := n + 1; END_IF;\n" for name in names)
        self.facts("", "".join(f"{name} : INT; " for name in names) + "a : ARRAY [0..1] OF INT; n : INT;", body, f"n = {len(names)}")

    def test_regions_and_names(self):
        """REGION and TITLE begin a line of any text; in an expression they are names."""
        self.facts("", "x, Region : INT := 5;", "x :=\nRegion\n- 3;", "x = 2")
        self.facts("", "x, Region : INT := 5; b : BOOL;", "x := 1 +\nRegion - 2; b := x = 4 AND\nRegion = 5;", "x = 4", "b")
        self.facts("", "Title : INT := 5; b : BOOL;", "b := TRUE AND\nTitle = 5;", "b")
        self.facts("", "x : INT;", "REGION one - two\nx := 3;\nEND_REGION one;\nIF x = 3 THEN\nREGION\nx := 4;\nEND_REGION\nEND_IF;\nCASE x OF\n4:\nREGION a + b\nx := 5;\nEND_REGION\nEND_CASE;", "x = 5")

    def test_first_in_a_body_and_in_a_section(self):
        for name in ("Begin", "Method", "Property", "Step", "Const", "Label", "End_Pos", "Action", "Retain", "Constant", "Persistent", "Public", "Goto"):
            text = f"PROGRAM P VAR {name} : INT; END_VAR\n{name} := 3;\n//#ASSERT {name} = 3 : yes\n//#ASSERT {name} <> 3 : no\nEND_PROGRAM"
            self.holds(text)

    def test_literals_and_members(self):
        self.facts("TYPE E : (End_Left, End_Right); S : STRUCT End_Pos : E; If_1 : INT; END_STRUCT; END_TYPE\n", "s : S; x : INT;",
                   "s.End_Pos := End_Right; CASE s.End_Pos OF End_Left: x := 1; End_Right: x := 2; END_CASE;", "x = 2", "s.End_Pos = E#End_Right")


class Choices(Edges):
    """Values that the program leaves open are chosen once, and loops do what their bodies do."""

    def test_a_literal_compared_with_what_is_open(self):
        text = "TYPE E : (Red, Green); F : (Blue, Red); END_TYPE PROGRAM P VAR_INPUT i : INT; END_VAR VAR a : ARRAY [0..1] OF {}; b : BOOL; END_VAR\nb := Red = a[i];\n//#ASSERT {} : p\nEND_PROGRAM"
        self.assertEqual(self.verdicts(text.format("E", "b")), ["unsafe p"])
        self.assertEqual(self.verdicts(text.format("E", "b OR i < 0 OR i > 1")), ["safe p"])
        self.assertEqual(self.verdicts(text.format("F", "NOT b OR i < 0 OR i > 1")), ["safe p"])

    def test_a_loop_whose_variable_an_action_changes(self):
        for head in ("FUNCTION_BLOCK B VAR i, n : INT; END_VAR FOR i := 0 TO 5 DO skip(); n := n + 1; END_FOR;\nACTION skip: i := i + 1; END_ACTION\nEND_FUNCTION_BLOCK\n",
                     "FUNCTION_BLOCK B VAR i, n : INT; END_VAR METHOD skip : BOOL i := i + 1; END_METHOD\nFOR i := 0 TO 5 DO IF NOT THIS^.skip() THEN n := n + 1; END_IF; END_FOR;\nEND_FUNCTION_BLOCK\n"):
            self.facts(head, "b : B;", "b();", "b.n = 3", "b.i = 6")


class Files(Edges):
    """The inputs of the issue."""
    EXPECTED = {"s01_argument_order.st": "unsafe p1", "s01c_argument_order_fb.st": "unsafe p", "s02_nested_call_struct.st": "unsafe p1", "s05_conditional_pragma.st": "safe p1",
                "s04_two_instances_of_one_program.st": "unsafe pa", "s04b_two_instances.xml": "unsafe pa", "s06_literal_out_of_range.st": "safe always",
                "s07_var_stat_function.st": "unsafe p", "s09_comment_after_bracket.st": "safe p1", "s10_name_end_pos.st": "safe p1"}

    def setUp(self):
        super().setUp()
        if not EDGES.exists():
            self.skipTest("the shared inputs are not here")

    def test_verdicts(self):
        for name, line in self.EXPECTED.items():
            _, out, errors = self.run_program("check", EDGES / name)
            self.assertEqual(out.splitlines(), [line], f"{name}: {errors}")

    def test_options(self):
        _, out, _ = self.run_program("check", EDGES / "s03_retain_in_fb.st", "--retain", "any")
        self.assertEqual(out.splitlines(), ["unsafe p1"])
        _, out, _ = self.run_program("check", EDGES / "s08_abs_overflow.st", "--check", "overflow")
        self.assertEqual(out.splitlines(), ["unsafe overflow@4:18", "safe overflow@4:58"])


if __name__ == "__main__":
    main()
