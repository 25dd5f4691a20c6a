#!/usr/bin/env python3
"""Verilog whose meaning is easily missed, judged by Icarus Verilog: a failing run is replayed there, and what is
safe must survive random inputs.

A design has assertions in two spellings, since Icarus 11 knows few: <<LABEL|EXPRESSION>> is an immediate assertion,
<<LABEL|STATEMENT|STATEMENT FOR ICARUS>> anything else; the latter prints `fails LABEL`."""
import re
import shutil
import subprocess
import unittest

from support import ProgramTest, main

MARK = re.compile(r"<<(\w+)\|(.*?)(?:\|\|\|(.*?))?>>", re.S)


def for_lemmata(text):
    return MARK.sub(lambda m: m[2] if m[3] is not None else f"{m[1]}: assert ({m[2]});", text)


# What Icarus does not read at all; the statements for it do without.
UNREAD = re.compile(r"property \w+;.*?endproperty|sequence \w+;.*?endsequence|"
                    r"default clocking.*?endclocking|default disable iff.*?;", re.S)


def for_icarus(text):
    text = UNREAD.sub("", text)
    return MARK.sub(lambda m: m[3] if m[3] is not None else
                    f'if (({m[2]}) !== 1\'b1) $display("fails {m[1]}");', text)


def says(label, condition):
    """A monitor: prints where the condition fails."""
    return f'if (({condition}) !== 1\'b1) $display("fails {label}");'


RANDOM = """module random_tb;
  reg clk = 0; {declarations}
  top dut({ports});
  integer tick;
  initial begin
    {start}
    for (tick = 0; tick < 400; tick = tick + 1) begin
      #5 clk = 1; #1 {change} #4 clk = 0;
    end
    $finish;
  end
endmodule
"""


