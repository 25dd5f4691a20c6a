#!/usr/bin/env python3
"""Verilog designs as a user checks them: verdicts, names, options, what Yosys would pass over, refusals."""
import json
import os
import shutil
import unittest

from support import ROOT, ProgramTest, main

EXAMPLES = sorted((ROOT / "examples/verilog").iterdir())

COUNTER = """module counter #(parameter LIMIT = 9) (input clk, input en);
  reg [3:0] count = 0;
  always @(posedge clk) if (en) count <= count == LIMIT ? 0 : count + 1;
`ifdef FORMAL
  always @(posedge clk) begin
    a_limit: assert (count <= 9);
    assert (count != 7);
    c_top: cover (count == LIMIT);
  end
`endif
endmodule
"""


@unittest.skipUnless(shutil.which("yosys"), "yosys is not installed")
class Verilog(ProgramTest):
    def check(self, text, *options, name="test.sv", code=None):
        """Verdict lines and standard error of a design given as text."""
        got, out, errors = self.run_program("check", self.write(name, text).name, "--timeout", "60", *options)
        if code is not None:
            self.assertEqual(got, code, out + errors)
        return out.splitlines(), errors

    def verdicts(self, text, *options, **more):
        return self.check(text, *options, **more)[0]

    def refused(self, text, message, *options, code=65, **more):
        out, errors = self.check(text, *options, code=code, **more)
        self.assertEqual(out, [])
        self.assertIn(message, errors)
        self.assertEqual(errors.count("\n"), 1, errors)

    def module(self, body, ports="input clk, input [3:0] d"):
        return f"module top({ports});\n{body}\nendmodule\n"


class Examples(Verilog):
    def test_verdicts(self):
        for example in EXAMPLES:
            word = "unsafe" if example.stem.endswith("_unsafe") else "safe"
            code, out, errors = self.run_program("check", example, "--timeout", "60")
            self.assertEqual(code, 1 if word == "unsafe" else 0, f"{example.name}: {out}{errors}")


class Concurrent(Verilog):
    """Assertions that span a clock cycle or two, which Yosys 0.23 does not read."""

    TEXT = """module top (input logic clk, rst, req, input logic [1:0] n, output logic gnt);
  logic busy;
  always_ff @(posedge clk)
    if (rst) begin gnt <= 0; busy <= 0; end
    else begin gnt <= req; busy <= gnt; end
  default clocking cb @(posedge clk); endclocking
  default disable iff (rst);
  property p_follow;
    @(posedge clk) disable iff (rst)
      req |=> gnt;
  endproperty
  a_follow: assert property (p_follow) else $error("no %s;", "grant");
  a_same:
    assert property (@(posedge clk) disable iff (rst)
      gnt |-> !busy) else $fatal(1, "x");
  a_next: assert property (gnt |=> busy);
  m_n: assume property (n != 3);
  a_n: assert property (n < 3);
  c_both: cover property (@(posedge clk) busy && gnt);
  always_comb begin
    a_two: assert (n != 2) else $error("n is 2");
  end
endmodule
"""

    def test_verdicts_and_places(self):
        self.assertEqual(self.verdicts(self.TEXT, code=1), [
            "safe test.sv:12 a_follow", "unsafe test.sv:14 a_same", "safe test.sv:16 a_next", "safe test.sv:18 a_n",
            "safe test.sv:19 c_both", "unsafe test.sv:21 a_two"])
        _, out, _ = self.run_program("properties", self.folder / "test.sv")
        self.assertRegex(out, r"a_next +assertion +\S*test\.sv:16:11")

    def test_reset_ends_an_attempt(self):
        body = ("  logic q;\n  always_ff @(posedge clk) q <= rst ? 0 : a;\n"
                "  x: assert property (@(posedge clk) %s a |=> q);")
        ports = "input logic clk, rst, a"
        guarded = self.module(body % "disable iff (rst)", ports)
        self.assertEqual(self.verdicts(guarded, code=0), ["safe test.sv:4 x"])
        self.assertEqual(self.verdicts(self.module(body % "", ports), code=1), ["unsafe test.sv:4 x"])

    def test_what_is_left_is_named_by_its_line(self):
        text = self.TEXT.replace("endmodule", "  assert property (req |=> ##1 busy);\nendmodule")
        out, errors = self.check(text, code=65)
        self.assertEqual(out, [])
        self.assertIn("test.sv:23", errors)

    def test_bind_is_still_refused(self):
        text = self.TEXT + "module c(input clk); endmodule\nbind top c i(.clk(clk));\n"
        _, errors = self.check(text, code=65)
        self.assertIn("unsupported: bind", errors)


