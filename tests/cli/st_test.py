#!/usr/bin/env python3
"""PLC programs as a user checks them: assertions, requirements, checks, time, evidence, refusals."""
import csv
import json

from st_support import LATCH, St
from support import ROOT, main

EXAMPLES = sorted((ROOT / "examples/st").iterdir())
SHARED = ROOT.parent / "shared/benchmarks/st"


class Examples(St):
    def test_verdicts(self):
        for example in EXAMPLES:
            word = "unsafe" if example.stem.endswith("_unsafe") else "safe"
            _, out, errors = self.run_program("check", example, "--timeout", "60")
            self.assertEqual([line.split()[0] for line in out.splitlines()], [word],
                             f"{example.name}: {out}{errors}")


class Requirements(St):
    """Each pattern once where it holds and once where it does not."""

    def both(self, holds, fails):
        self.assertEqual(self.verdicts(LATCH, "--require", holds, "--require", fails, code=1),
                         ["safe R1", "unsafe R2"])

    def test_invariant(self):
        self.both("invariant: Count <= 5", "invariant: Count <= 4")

    def test_forbidden(self):
        self.both("forbidden: Out AND NOT Seen", "forbidden: Out AND Seen")

    def test_implication(self):
        self.both("implication: Reset | NOT Out", "implication: Set | Out")

    def test_during_cycle(self):
        self.both("during-cycle: Set AND NOT Reset | Out", "during-cycle: NOT Out | NOT Out")

    def test_between_cycles(self):
        self.both("between-cycles: Out | NOT Reset | Out", "between-cycles: NOT Out | TRUE | NOT Out")

    def test_past(self):
        self.both("past: Count > 1 | Seen", "past: Seen | Seen")

    def test_reachability_is_safe_when_there_is_a_run(self):
        self.assertEqual(self.verdicts(LATCH, "--require", "reachability: Count = 5",
                                       "--require", "reachability: Count = 6", code=1),
                         ["safe R1", "unsafe R2"])

    def test_previous_values(self):
        self.both("invariant: rose(Out) --> Set", "invariant: NOT fell(Out)")
        self.both("invariant: Count >= prev(Count)", "invariant: Count = prev(Count)")

    def test_instance_prefix_and_case(self):
        self.assertEqual(self.verdicts(LATCH, "--require", "invariant: instance.COUNT <= 5", code=0), ["safe R1"])

    def test_parameters_and_assumptions(self):
        text = ("PROGRAM p VAR_INPUT Most : INT; Go : BOOL; END_VAR VAR n : INT; END_VAR "
                "IF Go AND n < Most THEN n := n + 1; END_IF; END_PROGRAM")
        claim = "invariant: n <= 0 OR n <= Most"
        self.assertEqual(self.verdicts(text, "--require", claim), ["unsafe R1"])
        self.assertEqual(self.verdicts(text, "--require", claim, "--parameter", "Most"), ["safe R1"])
        self.assertEqual(self.verdicts(text, "--require", "invariant: n <= 3", "--assume", "Most <= 3"),
                         ["safe R1"])

    def test_file(self):
        path = self.write("r.yml", "requirements:\n  - name: few\n    pattern: invariant\n"
                          "    parameters: ['Count <= 5']\n  - 'forbidden: Count = 3'\n")
        self.assertEqual(self.verdicts(LATCH, "--requirements", path), ["safe few", "unsafe R2"])
        path = self.write("c.vc3", '-id = case1\n-job.req = pattern -job.req.pattern_id = pattern-invariant\n'
                          '-job.req.pattern_params.1 = "instance.Count <= 5"\n')
        self.assertEqual(self.verdicts(LATCH, "--requirements", path), ["safe case1"])

    def test_wrong_ones_are_usage_errors(self):
        for wrong in ("nonsense: a", "invariant: a | b", "invariant", "implication: Set |"):
            self.expect(64, "", "check", self.st(LATCH), "--require", wrong)
        self.expect(65, "", "check", self.st(LATCH), "--require", "invariant: Nosuch")


