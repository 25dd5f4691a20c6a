// A gray counter: one bit changes in each step. BUG: it skips a value.
module gray (input clk, input en, output [3:0] code);
  reg [3:0] bin = 0;
`ifdef BUG
  always @(posedge clk) if (en) bin <= bin == 9 ? 11 : bin + 1;
`else
  always @(posedge clk) if (en) bin <= bin + 1;
`endif
  assign code = bin ^ (bin >> 1);
`ifdef FORMAL
  reg [3:0] last_code = 0; reg [3:0] old = 0;
  always @(posedge clk) begin
    last_code <= code; old <= bin;
    a_one: assert ($onehot0(code ^ last_code));
    h_old: assert (last_code == (old ^ (old >> 1)));
    h_next: assert (bin == old || bin == old + 4'd1);
  end
`endif
endmodule