class Properties(Verilog):
    def test_names_by_label_or_place(self):
        self.assertEqual(self.verdicts(COUNTER, code=1),
                         ["safe test.sv:6 a_limit", "unsafe test.sv:7", "safe test.sv:8 c_top"])

    def test_chosen_by_label_or_name(self):
        self.assertEqual(self.verdicts(COUNTER, "--property", "a_limit", code=0), ["safe test.sv:6 a_limit"])
        self.assertEqual(self.verdicts(COUNTER, "--property", "test.sv:7", code=1), ["unsafe test.sv:7"])
        self.assertEqual(len(self.verdicts(COUNTER, "--property", "?_*", code=0)), 2)

    def test_instances_and_generate_loops(self):
        text = """module sub(input clk, input d);
  reg q = 0; always @(posedge clk) q <= d;
  always @(posedge clk) a_q: assert (!q);
  always @(posedge clk) assert (q == q); always @* assert (q | !q);
endmodule
""" + self.module("genvar i; generate for (i = 0; i < 2; i = i + 1) begin : g\n"
                  "  sub u(.clk(clk), .d(d[i] & (i == 1)));\nend endgenerate")
        self.assertEqual(self.verdicts(text, code=1), [
            "safe test.sv:3 g[0].u.a_q", "unsafe test.sv:3 g[1].u.a_q",
            "safe test.sv:4:25 g[0].u", "safe test.sv:4:25 g[1].u",
            "safe test.sv:4:52 g[0].u", "safe test.sv:4:52 g[1].u"])

    def test_labels_in_generate_loops(self):
        self.write("inc.vh", "`define W 2\n")
        text = """`include "inc.vh"
module sub #(parameter N = 1) (input clk, input [3:0] d);
  genvar i; generate for (i = 0; i < N; i = i + 1) begin : g
    always @(posedge clk) begin
      case (d[1:0])
        2: assert (d[1]);
        `W + 1: l_case: assert (d[0]);
        default: begin l_in: assert (d[i] | !d[i]); end
      endcase
      l: assert (d[i]);
    end
  end endgenerate
endmodule
module top(input clk, input [3:0] d); sub #(.N(2)) u(clk, d | 1); endmodule
"""
        out = self.verdicts(text, code=1)
        self.assertEqual([line for line in out if line.split()[0] == "unsafe"], ["unsafe test.sv:10 u.l (2)"])
        self.assertIn("safe test.sv:10 u.l", out)
        self.assertIn("safe test.sv:8 u.l_in", out)
        self.assertEqual(len(out), 8)

    def test_listed_with_kind_and_place(self):
        file = self.write("test.sv", COUNTER)
        _, out, _ = self.run_program("properties", file.name, "--json", "-")
        rows = json.loads(out)["properties"]
        self.assertEqual([(r["name"], r["kind"], r["place"]) for r in rows],
                         [("test.sv:6 a_limit", "assertion", "test.sv:6:14"),
                          ("test.sv:7", "assertion", "test.sv:7:5"),
                          ("test.sv:8 c_top", "cover", "test.sv:8:12")])

    def test_an_unreachable_cover_is_unsafe(self):
        text = self.module("reg [1:0] q = 0; always @(posedge clk) q <= q ^ 2;\n"
                           "always @* c_yes: cover (q == 2);\nalways @* c_no: cover (q == 1);")
        self.assertEqual(self.verdicts(text, code=1), ["safe test.sv:3 c_yes", "unsafe test.sv:4 c_no"])

    def test_assume_and_restrict(self):
        text = self.module("reg [3:0] q = 0; always @(posedge clk) q <= d;\n"
                           "always @* assume (d < 8);\nalways @* restrict (d != 5);\n"
                           "always @* a: assert (q < 8 && q != 5);\nalways @* b: assert (q != 6);")
        self.assertEqual(self.verdicts(text, code=1), ["safe test.sv:5 a", "unsafe test.sv:6 b"])

    def test_free_values(self):
        text = self.module("wire [3:0] k = $anyconst; wire [3:0] s = $anyseq; reg [3:0] q; reg first = 1;\n"
                           "always @(posedge clk) begin q <= k; first <= 0; end\n"
                           "always @* if (!first) same: assert (q == k);\n"
                           "reg [3:0] r; always @(posedge clk) r <= s;\n"
                           "always @* if (!first) moves: assert (r == s);")
        self.assertEqual(self.verdicts(text, code=1), ["safe test.sv:4 same", "unsafe test.sv:6 moves"])

    def test_past(self):
        text = self.module("reg [3:0] q = 0; reg valid = 0;\n"
                           "always @(posedge clk) begin q <= d; valid <= 1; end\n"
                           "always @(posedge clk) if (valid) a: assert (q == $past(d));\n"
                           "always @(posedge clk) b: assert (q == $past(d));")
        self.assertEqual(self.verdicts(text, code=1), ["safe test.sv:4 a", "unsafe test.sv:5 b"])

    def test_initial_values(self):
        text = self.module("reg [3:0] q; reg [3:0] r = 4'b1x00; reg [3:0] z = 3;\n"
                           "always @(posedge clk) r <= r;\n"
                           "always @* begin a: assert (q == q); b: assert (q != 9);\n"
                           "c: assert (r == 8 || r == 12); e: assert (r == 8); f: assert (z == 3); end")
        self.assertEqual([v.split()[0] + v[-2:] for v in self.verdicts(text, code=1)],
                         ["safe a", "unsafe b", "safe c", "unsafe e", "safe f"])

    def test_memories_stay_arrays(self):
        text = self.module("reg [31:0] m [0:65535]; reg seen = 0; reg [31:0] last; reg [15:0] at;\n"
                           "always @(posedge clk) if (we) begin m[a] <= w; last <= w; at <= a; seen <= 1; end\n"
                           "always @* if (seen) r: assert (m[at] == last);",
                           "input clk, input we, input [15:0] a, input [31:0] w")
        self.assertEqual(self.verdicts(text, code=0), ["safe test.sv:4 r"])


