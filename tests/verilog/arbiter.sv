// A rotating arbiter. BUG: the mask keeps the winner.
module arbiter (input clk, input [3:0] req, output reg [3:0] grant);
  initial grant = 0;
  reg [3:0] mask = 4'b1111;
  wire [3:0] masked = req & mask;
  wire [3:0] pick = |masked ? masked : req;
  wire [3:0] lowest = pick & (~pick + 1);
  always @(posedge clk) begin
    grant <= lowest;
`ifdef BUG
    if (|req) mask <= ~(lowest - 1);
`else
    if (|req) mask <= ~((lowest - 1) | lowest);
`endif
  end
`ifdef FORMAL
  always @(posedge clk) begin
    a_onehot: assert ($onehot0(grant));
    if (|grant) a_turn: assert ((mask & grant) == 0);
  end
`endif
endmodule
