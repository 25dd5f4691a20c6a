// An ALU with a flag for overflow, against wider arithmetic. BUG: subtraction flags as addition does.
module alu (input clk, input sub, input [3:0] x, input [3:0] y, output reg [3:0] r, output reg v);
  wire [3:0] z = sub ? ~y : y;
  wire [3:0] sum = x + z + sub;
  always @(posedge clk) begin
    r <= sum;
`ifdef BUG
    v <= x[3] == y[3] && sum[3] != x[3];
`else
    v <= x[3] == z[3] && sum[3] != x[3];
`endif
  end
`ifdef FORMAL
  reg seen = 0; reg signed [5:0] wide = 0;
  wire signed [5:0] sx = {{2{x[3]}}, x}, sy = {{2{y[3]}}, y};
  always @(posedge clk) begin
    seen <= 1; wide <= sub ? sx - sy : sx + sy;
    if (seen) a_result: assert (r == wide[3:0]);
    if (seen) a_flag: assert (v == (wide > 7 || wide < -8));
  end
`endif
endmodule
