#!/usr/bin/env python3
"""Small Lustre programs and what Kind 2's language makes of them: verdicts, and what is refused where.
usage: lustre_test.py [--build FOLDER] [TestClass.test_name]"""
import json
import re

import support
from support import ProgramTest

LAST = "node last(x: int) returns (y: int); let y = pre x; tel\n"
DELAY = "node delay(x: int) returns (y: int); let y = 0 -> pre x; tel\n"
COUNT = "node count(by: int) returns (n: int); let n = by -> pre n + 1; tel\n"


def top(body, inputs="x: int", variables="", outputs="ok: bool", before="", contract=""):
    """A main node whose property is ok."""
    declared = f"var {variables};" if variables else ""
    return (f"{before}node top({inputs}) returns ({outputs});\n{contract}{declared}\nlet\n{body}\n"
            "--%MAIN;\n--%PROPERTY ok;\ntel\n")


def contracted(contract, body="y = x;", before="", kind="node", inputs="x: int", variables=""):
    declared = f"var {variables};" if variables else ""
    return (f"{before}{kind} top({inputs}) returns (y: int);\n(*@contract\n{contract}\n*)\n"
            f"{declared}let\n{body}\ntel\n")


class LustreTest(ProgramTest):
    def verdict(self, text, *options):
        model = self.write("m.lus", text)
        code, out, err = self.run_program("check", model, "--timeout", "20", *options)
        words = {line.split()[0] for line in out.splitlines()}
        self.assertLess(code, 3, err)
        return next(word for word in ("unsafe", "unknown", "safe") if word in words)

    def check_all(self, table):
        for expected, text in table:
            with self.subTest(text=text):
                self.assertEqual(self.verdict(text, "-q"), expected)

    def refuse_all(self, table):
        for message, text in table:
            with self.subTest(text=text):
                model = self.write("m.lus", text)
                code, out, err = self.run_program("check", model, "--timeout", "20")
                self.assertEqual((code, out), (65, ""), err)
                self.assertRegex(err, r"m\.lus:\d+:\d+: error: ")
                self.assertIn(message, err)



class Statements(LustreTest):
    def test_if_defines_its_variables(self):
        body = """if reset then n = 0; big = false;
  elsif false -> pre n >= 3 then
    n = pre n; big = true;
  else
    if x > 0 then n = (0 -> pre n) + 1; else n = 0 -> pre n; fi
    big = n > 3;
  fi
  ok = n <= %d and (reset => n = 0);"""
        for limit, word in ((3, "safe"), (2, "unsafe")):
            self.assertEqual(self.verdict(top(body % limit, "x: int; reset: bool", "n: int; big: bool")), word)

    def test_a_branch_defines_all(self):
        for body in ("if x > 0 then y = 1; fi ok = true;", "if x > 0 then y = 1; else ok = true; fi"):
            model = self.write("m.lus", top(body, variables="y: int"))
            errors = self.expect(65, "", "check", model)
            self.assertIn("unsupported: a branch without a definition of", errors)

    def test_contracts_between_words(self):
        text = """node top(x: int) returns (y: int);
con
  assume x > 0;
  guarantee "up" y > x;
noc
let y = x + %s; tel"""
        self.assertEqual(self.verdict(text % "0xA"), "safe")
        self.assertEqual(self.verdict(text % "0"), "unsafe")


