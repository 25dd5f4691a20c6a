#!/usr/bin/env python3
"""PLC programs as vendors and editors write them: what lies around a program, and dialects."""
from st_support import St
from support import main


class Surroundings(St):
    """Inputs, addresses and initial values that stand elsewhere than in the entry block."""

    def test_inputs_of_instances_are_inputs(self):
        text = """FUNCTION_BLOCK Sensor
VAR Raw AT %I* : INT; END_VAR
VAR_OUTPUT Level : INT; END_VAR
Level := Raw;
END_FUNCTION_BLOCK
PROGRAM p
VAR a : ARRAY [1..2] OF Sensor; END_VAR
a[1](); a[2]();
END_PROGRAM"""
        table = self.folder / "run.txt"
        self.assertEqual(self.verdicts(text, "--require", "invariant: a[2].Level = 0", "--witness", table, code=1),
                         ["unsafe R1"])
        self.assertRegex(table.read_text(), r"IN +INT +a\[2\]\.Raw")
        self.expect(0, "accepted R1\n", "validate", self.st(text), "--require", "invariant: a[2].Level = 0",
                    "--witness", table)

    def test_one_address_is_one_variable(self):
        text = "PROGRAM p VAR a AT %QX0.1 : BOOL; b AT %QX0.1 : BOOL; END_VAR a := NOT b;\nEND_PROGRAM"
        errors = self.expect(65, "", "check", self.st(text), "--require", "invariant: TRUE")
        self.assertIn("'a' and 'b' are both at %qx0.1", errors)

    def test_addresses_of_two_sizes_are_warned_of(self):
        text = "PROGRAM p VAR a AT %MW0 : WORD; b AT %MX0.1 : BOOL; END_VAR a := 3;\nEND_PROGRAM"
        _, out, errors = self.run_program("check", self.st(text), "--require", "invariant: NOT b")
        self.assertIn("may be the same memory", errors)
        self.assertEqual(out, "safe R1\n")

    def test_addresses_in_statements(self):
        text = "PROGRAM p %Q0.0 := %I0.1 AND %I0.2;\n%QB3 := 16#0F;\n//#ASSERT %Q0.0 = %I0.1 : a\nEND_PROGRAM"
        self.assertEqual(self.verdicts(text, code=1), ["unsafe a"])

    def test_programs_that_are_called_by_name(self):
        text = """PROGRAM Second VAR_OUTPUT n : INT; END_VAR IF n < 3 THEN n := n + 1; END_IF; END_PROGRAM
PROGRAM First VAR x : INT; END_VAR Second(); x := Second.n; END_PROGRAM"""
        self.assertEqual(self.verdicts(text, "--require", "invariant: x <= 3", "--require", "invariant: x <= 2", code=1),
                         ["safe R1", "unsafe R2"])

    def test_initial_values_of_types_in_xml(self):
        text = """<?xml version='1.0'?>
<project xmlns:xhtml="http://www.w3.org/1999/xhtml"><types><dataTypes>
<dataType name="M"><baseType><enum><values><value name="off"/><value name="on"/></values></enum></baseType>
 <initialValue><simpleValue value="on"/></initialValue></dataType>
<dataType name="S"><baseType><struct><variable name="x"><type><INT/></type>
 <initialValue><simpleValue value="7"/></initialValue></variable></struct></baseType></dataType>
<dataType name="R"><baseType><subrangeSigned><range lower="2" upper="5"/><baseType><INT/></baseType>
 </subrangeSigned></baseType></dataType>
</dataTypes><pous>
<pou name="p" pouType="program"><interface>
 <inputVars><variable name="r"><type><derived name="R"/></type></variable></inputVars>
 <localVars><variable name="m"><type><derived name="M"/></type></variable>
 <variable name="s"><type><derived name="S"/></type></variable>
 <variable name="a"><type><array><dimension lower="1" upper="3"/><baseType><INT/></baseType></array></type>
  <initialValue><arrayValue><value repetitionValue="2"><simpleValue value="4"/></value>
  <value><simpleValue value="5"/></value></arrayValue></initialValue></variable></localVars></interface>
 <actions><action name="Set"><body><ST><xhtml:p>IF r = 5 THEN m := off; END_IF;</xhtml:p></ST></body></action></actions>
 <body><ST><xhtml:p>Set();</xhtml:p></ST></body></pou>
<pou name="q" pouType="program"><interface/><body><ST><xhtml:p>;</xhtml:p></ST></body></pou>
</pous></types><instances><configurations><configuration name="c"><resource name="r"><task name="t">
<pouInstance name="i" typeName="p"/></task></resource></configuration></configurations></instances></project>"""
        path = self.write("types.xml", text)
        got, out, errors = self.run_program(
            "check", path, "--require", "invariant: s.x = 7 AND a[2] = 4 AND a[3] = 5 AND r >= 2",
            "--require", "invariant: m = on", "--require", "implication: m = off | rose(m = off) OR TRUE")
        self.assertEqual((got, out.splitlines()), (1, ["safe R1", "unsafe R2", "safe R3"]), errors)