class Semantics(St):
    def test_wraps_around(self):
        text = "PROGRAM p VAR n : SINT; END_VAR n := n + 1; END_PROGRAM"
        self.assertEqual(self.verdicts(text, "--require", "invariant: n >= 0"), ["unsafe R1"])
        self.assertEqual(self.verdicts(text, "--check", "overflow"), ["unsafe overflow@1:40"])

    def test_checks(self):
        text = ("PROGRAM p VAR_INPUT i : INT; END_VAR VAR a : ARRAY[0..3] OF INT; x : INT; END_VAR\n"
                "a[i] := 1;\nx := 7 / i;\nIF i >= 0 AND i <= 3 THEN x := a[i]; END_IF;\n"
                "IF i <> 0 THEN x := x / i; END_IF;\nEND_PROGRAM")
        self.assertEqual(self.verdicts(text, "--check", "division,bounds"),
                         ["unsafe bounds@2:2", "unsafe division@3:8", "safe bounds@4:33", "safe division@5:23"])

    def test_instances_keep_what_a_call_leaves_out(self):
        text = ("FUNCTION_BLOCK B VAR_INPUT a, b : INT; END_VAR VAR_OUTPUT s : INT; END_VAR s := a + b; END_FUNCTION_BLOCK\n"
                "PROGRAM p VAR i : B; w : WORD; END_VAR i(a := 2, b := 3); i(b := 4); i.a := 7; i(b := 1);\n"
                "//#ASSERT i.s = 8 : last\nEND_PROGRAM")
        self.assertEqual(self.verdicts(text), ["safe last"])

    def test_time_models(self):
        text = ("PROGRAM p VAR_INPUT go : BOOL; END_VAR VAR t : TON; n : INT; END_VAR\n"
                "t(IN := go, PT := T#100ms); IF NOT go THEN n := 0; ELSIF NOT t.Q AND n < 100 THEN n := n + 1; END_IF;\nEND_PROGRAM")
        few = ("--require", "invariant: n <= 10")
        self.assertEqual(self.verdicts(text, *few), ["unsafe R1"])
        self.assertEqual(self.verdicts(text, *few, "--time", "fixed:10"), ["safe R1"])
        self.assertEqual(self.verdicts(text, *few, "--time", "range:10:20"), ["safe R1"])
        self.assertEqual(self.verdicts(text, *few, "--time", "range:5:20"), ["unsafe R1"])

    def test_verdicts_do_not_depend_on_time_models(self):
        """Where the property does not speak of time."""
        text = ("PROGRAM p VAR_INPUT go, stop : BOOL; END_VAR VAR_OUTPUT on : BOOL; late : BOOL; END_VAR VAR t : TON; f : TOF; END_VAR\n"
                "t(IN := go, PT := T#1s); f(IN := go, PT := T#1s); on := t.Q AND NOT stop; late := f.Q AND NOT go;\nEND_PROGRAM")
        claims = ("--require", "implication: on | go AND NOT stop", "--require", "reachability: on", "--require", "forbidden: late",
                  "--require", "invariant: NOT (on AND late)")
        wanted = ["safe R1", "safe R2", "unsafe R3", "safe R4"]
        for model in ("nondet", "fixed:100", "range:50:2000"):
            self.assertEqual(self.verdicts(text, *claims, "--time", model), wanted, model)

    def test_deep_overflow_is_excluded_by_induction(self):
        """A counter that would overflow after 2**29 cycles and is stopped before."""
        text = ("PROGRAM p VAR n : DINT; END_VAR IF n < 2147483640 THEN n := n + 4; END_IF; END_PROGRAM")
        self.assertEqual(self.verdicts(text, "--check", "overflow"), ["safe overflow@1:63"])

    def test_quotients_that_do_not_matter_are_not_asked_about(self):
        """The proof is checked on the whole program; a solver does not get to see what nothing reads."""
        text = ("PROGRAM p VAR_INPUT v : REAL; n : INT; END_VAR VAR sum, mean, d : REAL; bad : BOOL; END_VAR bad := n < 1;\n"
                "IF NOT bad THEN sum := sum + v; IF n > 5 THEN d := n; mean := sum / d; ELSE d := n - 9; mean := sum / d; END_IF; END_IF;\n"
                "END_PROGRAM")
        self.assertEqual(self.verdicts(text, "--require", "implication: n >= 1 | NOT bad", "--engine", "ic3cfa"),
                         ["safe R1"])

    def test_user_definitions_come_first(self):
        text = ("FUNCTION_BLOCK TON VAR_INPUT IN : BOOL; END_VAR VAR_OUTPUT Q : BOOL; END_VAR Q := NOT IN; END_FUNCTION_BLOCK\n"
                "PROGRAM p VAR ton : TON; END_VAR ton(IN := FALSE);\n//#ASSERT ton.Q : own\nEND_PROGRAM")
        self.assertEqual(self.verdicts(text), ["safe own"])