class UnguardedPre(LustreTest):
    def test_every_occurrence_has_a_first_value_of_its_own(self):
        self.check_all([
            ("unsafe", top("ok = pre 3 = pre 3;")),
            ("unsafe", top("ok = pre x = pre x;")),
            ("safe", top("ok = true -> (pre x = pre x);")),
            ("safe", top("y = pre x; ok = y = y;", variables="y: int")),
            ("safe", top("y = pre x; z = y; ok = y = z;", variables="y, z: int")),
            ("unsafe", top("y = pre x; z = pre x; ok = y = z;", variables="y, z: int")),
            ("safe", top("y = pre x; z = pre x; ok = true -> y = z;", variables="y, z: int")),
            ("unsafe", top("ok = (if x > 0 then pre x else 0) = (if x > 0 then pre x else 0);")),
            ("unsafe", top("(y, z) = pre (x, x); ok = y = z;", variables="y, z: int")),
        ])

    def test_every_instance_has_its_own(self):
        self.check_all([
            ("unsafe", top("ok = last(x) = last(x);", before=LAST)),
            ("safe", top("ok = true -> last(x) = last(x);", before=LAST)),
            ("safe", top("y = last(x); ok = y = y;", variables="y: int", before=LAST)),
            ("unsafe", top("ok = condact(x > 0, last(x), 0) = condact(x > 0, last(x), 0);",
                           before=LAST)),
            ("safe", top("ok = condact(false, last(x), 7) = condact(false, last(x), 7);",
                         before=LAST)),
        ])

    def test_a_guard_reaches_one_instant(self):
        self.check_all([
            ("unsafe", top("z = 5; y = 5 -> pre pre z; ok = y = 5;", variables="y, z: int")),
            ("safe", top("z = 5; y = 5 -> pre (5 -> pre z); ok = y = 5;", variables="y, z: int")),
            ("unsafe", top("z = 5; y = 5 -> 5 -> pre pre z; ok = y = 5;", variables="y, z: int")),
            ("safe", top("z = 5; y = 5 -> (if x > 0 then pre z else 5); ok = y = 5;",
                         variables="y, z: int")),
            ("unsafe", top("z = 5; y = pre z -> 5; ok = y = 5;", variables="y, z: int")),
        ])

    def test_a_restart_makes_it_arbitrary_again(self):
        body = "y = (restart last every c)(5); ok = true -> y = 5;"
        args = {"inputs": "c: bool", "variables": "y: int", "before": LAST}
        self.check_all([
            ("unsafe", top(body, **args)),
            ("safe", top(body.replace("every c", "every false"), **args)),
            ("unsafe", top("y = (restart last every c)(5); z = (restart last every c)(5);"
                           "ok = true -> y = z;", inputs="c: bool", variables="y, z: int",
                           before=LAST)),
        ])

    def test_stays_within_its_type(self):
        self.check_all([
            ("safe", top("y = pre x; ok = y <= 3;", inputs="x: subrange [0, 3] of int",
                         variables="y: subrange [0, 3] of int")),
            ("safe", top("ok = pre x <= 3 and pre x >= 0;", inputs="x: subrange [0, 3] of int")),
        ])

    def test_warns_once_with_the_place(self):
        text = ("node last(x: int) returns (y: int);\nlet\n  y = pre x;\ntel\n"
                "node top(x: int) returns (ok: bool);\nlet\n  ok = true -> last(x) = last(x);\n"
                "  check ok;\ntel\n")
        model = self.write("m.lus", text)
        code, out, err = self.run_program("check", model, "--json", "out.json", "--report", "r.html")
        self.assertEqual((code, out), (0, "safe ok\n"))
        self.assertEqual(err.count("warning"), 1, err)
        self.assertIn("m.lus:3:7: warning: 'pre' without '->'", err)
        report = json.loads((self.folder / "out.json").read_text())
        self.assertEqual([(w["line"], w["column"]) for w in report["warnings"]], [(3, 7)])
        self.assertIn("m.lus:3:7: warning:", (self.folder / "r.html").read_text())
        self.assertEqual(self.run_program("check", model, "-q"), (0, "safe ok\n", ""))

    def test_does_not_warn_where_there_is_a_guard(self):
        model = self.write("m.lus", top("ok = true -> pre ok;"))
        self.assertEqual(self.run_program("check", model), (0, "safe ok\n", ""))