class Dialects(St):
    """What editors write and the standard leaves open."""

    def holds(self, text, *claims):
        options = [part for claim in claims for part in ("--require", "invariant: " + claim)]
        self.assertEqual(self.verdicts(text, *options, code=0), [f"safe R{i + 1}" for i in range(len(claims))])

    def test_named_arguments_in_any_order(self):
        self.holds("""PROGRAM p VAR_INPUT x : INT; END_VAR VAR y, z : INT; w : REAL; END_VAR
y := LIMIT(MX := 10, IN := x, MN := 2); z := SEL(IN1 := 1, G := x > 3, IN0 := 5);
w := LIMIT_REAL(MN := 0, IN := 3, MX := 2.5);
END_PROGRAM""", "y >= 2 AND y <= 10", "z = 1 --> x > 3", "w = 2.5")
        text = "PROGRAM p VAR y : INT; END_VAR y := LIMIT(MN := 1, IN := 2, MAX := 3);\nEND_PROGRAM"
        self.assertIn("no input 'MAX'", self.expect(65, "", "check", self.st(text), "--require", "invariant: TRUE"))

    def test_and_then_guards_what_follows(self):
        text = """PROGRAM p VAR_INPUT i : INT; END_VAR VAR a : ARRAY [0..3] OF INT; r, s : BOOL; END_VAR
r := i >= 0 AND_THEN i <= 3 AND_THEN a[i] = 0;
s := i = 0 OR_ELSE 10 / i > 2;
END_PROGRAM"""
        self.assertTrue(all(line.startswith("safe") for line in self.verdicts(text, "--check", "bounds,division")))
        self.assertIn("unsafe bounds@2:29", self.verdicts(text.replace("AND_THEN", "AND"), "--check", "bounds"))

    def test_counters_stop_at_their_limit(self):
        text = "PROGRAM p VAR_INPUT u : BOOL; END_VAR VAR c : CTU; END_VAR c(CU := u, PV := 2); END_PROGRAM"
        self.assertEqual(self.verdicts(text, "--require", "invariant: c.Q = (c.CV >= 2)",
                                       "--require", "invariant: c.CV <= 2", code=0), ["safe R1", "safe R2"])

    def test_set_and_reset(self):
        self.holds("""PROGRAM p VAR_INPUT a, b : BOOL; END_VAR VAR q : BOOL; END_VAR
q S= a; q R= b;
END_PROGRAM""", "b --> NOT q", "a AND NOT b --> q")

    def test_operators_as_functions(self):
        self.holds("""PROGRAM p VAR_INPUT n : UINT; b : BOOL; END_VAR VAR m : UINT; c : BOOL; END_VAR
m := MOD(n, 5); c := AND(b, n > 3, TRUE) OR XOR(b, b);
END_PROGRAM""", "m < 5", "c = (b AND n > 3)")

    def test_the_last_line_may_be_missing(self):
        _, out, errors = self.run_program(
            "check", self.st("FUNCTION_BLOCK p\nVAR_OUTPUT y : INT; END_VAR\ny := 1;\n"),
            "--require", "invariant: y = 1")
        self.assertEqual(out, "safe R1\n")
        self.assertIn("missing END_FUNCTION_BLOCK", errors)

    def test_actions(self):
        text = """FUNCTION_BLOCK Door
VAR_INPUT go : BOOL; END_VAR VAR_OUTPUT n : INT; END_VAR
IF go THEN Up(); END_IF;
ACTION Up: IF n >= 3 THEN RETURN; END_IF; n := n + 1; END_ACTION
ACTION Clear n := 0; END_ACTION
END_FUNCTION_BLOCK
PROGRAM p VAR_INPUT g, c : BOOL; END_VAR VAR d : Door; END_VAR
d(go := g);
IF c THEN d.Clear(); END_IF;
END_PROGRAM"""
        self.holds(text, "d.n <= 3", "c --> d.n = 0")
        self.assertEqual(self.verdicts(text, "--require", "invariant: d.n < 3", code=1), ["unsafe R1"])
        errors = self.expect(65, "", "check", self.st("PROGRAM p VAR x : INT; END_VAR A();\nACTION A: A(); END_ACTION\n"
                                                      "END_PROGRAM"), "--require", "invariant: TRUE")
        self.assertIn("recursion", errors)

    def test_actions_of_a_container(self):
        text = """<?xml version="1.0"?><TcPlcObject><POU Name="p"><Declaration><![CDATA[PROGRAM p
VAR n : INT; END_VAR
]]></Declaration><Implementation><ST><![CDATA[Step();]]></ST></Implementation>
<Action Name="Step"><Implementation><ST><![CDATA[n := n + 2;
IF n > 8 THEN n := 0; END_IF
]]></ST></Implementation></Action></POU></TcPlcObject>"""
        path = self.write("p.TcPOU", text)
        self.expect(0, "safe R1\n", "check", path, "--require", "invariant: n <= 8 AND NOT n.0")

    METHODS = """FUNCTION_BLOCK Counter IMPLEMENTS ICounter
VAR_INPUT limit : INT := 3; END_VAR
VAR n : INT; END_VAR
VAR CONSTANT step : INT := 2; END_VAR
METHOD PUBLIC Add : INT
VAR_INPUT inc : INT; n : INT; END_VAR
VAR old : INT; END_VAR
old := THIS^.n;
THIS^.n := old + inc * step + n;
Cut();
Add := THIS^.n - old;
END_METHOD
METHOD PRIVATE Cut
IF n > limit THEN Clear(); RETURN; END_IF;
END_METHOD
ACTION Clear: n := 0; END_ACTION
END_FUNCTION_BLOCK
PROGRAM p
VAR_INPUT a, b : BOOL; END_VAR VAR x, y : Counter; d : INT; END_VAR
IF a THEN d := x.Add(inc := 1, n := 0) + y.Add(1); END_IF;
IF b THEN x.Add(inc := 0); END_IF;
END_PROGRAM"""

    def test_methods(self):
        self.holds(self.METHODS, "x.n = 0 OR x.n = 2", "x.n = y.n", "d = 4 OR d = 0 OR d = -4")
        self.assertEqual(self.verdicts(self.METHODS, "--require", "invariant: d >= 0", code=1), ["unsafe R1"])

    def test_methods_of_a_container(self):
        text = """<?xml version="1.0"?><TcPlcObject><POU Name="p"><Declaration><![CDATA[PROGRAM p
VAR n : INT; END_VAR
]]></Declaration><Implementation><ST><![CDATA[n := Next(inc := 2);]]></ST></Implementation>
<Method Name="Next"><Declaration><![CDATA[METHOD PRIVATE Next : INT
VAR_INPUT inc : INT; END_VAR]]></Declaration>
<Implementation><ST><![CDATA[IF n > 7 THEN Next := 0; ELSE Next := n + inc; END_IF
]]></ST></Implementation></Method></POU></TcPlcObject>"""
        path = self.write("p.TcPOU", text)
        self.expect(0, "safe R1\n", "check", path, "--require", "invariant: n <= 8 AND NOT n.0")

    def test_data_blocks_and_timers_of_scl(self):
        text = """FUNCTION_BLOCK "Lamp"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
VAR_INPUT On : Bool; END_VAR
VAR_OUTPUT Lit : Bool; END_VAR
VAR Wait {InstructionName := 'IEC_TIMER'} : IEC_TIMER; Late : Array[1..2] of IEC_TIMER; END_VAR
BEGIN
REGION Delay
 #Wait.TOF(IN := #On, PT := T#2s, Q => #Lit);
 #Late[2].TON(IN := #On, PT := T#1s);
END_REGION ;
END_FUNCTION_BLOCK
DATA_BLOCK "Lamp1"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
NON_RETAIN
"Lamp"
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Limits"
VAR
 low : Int := 3; high : Int;
END_VAR
BEGIN
 high := 8;
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
VAR_TEMP t : Int; END_VAR
BEGIN
"Lamp1"(On := %I0.0);
%Q0.0 := "Lamp1".Lit;
%QW4 := SEL("Lamp1".Late[2].Q, "Limits".low, "Limits".high);
END_ORGANIZATION_BLOCK
"""
        path = self.write("lamp.scl", text)
        got, out, errors = self.run_program(
            "check", path, "--require", "invariant: %I0.0 --> %Q0.0", "--require", "invariant: %Q0.0 --> %I0.0",
            "--require", "invariant: %QW4 = 3 OR %QW4 = 8")
        self.assertEqual((got, out.splitlines()), (1, ["safe R1", "unsafe R2", "safe R3"]), errors)

    def test_scaling_of_scl(self):
        text = """FUNCTION_BLOCK p
VAR_INPUT raw : INT; END_VAR VAR_OUTPUT v : REAL; n : INT; END_VAR
IF raw >= 0 AND raw <= 1000 THEN
 v := NORM_X(MIN := 0, VALUE := raw, MAX := 1000);
 n := SCALE_X(MIN := 10, VALUE := NORM_X(MIN := 0, VALUE := raw, MAX := 1000), MAX := 20);
END_IF;
//#ASSERT raw <> 500 OR v = 0.5 AND n = 15 : half
//#ASSERT raw <> 1000 OR n = 19 : top
END_FUNCTION_BLOCK"""
        self.assertEqual(self.verdicts(text, code=1), ["safe half", "unsafe top"])

    def test_an_index_that_a_turn_of_a_loop_does_not_reach(self):
        text = """PROGRAM p VAR a : ARRAY [2..3] OF INT; i : INT; END_VAR
FOR i := 1 TO 3 DO
 IF i > 1 THEN a[i] := i; END_IF;
END_FOR;
END_PROGRAM"""
        self.assertEqual(self.verdicts(text, "--check", "bounds", code=0), ["safe bounds@3:17"])

    def test_literals_that_two_enumerations_share(self):
        self.holds("""TYPE
 Lamp : (Red, Green, Off);
 Flag : (Off, Red) := Red;
END_TYPE
PROGRAM p VAR l : Lamp; f, g : Flag; END_VAR
IF l = Red AND f = Red THEN g := Off; END_IF;
END_PROGRAM""", "l = Red", "f = Flag#Red", "g = Off")

    def test_texts(self):
        text = """PROGRAM p
VAR_INPUT go : BOOL; name : STRING; END_VAR
VAR msg : STRING := 'Idle'; last : STRING[20]; n : INT; END_VAR
IF go THEN msg := 'Running'; ELSIF name = 'stop' THEN msg := 'Stop  it$'s'; END_IF;
CASE msg OF
 'Idle': n := 0;
 'Running': n := 1;
 ELSE n := 2;
END_CASE;
IF name = last THEN last := ''; ELSE last := msg; END_IF;
//#ASSERT n < 2 OR msg = 'Stop  it$27s' : known
//#ASSERT msg <> '' : written
//#ASSERT n < 2 : never
END_PROGRAM"""
        table, proof = self.folder / "run.txt", self.folder / "proof.txt"
        self.assertEqual(self.verdicts(text, code=1), ["safe known", "safe written", "unsafe never"])
        self.expect(1, "unsafe never\n", "check", self.st(text), "--property", "never", "--witness", table)
        self.assertIn("'Stop $20it$'s'", table.read_text())
        self.expect(0, "accepted never\n", "validate", self.st(text), "--witness", table)
        closed = text.replace("name : STRING;", "").replace("name = 'stop'", "n = 1").replace("name = last", "n = 2")
        self.expect(0, "safe written\n", "check", self.st(closed), "--property", "written", "--certificate", proof)
        self.expect(0, "accepted written\n", "validate", self.st(closed), "--certificate", proof)


if __name__ == "__main__":
    main()