class Reports(Verilog):
    def test_the_engine_that_answered_is_named(self):
        for properties in (["--property", "a_limit"], []):
            self.check(COUNTER, "--json", "r.json", *properties)
            for row in json.loads((self.folder / "r.json").read_text())["results"]:
                self.assertRegex(row["engine"], r"^auto: \w+$")
        self.check(COUNTER, "--json", "r.json", "--engine", "ic3", "--property", "a_limit")
        self.assertEqual(json.loads((self.folder / "r.json").read_text())["results"][0]["engine"], "ic3")

    def test_traces_have_internal_signals_and_entries_of_arrays(self):
        text = self.module("reg [7:0] m [0:7]; wire [7:0] word = m[d[2:0]];\n"
                           "always @(posedge clk) if (d[3]) m[d[2:0]] <= 8'h5a;\n"
                           "reg [1:0] age = 0; always @(posedge clk) if (age < 2) age <= age + 1;\n"
                           "always @(posedge clk) if (age == 2) a: assert (word != 8'h5a);")
        self.check(text, "--json", "r.json", "--report", "r.html", code=1)
        step = json.loads((self.folder / "r.json").read_text())["results"][0]["trace"][-1]
        self.assertEqual(step["observed"]["word"], "#x5a")
        self.assertRegex((self.folder / "r.html").read_text(), r'"(\[\d+\] = \d+, )*(rest|all) [0-9a-f]+"')