@unittest.skipUnless(shutil.which("yosys") and shutil.which("iverilog"), "yosys or iverilog is not installed")
class Edges(ProgramTest):
    def simulate(self, text, bench, top):
        self.write("sim.sv", for_icarus(text))
        made = subprocess.run(["iverilog", "-g2012", "-s", top, "-o", self.folder / "run", self.folder / "sim.sv", bench],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
        return subprocess.run(["vvp", "-n", self.folder / "run"], capture_output=True, text=True, timeout=60).stdout

    def random_bench(self, inputs):
        assign = " ".join(f"{name} = $urandom;" for name in inputs)
        declarations = " ".join(f"reg [{width - 1}:0] {name};" for name, width in inputs.items())
        ports = ", ".join(f".{name}({name})" for name in ["clk", *inputs])
        return self.write("random_tb.v", RANDOM.format(declarations=declarations, ports=ports, start=assign, change=assign))

    def judge(self, text, inputs, **verdicts):
        """Verdicts by label; inputs without the clock, with their widths."""
        self.write("t.sv", for_lemmata(text))
        for label, verdict in verdicts.items():
            options = ["--property", f"*{label}", "--timeout", "60", "--witness", "tb.v"]
            code, out, errors = self.run_program("check", "t.sv", *options)
            self.assertEqual([line.split()[0] for line in out.splitlines()], [verdict], f"{label}: {out}{errors}")
            bench = self.folder / "tb.v"
            if verdict == "unsafe":
                said = self.simulate(text, bench, "tb")
                self.assertIn(f"fails {label}", said, f"{label}: Icarus sees no failure\n{said}")
            else:
                said = self.simulate(text, self.random_bench(inputs), "random_tb")
                self.assertNotIn(f"fails {label}", said, label)

    def refused(self, text, message):
        self.write("t.sv", text)
        code, out, errors = self.run_program("check", "t.sv", "--timeout", "60")
        self.assertEqual((code, out), (65, ""), errors)
        self.assertIn(message, errors)
        self.assertRegex(errors, r"^\S+:\d+:\d+: error: ")


class AsynchronousReset(Edges):
    """Assertions in the clocked branch of a process with an asynchronous reset."""

    def test_the_reset_does_not_hide_a_failure(self):
        self.judge("""module top(input clk);
reg [3:0] c = 0, t = 0; wire rst_n = t < 6;
always @(posedge clk or negedge rst_n) if (!rst_n) c <= 0; else begin c <= c + 1; <<p|c != 5>> <<q|c != 7>> end
always @(posedge clk) if (t < 15) t <= t + 1;
endmodule""", {}, p="unsafe", q="safe")

    def test_the_first_edge_is_judged(self):
        self.judge("""module top(input clk, input rst, input a);
reg q = 0;
always @(posedge clk, posedge rst) if (rst) q <= 0; else begin q <= a; <<p|q || a>> <<s|q == q>> end
endmodule""", {"rst": 1, "a": 1}, p="unsafe", s="safe")

    def test_blocking_assignments_before_it(self):
        self.judge("""module top(input clk, input rst_n, input [3:0] a);
reg [3:0] c = 0, v = 0;
always @(posedge clk or negedge rst_n) if (~rst_n) c <= 0;
else begin v = a + 1; c <= v; <<p|v == a + 4'd1>> <<q|v == c>> if (v == 3) <<r|a == 2>> end
endmodule""", {"rst_n": 1, "a": 4}, p="safe", q="unsafe", r="safe")

    def test_two_resets(self):
        self.judge("""module top(input clk, input r, input s, input [1:0] a);
reg [1:0] c = 0;
always @(posedge clk or posedge r or posedge s)
  if (r) c <= 0; else if (s) c <= 3; else begin c <= a; <<p|!r && !s>> <<q|c != 2>> end
endmodule""", {"r": 1, "s": 1, "a": 2}, p="safe", q="unsafe")

    def test_assumptions_hold_at_the_same_edge(self):
        self.judge("""module top(input clk, input rst, input [1:0] a);
reg [1:0] c = 0;
always @(posedge clk or posedge rst) if (rst) c <= 0; else begin <<m|assume (a != 3);||| >> c <= a; end
always @(posedge clk) <<p|c != 2>>
endmodule""", {"rst": 1, "a": 2}, p="unsafe")
        self.write("t.sv", """module top(input clk, input rst, input [1:0] a);
reg [1:0] c = 0;
always @(posedge clk or posedge rst) if (rst) c <= 0; else begin assume (a != 3); c <= a; end
always @(posedge clk) p: assert (c != 3);
always @(posedge clk or posedge rst) if (rst) ; else k: cover (c == 2);
endmodule""")
        self.expect(0, "safe t.sv:4 p\nsafe t.sv:5 k\n", "check", "t.sv", "--timeout", "60")

    def test_what_the_reset_triggers_is_refused(self):
        for inside in ("if (r) begin c <= 0; assert (c == 0); end else c <= 1;",
                       "if (r) begin c <= 0; assert (0); end else c <= 1;",
                       "begin if (r) c <= 0; else c <= 1; assert (c == 0); end"):
            self.refused(f"module top(input clk, input r); reg c = 0;\nalways @(posedge clk or posedge r) {inside}\n"
                         "endmodule\n", "asynchronous reset")
        self.refused("module top(input clk, input r); reg c = 0;\nalways @(posedge clk or posedge r)\n"
                     "if (r) c <= 0; else begin c <= 1; assert ($past(c)); end\nendmodule\n", "$past")


class OutOfRange(Edges):
    """Selects beyond a word: x in simulation, any value here."""

    def test_bits_and_parts(self):
        self.judge("""module top(input clk, input [2:0] i, input signed [3:0] j, input [3:0] d);
wire [1:0] y = d[i +: 2]; wire [1:0] z = d[j -: 2]; wire x = d[i];
always @(posedge clk) begin <<a|i < 4 || x == 0>> <<b|i < 3 || y == 0>> <<c|y[0] == 0 || i < 4>>
  <<e|j < 1 || j > 3 || z == {d[j], d[j - 1]}>> <<f|i > 2 || y == {d[i + 1], d[i]}>> <<g|j >= 0 || z == 0>> end
endmodule""", {"i": 3, "j": 4, "d": 4}, a="unsafe", b="unsafe", c="unsafe", e="safe", f="safe", g="unsafe")

    def test_ranges_that_do_not_start_at_zero(self):
        self.judge("""module top(input clk, input [3:0] i, input [7:4] d, input [0:3] u);
always @(posedge clk) begin <<a|i < 4 || i > 7 || d[i] == ((d & (1 << (i - 4))) != 0)>>
  <<b|i > 3 || u[i] == ((u & (1 << (3 - i))) != 0)>>
  <<c|(i >= 4 && i <= 7) || d[i] == 0>> <<e|i < 4 || u[i] == 0>> end
endmodule""", {"i": 4, "d": 4, "u": 4}, a="safe", b="safe", c="unsafe", e="unsafe")

    def test_writes_do_nothing(self):
        self.judge("""module top(input clk, input [2:0] i, input v);
reg [4:0] d = 0; reg [1:0] m [0:4]; reg seen = 0; initial m[1] = 2;
always @(posedge clk) begin if (i > 4) begin d[i] <= v; m[i] <= 3; end if (i == 2) seen <= v; end
always @(posedge clk) begin <<a|d == 0>> <<b|m[1] == 2>> <<c|!seen>> end
endmodule""", {"i": 3, "v": 1}, a="safe", b="safe", c="unsafe")

    def test_memories(self):
        self.judge("""module top(input clk, input [2:0] i);
reg [1:0] m [0:4]; integer k; initial for (k = 0; k < 5; k = k + 1) m[k] = 1;
reg [3:0] w [1:2]; initial begin w[1] = 5; w[2] = 5; end
always @(posedge clk) begin <<a|m[i] == 1>> <<b|i > 4 || m[i] == 1>> <<c|w[i] == 5>> <<e|i < 1 || i > 2 || w[i] == 5>> end
endmodule""", {"i": 3}, a="unsafe", b="safe", c="unsafe", e="safe")

    def test_memories_that_start_elsewhere(self):
        """Words with different initial values, at any first address, read and written."""
        for bounds in ("1:4", "4:1", "5:8", "3:6"):
            low = min(int(bound) for bound in bounds.split(":"))
            values = "".join(f"m[{low + k}] = {k}; " for k in range(4))
            self.judge(f"""module top(input clk, input [3:0] i, input w);
reg [1:0] m [{bounds}], r [{bounds}]; initial begin {values}{values.replace("m[", "r[")}end
always @(posedge clk) if (i < {low} || i > {low + 3}) m[i] <= 3; else if (w) m[i] <= i - {low};
always @(posedge clk) begin <<a|i < {low} || i > {low + 3} || m[i] == i - {low}>> <<b|r[{low}] == 0 && r[{low + 3}] == 3>>
  <<c|r[{low + 1}] != 1>> <<e|i < {low} || i > {low + 3} || r[i] != 2>> end
endmodule""", {"i": 4, "w": 1}, a="safe", b="safe", c="unsafe", e="unsafe")
        self.refused("module top(input clk, input signed [2:0] j); reg m [-1:2]; initial m[-1] = 1;\n"
                     "always @(posedge clk) assert (m[j]);\nendmodule\n", "negative index")

    def test_each_select_has_a_value_of_its_own(self):
        self.judge("""module top(input clk, input [2:0] i, input [3:0] d);
wire x = d[i];
always @(posedge clk) begin <<a|x == d[i]>> <<b|i > 3 || x == d[i]>> <<c|d[i +: 2] == d[i +: 2]>> end
endmodule""", {"i": 3, "d": 4}, a="unsafe", b="safe", c="unsafe")

    def test_members_of_structs(self):
        """Yosys takes what lies outside of a member from the next one."""
        head = "typedef struct packed { logic [2:0] a; logic [4:0] b; } t;\n" \
               "module top(input clk, input [7:0] d, input [2:0] i); t s; assign s = d; t u = 0;\n"
        for text in ("always @* assert (s.b[i] == d[i]);", "always @* assert (s.b[6] == d[6]);",
                     "always @* assert (s.b[5:4] == 0);", "always @(posedge clk) u.b[i] <= 1;"):
            self.refused(f"{head}{text}\nalways @* assert (u.b == 0);\nendmodule\n", "member of a struct")
        self.write("t.sv", head + "always @* begin p: assert (s.b[4] == d[4] && s.a[1:0] == d[6:5]); end\nendmodule\n")
        self.expect(0, "safe t.sv:3 p\n", "check", "t.sv", "--timeout", "60")

    def test_indices_in_a_concatenation_on_the_left(self):
        self.refused("module top(input clk, input [1:0] i); reg [3:0] a, b;\nalways @(posedge clk) {a[i], b[0]} <= 3;\n"
                     "always @(posedge clk) assert (a != 1);\nendmodule\n", "concatenation")

    def test_division_by_zero(self):
        self.judge("""module top(input clk, input [3:0] d, input [3:0] n);
always @(posedge clk) begin <<a|d == 0 || 4'd0 / d == 0>> <<b|n / d == 15 || d != 0>> <<c|d == 0 || n % d < d>>
  <<e|d != 0 || 4'd0 % d == 0>> <<f|d == 0 || (4'd0 << d) + (4'd0 * d) == 0>> end
endmodule""", {"d": 4, "n": 4}, a="safe", b="unsafe", c="safe", e="unsafe", f="safe")


class InitialValues(Edges):
    def test_a_variable_has_its_value_once(self):
        self.judge("""module top(input clk, input [1:0] a);
reg [1:0] y = a, k = 2; reg [1:0] z = y; reg first = 1;
always @(posedge clk) begin first <= 0; z <= z; end
always @(posedge clk) begin <<p|first || y == a>> <<q|k == 2>> end
endmodule""", {"a": 2}, p="unsafe", q="safe")

    def test_in_terms_of_other_values(self):
        self.judge("""module top(input clk, input a);
reg [2:0] b = 3; reg [2:0] y; initial y = b + 1; always @(posedge clk) begin b <= b + 1; if (a) y <= y; end
always @(posedge clk) begin <<p|y == 4>> <<q|b == 3>> end
endmodule""", {"a": 1}, p="safe", q="unsafe")

    def test_two_of_one_value(self):
        self.write("t.sv", """module top(input clk, input [3:0] a);
reg [3:0] y = a + 1; reg [3:0] z; initial z = a; reg [1:0] w = a; reg first = 1; always @(posedge clk) first <= 0;
always @(posedge clk) begin p: assert (y == z + 4'd1); q: assert (w == z[1:0]); r: assert (!first || z == a);
s: assert (z == a); end
endmodule""")
        self.expect(1, "safe t.sv:3 p\nsafe t.sv:3 q\nsafe t.sv:3 r\nunsafe t.sv:4 s\n", "check", "t.sv", "--timeout", "60")

    def test_values_of_functions_and_of_nets_without_declaration(self):
        self.judge("""module sub(input a, output y); assign y = ~a; endmodule
module top(input clk, input a); sub u(.a(a), .y(w)); if (1) begin : g wire v; assign v = a; end
function f(input x); f = x ^ a; endfunction function h(input x); begin : b reg t; t = !x; h = t; end endfunction
reg q = w, r = g.v, s = f(1'b0), t = h(1'b0);
always @(posedge clk) begin <<p|q == !a>> <<o|r == a>> <<n|s == a>> <<m|t>> <<l|q == !r && r == s>> end
endmodule""", {"a": 1}, p="unsafe", o="unsafe", n="unsafe", m="safe")

    def test_an_initial_block_comes_after_the_declaration(self):
        self.write("t.sv", """module top(input clk, input a); reg q = 0; initial q = a; reg r; task k; r = 1; endtask initial k;
reg first = 1; always @(posedge clk) begin first <= 0; q <= q; end
always @(posedge clk) begin m: assert (!first || q == a); p: assert (!first || !a); n: assert (r); end
endmodule""")
        self.expect(1, "safe t.sv:3 m\nunsafe t.sv:3 p\nsafe t.sv:3 n\n", "check", "t.sv", "--timeout", "60")

    def test_no_value_that_the_first_step_overwrites(self):
        """An assumption about the initial value would be one about inputs there, and hide failures."""
        for text in ("reg q = a; always @* q = b;", "logic q = a; always_comb q = b;", "reg q = a; always @* if (b) q = 0;",
                     "reg q = a; always @(posedge clk or posedge b) if (b) q <= 0; else q <= 1;",
                     "reg q; initial q = a; always @(posedge clk or negedge b) if (!b) q <= 0; else q <= a;",
                     "reg [1:0] q = {a, b}; always @(posedge clk) q[0] <= 1;"):
            self.refused(f"module top(input clk, input a, input b);\n{text}\nalways @(posedge clk) assert (a == b);\n"
                         "endmodule\n", "no register of one clock")

    def test_refused(self):
        for text, message in (("reg q; initial begin q = a; q = 0; end", "second initial value"),
                              ("reg q; initial q = a; initial q = 1;", "second initial value"),
                              ("reg q = a; initial q = 1;", "second initial value"),
                              ("reg q, b; initial begin b = 1; q = a ^ b; b = 0; end", "not constant"),
                              ("reg [1:0] q = 0; initial q[a] = 1;", "not constant"),
                              ("reg q; task t; q = a; endtask initial t;", "not constant"),
                              ("reg q; task t(input x); q = x; endtask initial t(a);", "not constant"),
                              ("reg q; initial if (a) q = 1;", "not constant"),
                              ("reg [1:0] q; initial q[0] = a;", "not constant"),
                              ("reg q = 0; initial #1 q = 1;", "after a delay"),
                              ("reg q; initial begin q = 0; @(posedge clk); q = 1; end", "after a delay"),
                              ("reg m [0:1]; initial m[0] = a;", "not constant"),
                              ("reg q = !q;", "itself"),
                              ("wire w = !q; reg q = w; reg r; always @(posedge clk) q <= a;", "itself"),
                              ("reg q = r; reg r = q; always @(posedge clk) q <= a;", "itself"),
                              ("always @(posedge clk) begin : b integer k = 0; k = k + 1; end", "initial value")):
            self.refused(f"module top(input clk, input a);\n{text}\nalways @(posedge clk) assert (a);\nendmodule\n",
                         message)


class Scopes(Edges):
    """Properties, defaults and generate blocks."""

    PORTS = "module top(input clk, input rst, input [3:0] a, input [3:0] b);\n"
    NEXT = {"rst": 1, "a": 4, "b": 4}

    def next(self, label, now, then, reset="1'b0"):
        """A monitor of `now |=> then`."""
        return f"reg {label}_was = 0; always @(posedge clk) begin {label}_was <= !({reset}) && ({now}); " \
               f"if (!({reset}) && {label}_was) {says(label, then)} end"

    def same(self, label, formula, reset="1'b0"):
        return f"always @(posedge clk) if (!({reset})) {says(label, formula)}"

    def test_properties_of_two_modules(self):
        self.judge("""module m1(input clk, input x);
property p; @(posedge clk) x |-> !x; endproperty
<<u1|u1: assert property (p);|||%s>>
endmodule
module m2(input clk, input x);
property p; @(posedge clk) x |-> x; endproperty
<<v1|v1: assert property (p);|||%s>>
endmodule
module top(input clk, input x); m1 u(clk, x); m2 v(clk, x); endmodule
""" % (self.same("u1", "!x || !x"), self.same("v1", "!x || x")), {"x": 1}, u1="unsafe", v1="safe")

    def test_generate_without_begin(self):
        body = ("for (genvar i = 0; i < 2; i = i + 1) <<g|g: assert property (@(posedge clk) a[i] |=> b[i] || !b[i]);||| >>\n"
                "if (1) <<h|h: assert property (@(posedge clk) a[0] |=> b[0]);|||begin %s end>> else wire w;\n"
                "case (2) 1: <<k|k: assert property (@(posedge clk) a[0] |-> b[0]);||| wire w;>>\n"
                "default: <<l|l: assert property (@(posedge clk) a[1] |-> a[1]);|||begin %s end>> endcase\nendmodule\n"
                % (self.next("h", "a[0]", "b[0]"), self.same("l", "1")))
        self.judge(self.PORTS + body, self.NEXT, h="unsafe", l="safe")
        code, out, errors = self.run_program("check", "t.sv", "--timeout", "60")
        self.assertEqual(out.splitlines(), ["safe t.sv:2 g", "safe t.sv:2 g (2)", "unsafe t.sv:3 h", "safe t.sv:5 l"])

    def test_default_disable_anywhere(self):
        for order in (0, 1, 2):
            defaults = ["default clocking @(posedge clk); endclocking", "default disable iff (rst);"]
            claims = ["<<p|p: assert property (!rst);||| >>",
                      "<<q|q: assert property (disable iff (a[0]) !rst);|||%s>>" % self.same("q", "!rst", "a[0]"),
                      "always @(posedge clk) <<r|!rst>>"]
            lines = (defaults + claims, claims + defaults, defaults[:1] + claims + defaults[1:])[order]
            self.judge(self.PORTS + "\n".join(lines) + "\nendmodule\n", self.NEXT, p="safe", q="unsafe", r="unsafe")

    def test_default_of_an_inner_scope(self):
        body = ("default clocking @(posedge clk); endclocking\ndefault disable iff (rst);\n"
                "if (1) begin : g default disable iff (a[0]);\n"
                "<<p|p: assert property (!a[0]);||| >> <<q|q: assert property (!rst);|||%s>> end\n"
                "<<r|r: assert property (!a[0]);|||%s>>\nendmodule\n"
                % (self.same("q", "!rst", "a[0]"), self.same("r", "!a[0]", "rst")))
        self.judge(self.PORTS + body, self.NEXT, p="safe", q="unsafe", r="unsafe")

    def test_instances_of_properties(self):
        body = ("property p; a[0] |-> b[0]; endproperty\nproperty n; a[1] |=> p; endproperty\n"
                "sequence s; a[2] && !b[2]; endsequence\n"
                "<<x|x: assert property (@(posedge clk) disable iff (rst) p);|||%s>>\n"
                "<<y|y: assert property (@(posedge clk) disable iff (rst) n);|||%s>>\n"
                "<<z|z: assert property (@(posedge clk) s |-> (p));|||%s>>\nendmodule\n"
                % (self.same("x", "!a[0] || b[0]", "rst"), self.next("y", "a[1]", "!a[0] || b[0]", "rst"),
                   self.same("z", "!(a[2] && !b[2]) || !a[0] || b[0]")))
        self.judge(self.PORTS + body, self.NEXT, x="unsafe", y="unsafe", z="unsafe")

    def test_concurrent_assertions_in_a_process(self):
        """Values before the edge, although the procedure has assigned since; attempts where it comes by."""
        self.write("t.sv", self.PORTS + """reg [3:0] v = 0, o = 0; reg [1:0] age = 0;
always @(posedge clk) begin o <= v; v = a; if (b[0]) x: assert property (v == o || v != o);
  else y: assert property (v == a);
  if (b[1]) z: assert property (a[0] |=> b[0]);
  if (age == 1) w: assert property (b[2] |=> age == 2 && o == v);
  k: assert (v == a);
  if (age == 2) m: assert (o == $past(v));
  if (age < 2) age <= age + 1; end
endmodule
""")
        self.expect(1, "safe t.sv:3 x\nunsafe t.sv:4 y\nunsafe t.sv:5 z\nunsafe t.sv:6 w\nsafe t.sv:7 k\nsafe t.sv:8 m\n",
                    "check", "t.sv", "--timeout", "60")

    def test_a_premise_of_several_bits(self):
        """Every value but zero starts an attempt, also one with a lowest bit of zero."""
        body = ("reg [3:0] c = 2; always @(posedge clk) c <= c; reg [3:0] one = 1; always @(posedge clk) one <= one;\n"
                "<<x|x: assert property (@(posedge clk) c |=> 0);|||%s>>\n"
                "<<y|y: assert property (@(posedge clk) disable iff (rst) c << 1 |=> b[0]);|||%s>>\n"
                "<<z|z: assert property (@(posedge clk) c |-> c |=> one << 2);|||%s>>\n"
                "always @(posedge clk) if (a[0]) <<w|w: assert property (c |=> 0);||| ;>>\nendmodule\n"
                % (self.next("x", "c != 0", "0"), self.next("y", "c != 0", "b[0]", "rst"), self.next("z", "1", "1")))
        self.judge(self.PORTS + body, self.NEXT, x="unsafe", y="unsafe", z="safe")
        self.expect(1, "unsafe t.sv:6 w\n", "check", "t.sv", "--property", "*w", "--timeout", "60")

    def test_names_must_be_declared(self):
        for text, message in (("assert property (@(posedge clk) aa);", "'aa' is not declared"),
                              ("always @* assert (a == bb);", "'bb' is not declared"),
                              ("reg q; always @(posedge clk) q <= qq; assert property (@(posedge clk) q);", "'qq' is not declared"),
                              ("wire w = ww; assert property (w);", "'ww' is not declared"),
                              ("if (1) begin : g wire l; end assert property (@(posedge clk) l);", "'l' is not declared"),
                              ("assert property (@(posedge clkk) a);", "'clkk' is not declared"),
                              ("default disable iff (rr); assert property (@(posedge clk) a);", "'rr' is not declared"),
                              ("sub u(.a, .y);", "'y' is not declared"),
                              ("wire y; sub u(.a(b), .y); assign z[k] = y;", "'k' is not declared"),
                              ("wire y; sub u(.a(b[k]), .y);", "'k' is not declared"),
                              ("if (1) begin sub u(.a(b), .y(w)); end reg q; always @* q = w;", "'w' is not declared"),
                              ("reg q; always @* q = inner;", "'inner' is not declared"),
                              ("wire y; sub u(.aa(b), .y);", "named 'aa'"),
                              ("wire y; sub #(.WW(1)) u(.a(b), .y);", "named 'WW'"),
                              ("always @(posedge clk) work(a);", "'work'"),
                              ("`default_nettype none\nassign y = a; assert property (a);", "'y' is not declared")):
            self.refused(self.PORTS + text + "\nalways @* assert (a);\nendmodule\n"
                         "module sub(input a, output y); leaf l(a, inner); assign y = inner; endmodule\n"
                         "module leaf(input a, output y); assign y = a; endmodule\n", message)


class Values(Edges):
    def test_random_has_every_value_of_its_width(self):
        self.write("t.sv", """module top(input clk); reg [3:0] q = 0, r = 0; reg signed [39:0] w = 0; reg [7:0] u = 3;
always @(posedge clk) begin q <= $random; r <= $urandom(); w <= $random; u <= $urandom_range(3, 9); end
always @(posedge clk) begin a: assert (q != 5); b: assert (q == 0 || q != r); c: assert (w >= 0);
d: assert (u >= 3 && u <= 9); e: assert (u != 7); f: assert (w[39] == w[31]); end
endmodule""")
        self.expect(1, "unsafe t.sv:3 a\nunsafe t.sv:3 b\nunsafe t.sv:3 c\nsafe t.sv:4 d\nunsafe t.sv:4 e\nsafe t.sv:4 f\n",
                    "check", "t.sv", "--timeout", "60")

    def test_functions_without_a_meaning_are_refused(self):
        for call in ("$time", "$realtime", "$stime", "$test$plusargs(\"x\")", "$unknown(a)"):
            self.refused(f"module top(input clk, input a); reg q = 0;\nalways @(posedge clk) q <= {call};\n"
                         "always @(posedge clk) assert (!q);\nendmodule\n", call.split("(")[0])
        self.write("t.sv", "module top(input clk, input a);\nalways @(posedge clk) $display(\"%t\", $time);\n"
                           "always @(posedge clk) assert (a == a);\nendmodule\n")
        self.expect(0, "safe t.sv:3\n", "check", "t.sv", "--timeout", "60")

    def test_nothing_is_unknown(self):
        self.judge("""module top(input clk, input [1:0] a); reg [1:0] q = 0; always @(posedge clk) q <= a;
wire [3:0] k = {q, a};
always @(posedge clk) begin <<p|!$isunknown(a)>> <<r|(^a) !== 1'bx>> <<s|!(k === 4'b1x00)>> <<t|k !== 4'bz>>
  <<v|{a, 1'b1} !== 3'b1x1>> <<w|a === 2'b01 || a !== q>> end
endmodule""", {"a": 2}, p="safe", r="safe", s="safe", t="safe", v="safe", w="unsafe")

    def test_the_same_unknown_bits(self):
        self.judge("""module top(input clk, input [1:0] a, input [1:0] b);
always @(posedge clk) begin <<p|({a, 1'bx} === {b, 1'bx}) == (a == b)>> <<q|!({a, 1'bx} === {1'bx, b})>>
  <<r|{a, 1'bx} !== {b, 1'bx}>> <<s|({a, 1'bx} !== {b, 1'bx}) == (a != b)>> end
endmodule""", {"a": 2, "b": 2}, p="safe", q="safe", r="unsafe", s="safe")

    def test_items_that_nothing_matches(self):
        for case, item in (("case", "2'b1x"), ("case", "2'b1z"), ("case", "'bx"), ("casez", "2'bx?")):
            self.refused("module top(input clk, input [1:0] a); reg r;\n"
                         f"always @* {case} (a) {item}: r = 1; default: r = 0; endcase\n"
                         "always @* assert (!r);\nendmodule\n", "no value has")
        self.judge("""module top(input clk, input [1:0] a); reg r; always @* casez (a) 2'b1?: r = 1; default: r = 0; endcase
always @(posedge clk) begin <<p|r == a[1]>> <<q|!r>> end
endmodule""", {"a": 2}, p="safe", q="unsafe")

    def test_arrays_of_gates(self):
        self.judge("""module top(input clk, input [3:0] a, input [3:0] b); wire [3:0] y, n, z, o; and g[3:0](y, a, b);
not h[0:3](n, a); xor x[3:0](z, a, b, a[0]); buf c[1:0](o[1:0], o[3:2], a[1:0]);
always @(posedge clk) begin <<p|y == (a & b)>> <<q|n == ~a>> <<r|z == (a ^ b ^ {4{a[0]}})>> <<s|o == {2{a[1:0]}}>> <<t|y != 9>> end
endmodule""", {"a": 4, "b": 4}, p="safe", q="safe", r="safe", s="safe", t="unsafe")
        self.refused("module top(input clk, input [1:0] a); wire [1:0] y; bufif1 g[1:0](y, a, clk);\n"
                     "always @* assert (y == a);\nendmodule\n", "array of gates")

    def test_arrays_of_instances(self):
        self.judge("""module sub(input a, output y); assign y = ~a; endmodule
module deep(input [1:0] a, output [1:0] y); sub s[1:0](.a(a), .y(y)); endmodule
module top(input clk, input [3:0] a); wire [3:0] y, z; sub u[3:0](a, y); sub w[3:0](.a(a[0]), .y(z));
wire [3:0] v; deep d[1:0](.a(a), .y(v));
always @(posedge clk) begin <<p|y == ~a>> <<q|z == {4{~a[0]}}>> <<r|v == ~a>> <<s|y != 5>> end
endmodule""", {"a": 4}, p="safe", q="safe", r="safe", s="unsafe")


class Benches(Edges):
    def test_ports_with_the_names_of_the_bench(self):
        for names in (("i", "dut"), ("tb", "tb_2"), ("dut", "dut_2"), ("i", "i_2"), ("\\a[1] ", "\\x.y "),
                      ("\\module ", "\\logic ")):
            x, y = names
            text = f"""module top(input clk, input [3:0] {x}, input [3:0] {y}); reg [3:0] q = 0; reg [3:0] m [0:3];
always @(posedge clk) begin q <= {x} + {y} + m[1]; m[{x}[1:0]] <= {y}; end
always @(posedge clk) <<p|q != 7>>
endmodule"""
            self.bench_shows(text)

    def bench_shows(self, text):
        self.write("t.sv", for_lemmata(text))
        self.run_program("check", "t.sv", "--timeout", "60", "--witness", "tb.v")
        top = re.search(r"-s (\S+)", (self.folder / "tb.v").read_text())[1]
        self.assertIn("fails p", self.simulate(text, self.folder / "tb.v", top))

    def test_modules_and_clocks_with_such_names(self):
        self.bench_shows("module tb(input clk, input a, output reg q); initial q = 0; always @(posedge clk) q <= a; endmodule\n"
                         "module top(input \\the+clock , input a); wire q; tb dut(\\the+clock , a, q);\n"
                         "always @(posedge \\the+clock ) <<p|!q>>\nendmodule\n")

    def test_variables_of_a_block_in_a_loop(self):
        """Yosys has a register for each round, which no simulator knows."""
        self.bench_shows("module top(input clk, input [1:0] a); reg [1:0] q; integer k;\n"
                         "always @(posedge clk) begin : o reg [1:0] w; w = a; for (k = 0; k < 2; k = k + 1) begin : b integer n;\n"
                         "for (n = 0; n < 1; n = n + 1) q[k] <= w[k]; end end\n"
                         "always @(posedge clk) <<p|q != 2>>\nendmodule\n")

    def test_a_design_with_concurrent_assertions(self):
        self.bench_shows("module top(input clk, input a); reg q = 0; always @(posedge clk) q <= a;\n"
                         "<<p|p: assert property (@(posedge clk) !q);|||always @(posedge clk) if (q) $display(\"fails p\");>>\n"
                         "endmodule\n")


class Hostile(Edges):
    """Texts that no one writes: an error with its place, at once."""
    MANY = 100000

    def test_nesting(self):
        n = self.MANY
        for text in (f"wire w = {'(' * n}a{')' * n};", f"wire w = {'{' * n}a{'}' * n};", f"wire w = {'~' * n}a;",
                     f"always @* {'begin ' * n}{'end ' * n}", f"reg r; always @* {'if (a) ' * n}r = 1;",
                     f"reg r; always @* {'if (a) r = 0; else ' * n}r = 1;", f"{'if (1) ' * n}wire w;",
                     f"{'if (1) begin ' * n}{'end ' * n}", f"{'if (0) wire w; else ' * n}wire v;",
                     f"reg r; always @* {'case (a) 0: ' * n}r = 1; {'endcase ' * n}", f"always @* {'x: ' * n};",
                     f"initial {'#1 ' * n};", f"assert property (@(posedge clk) {'(' * n}a |-> a{')' * n});"):
            self.refused(f"module top(input clk, input a);\n{text}\nendmodule\n", "nested too deeply")
        self.refused(f"module top(input clk, input a);\nassert property (@(posedge clk) {'a |-> ' * n}a);\nendmodule\n",
                     "so many parts")

    def test_macros_without_end(self):
        double = "".join(f"`define A{k} `A{k - 1} `A{k - 1}\n" for k in range(1, 60))
        wide = "".join(f"`define A{k}(x) `A{k - 1}(x x)\n" for k in range(1, 60))
        for head, use in (("`define A0 a\n" + double, "`A59"), ("`define A0\n" + double, "a `A59"),
                          ("`define A0(x) x\n" + wide, "`A59(a+)"), ("`define A59(x) `A59(x x)\n", "`A59(a)")):
            self.refused(f"{head}module top(input a);\nwire w = {use};\nendmodule\n", "too much text")
        for k in range(40):
            self.write(f"c{k}.vh", f'`include "c{k + 1}.vh"\n' * 2)
        self.write("c40.vh", "")
        self.refused('`include "c0.vh"\nmodule top(input a);\nendmodule\n', "too many files")
        self.write("x.vh", '`include "y.vh"\n')
        self.write("y.vh", '`include "x.vh"\n')
        self.refused('`include "x.vh"\nmodule top(input a);\nendmodule\n', "includes itself")

    def test_texts_that_do_not_end(self):
        whole = "module top(input clk, input a);\nalways @(posedge clk) assert (a);\nendmodule\n"
        self.refused(whole + "/* more", "a comment does not end")
        self.refused("`define X /* more\n" + whole, "a comment does not end")
        self.refused(whole + "\"more", "a string does not end")
        self.refused(whole.replace("endmodule", ""), "before the end")
        self.refused("`ifdef X\n" * self.MANY + whole, "without `endif")
        self.refused(whole.replace("(a)", f"(a == {'9' * self.MANY})"), "too long")
        self.refused(whole.replace("(a)", "(a\0)"), "")


class Conversion(Edges):
    TEXT = """module top(input clk, input d); reg [1:0] n = 0; always @(posedge clk) if (d && n < 2) n <= n + 1;
always @(posedge clk) begin c1: cover (n == 2); c2: cover (n == 3); a1: assert (n != 3); end
endmodule
"""

    def test_goals_are_announced(self):
        self.write("t.sv", self.TEXT)
        for name in ("x.btor2", "x.aag", "x.vmt", "x.smt2"):
            errors = self.expect(0, "", "convert", "t.sv", "-o", name)
            self.assertIn("t.sv:2:33: warning: 't.sv:2 c1' asks for a run", errors)
            self.assertEqual(errors.count("asks for a run"), 2)
            self.assertIn("'t.sv:2 c2' asks for a run", (self.folder / name).read_text())
        code, out, _ = self.run_program("check", "x.btor2", "--timeout", "60")
        self.assertEqual([line.split()[0] for line in out.splitlines()], ["unsafe", "safe", "safe"])

    def test_casez_of_a_constant_matches_any_bit(self):
        self.write("t.sv", """module top(input clk, input a); reg t; reg r = 0;
always_ff @(posedge clk) begin t = 1'b0; r <= t;
  casez (t) 1'b?: begin p: assert (r == a); end default: begin q: assert (1); end endcase end
endmodule
""")
        code, out, _ = self.run_program("check", "t.sv", "--timeout", "60")
        self.assertEqual((code, out), (1, "unsafe t.sv:3 p\nsafe t.sv:3 q\n"))

    def test_nothing_is_said_without_goals(self):
        self.write("t.sv", "module top(input a); always @* assert (a); endmodule\n")
        self.assertEqual(self.expect(0, "", "convert", "t.sv", "-o", "x.btor2"), "")


if __name__ == "__main__":
    main()