class Goals(LustreTest):
    MODEL = """node top(up: bool) returns (n: int);
let
  n = 0 -> if up and pre n < 5 then pre n + 1 else pre n;
  check reachable "five" n = 5;
  check reachable "six" n = 6;
  check "small" n <= 5;
tel
"""

    def test_a_goal_is_safe_when_a_run_reaches_it(self):
        model = self.write("m.lus", self.MODEL)
        self.expect(1, "safe five\nunsafe six\nsafe small\n", "check", model)
        for engine in ("ic3ia", "kind"):
            self.expect(1, "safe five\nunsafe six\nsafe small\n", "check", model, "--engine", engine)

    def test_bounds_of_goals_count_instants_from_zero(self):
        model = self.write("m.lus", """node top(up: bool) returns (n: int);
let
  n = 0 -> pre n + 1;
  check reachable "early" n = 3 within 2;
  check reachable "on time" n = 3 within 3;
  check reachable "late" n = 3 from 4;
  check reachable "exact" n = 3 at 3;
  check reachable "window" n > 4 from 2 within 5;
  check reachable "ever" up from 7;
tel
""")
        self.expect(1, "unsafe early\nsafe on time\nunsafe late\nsafe exact\nsafe window\n"
                       "safe ever\n", "check", model)

    def test_a_goal_and_a_claim_of_one_name_are_two_properties(self):
        # Both are about the same states, and both are asked for.
        model = self.write("m.lus", """node t(a: bool) returns (b: bool);
let b = a; check reachable "x" not b; check "x" b; tel""")
        self.expect(1, "safe x\nunsafe x_2\n", "check", model)

    def test_the_run_and_the_proof_are_evidence(self):
        model = self.write("m.lus", self.MODEL)
        self.run_program("check", model, "--witness", "runs/", "--certificate", "proofs/")
        self.assertEqual([p.name for p in (self.folder / "runs").iterdir()], ["five.txt"])
        for option, file, name in (("--witness", "runs/five.txt", "five"),
                                   ("--certificate", "proofs/six.smt2", "six"),
                                   ("--certificate", "proofs/small.smt2", "small")):
            self.expect(0, f"accepted {name}\n", "validate", model, option, file)


class Assumptions(LustreTest):
    CLAIM = "guarantee y > 0;"

    def test_about_an_output_of_the_same_instant_are_refused(self):
        claim = self.CLAIM
        spec = "contract spec(i: int) returns (o: int);\nlet {} tel\n"
        what = "an assumption cannot depend on output"
        self.refuse_all([
            (what, contracted(f"assume y > 0; {claim}")),
            (what, contracted(f"var g: bool = y > 0; assume g; {claim}")),
            (what, contracted(f"var g: int = y; var h: bool = g > 0; assume h; {claim}")),
            (what, contracted(f"assume true -> (y > 0 or pre y > 0); {claim}")),
            (what, contracted(f"assume pos(y); {claim}", before="function pos(a: int) returns (b: "
                              "bool); let b = a > 0; tel\n")),
            (what, contracted(f"assume (restart delay every y > 0)(x) >= 0; {claim}",
                              before=DELAY)),
            (what, contracted(f"mode m (require y > 0; ensure y > 0;); assume ::m; {claim}")),
            (what, contracted("import spec(x) returns (y);",
                              before=spec.format("assume o > 0; guarantee o > 0;"))),
            ("an input of an import cannot depend on output",
             contracted("import spec(y) returns (x);",
                        before=spec.format("assume i > 0; guarantee i > 0;"))),
            ("for its inputs, needs 2 values",
             contracted("import two(x) returns (y, y);",
                        before="contract two(i, j: int) returns (o: int);\nlet assume j > 0; "
                               "guarantee o > 0; tel\n")),
            ("after 'returns' an import lists variables",
             contracted("import spec(x) returns (y + 1);", before=spec.format("guarantee o > 0;"))),
        ])

    def test_about_earlier_outputs_are_fine(self):
        body = "y = (1 -> pre y) + x;"
        self.check_all([
            ("safe", contracted("assume x >= 0; assume true -> pre y > 0; guarantee y > 0;", body)),
            ("unsafe", contracted("assume true -> pre y > 0; guarantee y > 0;", body)),
            ("safe", contracted("assume x >= 0 and delay(y) >= 0; guarantee y > 0;", body,
                                before=DELAY)),
            ("unsafe", contracted("mode m (require y > 0; ensure y > 1;); mode n (require y <= 0;);",
                                  "y = x;")),
        ])


