// A barrel shifter in stages against the operator, registered. BUG: the last stage loses a bit.
module shifter (input clk, input [7:0] d, input [2:0] by, output reg [7:0] q);
  wire [7:0] s1 = by[0] ? {d[6:0], d[7]} : d;
  wire [7:0] s2 = by[1] ? {s1[5:0], s1[7:6]} : s1;
`ifdef BUG
  wire [7:0] s3 = by[2] ? {s2[3:0], 1'b0, s2[6:4]} : s2;
`else
  wire [7:0] s3 = by[2] ? {s2[3:0], s2[7:4]} : s2;
`endif
  always @(posedge clk) q <= s3;
`ifdef FORMAL
  reg seen = 0; reg [7:0] want;
  always @(posedge clk) begin
    seen <= 1; want <= ({d, d} << by) >> 8;
    if (seen) a_rotated: assert (q == want);
  end
`endif
endmodule