class RealCode(St):
    """What programs on machines have besides the textbook."""
    NAMES = """FUNCTION_BLOCK Main
VAR_INPUT START : BOOL; w : WORD; END_VAR
VAR_OUTPUT out : BOOL; END_VAR
VAR
  ton : TON;
  STEP : INT;
  bits : WORD;
  a : ARRAY[0..LIMIT_HI] OF INT;
END_VAR
VAR CONSTANT LIMIT_HI : INT := 3; END_VAR
ton.IN := start;
Ton(PT := T#1s, Q => bits.4);
step := Step + 1;
IF STEP > 3 THEN STEP := 0; END_IF
a[STEP] := 1;
CASE w OF
  WORD#9..WORD#13: out := TRUE;
ELSE out := FALSE;
END_CASE
bits.%X3 := w.%X0;
bits.2 := w.1;
//#ASSERT bits.4 = ton.Q : bound_bit
//#ASSERT step >= 0 AND step <= 3 : small
//#ASSERT NOT out OR (w >= 9 AND w <= 13) : labels
//#ASSERT bits.3 = w.0 AND bits.2 = w.%X1 : bits
END_FUNCTION_BLOCK
"""
    OWN = """FUNCTION_BLOCK F_TRIG
VAR_INPUT CLK : BOOL; END_VAR
VAR_OUTPUT Q : BOOL; END_VAR
Q := CLK;
END_FUNCTION_BLOCK
PROGRAM P
VAR_INPUT x : BOOL; END_VAR
VAR
  f : F_TRIG;
  light : (RED, GREEN) := RED;
  other : (RED, BLUE);
  big : INT := 5;
END_VAR
f(CLK := x);
IF f.Q THEN light := GREEN; ELSE light := RED; END_IF
other := BLUE;
f();
//#ASSERT f.Q = x : own_trigger_and_kept_argument
//#ASSERT (light = GREEN) = x : enums
END_PROGRAM
"""
    SCL = """\ufeffFUNCTION_BLOCK "Tank.Control"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
   VAR_INPUT
      level { ExternalAccessible := 'False'} : Int;
   END_VAR
   VAR
      count : Int;
      "odd name.x" : Bool;
   END_VAR
BEGIN
   REGION What is done, in free words (1)
   IF #level > 10 THEN
      #count := 1+#count;
   END_IF;
   IF #count > 5 THEN #count := 0; END_IF;
   #"odd name.x" := #count = 5;
   END_REGION
   //#ASSERT #count <= 5 AND #count >= 0 : range
END_FUNCTION_BLOCK
"""
    CONFIGURED = """CONFIGURATION Conf
VAR_GLOBAL g : INT := 3; END_VAR
RESOURCE R ON PLC
TASK T1(INTERVAL := T#10ms, PRIORITY := 1);
PROGRAM Inst WITH T1 : Prog;
END_RESOURCE
END_CONFIGURATION
PROGRAM Prog
VAR_EXTERNAL g : INT; END_VAR
VAR in1 AT %IX0.0 : BOOL; out1 AT %QX0.0 : BOOL; END_VAR
VAR RETAIN kept : INT := 7; END_VAR
out1 := in1;
IF in1 THEN kept := 8; END_IF
//#ASSERT g = 3 : global
//#ASSERT kept = 7 OR kept = 8 : retained
//#ASSERT out1 = in1 : mapped
END_PROGRAM
"""

    def lines(self, file, program, *options):
        _, out, err = self.run_program("check", self.write(file, program), "-q", *options)
        self.assertEqual(err, "")
        return out.split("\n")[:-1]

    def test_names_like_types_and_keywords_and_bits(self):
        self.assertEqual(self.lines("a.st", self.NAMES),
                         ["safe bound_bit", "safe small", "safe labels", "safe bits"])
        self.assertEqual(self.lines("a.st", self.NAMES.replace("WORD#13", "WORD#14"), "--property",
                                    "labels"), ["unsafe labels"])
        self.assertEqual(self.lines("a.st", self.NAMES.replace("Q => bits.4", "Q => bits.5"),
                                    "--property", "bound_bit"), ["unsafe bound_bit"])

    def test_own_blocks_kept_arguments_and_shared_literals(self):
        self.assertEqual(self.lines("b.st", self.OWN),
                         ["safe own_trigger_and_kept_argument", "safe enums"])
        builtin = self.OWN[self.OWN.index("PROGRAM"):]
        self.assertEqual(self.lines("b.st", builtin, "--property", "own*"),
                         ["unsafe own_trigger_and_kept_argument"])

    def test_siemens_flavour(self):
        self.assertEqual(self.lines("c.scl", self.SCL), ["safe range"])
        self.assertEqual(self.lines("c.scl", self.SCL.replace("> 5", "> 6")), ["unsafe range"])

    def test_configuration_globals_places_and_retained_values(self):
        self.assertEqual(self.lines("d.st", self.CONFIGURED),
                         ["safe global", "safe retained", "safe mapped"])
        self.assertEqual(self.lines("d.st", self.CONFIGURED, "--retain", "any", "--property",
                                    "retained"), ["unsafe retained"])