class Refused(LustreTest):
    def test_names_that_mean_something_else(self):
        const = "const C: int = 3;\n"
        enum = "type e = enum {A, B};\n"
        self.refuse_all([
            ("'C' is also a constant of the program",
             top("C = x; ok = C > 0;", variables="C: int", before=const)),
            ("'C' is also a constant of the program", top("ok = C > 0;", inputs="C: int",
                                                          before=const)),
            ("'C' is also a constant of the program",
             contracted("var C: int = x; guarantee C > 0;", before=const)),
            ("'A' is also an enumerator", top("A = x > 0; ok = A;", variables="A: bool",
                                              before=enum)),
            ("enumerator 'A' is declared twice", top("ok = true;", before=enum +
                                                     "type f = enum {A};\n")),
            ("'x' is declared twice", top("ok = true;", variables="x: int")),
        ])

    def test_constants_that_change(self):
        what = "the value of constant 'C' cannot use"
        self.refuse_all([
            (f"{what} '->'", contracted("const C: int = 0 -> 1; guarantee y > C;")),
            (f"{what} 'pre'", contracted("const C: int = pre 1; guarantee y > C;")),
            (f"{what} variable 'x'", contracted("const C: int = x; guarantee y > C;")),
            (f"{what} a call", contracted("const C: int = f(1); guarantee y > C;",
                                          before="function f(a: int) returns (b: int); let b = a; "
                                                 "tel\n")),
            (f"{what} variable 'x'", "node top(x: int) returns (ok: bool);\nconst C: int = x;\n"
             "let ok = C > 0; check ok; tel\n"),
            ("a constant cannot use '->'", top("ok = true;", before="const C: int = 0 -> 1;\n")),
            ("the value of constant 'k' cannot use variable 'x'",
             top("ok = f(x, x) > 0;", before="node f(const k: int; a: int) returns (b: int); let b "
                 "= a + k; tel\n")),
        ])

    def test_functions_with_a_memory(self):
        old = "contract old(i: int) returns (o: int);\nlet var g: int = 0 -> pre i; guarantee o >= g; tel\n"
        outer = "contract outer(i: int) returns (o: int);\nlet import old(i) returns (o); tel\n"
        self.refuse_all([
            ("the contract of function 'top' cannot use 'pre'",
             contracted("guarantee y > pre y;", kind="function")),
            ("the contract of function 'top' cannot use '->'",
             contracted("var g: bool = true -> false; guarantee g;", kind="function")),
            ("the contract of function 'top' cannot use the node 'delay'",
             contracted("guarantee y > delay(x);", kind="function", before=DELAY)),
            ("the contract of function 'top' cannot import 'old'",
             contracted("import old(x) returns (y);", kind="function", before=old)),
            ("the contract of function 'top' cannot import 'outer'",
             contracted("import outer(x) returns (y);", kind="function", before=old + outer)),
            ("function 'top' cannot use the node 'delay'",
             contracted("guarantee y > 0;", body="y = delay(x);", kind="function", before=DELAY)),
        ])
        self.check_all([("safe", contracted("assume x > 0; guarantee y > 0;", kind="function"))])

    def test_clocks_that_do_not_fit(self):
        merge = "y = merge(c; {}; {}); ok = true;"
        args = {"inputs": "c, d: bool", "variables": "y: int", "before": COUNT}
        other = "the node is activated on another condition than its branch of merge"
        self.refuse_all([
            (other, top(merge.format("(activate count every c or c)(1)", "0"), **args)),
            (other, top(merge.format("(activate count every c and true)(1)", "0"), **args)),
            (other, top(merge.format("(activate count every not not c)(1)", "0"), **args)),
            (other, top(merge.format("0", "(activate count every c = false)(1)"), **args)),
            (other, top(merge.format("0", "(activate count every c)(1)"), **args)),
            (other, top(merge.format("(activate count every d)(1)", "0"), **args)),
            ("unsupported: activate without default",
             top("y = (activate count every c)(1); ok = true;", **args)),
            ("unsupported: 'when' outside", top("y = 3 when c; ok = true;", **args)),
            ("is sampled on another clock", top(merge.format("1 when d", "0"), **args)),
        ])
        kind = "type e = enum {A, B};\n" + COUNT
        self.check_all([
            ("safe", top("y = merge(c; (activate count every c)(1); (activate count every not "
                         "c)(1)); ok = y >= 1;", **args)),
            ("safe", top("y = merge k (A -> (activate count every k = A)(1)) (B -> 1); ok = y >= "
                         "1;", inputs="k: e", variables="y: int", before=kind)),
            ("safe", top("y = (restart count every c or d)(1); ok = y >= 1;", **args)),
        ])

    def test_definitions_that_are_missing_doubled_or_circular(self):
        self.refuse_all([
            ("'y' is defined twice", top("y = 1; y = 2; ok = true;", variables="y: int")),
            ("input 'x' cannot be defined", top("x = 1; ok = true;")),
            ("'y' has no equation", top("ok = y > 0;", variables="y: int")),
            ("depends on itself without 'pre'",
             top("y = z; z = y; ok = true;", variables="y, z: int")),
            ("depends on itself without 'pre'",
             top("y = same(y); ok = true;", variables="y: int",
                 before="node same(a: int) returns (b: int); let b = a; tel\n")),
            ("depends on itself without 'pre'",
             contracted("var g: int = h; var h: int = g; guarantee g > 0;")),
            ("division by zero", top("ok = x div 0 = x;")),
            ("by something that is not constant", top("ok = x div x = 1;")),
            ("the subrange is empty", top("ok = true;", inputs="x: subrange [3, 2] of int")),
            ("recursive calls", "node top(x: int) returns (y: int);\nlet y = top(x); check true; "
                                "tel\n"),
        ])
        self.check_all([
            ("safe", top("y = delay(y) + 1; ok = y > 0;", variables="y: int", before=DELAY)),
        ])