class Options(Verilog):
    def test_files_top_includes_macros_parameters(self):
        (self.folder / "inc").mkdir()
        self.write("inc/limit.vh", "`define LIMIT 5\n")
        self.write("sub.sv", '`include "limit.vh"\nmodule sub #(parameter N = 1) (input clk, input [3:0] d);\n'
                             "`ifdef STRICT\nalways @* a: assert (d < `LIMIT + N + `MORE);\n`endif\nendmodule\n")
        top = "module top #(parameter M = 2) (input clk, input [3:0] d);\nsub #(.N(M)) u(clk, d);\nendmodule\n" \
              "module other; endmodule\n"
        options = ["sub.sv", "--top", "top", "-I", "inc", "-D", "STRICT", "-DMORE=1"]
        self.assertEqual(self.verdicts(top, *options, code=1), ["unsafe sub.sv:4 u.a"])
        self.assertEqual(self.verdicts(top, *options, "--parameter", "M=10", code=0), ["safe sub.sv:4 u.a"])

    def test_a_file_that_is_no_systemverilog(self):
        text = "module top(input clk, input bit); reg do = 0;\nalways @(posedge clk) do <= do;\n" \
               "always @* assert (!do);\nendmodule\n"
        self.assertEqual(self.verdicts(text, name="old.v", code=0), ["safe old.v:3"])

    def test_bad_options(self):
        self.refused(COUNTER, "no parameter", "--parameter", "NONE=3", code=64)
        self.refused(COUNTER, "NAME=VALUE", "--parameter", "LIMIT", code=64)
        self.refused(COUNTER, "nowhere", "--top", "nowhere", code=64)
        self.refused(COUNTER, "no such folder", "-I", "nowhere", code=64)
        self.refused(COUNTER, "NAME=VALUE", "-D", "A=b c", code=64)
        self.refused(COUNTER, "no such file", "nowhere.sv", code=66)

    def test_several_files_beside_another_model(self):
        other = self.write("a.aag", "aag 1 0 1 1 0\n2 2\n2\n")
        self.write("one.sv", COUNTER)
        self.write("two.sv", COUNTER)
        code, out, errors = self.run_program("check", "one.sv", "two.sv", other)
        self.assertEqual((code, out), (64, ""), errors)
        self.assertIn("--each", errors)

    def test_yosys_is_not_there(self):
        self.write("test.sv", COUNTER)
        code, out, errors = self.run_program("check", "test.sv", env={**os.environ, "PATH": "/nonexistent"})
        self.assertEqual((code, out), (64, ""))
        self.assertIn("apt-get install yosys", errors)

    def test_nothing_to_check(self):
        self.refused(self.module("reg q; always @(posedge clk) q <= d[0];"), "nothing to check", code=64)

    def test_names_that_need_quotes(self):
        self.assertEqual(self.verdicts(COUNTER, "--property", "a_limit", name="we;ird na'me.sv", code=0),
                         ["safe we;ird na'me.sv:6 a_limit"])