class Evidence(St):
    def test_table(self):
        out = self.folder / "bug.txt"
        self.verdicts(LATCH, "--require", "invariant: Count <= 1", "--witness", out)
        text = out.read_text()
        self.assertIn("R1: (Count <= 1) at the end of every cycle", text)
        self.assertIn("violated in cycle 2", text)
        row = next(line for line in text.splitlines() if line.split()[:3] == ["VAR", "INT", "Count"])
        self.assertEqual(row.split()[3:], ["0", "1", ".", "2"])

    def test_csv_and_json(self):
        for suffix in (".csv", ".json"):
            out = self.folder / f"bug{suffix}"
            self.verdicts(LATCH, "--require", "forbidden: Seen", "--witness", out)
            if suffix == ".csv":
                rows = {row["variable"]: row for row in csv.DictReader(out.read_text().splitlines())}
                self.assertEqual(rows["Seen"]["1 end"], "TRUE")
            else:
                table = json.loads(out.read_text())
                self.assertEqual(table["cycles"], 1)

    def test_inputs_that_matter_are_marked(self):
        out = self.folder / "bug.csv"
        self.verdicts(LATCH, "--require", "invariant: Count <= 1", "--witness", out)
        rows = {row["variable"]: row for row in csv.DictReader(out.read_text().splitlines())}
        self.assertEqual(rows["Set"]["matters in cycles"], "1 2")
        self.assertEqual(rows["Reset"]["matters in cycles"] + rows["Level"]["matters in cycles"], "")

    def test_danger_range_of_the_thesis(self):
        """[Lange18 sec. 5.2.3]: the class of violations, and the input that does not matter."""
        example, out = ROOT / "examples/st/danger_range_unsafe.st", self.folder / "bug.csv"
        self.expect(1, "unsafe flag_set_inside\n", "check", example, "--witness", out)
        rows = {row["variable"]: row for row in csv.DictReader(out.read_text().splitlines())}
        value = {name: int(row["1 begin"]) for name, row in rows.items() if row["direction"] == "IN"}
        self.assertLessEqual(value["BeginMulti"], value["PosMulti"])
        self.assertLess(value["PosMulti"], value["EndMulti"])
        self.assertLess(value["PosSingle"], value["BeginSingle"])
        self.assertEqual(rows["EndSingle"]["matters in cycles"], "")
        self.assertEqual(rows["BeginSingle"]["matters in cycles"], "1")

    def test_shortest_run(self):
        text = ("PROGRAM p VAR_INPUT i : INT (0..3); END_VAR VAR n : INT; END_VAR n := n + i; END_PROGRAM")
        out = self.folder / "bug.json"
        self.verdicts(text, "--require", "invariant: n < 7", "--witness", out)
        self.assertEqual(json.loads(out.read_text())["cycles"], 3)

    def test_runs_are_validated(self):
        text = ("TYPE Mode : (Off, On); END_TYPE PROGRAM p VAR_INPUT i : SINT; m : Mode; r : REAL; go : BOOL; END_VAR "
                "VAR n : INT; q : INT; w : WORD := 16#8A04; t : TON; END_VAR t(IN := go, PT := T#3s); "
                "IF m = On AND t.Q THEN n := n + i; q := n / i; w.0 := i > 3; END_IF; END_PROGRAM")
        claim = ("--require", "invariant: n < 200 OR q = 1", "--time", "range:100:2000")
        for suffix in (".txt", ".csv", ".json"):
            out = self.folder / f"bug{suffix}"
            self.assertEqual(self.verdicts(text, *claim, "--witness", out), ["unsafe R1"])
            program = self.st(text)
            self.expect(0, "accepted R1\n", "validate", program, *claim, "--witness", out)
            written = out.read_text()
            for old, new in (("16#8A05", "16#8A04"), ("On", "Off"), ("TRUE", "FALSE")):
                if old not in written:
                    continue
                out.write_text(written.replace(old, new))
                got, said, _ = self.run_program("validate", program, *claim, "--witness", out)
                self.assertEqual((got, said.split(":")[0]), (70, "rejected"), (suffix, old))
            out.write_text(written)
            got, said, _ = self.run_program("validate", program, *claim[:2], "--time", "range:1:2", "--witness", out)
            self.assertEqual((got, said.split(":")[0]), (70, "rejected"))

    def test_a_run_may_pass_an_earlier_failure(self):
        """A program goes on behind a check that fails; a table that ends with the second failure was rejected
        (st/agents4plc/225_MergeBytes.st)."""
        self.write("two.st", "FUNCTION_BLOCK two\nVAR_INPUT\n a : ARRAY[1..2] OF INT;\nEND_VAR\nVAR\n i : INT;\n"
                   " x : INT;\nEND_VAR\nFOR i := 1 TO 2 DO\n x := a[i] * 256;\nEND_FOR;\nEND_FUNCTION_BLOCK\n")
        head = ("overflow@10:12: no overflow of INT\nviolated in cycle 1\n\n"
                "direction  type  variable  1 begin  1 line 10\nIN         INT   a[1]      128      .\n"
                "IN         INT   a[2]      128      .\nVAR        INT   i         0        %s\n"
                "VAR        INT   x         0        %s\n")
        for i, x, code in (("2", "-32768", 0), ("1", ".", 0), ("2", "0", 70), ("3", "-32768", 70)):
            self.write("w.txt", head % (i, x))
            found = self.run_program("validate", "two.st", "--check", "overflow", "--witness", "w.txt")
            self.assertEqual(found[0], code, found)

    def test_proofs_are_expressions_and_are_validated(self):
        cases = [(LATCH, "invariant: Count <= 5"), (LATCH, "past: Count > 1 | Seen"),
                 (LATCH, "between-cycles: Out | NOT Reset | Out"), (LATCH, "invariant: Count >= prev(Count)"),
                 ("PROGRAM p VAR_INPUT go : BOOL; END_VAR VAR t : TON; i, s : INT; END_VAR t(IN := go, PT := T#3s); "
                  "s := 0; FOR i := 1 TO 4 DO s := s + 2; END_FOR; END_PROGRAM", "implication: t.Q | go AND s >= 0"),
                 ("TYPE Mode : (Off, Slow, Fast); END_TYPE PROGRAM p VAR_INPUT up, down : BOOL; END_VAR VAR m : Mode; "
                  "w : WORD := 16#1; END_VAR CASE m OF Off: IF up THEN m := Slow; w := 16#2; END_IF; Slow: IF down THEN m := Off; "
                  "w := 16#1; END_IF; END_CASE; END_PROGRAM", "invariant: m <> Fast AND (m = Slow) = w.1")]
        for text, claim in cases:
            out = self.folder / "proof.txt"
            out.unlink(missing_ok=True)
            self.assertEqual(self.verdicts(text, "--require", claim, "--certificate", out, code=0), ["safe R1"], claim)
            program = self.st(text)
            got, said, errors = self.run_program("validate", program, "--require", claim, "--certificate", out)
            self.assertEqual((got, said), (0, "accepted R1\n"), errors + out.read_text())
        out.write_text("PROPERTY R1\nINVARIANT m <> Slow;\n")
        got, said, _ = self.run_program("validate", program, "--require", claim, "--certificate", out)
        self.assertEqual((got, said.split(":")[0]), (70, "rejected"))
        out.write_text("PROPERTY R1\nINVARIANT m <>;\n")
        self.expect(65, "", "validate", program, "--require", claim, "--certificate", out)

    def test_a_folder_gets_files_that_validate(self):
        program = self.st(LATCH)
        self.run_program("check", program, "--require", "implication: Reset | NOT Out", "--require",
                         "invariant: NOT Out", "--witness", "runs/", "--certificate", "proofs/")
        for option, file, name in (("--certificate", "proofs/R1.txt", "R1"),
                                   ("--witness", "runs/R2.txt", "R2")):
            got, out, err = self.run_program(
                "validate", program, "--require", "implication: Reset | NOT Out", "--require",
                "invariant: NOT Out", option, file)
            self.assertEqual((got, out), (0, f"accepted {name}\n"), err)

    def test_report_has_the_table_and_the_invariant(self):
        out, data = self.folder / "report.html", self.folder / "run.json"
        self.verdicts(LATCH, "--require", "invariant: Count <= 5", "--require", "forbidden: Count = 2", "--report", out,
                      "--json", data)
        page = out.read_text()
        self.assertIn('"kind":"cycles","cycles":2', page)
        self.assertRegex(page, r'\[\d+,"TRUE",2\]')  # an input that matters
        self.assertIn("what holds between two scan cycles", page)
        results = json.loads(data.read_text())["results"]
        self.assertEqual(results[0]["invariant"][0]["location"], "between cycles")
        self.assertEqual(results[1]["trace"]["cycles"], 2)

    def test_reached_goal_has_its_run(self):
        out = self.folder / "run.txt"
        self.verdicts(LATCH, "--require", "reachability: Count = 2", "--witness", out)
        self.assertIn("reached in cycle 2", out.read_text())