class Meaning(LustreTest):
    def test_of_numbers(self):
        self.check_all([
            ("safe", top("ok = (0 - 7) div 2 = -4 and (0 - 7) mod 2 = 1 and 7 div (-2) = -3;")),
            ("safe", top("ok = 1.0 / 3.0 * 3.0 = 1.0 and int 2.5 = 2 and int (0.0 - 2.5) = -3;")),
            ("safe", top("ok = (int8 127) + (int8 1) = (int8 (-128));")),
            ("safe", top("ok = (int8 200) = (int8 (-56)) and (uint8 256) = (uint8 0);")),
            ("safe", top("ok = (uint8 0) - (uint8 1) > (uint8 254) and (int8 0) - (int8 1) < (int8 0);")),
            ("safe", top("ok = (int8 (-7)) div (int8 2) = (int8 (-3)) and (int8 (-7)) mod (int8 2) "
                         "= (int8 (-1));")),
            ("safe", top("ok = (uint16 (uint8 255)) = (uint16 255) and (int8 (int16 300)) = (int8 "
                         "44);")),
        ])

    def test_of_subranges_and_constants(self):
        sub = {"variables": "y: subrange [0, 5] of int"}
        self.check_all([
            ("safe", top("y = 0 -> if pre y < 5 then pre y + 1 else 0; ok = y < 6;", **sub)),
            ("unsafe", top("y = 0 -> pre y + 1; ok = true;", **sub)),
            ("safe", top("ok = true -> k = pre k;", inputs="const k: int")),
            ("unsafe", top("ok = true -> k = pre k;", inputs="k: int")),
            ("safe", top("ok = true -> C = pre C;", before="const C: int;\n")),
            ("unsafe", top("ok = C > 0;", before="const C: int;\n")),
            ("safe", top("ok = f(3, x) >= x;", before="node f(const k: int; a: int) returns (b: "
                         "int); let b = a + k; tel\n")),
        ])

    def test_of_calls_and_clocks(self):
        clock = {"inputs": "c: bool", "variables": "y: int", "before": COUNT}
        self.check_all([
            ("safe", top("y = condact(false, count(1), 7); ok = y = 7;", **clock)),
            ("safe", top("y = condact(c, count(1), 7); ok = true -> (not c => y = pre y);", **clock)),
            ("unsafe", top("y = condact(c, count(1), 7); ok = y <> 1;", **clock)),
            ("safe", top("y = (restart count every true)(3); ok = y = 3;", **clock)),
            ("safe", top("y = (restart count every c)(3); ok = (c => y = 3) and y >= 3;", **clock)),
            ("safe", top("y = 1 -> 2 -> 3; ok = true -> y = 3;", variables="y: int")),
            ("unsafe", top("ok = f(x);", before="node f(a: int) returns (b: bool); let b = true; "
                           "check a > 0; tel\n")),
        ])

    def test_of_contracts(self):
        callee = ("node f(a: int) returns (b: int);\n(*@contract assume a > 0; guarantee b > 1; *)\n"
                  "let b = a + 1; tel\n")
        self.check_all([
            ("safe", contracted("assume x > 0; guarantee y > 0;")),
            ("unsafe", contracted("guarantee y > 0;")),
            ("unsafe", contracted("assume x > 0; guarantee y > 1;")),
            ("unsafe", contracted("mode m (require x > 0; ensure y > 0;);")),
            ("safe", contracted("mode m (require x > 0; ensure y > 0;); mode n (require x <= 0;);")),
            ("unsafe", contracted("guarantee y > 0;", body="y = f(x);", before=callee)),
            ("safe", contracted("assume x > 0; guarantee y > 0;", body="y = f(x);", before=callee)),
        ])


