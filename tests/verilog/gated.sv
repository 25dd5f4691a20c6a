// A clock gate with a latch: the gated counter counts enabled edges only. BUG: no latch, so a late
// enable makes an edge.
module gated (input clk, input en, output [1:0] count);
  reg held = 0;
`ifdef BUG
  always @* held = en;
`else
  always @* if (!clk) held = en;
`endif
  wire gclk = clk & held;
  reg [1:0] c = 0;
  always @(posedge gclk) c <= c + 1;
  assign count = c;
`ifdef FORMAL
  reg was = 0; reg past_clk = 1; reg [1:0] old_value = 0; reg past_en = 0;
  always @($global_clock) begin past_clk <= clk; old_value <= c; past_en <= en; end
  always @* if (past_clk) a_still: assert (c == old_value);
`endif
endmodule