class Holes(Verilog):
    """What Yosys accepts with another meaning or none."""

    def test_hierarchical_reference(self):
        text = "module sub(input clk); reg [3:0] q = 0; always @(posedge clk) q <= q + 1; endmodule\n" + \
            self.module("sub u(clk);\nalways @* assert (u.q != 9);")
        self.refused(text, "test.sv:4:19: error: unsupported: 'u.q'")

    def test_plain_implicit_net_is_a_warning(self):
        out, errors = self.check(self.module("assign y = d[0];\nalways @* assert (y == d[0]);"), code=0)
        self.assertIn("test.sv:2: warning: identifier 'y' is implicitly declared", errors)

    def test_array_of_structs(self):
        text = self.module("typedef struct packed {logic a; logic b;} p_t; p_t s [0:1];\n"
                           "always @* assert (s[1].b == 0);")
        self.assertIn("error", self.check(text, code=65)[1])

    def test_bind(self):
        checker = "module chk(input clk); always @* assert (0); endmodule\n"
        text = checker + self.module("reg bound = 0;\nalways @* assert (1);") + "bind top chk c(.clk(clk));\n"
        self.refused(text, "test.sv:6:1: error: unsupported: bind", "--top", "top")

    def test_bind_in_an_included_file(self):
        self.write("b.vh", "\nbind top chk c(.clk(clk));\n")
        text = "module chk(input clk); always @* assert (0); endmodule\n`include \"b.vh\"\n" + \
            self.module("always @* assert (1);")
        self.refused(text, "b.vh:2:1: error: unsupported: bind", "--top", "top")

    def test_bind_after_an_include(self):
        self.write("b.vh", "\n\n")
        text = "`include \"b.vh\"\nmodule chk(input clk); endmodule\n" + self.module("always @* assert (1);") + \
            "bind top chk c(.clk(clk));\n"
        self.refused(text, "test.sv:6:1: error: unsupported: bind", "--top", "top")

    def test_bind_switched_off_or_in_a_comment(self):
        text = "// bind a b c();\n`ifdef NONE\nbind top chk c();\n`endif\n" + \
            self.module('initial $display("bind top chk c;"); // bind x y z();\nalways @* assert (1);')
        self.verdicts(text, code=0)

    def test_two_clocks(self):
        text = self.module("reg [1:0] p = 0, q = 0; always @(posedge clk) p <= p + 1;\n"
                           "always @(posedge b) q <= q + 1;\nalways @* assert (p == q);", "input clk, input b")
        out, errors = self.check(text, code=1)
        self.assertEqual(out, ["unsafe test.sv:4"])
        self.assertIn("warning: registers change at several edges (posedge clk, posedge b)", errors)

    def test_two_edges_of_one_clock(self):
        text = self.module("reg p = 0, q = 0; always @(posedge clk) p <= !p;\n"
                           "always @(negedge clk) q <= p;\nalways @(posedge clk) a: assert (p == q);")
        out, errors = self.check(text, code=0)
        self.assertIn("posedge clk", errors)
        self.assertIn("negedge clk", errors)

    def test_gated_clock(self):
        text = self.module("wire g = clk & d[0]; reg [1:0] q = 0; always @(posedge g) q <= 1;\n"
                           "reg past = 0; always @* c: cover (q == 1);\nalways @* if (q == 0) e: cover (d[0] && clk);")
        out, errors = self.check(text, code=0)
        self.assertIn("warning: the clock (posedge g) is made by the design", errors)

    def test_clock_as_data(self):
        text = self.module("reg q = 0; always @(posedge clk) q <= 1; wire r = q & clk;\nalways @* c: cover (r);\n"
                           "always @* f: cover (q & !clk);")
        out, errors = self.check(text, code=0)
        self.assertIn("is read as data", errors)

    def test_liveness_is_unknown(self):
        text = self.module("reg q = 0; always @(posedge clk) q <= d[0];\n"
                           "always @* assert (q == q);\nl: assert property (s_eventually q);")
        self.assertEqual(self.verdicts(text, code=2),
                         ["safe test.sv:3", "unknown test.sv:4 l: liveness is not supported"])
        self.refused(self.module("reg q = 0;\nl: assert property (s_eventually q);"), "unsupported: liveness")

    def test_two_roots(self):
        text = self.module("always @* assert (1);") + "module lonely(input a); always @* assert (a); endmodule\n"
        self.refused(text, "lonely, top; choose one with --top", code=64)
        self.assertEqual(self.verdicts(text, "--top", "lonely", code=1), ["unsafe test.sv:4"])

    def test_missing_module_and_black_box(self):
        self.refused(self.module("gone u(clk);\nalways @* assert (1);"), "'gone'")
        text = "(* blackbox *) module bb(input a, output b); endmodule\n" + \
            self.module("wire b; bb u(clk, b);\nalways @* assert (1);")
        self.refused(text, "bb", "--top", "top")

    def test_reads_out_of_range(self):
        text = self.module("reg [3:0] m [0:2]; integer i; initial for (i = 0; i < 3; i = i + 1) m[i] = 0;\n"
                           "always @* a: assert (m[d[1:0]] == 0);\n"
                           "always @* if (d[1:0] < 3) b: assert (m[d[1:0]] == 0);")
        self.assertEqual(self.verdicts(text, code=1), ["unsafe test.sv:3 a", "safe test.sv:4 b"])

    def test_writes_out_of_range(self):
        text = self.module("reg [3:0] m [0:4]; initial m[1] = 0;\n"
                           "always @(posedge clk) if (d[2:0] > 4) m[d[2:0]] <= 5;\nalways @* assert (m[1] == 0);")
        self.assertEqual(self.verdicts(text, code=0), ["safe test.sv:4"])

    def test_dpi_is_not_executed(self):
        text = 'import "DPI-C" function integer getpid();\n' + \
            self.module("localparam P = getpid();\nalways @* assert (P == 0);")
        self.assertIn("DPI", self.check(text, code=65)[1])

    def test_includes_and_memory_files_of_any_path(self):
        secret = self.folder.parent / (self.folder.name + ".hex")
        secret.write_text("0\n")
        self.addCleanup(secret.unlink)
        for text in (f'`include "{secret}"\n' + self.module("always @* assert (1);"),
                     self.module(f'reg [3:0] m [0:0]; initial $readmemh("{secret}", m);\nalways @* assert (m[0] == 0);'),
                     self.module('reg [7:0] m [0:0]; initial $readmemh("/etc/passwd", m);\nalways @* assert (m[0] == 0);')):
            inner = self.folder / "design"
            inner.mkdir(exist_ok=True)
            (inner / "t.sv").write_text(text)
            code, out, errors = self.run_program("check", "design/t.sv")
            self.assertEqual((code, out), (65, ""), errors)

    def test_memory_file_beside_the_design(self):
        self.write("rom.hex", "a 5\n")
        text = self.module('reg [3:0] m [0:1]; initial $readmemh("rom.hex", m);\n'
                           "always @* assert (m[0] == 10 && m[1] == 5);")
        self.verdicts(text, code=0)

    def test_equal_assertions_stay_apart(self):
        text = self.module("reg q = 0; always @(posedge clk) q <= d[0];\n"
                           "always @* a: assert (!q);\nalways @* b: assert (!q);\nalways @* c: assert (1);\n"
                           "always @* if (d != d) e: assert (0);")
        self.assertEqual(self.verdicts(text, code=1), ["unsafe test.sv:3 a", "unsafe test.sv:4 b",
                                                       "safe test.sv:5 c", "safe test.sv:6 e"])

    def test_combinational_loop(self):
        text = self.module("wire [1:0] l;\nassign l[0] = ~l[1];\nassign l[1] = l[0] ^ d[0];\nalways @* assert (l[0]);")
        self.refused(text, "combinational loop through line")

    def test_conflicting_drivers(self):
        text = self.module("reg q; always @(posedge clk) q <= 1;\nalways @(negedge clk) q <= 0;\nalways @* assert (q);")
        self.refused(text, "multiple conflicting drivers")

    def test_undriven_wire_is_free_with_a_warning(self):
        out, errors = self.check(self.module("wire [1:0] w;\nalways @* assert (w == 0);"), code=1)
        self.assertIn("'w' has no driver", errors)
        self.assertIn("test.sv:2", errors)

    def test_undefined_values_are_free(self):
        text = self.module("wire [3:0] y = d[0] ? d : 4'bx;\nalways @* a: assert (d[0] || y == 3);\n"
                           "always @* if (d[0]) b: assert (y == d);")
        self.assertEqual(self.verdicts(text, code=1), ["unsafe test.sv:3 a", "safe test.sv:4 b"])