class Vacuous(LustreTest):
    def vacuous(self, text):
        model = self.write("m.lus", text)
        code, out, err = self.run_program("check", model, "--json", "out.json", "--report", "r.html")
        self.assertEqual(code, 0, err)
        rows = json.loads((self.folder / "out.json").read_text())["results"]
        marked = {row["property"] for row in rows if row.get("vacuous")}
        said = {line.split(": vacuous: ")[0] for line in err.splitlines() if ": vacuous: " in line}
        self.assertEqual(said, marked)
        self.assertEqual(bool(marked), bool(re.search('"vacuous":"[^"]', (self.folder / "r.html").read_text())))
        return marked

    def test_contradictory_assumptions(self):
        self.assertEqual(self.vacuous(contracted('assume x > 0; assume x < 0; guarantee "g" y > 5;')),
                         {"g"})
        self.assertEqual(self.vacuous(top("assert false; ok = x > 0;")), {"ok"})
        self.assertEqual(self.vacuous(top("assert true -> false; ok = 0 = 0 -> x > 0;")), {"ok"})
        self.assertEqual(self.vacuous(contracted('assume x > 5; guarantee "g" y > 5;')), set())

    def test_premises_that_never_hold(self):
        self.assertEqual(self.vacuous(top("ok = (x > 5 and x < 3) => false;")), {"ok"})
        self.assertEqual(self.vacuous(top("n = 0 -> if pre n < 5 then pre n + 1 else 0; ok = true -> "
                                          "(n > 7 => x > 0);", variables="n: int")), {"ok"})
        self.assertEqual(self.vacuous(top("n = 0 -> if pre n < 5 then pre n + 1 else 0; ok = not (n > "
                                          "7) or n = n;", variables="n: int")), {"ok"})
        self.assertEqual(self.vacuous(top("n = 0 -> if pre n < 5 then pre n + 1 else 0; ok = n > 4 => "
                                          "n = 5;", variables="n: int")), set())
        self.assertEqual(self.vacuous(contracted(
            'assume x > 0; mode m (require x < 0; ensure "e" y = 3;); mode n (require true;);')),
            {"m.e"})

    def test_nothing_to_check(self):
        model = self.write("m.lus", "node top(x: int) returns (y: int); let y = x; tel\n")
        for command in (("check", model), ("validate", model, "--certificate", model)):
            code, out, err = self.run_program(*command)
            self.assertEqual((code, out), (64, ""))
            self.assertRegex(err, r"m\.lus: error: nothing to check \(it would need a property")


