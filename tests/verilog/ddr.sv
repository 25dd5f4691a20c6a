// Data on both edges of a clock. BUG: the falling edge takes the rising half.
module ddr (input clk, input up, input down);
  reg u = 0, d = 0, seen_u = 0, seen_d = 0;
  always @(posedge clk) u <= up;
`ifdef BUG
  always @(negedge clk) d <= up;
`else
  always @(negedge clk) d <= down;
`endif
`ifdef FORMAL
  always @(negedge clk) seen_d <= down;
  always @(posedge clk) seen_u <= up;
  always @* begin a_down: assert (d == seen_d); a_up: assert (u == seen_u); end
`endif
endmodule