class Vacuity(St):
    def test_a_loop_without_an_end(self):
        text = """PROGRAM p
VAR_INPUT a : BOOL; END_VAR
VAR x : INT; END_VAR
  x := 0;
  WHILE x < 5 DO
    x := 0;
  END_WHILE;
  //#ASSERT x = 7 : after
  //#ASSERT a : never
END_PROGRAM
"""
        got, out, errors = self.run_program("check", self.st(text))
        self.assertEqual((got, out), (0, "safe after\nsafe never\n"))
        for name in ("after", "never"):
            self.assertIn(name + ": vacuous: no cycle ends", errors)
        got, _, errors = self.run_program("check", self.st(text.replace("x := 0;\n  END", "x := x + 1;\n  END")))
        self.assertEqual(got, 1)
        self.assertNotIn("vacuous", errors)

    def test_premises_that_never_hold(self):
        for claim in ("implication: Count > 7 | Out", "during-cycle: Count > 7 | Out",
                      "between-cycles: Count > 7 | TRUE | Out", "past: Count > 7 | Set", "invariant: Count > 7 --> Out"):
            got, out, errors = self.run_program("check", self.st(LATCH), "--require", claim)
            self.assertEqual((got, out), (0, "safe R1\n"))
            self.assertIn("R1: vacuous: the premise of the property never holds", errors, claim)

    def test_premises_that_hold(self):
        for claim in ("implication: Count > 4 | Seen", "during-cycle: Count = 5 | Seen", "invariant: Count <= 5"):
            got, out, errors = self.run_program("check", self.st(LATCH), "--require", claim)
            self.assertEqual((got, out), (0, "safe R1\n"))
            self.assertNotIn("vacuous", errors, claim)

    def test_assumptions_that_contradict(self):
        _, _, errors = self.run_program("check", self.st(LATCH), "--require", "invariant: Count < 0", "--assume", "Set AND NOT Set")
        self.assertIn("vacuous", errors)