class Errors(Verilog):
    def test_syntax_errors_have_a_place(self):
        self.refused(self.module("wire [3:0 q;"), "test.sv:2:1: error: syntax error")

    def test_concurrent_assertions_are_refused_with_a_hint(self):
        self.refused(self.module("assert property (@(posedge clk) d |-> ##2 d);"), "docs/verilog.md")

    def test_missing_include(self):
        self.refused('`include "none.vh"\n' + self.module(""), "none.vh")

    def test_a_label_used_twice(self):
        """No generate loop is needed: the place tells them apart."""
        text = self.module("always @* same: assert (d == d);\nalways @* same: assert (d != 3);")
        self.assertEqual(self.verdicts(text, code=1), ["safe test.sv:2 same", "unsafe test.sv:3 same"])

    def test_quantified_inputs(self):
        self.refused(self.module("wire a = $allseq; always @* assert (a);"), "unsupported")


class Conversion(Verilog):
    def test_every_route_agrees(self):
        self.write("test.sv", COUNTER)
        for name in ("x.btor2", "x.aig", "x.vmt"):
            self.expect(0, "", "convert", "test.sv", "-o", name)
            code, out, errors = self.run_program("check", name, "--timeout", "60")
            self.assertEqual([line.split()[0] for line in out.splitlines()], ["safe", "unsafe", "unsafe"],
                             f"{name}: {out}{errors}")  # a cover is a bad state there

    def test_evidence_is_accepted(self):
        self.write("test.sv", COUNTER)
        self.run_program("check", "test.sv", "--witness", "w/", "--certificate", "c/")
        for option, folder in (("--witness", "w"), ("--certificate", "c")):
            files = sorted((self.folder / folder).iterdir())
            self.assertTrue(files)
            for file in files:
                code, out, errors = self.run_program("validate", "test.sv", option, file)
                self.assertEqual(code, 0, f"{file}: {out}{errors}")


if __name__ == "__main__":
    main()