class GuardsInContracts(LustreTest):
    """As Kind 2 has it: what a contract says does not depend on arbitrary first values."""
    SPEC = "contract spec(a: int) returns (b: int);\nlet assume a >= 0; guarantee b >= 0; %s tel\n"
    OUTER = "node outer(x: int) returns (y: int); let y = 0 -> last(x); tel\n"
    DEEP = "node deep(x: int) returns (y: int); let y = if x > 0 then outer(x) else 1; tel\n"
    USES = "contract %s uses 'pre' without '->'"
    CALLS = "contract %s uses 'pre' without '->' in a node that it calls"

    def test_without_an_arrow(self):
        inline = self.USES.replace("contract %s", "a contract")
        calls = self.CALLS.replace("contract %s", "a contract")
        named, through = self.USES % "'spec'", self.CALLS % "'spec'"
        importing = "import spec(%s) returns (y);"
        self.refuse_all([
            (inline, contracted("assume pre x > 0;")),
            (inline, contracted("guarantee y = pre x;")),
            (inline, contracted("guarantee true -> pre (pre x) = 0;")),
            (inline, contracted("guarantee (true -> y > 0) and pre x > 0;")),
            (inline, contracted("mode m (require pre x > 0; ensure y > 0;);")),
            (inline, contracted("mode m (require x > 0; ensure pre x > 0;);")),
            (inline, contracted("var g: int = pre x; guarantee true -> y >= g;")),
            (inline, contracted("guarantee true -> y > delay(pre x);", before=DELAY)),
            # What an import is given.
            (inline, contracted(importing % "pre x", before=self.SPEC % "")),
            (inline, contracted(importing % "x + pre x", before=self.SPEC % "")),
            (inline, contracted(importing % "if x > 0 then pre x else x", before=self.SPEC % "")),
            (inline, contracted(importing % "0 -> pre pre x", before=self.SPEC % "")),
            (inline, contracted(importing % "delay(pre x)", before=DELAY + self.SPEC % "")),
            (calls, contracted(importing % "0 -> last(x)", before=LAST + self.SPEC % "")),
            # Named contracts, used or not.
            (inline, contracted(importing % "pre y", before=self.SPEC % "")),
            (named, contracted(importing % "x", before=self.SPEC % "guarantee pre a > 0;")),
            (named, top("ok = true;", before=self.SPEC % "var g: int = pre a;")),
            # In nodes that they call, through others too; an arrow before the call does not count.
            (calls, contracted("guarantee y = (0 -> last(x));", before=LAST)),
            (calls, contracted("guarantee y = (0 -> outer(x));", before=LAST + self.OUTER)),
            (calls, contracted("assume x > deep(x);", before=self.DEEP + self.OUTER + LAST)),
            (calls, contracted("mode m (require last(x) > 0; ensure y > 0;);", before=LAST)),
            (calls, contracted("var g: int = last(x); guarantee true;", before=LAST)),
            (through, contracted(importing % "x", before=LAST + self.SPEC % "guarantee last(a) > 0;")),
        ])

    def test_with_an_arrow_or_outside_of_contracts(self):
        self.check_all([
            ("safe", contracted("guarantee true -> y >= pre y or y < pre y;")),
            ("safe", contracted("import spec(0 -> pre (if x > 0 then x else 0)) returns (y);", "y = 1;",
                                before=self.SPEC % "")),
            ("safe", contracted("var g: int = 0 -> pre x; guarantee y = g;", "y = 0 -> pre x;")),
            ("safe", contracted("guarantee y = delay(x);", "y = 0 -> pre x;", before=DELAY)),
            ("safe", contracted("guarantee true;", "y = pre x;")),
            ("unsafe", contracted("guarantee pre y >= 0;", "y = 1;")),
            ("unsafe", contracted("assume x = pre y; guarantee y > 0;")),
            ("unsafe", contracted("mode m (require pre y = x; ensure pre y + 1 = y + 2;);", "y = 2 * x;")),
            ("safe", contracted("guarantee true;", "y = last(x);", before=LAST)),
            ("unsafe", contracted("guarantee y = 0 or y <> 0 and y > 3;", "y = last(x);", before=LAST)),
        ])


if __name__ == "__main__":
    support.main()
