#!/usr/bin/env python3
"""Traces of Verilog designs as waveforms and test benches: equal to Icarus Verilog, value by value."""
import shutil
import subprocess
import unittest

import icarus
from support import ROOT, ProgramTest, main

DESIGNS = {
    "initial value chosen by the trace": """module top(input clk, input [3:0] d, output reg [3:0] q);
  reg [3:0] r; wire [4:0] sum = q + r;
  always @(posedge clk) begin q <= d ^ r; r <= sum[3:0]; end
`ifdef FORMAL
  reg [1:0] age = 0; always @(posedge clk) if (age < 3) age <= age + 1;
  always @(posedge clk) if (age == 3) a: assert (sum != 19);
`endif
endmodule""",
    "memory with its own addresses": """module top(input clk, input we, input [2:0] a, input [7:0] w, output [7:0] y);
  reg [7:0] m [4:7]; reg [7:0] last = 0;
  assign y = m[{1'b1, a[1:0]}];
  always @(posedge clk) begin if (we) m[{1'b1, a[1:0]}] <= w; last <= y; end
`ifdef FORMAL
  always @(posedge clk) l: assert (!(last == 8'h5a && y == 8'ha5));
`endif
endmodule""",
    "asynchronous reset, falling edge": """module top(input clk, input rst_n, input go, output reg [2:0] s);
  always @(negedge clk or negedge rst_n) if (!rst_n) s <= 1; else if (go) s <= {s[1:0], s[2]};
`ifdef FORMAL
  reg seen = 0; always @(negedge clk) seen <= 1;
  always @* if (!seen) assume (!rst_n);
  always @* if (seen) l: assert (s != 4);
`endif
endmodule""",
    "enumeration and instances": (ROOT / "examples/verilog/traffic_safe.sv").read_text(),
    "generate loop, ranges": """module cell1(input clk, input d, output reg q); initial q = 0; always @(posedge clk) q <= d; endmodule
module top(input clk, input [0:3] d, output [7:4] q);
  genvar i; generate for (i = 0; i < 4; i = i + 1) begin : g
    wire here = d[i] ^ (i == 2); cell1 u(.clk(clk), .d(here), .q(q[4 + i])); end endgenerate
`ifdef FORMAL
  always @(posedge clk) l: assert (q != 4'b1010);
`endif
endmodule""",
    "two clocks": (ROOT / "examples/verilog/two_clocks_unsafe.sv").read_text(),
    "arbiter": (ROOT / "examples/verilog/arbiter_unsafe.sv").read_text(),
    "combinational, signed": """module top(input signed [3:0] a, input signed [3:0] b, output signed [4:0] s, output less);
  assign s = a + b; assign less = a < b;
`ifdef FORMAL
  always @* l: assert (!(less && s == -7));
`endif
endmodule""",
    "latch and shift register": """module top(input clk, input en, input [1:0] d, output reg [1:0] held);
  always_latch if (en) held = d;
  reg [3:0] s = 0; always_ff @(posedge clk) s <= {s[2:0], ^held};
`ifdef FORMAL
  always @(posedge clk) l: assert (s != 4'b1011);
`endif
endmodule""",
}


@unittest.skipUnless(shutil.which("yosys") and shutil.which("iverilog"), "yosys or iverilog is not installed")
class Waveforms(ProgramTest):
    def traces(self, text, *options):
        """Waveforms and test benches of all traces, by the name of the property."""
        file = self.write("test.sv", text)
        # One engine alone gives the same trace twice.
        for folder, extension in (("vcd", "vcd"), ("tb", "v")):
            self.run_program("check", file.name, "--engine", "bmc", "--set", "bmc.max-depth=30", "--timeout", "60",
                             "--witness", f"{folder}.{extension}", *options)
        return [(vcd, self.folder / vcd.name.replace("vcd.", "tb.", 1).replace(".vcd", ".v"))
                for vcd in sorted(self.folder.glob("vcd*.vcd"))]

    def test_equal_to_icarus(self):
        for name, text in DESIGNS.items():
            with self.subTest(name):
                for old in self.folder.iterdir():
                    old.unlink()
                found = self.traces(text)
                self.assertTrue(found)
                for vcd, bench in found:
                    bench = bench if bench.exists() else self.folder / "tb.v"
                    top = vcd.read_text().split("$scope module ")[1].split()[0]
                    ours = icarus.read_vcd(vcd, top)
                    theirs, _ = icarus.simulate(self.folder, bench, [self.folder / "test.sv"])
                    wrong, same = icarus.differences(ours, theirs, icarus.steps_of(vcd))
                    self.assertEqual(wrong, [], bench.read_text())
                    self.assertGreaterEqual(same, 4)

    def test_every_signal_of_the_design_is_there(self):
        text = DESIGNS["generate loop, ranges"]
        (vcd, _), = self.traces(text)
        theirs, _ = icarus.simulate(self.folder, self.folder / "tb.v", [self.folder / "test.sv"])
        missing = set(theirs) - set(icarus.read_vcd(vcd, "top"))
        self.assertEqual(missing, set())
        header = vcd.read_text().split("$enddefinitions")[0]
        for part in ("$scope module g[2] $end", "q [7:4]", "d [0:3]"):
            self.assertIn(part, header)
        for noise in ("_witness_", "state"):
            self.assertNotIn(noise, header)

    def test_names_of_values_and_the_clock(self):
        found = self.traces(DESIGNS["enumeration and instances"])
        text = found[0][0].read_text()
        self.assertIn("$var string 1", text)
        for value in ("sRED ", "sGREEN "):
            self.assertIn(value, text)
        self.assertEqual(text.count("\n#"), 2 * icarus.steps_of(found[0][0]))  # two edges in a step

    @unittest.skipUnless(shutil.which("vcd2fst"), "vcd2fst is not installed")
    def test_vcd2fst_takes_the_files(self):
        for text in DESIGNS.values():
            for vcd, _ in self.traces(text):
                done = subprocess.run(["vcd2fst", vcd, self.folder / "x.fst"], capture_output=True, text=True, timeout=60)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertGreater((self.folder / "x.fst").stat().st_size, 0)

    def test_parameters_files_and_an_assertion_that_icarus_sees(self):
        self.write("sub.sv", "module sub #(parameter N = 3) (input clk, output reg [3:0] c);\ninitial c = 0;\n"
                             "always @(posedge clk) c <= c + `BY;\nalways @(posedge clk) if (c == N) assert (0);\nendmodule\n")
        file = self.write("top.sv", "module top #(parameter M = 1) (input clk); wire [3:0] c;\n"
                                    "sub #(.N(M)) u(clk, c);\nendmodule\n")
        self.run_program("check", file.name, "sub.sv", "--parameter", "M=6", "-D", "BY=2", "--witness", "tb.v")
        bench = (self.folder / "tb.v").read_text()
        self.assertIn("top #(.M(6)) dut", bench)
        files = [self.folder / name for name in ("top.sv", "sub.sv")]
        _, said = icarus.simulate(self.folder, self.folder / "tb.v", files, ["-DBY=2"])
        self.assertIn("lemmata: step 3 reached", said)


if __name__ == "__main__":
    main()