class Properties(St):
    def test_names_kinds_and_places(self):
        text = "PROGRAM p VAR_INPUT i : INT; END_VAR VAR x : INT; END_VAR\nx := 7 / i;\n//#ASSERT x < 8 : small\nEND_PROGRAM"
        got, out, _ = self.run_program("properties", self.st(text), "--require", "reachability: x = 7", "--check", "division")
        self.assertEqual(got, 0)
        rows = [line.split(maxsplit=2) for line in out.splitlines()]
        self.assertEqual([row[:2] for row in rows],
                         [["R1", "reachability"], ["division@2:8", "division"], ["small", "assertion"]])
        self.assertTrue(rows[1][2].endswith("test.st:2:8"), rows)
        got, out, _ = self.run_program("properties", self.st(text), "--json", "-")
        self.assertEqual([(one["name"], one["kind"], one["line"]) for one in json.loads(out)["properties"]],
                         [("small", "assertion", 3)])

    def test_other_formats(self):
        for example in ("aiger/counter_unsafe.aag", "btor2/average_unsafe.btor2", "vmt/thermostat_unsafe.vmt",
                        "chc/overflow_unsafe.smt2", "lustre/counter_unsafe.lus", "c/overflow_unsafe.c"):
            got, out, errors = self.run_program("properties", ROOT / "examples" / example)
            self.assertEqual(got, 0, errors)
            self.assertGreaterEqual(len(out.split()), 3)


class Conversion(St):
    def test_every_property_is_there(self):
        out = self.folder / "latch.vmt"
        claims = ("--require", "invariant: Count <= 5", "--require", "invariant: Count <= 2")
        self.expect(0, "", "convert", self.st(LATCH), *claims, "-o", out)
        got, said, errors = self.run_program("check", out, "--timeout", "60")
        self.assertEqual((got, [line.split()[0] for line in said.splitlines()]), (1, ["safe", "unsafe"]), errors)


class Refusals(St):
    def test_by_name_and_place(self):
        for body, said in (
                ("s : WSTRING; END_VAR", "WSTRING"),
                ("s : STRING; END_VAR s := CONCAT(s, 'x');", "CONCAT"),
                ("s : STRING; b : BOOL; END_VAR b := s < 'x';", "texts are compared"),
                ("s : STRING[3]; END_VAR s := 'long';", "cut off"),
                ("i : INT; s : STRING; END_VAR i := STRING_TO_INT(s);", "cannot convert"),
                ("p : POINTER TO INT; END_VAR", "pointers"),
                ("d : DATE; END_VAR", "DATE"),
                ("x : INT; END_VAR GOTO l;", "GOTO"),
                ("x : REAL; END_VAR x := SIN(x);", "SIN"),
                ("x : INT; END_VAR IF NOT x >= 9 THEN x := 1; END_IF;", "NOT needs"),
                ("x : INT; END_VAR y := 1;", "'y' is not declared"),
                ("x : INT; END_VAR x = 1;", "':='")):
            errors = self.expect(65, "", "check", self.st(f"PROGRAM p VAR {body}\nEND_PROGRAM"),
                                 "--require", "invariant: TRUE")
            self.assertRegex(errors, r"test\.st:1:\d+: error: ")
            self.assertIn(said, errors)

    def test_nothing_to_check(self):
        text = "PROGRAM p VAR_INPUT a : BOOL; END_VAR VAR_OUTPUT b : BOOL; END_VAR b := NOT a; END_PROGRAM"
        errors = self.expect(64, "", "check", self.st(text))
        self.assertIn("nothing to check", errors)
        self.assertIn("--require", errors)
        self.assertIn("nothing to check", self.expect(64, "", "properties", self.st(text)))

    def test_without_requirements_there_are_the_automatic_checks(self):
        self.assertEqual(self.verdicts(LATCH, code=0), ["safe overflow@7:42"])

    def test_several_entries(self):
        text = LATCH + LATCH.replace("Latch", "Other")
        errors = self.expect(64, "", "check", self.st(text), "--require", "invariant: TRUE")
        self.assertIn("Latch, Other", errors)
        self.assertEqual(self.verdicts(text, "--entry", "other", "--require", "invariant: Count <= 5"), ["safe R1"])


class SharedVerdicts(St):
    """Requirements with known verdicts that nobody here wrote; a sample that takes little time."""

    def test_sample(self):
        if not SHARED.exists():
            self.skipTest("no shared benchmarks")
        words = {"HOLDS": "safe", "VIOLATED": "unsafe", "REACHABLE": "safe"}
        names = {"during": "during-cycle", "between": "between-cycles"}
        tried = 0
        for row in csv.DictReader((SHARED / "verdicts.csv").open()):
            verdict = row["verdict"].split()[0] if row["verdict"] else ""
            pattern = names.get(row["pattern"], row["pattern"])
            known = ("implication", "invariant", "forbidden", "during-cycle", "between-cycles", "reachability")
            if verdict not in words or pattern not in known or "wrap" in row["verdict"]:
                continue
            tried += 1
            if tried % 12 != 1 or "220_" in row["file"]:
                continue
            claim = f"{pattern}: {row['expression (| separates pattern params)']}"
            _, out, errors = self.run_program("check", SHARED / row["file"], "--timeout", "60", "--require", claim,
                                              "--property", "R1")
            self.assertEqual(out.split()[:1], [words[verdict]], f"{row['file']} {claim}: {errors}")
        self.assertGreater(tried, 30)


if __name__ == "__main__":
    main()
